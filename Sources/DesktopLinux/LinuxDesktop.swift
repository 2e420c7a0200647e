package import AudioCore

/// The desktop of this machine: logind keeps it awake, the notification service shows what goes on.
package struct LinuxDesktop: DesktopServices {
    private let program: String
    private let sessionBus: String?
    private let logind: LogindServices
    private let vibration: DesktopVibration
    private let soundSettings = SoundSettings()
    private let log: @Sendable (String) -> Void

    /// - Parameters:
    ///   - program: as the desktop shows it.
    ///   - systemBus, sessionBus: addresses; nil for the machine's and the user's own.
    ///   - log: takes what could not be done.
    package init(
        program: String,
        systemBus: String? = nil,
        sessionBus: String? = nil,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.program = program
        self.sessionBus = sessionBus
        self.log = log
        logind = LogindServices(who: program, address: systemBus, log: log)
        vibration = DesktopVibration(program: program, address: sessionBus, log: log)
    }

    package func inhibitSleep(why: String, events: @escaping @Sendable (SleepEvent) -> Void) -> any SleepInhibition {
        logind.inhibitSleep(why: why, events: events)
    }

    package func showStatus(_ text: StatusText) -> any StatusDisplay {
        DesktopNotification(text, program: program, address: sessionBus, log: log)
    }

    package func vibrate() { vibration.begin() }

    package func soundPreferences() -> SoundPreferences { soundSettings.now }
}
