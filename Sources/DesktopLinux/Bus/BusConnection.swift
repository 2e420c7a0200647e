import CGIO

/// A connection to a message bus. It owns every pointer of GIO that it works with and is used on one thread, but for
/// `cancel`, `isCancelled` and `wake`.
///
/// Signals and answers come from inside `iterate`, in the order in which the bus sent them.
final class BusConnection: @unchecked Sendable {
    // Unchecked: `context` and `cancellable` never change and are made for use by many threads; the rest belongs to the
    // thread that calls `connect` and `iterate`.
    private let context: OpaquePointer
    let cancellable: UnsafeMutablePointer<GCancellable>
    private(set) var connection: OpaquePointer?
    private var subscriptions: [UInt32] = []
    private var exports: [UInt32] = []

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

    func connect(to address: BusAddress) throws(BusFailure) {
        disconnect()
        let found = try address.find(cancellable)
        var error: UnsafeMutablePointer<GError>?
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        )
        // A connection of our own: the shared one of GIO would end the process together with the bus. Its end is told
        // through the context of the thread that connects.
        let made = inContext { g_dbus_connection_new_for_address_sync(found, flags, nil, cancellable, &error) }
        guard let made else { throw BusFailure(taking: error) }
        connection = made
    }

    var isConnected: Bool { connection.map { g_dbus_connection_is_closed($0) == 0 } ?? false }

    /// What the bus calls this connection (":1.42").
    var uniqueName: String? {
        connection.flatMap { g_dbus_connection_get_unique_name($0) }.map { String(cString: $0) }
    }

    /// Runs `body` with the context of this connection as the one of the thread: answers and signals then come through it.
    func inContext<Result>(_ body: () -> Result) -> Result {
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        return body()
    }

    func remember(subscription number: UInt32) { subscriptions.append(number) }

    func remember(export number: UInt32) { exports.append(number) }

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

    /// Does what is due now, without waiting.
    func iterateOnce() -> Bool { g_main_context_iteration(context, 0) != 0 }

    func disconnect() {
        guard let connection else { return }
        for number in subscriptions { g_dbus_connection_signal_unsubscribe(connection, number) }
        for number in exports { g_dbus_connection_unregister_object(connection, number) }
        subscriptions = []
        exports = []
        self.connection = nil
        g_dbus_connection_close(connection, nil, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }
}
