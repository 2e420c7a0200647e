import CGIO
import Glibc

/// Which message bus is meant.
enum BusAddress: Sendable, Hashable {
    /// The machine's.
    case system
    /// The user's.
    case session
    /// One at a given address ("unix:path=/run/…").
    case at(String)

    /// Where to connect to.
    func find(_ cancellable: UnsafeMutablePointer<GCancellable>) throws(BusFailure) -> String {
        switch self {
        case .at(let address): return address
        case .session: return try Self.sessionAddress()
        case .system:
            var error: UnsafeMutablePointer<GError>?
            guard let found = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SYSTEM, cancellable, &error) else {
                throw BusFailure(taking: error)
            }
            defer { g_free(found) }
            return String(cString: found)
        }
    }

    /// Not by GIO, which starts a bus of its own where there is none: sessions are then apart and never find each other.
    private static func sessionAddress() throws(BusFailure) -> String {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS") { return address }
        if let folder = environment("XDG_RUNTIME_DIR"), access(folder + "/bus", F_OK) == 0 {
            guard let path = g_dbus_address_escape_value(folder + "/bus") else { throw BusFailure("out of memory") }
            defer { g_free(path) }
            return "unix:path=" + String(cString: path)
        }
        throw BusFailure("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR leads to one")
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
