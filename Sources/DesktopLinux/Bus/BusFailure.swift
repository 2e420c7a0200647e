import CGIO

/// Why something on the bus did not succeed.
struct BusFailure: Error {
    var reason: String

    static let notConnected = BusFailure("there is no connection to the bus")

    init(_ reason: String) { self.reason = reason }

    /// Takes the error that a call of GIO has left.
    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            reason = "no reason given"
            return
        }
        // The name of the error on the bus is of no use to people.
        g_dbus_error_strip_remote_error(error)
        reason = error.pointee.message.map { String(cString: $0) } ?? "no reason given"
        g_error_free(error)
    }
}
