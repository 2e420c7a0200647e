import CGIO

extension BusConnection {
    /// Offers an object with properties that everybody may read, until the connection ends.
    /// - Parameters:
    ///   - description: introspection data of one interface.
    ///   - property: gives a property's value; asked from inside `iterate`.
    func export(
        _ interface: String,
        at path: String,
        _ description: String,
        property: @escaping (String) -> BusArgument?
    ) throws(BusFailure) {
        guard let connection else { throw BusFailure.notConnected }
        var error: UnsafeMutablePointer<GError>?
        guard let node = g_dbus_node_info_new_for_xml(description, &error) else { throw BusFailure(taking: error) }
        defer { g_dbus_node_info_unref(node) }
        guard let information = g_dbus_node_info_lookup_interface(node, interface) else {
            throw BusFailure("the description of \(interface) lacks it")
        }
        var table = GDBusInterfaceVTable()
        table.get_property = { _, _, _, _, name, error, user in
            guard let name, let user else { return nil }
            let box = Unmanaged<PropertyBox>.fromOpaque(user).takeUnretainedValue()
            if let value = box.property(String(cString: name))?.variant { return value }
            g_set_error_literal(error, g_io_error_quark(), Int32(G_IO_ERROR_NOT_FOUND.rawValue), "no such property")
            return nil
        }
        let box = Unmanaged.passRetained(PropertyBox(property))
        let number = inContext {
            g_dbus_connection_register_object(
                connection,
                path,
                information,
                &table,
                box.toOpaque(),
                { user in if let user { Unmanaged<PropertyBox>.fromOpaque(user).release() } },
                &error
            )
        }
        if number == 0 {
            box.release()
            throw BusFailure(taking: error)
        }
        remember(export: number)
    }
}

private final class PropertyBox {
    let property: (String) -> BusArgument?
    init(_ property: @escaping (String) -> BusArgument?) { self.property = property }
}
