import CGIO

/// Threads on which connections to a bus are used. Each ends by itself, with what it does.
enum BusThread {
    /// - Parameter name: shown by debuggers; at most 15 bytes.
    /// - Returns: false where no thread is left; `body` is not run then.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(body))
        let thread = g_thread_try_new(
            name,
            { user in
                guard let user else { return nil }
                Unmanaged<Body>.fromOpaque(user).takeRetainedValue().run()
                return nil
            },
            box.toOpaque(),
            nil
        )
        guard let thread else {
            box.release()
            return false
        }
        g_thread_unref(thread)
        return true
    }

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
