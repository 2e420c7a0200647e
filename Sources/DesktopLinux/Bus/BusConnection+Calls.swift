import CGIO

/// A signal that was heard.
struct BusSignal {
    /// The connection that sent it, by its unique name.
    var sender: String
    var path: String
    var name: String
    var arguments: [BusValue]
}

/// What is called, and what it is given.
struct BusCall: Sendable {
    var method: String
    var interface: String
    var path: String
    /// Of the one that is called.
    var name: String
    var arguments: [BusArgument]
    var limit: Duration
    /// Has the bus start a service that is not there.
    var startsService = false

    init(
        _ method: String,
        of interface: String,
        at path: String,
        of name: String,
        _ arguments: [BusArgument] = [],
        within limit: Duration,
        startsService: Bool = false
    ) {
        self.method = method
        self.interface = interface
        self.path = path
        self.name = name
        self.arguments = arguments
        self.limit = limit
        self.startsService = startsService
    }

    fileprivate var flags: GDBusCallFlags {
        startsService ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
    }

    fileprivate var milliseconds: Int32 { Int32(clamping: Int(max(limit, .milliseconds(1)) / .milliseconds(1))) }
}

extension BusConnection {
    /// Hears a signal until the connection ends.
    /// - Parameters:
    ///   - path, name: of the sender; nil for any.
    ///   - argument: what the first argument must be; with `isNamespace`, what it must begin with, up to a dot.
    func subscribe(
        _ signal: String?,
        of interface: String,
        at path: String? = nil,
        from name: String? = nil,
        argument: String? = nil,
        isNamespace: Bool = false,
        _ body: @escaping (BusSignal) -> Void
    ) {
        guard let connection else { return }
        let box = Unmanaged.passRetained(SignalBox(body))
        let flags = isNamespace ? G_DBUS_SIGNAL_FLAGS_MATCH_ARG0_NAMESPACE : G_DBUS_SIGNAL_FLAGS_NONE
        // Signals come through the context of the thread that subscribes.
        let number = inContext {
            g_dbus_connection_signal_subscribe(
                connection,
                name,
                interface,
                signal,
                path,
                argument,
                flags,
                { _, sender, path, _, signal, body, user in
                    guard let path, let signal, let body, let user else { return }
                    let heard = BusSignal(
                        sender: sender.map { String(cString: $0) } ?? "",
                        path: String(cString: path),
                        name: String(cString: signal),
                        arguments: BusValue(body).list ?? []
                    )
                    Unmanaged<SignalBox>.fromOpaque(user).takeUnretainedValue().body(heard)
                },
                box.toOpaque(),
                { user in if let user { Unmanaged<SignalBox>.fromOpaque(user).release() } }
            )
        }
        remember(subscription: number)
    }

    /// Calls a method and waits for the answer.
    func call(_ call: BusCall) throws(BusFailure) -> [BusValue] {
        guard let connection else { throw BusFailure.notConnected }
        var error: UnsafeMutablePointer<GError>?
        let reply = g_dbus_connection_call_sync(
            connection,
            call.name,
            call.path,
            call.interface,
            call.method,
            BusArgument.tuple(call.arguments),
            nil,
            call.flags,
            call.milliseconds,
            cancellable,
            &error
        )
        guard let reply else { throw BusFailure(taking: error) }
        defer { g_variant_unref(reply) }
        return BusValue(reply).list ?? []
    }

    /// Calls a method; the answer, nil where there is none, comes from inside `iterate`.
    func post(_ call: BusCall, answer: @escaping ([BusValue]?) -> Void) {
        guard let connection else { return answer(nil) }
        let box = Unmanaged.passRetained(AnswerBox(answer))
        inContext {
            g_dbus_connection_call(
                connection,
                call.name,
                call.path,
                call.interface,
                call.method,
                BusArgument.tuple(call.arguments),
                nil,
                call.flags,
                call.milliseconds,
                cancellable,
                { source, result, user in
                    guard let user else { return }
                    let box = Unmanaged<AnswerBox>.fromOpaque(user).takeRetainedValue()
                    guard let source,
                        let reply = g_dbus_connection_call_finish(OpaquePointer(source), result, nil)
                    else { return box.body(nil) }
                    defer { g_variant_unref(reply) }
                    box.body(BusValue(reply).list ?? [])
                },
                box.toOpaque()
            )
        }
    }

    /// Sends a signal to everybody.
    func emit(_ signal: String, of interface: String, at path: String, _ arguments: [BusArgument]) {
        guard let connection else { return }
        g_dbus_connection_emit_signal(connection, nil, path, interface, signal, BusArgument.tuple(arguments), nil)
    }

    /// Calls a method that takes strings and answers with a descriptor, which the caller owns.
    func descriptor(from call: BusCall) throws(BusFailure) -> Int32 {
        guard let connection else { throw BusFailure.notConnected }
        var descriptors: UnsafeMutablePointer<GUnixFDList>?
        var error: UnsafeMutablePointer<GError>?
        let reply = g_dbus_connection_call_with_unix_fd_list_sync(
            connection,
            call.name,
            call.path,
            call.interface,
            call.method,
            BusArgument.tuple(call.arguments),
            nil,
            G_DBUS_CALL_FLAGS_NONE,
            call.milliseconds,
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
        else { throw BusFailure("\(call.method) did not answer with a descriptor") }
        defer { g_variant_unref(handle) }
        // Duplicated, and closed in programs that are started (close on exec).
        let descriptor = g_unix_fd_list_get(descriptors, g_variant_get_handle(handle), &error)
        if descriptor < 0 { throw BusFailure(taking: error) }
        return descriptor
    }
}

private final class SignalBox {
    let body: (BusSignal) -> Void
    init(_ body: @escaping (BusSignal) -> Void) { self.body = body }
}

private final class AnswerBox {
    let body: ([BusValue]?) -> Void
    init(_ body: @escaping ([BusValue]?) -> Void) { self.body = body }
}
