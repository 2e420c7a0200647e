/// The bus itself: who is there, and who owns which name.
extension BusConnection {
    static let busName = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"
    private static let limit = Duration.milliseconds(800)

    /// What became of a request for a name.
    enum NameReply: UInt32 { case owner = 1, inQueue, exists, alreadyOwner }

    struct NameFlags: OptionSet {
        let rawValue: UInt32
        /// Others may take the name; this connection then waits behind them.
        static let allowsReplacement = Self(rawValue: 1)
        /// Takes the name from an owner that allows it.
        static let replaces = Self(rawValue: 2)
    }

    func requestName(_ name: String, _ flags: NameFlags) throws(BusFailure) -> NameReply {
        let answer = try askBus("RequestName", [.text(name), .unsigned32(flags.rawValue)])
        guard let reply = answer.first?.whole(UInt32.self).flatMap(NameReply.init) else {
            throw BusFailure("the bus does not say what became of the request for \(name)")
        }
        return reply
    }

    func releaseName(_ name: String) throws(BusFailure) { _ = try askBus("ReleaseName", [.text(name)]) }

    /// The owner of a name and those who wait for it, in order, by their unique names. Empty where nobody has it.
    func queue(of name: String) -> [String] {
        do throws(BusFailure) { return try askBus("ListQueuedOwners", [.text(name)]).first?.texts ?? [] } catch {
            return []
        }
    }

    func names() throws(BusFailure) -> [String] { try askBus("ListNames", []).first?.texts ?? [] }

    func owner(of name: String) -> String? {
        do throws(BusFailure) { return try askBus("GetNameOwner", [.text(name)]).first?.text } catch { return nil }
    }

    func processID(of name: String) -> UInt32? {
        do throws(BusFailure) {
            return try askBus("GetConnectionUnixProcessID", [.text(name)]).first?.whole()
        } catch {
            return nil
        }
    }

    private func askBus(_ method: String, _ arguments: [BusArgument]) throws(BusFailure) -> [BusValue] {
        try call(
            BusCall(method, of: Self.busName, at: Self.busPath, of: Self.busName, arguments, within: Self.limit)
        )
    }
}
