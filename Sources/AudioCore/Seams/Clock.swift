/// Time for everything above the devices. Production reads the machine's clock, tests step a virtual one.
package protocol HostClock: Sendable {
    /// Waits for nobody: device threads read it, too.
    var now: HostTime { get }

    /// Blocks the calling thread until `time`. Only threads of our own may call it.
    func sleep(until time: HostTime)

    /// Has `body` called at `time`, where time is virtual: no machine's timer says when that is. Clocks of the machine do
    /// nothing: who waits for their time looks at them.
    func call(at time: HostTime, _ body: @escaping @Sendable () -> Void)

    /// Keeps a time that is stepped from going on until the token is released. For work that a device's event or a call
    /// leaves to another thread: in virtual time it is done at the moment that it belongs to. Nil where time waits for
    /// nobody. Any thread.
    func hold() -> (any AnyObject & Sendable)?
}

extension HostClock {
    package func call(at time: HostTime, _ body: @escaping @Sendable () -> Void) {}
    package func hold() -> (any AnyObject & Sendable)? { nil }
}

/// Where delegate and notification calls go. The main queue in production, as on Apple's systems.
package protocol CallbackExecutor: Sendable {
    /// Runs `body` later, in the order of the calls, never inside this call.
    func enqueue(_ body: @escaping @Sendable () -> Void)
}

/// Calls back before a stepped time goes on.
package struct HoldingExecutor: CallbackExecutor {
    private let base: any CallbackExecutor
    private let clock: any HostClock

    package init(_ base: any CallbackExecutor, clock: any HostClock) {
        self.base = base
        self.clock = clock
    }

    package func enqueue(_ body: @escaping @Sendable () -> Void) {
        let hold = clock.hold()
        base.enqueue {
            body()
            withExtendedLifetime(hold) {}
        }
    }
}
