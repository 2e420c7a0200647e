import CGIO
import Foundation
import Synchronization

/// logind's part in sleep (org.freedesktop.login1), on a bus of the test's own.
package final class FakeLogind: @unchecked Sendable {
    // Unchecked: the pointers never change, and GIO's connections are made for use by many threads.

    /// A call of `Inhibit`.
    package struct Inhibitor: Sendable, Equatable {
        package var what, who, why, mode: String
        /// False once the lock was given back.
        package var isHeld: Bool
    }

    private let connection: OpaquePointer
    private let context: OpaquePointer
    private let answers: Bool
    private let isEnded = Atomic<Bool>(false)
    private let taken = Mutex<[(Inhibitor, readEnd: Int32)]>([])

    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"
    private static let description = """
        <node><interface name="org.freedesktop.login1.Manager">
          <method name="Inhibit">
            <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
            <arg type="s" direction="in"/><arg type="h" direction="out"/>
          </method>
          <signal name="PrepareForSleep"><arg type="b"/></signal>
        </interface></node>
        """

    /// - Parameter answers: false for one that hangs.
    package init(on bus: PrivateBus, answers: Bool = true) throws {
        self.answers = answers
        guard let loop = g_main_context_new() else { throw SetupFailure("Out of memory.") }
        context = loop
        g_main_context_push_thread_default(loop)
        defer { g_main_context_pop_thread_default(loop) }
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
        )
        guard let made = g_dbus_connection_new_for_address_sync(bus.address, flags, nil, nil, nil) else {
            throw SetupFailure("The private bus does not answer.")
        }
        connection = made
        try register()
        try takeName()
        let thread = Thread { [self] in
            while !isEnded.load(ordering: .acquiring) { g_main_context_iteration(context, 1) }
        }
        thread.start()
    }

    /// Ends it as a crash would. Must be called: its thread holds it.
    package func end() {
        isEnded.store(true, ordering: .releasing)
        g_main_context_wakeup(context)
        g_dbus_connection_close_sync(connection, nil, nil)
    }

    /// All calls so far, in order.
    package var inhibitors: [Inhibitor] {
        taken.withLock { taken in
            taken.map { inhibitor, readEnd in
                var inhibitor = inhibitor
                var poll = pollfd(fd: readEnd, events: 0, revents: 0)
                inhibitor.isHeld = Glibc.poll(&poll, 1, 0) == 0
                return inhibitor
            }
        }
    }

    /// The modes of the locks that are held now, sorted.
    package var held: [String] { inhibitors.filter(\.isHeld).map(\.mode).sorted() }

    /// Says to everybody that the machine goes to sleep (true) or is awake again.
    package func prepareForSleep(_ begins: Bool) {
        var values: [OpaquePointer?] = [g_variant_new_boolean(begins ? 1 : 0)]
        let body = g_variant_new_tuple(&values, 1)
        g_dbus_connection_emit_signal(connection, nil, Self.path, Self.interface, "PrepareForSleep", body, nil)
    }

    private func register() throws {
        guard let node = g_dbus_node_info_new_for_xml(Self.description, nil),
            let interface = g_dbus_node_info_lookup_interface(node, Self.interface)
        else { throw SetupFailure("The description of login1 is wrong.") }
        var table = GDBusInterfaceVTable()
        table.method_call = { _, _, _, _, _, parameters, invocation, user in
            guard let parameters, let invocation, let user else { return }
            Unmanaged<FakeLogind>.fromOpaque(user).takeUnretainedValue().inhibit(parameters, invocation)
        }
        let user = Unmanaged.passUnretained(self).toOpaque()
        let number = g_dbus_connection_register_object(connection, Self.path, interface, &table, user, nil, nil)
        if number == 0 { throw SetupFailure("login1 cannot be offered.") }
    }

    private func takeName() throws {
        var values: [OpaquePointer?] = [g_variant_new_string("org.freedesktop.login1"), g_variant_new_uint32(0)]
        let reply = g_dbus_connection_call_sync(
            connection,
            "org.freedesktop.DBus",
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "RequestName",
            g_variant_new_tuple(&values, 2),
            nil,
            G_DBUS_CALL_FLAGS_NONE,
            5000,
            nil,
            nil
        )
        guard let reply else { throw SetupFailure("The name of login1 cannot be had.") }
        g_variant_unref(reply)
    }

    private func inhibit(_ parameters: OpaquePointer, _ invocation: OpaquePointer) {
        let texts = (0..<4).map { index -> String in
            guard let value = g_variant_get_child_value(parameters, gsize(index)) else { return "" }
            defer { g_variant_unref(value) }
            return String(cString: g_variant_get_string(value, nil))
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        let inhibitor = Inhibitor(what: texts[0], who: texts[1], why: texts[2], mode: texts[3], isHeld: true)
        taken.withLock { $0.append((inhibitor, ends[0])) }
        // One that hangs keeps the lock open at its own end.
        guard answers, let list = g_unix_fd_list_new() else { return }
        var values: [OpaquePointer?] = [g_variant_new_handle(g_unix_fd_list_append(list, ends[1], nil))]
        close(ends[1])
        g_dbus_method_invocation_return_value_with_unix_fd_list(invocation, g_variant_new_tuple(&values, 1), list)
        g_object_unref(list)
    }
}
