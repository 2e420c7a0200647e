import CGIO

/// A connection to the system bus. It owns every pointer of GIO that it works with and is used on one thread, but for
/// `cancel` and `wake`.
final class SystemBus: @unchecked Sendable {
    // Unchecked: `context` and `cancellable` never change and are made for use by many threads; the rest belongs to the
    // thread that calls `connect` and `iterate`.
    private let context: OpaquePointer
    private let cancellable: UnsafeMutablePointer<GCancellable>
    private var connection: OpaquePointer?
    private var subscriptions: [UInt32] = []
    private var onSignal: ((_ body: OpaquePointer) -> Void)?

    init() {
        context = g_main_context_new()
        cancellable = g_cancellable_new()
    }

    deinit {
        disconnect()
        g_object_unref(cancellable)
        g_main_context_unref(context)
    }

    // MARK: Any thread

    /// Ends every call that waits and every later one.
    func cancel() {
        g_cancellable_cancel(cancellable)
        wake()
    }

    var isCancelled: Bool { g_cancellable_is_cancelled(cancellable) != 0 }

    /// Has `iterate` return.
    func wake() { g_main_context_wakeup(context) }

    // MARK: The thread of the bus

    /// - Parameter address: nil for the machine's own bus.
    func connect(to address: String?) throws(BusFailure) {
        disconnect()
        // The end of the connection is told through the context of the thread that connects.
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        var error: UnsafeMutablePointer<GError>?
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        )
        guard
            let found = address.map({ g_strdup($0) })
                ?? g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, cancellable, &error)
        else { throw BusFailure(taking: error) }
        defer { g_free(found) }
        // A connection of our own: the shared one of GIO would end the process together with the bus.
        guard let made = g_dbus_connection_new_for_address_sync(found, flags, nil, cancellable, &error) else {
            throw BusFailure(taking: error)
        }
        connection = made
    }

    var isConnected: Bool { connection.map { g_dbus_connection_is_closed($0) == 0 } ?? false }

    /// Hears a signal of `interface` until the connection ends. `body` gets what the signal carries.
    func subscribe(
        _ signal: String,
        of interface: String,
        at path: String,
        from name: String,
        _ body: @escaping (OpaquePointer) -> Void
    ) {
        guard let connection else { return }
        onSignal = body
        // Signals come through the context of the thread that subscribes.
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        let number = g_dbus_connection_signal_subscribe(
            connection,
            name,
            interface,
            signal,
            path,
            nil,
            G_DBUS_SIGNAL_FLAGS_NONE,
            { _, _, _, _, _, body, user in
                guard let body, let user else { return }
                Unmanaged<SystemBus>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.onSignal?(body) }
            },
            Unmanaged.passUnretained(self).toOpaque(),
            nil
        )
        subscriptions.append(number)
    }

    /// Calls a method that takes strings and answers with a descriptor, which the caller owns.
    func descriptor(
        from method: String,
        of interface: String,
        at path: String,
        of name: String,
        _ arguments: [String],
        within limit: Duration
    ) throws(BusFailure) -> Int32 {
        guard let connection else { throw BusFailure("there is no connection to the bus") }
        var values: [OpaquePointer?] = arguments.map { g_variant_new_string($0) }
        var descriptors: UnsafeMutablePointer<GUnixFDList>?
        var error: UnsafeMutablePointer<GError>?
        let reply = g_dbus_connection_call_with_unix_fd_list_sync(
            connection,
            name,
            path,
            interface,
            method,
            g_variant_new_tuple(&values, gsize(values.count)),
            nil,
            G_DBUS_CALL_FLAGS_NONE,
            Int32(limit / .milliseconds(1)),
            nil,
            &descriptors,
            cancellable,
            &error
        )
        defer { if let descriptors { g_object_unref(descriptors) } }
        guard let reply else { throw BusFailure(taking: error) }
        defer { g_variant_unref(reply) }
        guard let descriptors, String(cString: g_variant_get_type_string(reply)) == "(h)",
            let handle = g_variant_get_child_value(reply, 0)
        else { throw BusFailure("\(method) did not answer with a descriptor") }
        defer { g_variant_unref(handle) }
        // Duplicated, and closed in programs that are started (close on exec).
        let descriptor = g_unix_fd_list_get(descriptors, g_variant_get_handle(handle), &error)
        if descriptor < 0 { throw BusFailure(taking: error) }
        return descriptor
    }

    /// The only value of a signal, where it is a truth value.
    static func truth(_ body: OpaquePointer) -> Bool? {
        guard String(cString: g_variant_get_type_string(body)) == "(b)", let value = g_variant_get_child_value(body, 0)
        else { return nil }
        defer { g_variant_unref(value) }
        return g_variant_get_boolean(value) != 0
    }

    /// Waits for something to happen, at most for `limit`, and does what is due: signals are heard in here.
    func iterate(within limit: Duration? = nil) {
        var timer: UnsafeMutablePointer<GSource>?
        if let limit {
            timer = g_timeout_source_new(UInt32(clamping: Int(limit / .milliseconds(1)) + 1))
            g_source_set_callback(timer, { _ in gboolean(G_SOURCE_REMOVE) }, nil, nil)
            g_source_attach(timer, context)
        }
        g_main_context_iteration(context, 1)
        if let timer {
            g_source_destroy(timer)
            g_source_unref(timer)
        }
    }

    func disconnect() {
        guard let connection else { return }
        for number in subscriptions { g_dbus_connection_signal_unsubscribe(connection, number) }
        subscriptions = []
        onSignal = nil
        self.connection = nil
        g_object_unref(UnsafeMutableRawPointer(connection))
    }
}
