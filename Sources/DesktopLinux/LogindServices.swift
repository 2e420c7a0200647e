package import AudioCore

/// What systemd's logind does for a program (org.freedesktop.login1), also where elogind stands in for it.
package struct LogindServices: Sendable {
    private let who: String
    private let address: String?
    private let log: @Sendable (String) -> Void

    /// - Parameters:
    ///   - who: the program, as tools show it that list what keeps a machine awake.
    ///   - address: of the bus; nil for the machine's own.
    ///   - log: takes what could not be done.
    package init(who: String, address: String? = nil, log: @escaping @Sendable (String) -> Void) {
        self.who = who
        self.address = address
        self.log = log
    }

    /// See `DesktopServices`.
    package func inhibitSleep(why: String, events: @escaping @Sendable (SleepEvent) -> Void) -> any SleepInhibition {
        LogindInhibition(who: who, why: why, address: address, log: log, events: events)
    }
}
