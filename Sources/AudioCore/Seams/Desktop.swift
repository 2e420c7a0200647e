/// What becomes of the machine while it is asked not to sleep: it may do so all the same, by the lid, the battery or a
/// person's wish.
package enum SleepEvent: Sendable {
    /// It is about to sleep, and waits for `ready` to be called: for some seconds, then no longer.
    case willSleep(ready: @Sendable () -> Void)
    /// It is awake again.
    case didWake
}

/// Keeps the machine from going to sleep by itself for as long as it is held.
package protocol SleepInhibition: AnyObject, Sendable {
    /// Lets the machine sleep. Returns at once; an event that is on its way may still come. Also done when nobody holds it
    /// any more, and by the end of the process.
    func release()
}

/// What a person reads beside everything else on the screen while something goes on.
package struct StatusText: Sendable, Hashable {
    package var title: String
    package var body: String

    package init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}

/// A message that stays on the screen until it is closed.
package protocol StatusDisplay: AnyObject, Sendable {
    /// Shows another text in its place. Returns at once; of several texts that wait only the last is shown.
    func update(_ text: StatusText)

    /// Takes it away. Returns at once. Also done when nobody holds it any more.
    func close()
}

/// What the person has chosen about the sounds of the desktop.
package struct SoundPreferences: Sendable, Hashable {
    /// The sound theme, by the name of its folder.
    package var theme: String
    /// Sounds that answer what somebody does (the "event sounds") are wanted.
    package var playsEventSounds: Bool

    package init(theme: String = "freedesktop", playsEventSounds: Bool = true) {
        self.theme = theme
        self.playsEventSounds = playsEventSounds
    }
}

/// What the desktop does for a program beside sound. Nothing of it may be missing for a recording to work.
package protocol DesktopServices: Sendable {
    /// Asks that the machine does not sleep by itself. Only sleep: the screen may go dark and be locked.
    ///
    /// Returns at once, whether anybody answers or not.
    /// - Parameters:
    ///   - why: shown by tools that list what keeps a machine awake.
    ///   - events: called on a thread of the adapter, one at a time; must not block.
    func inhibitSleep(why: String, events: @escaping @Sendable (SleepEvent) -> Void) -> any SleepInhibition

    /// Shows a message that stays. Returns at once, whether anybody shows it or not.
    func showStatus(_ text: StatusText) -> any StatusDisplay

    /// Vibrates once, shortly, where the machine can. Returns at once; what comes while it vibrates is left out.
    func vibrate()

    /// As they are now. May read files; waits for no other program.
    func soundPreferences() -> SoundPreferences
}

extension DesktopServices {
    package func vibrate() {}
    package func soundPreferences() -> SoundPreferences { SoundPreferences() }
}

/// No desktop: for tests, and for programs in virtual time.
package struct NoDesktopServices: DesktopServices {
    package init() {}

    package func inhibitSleep(why: String, events: @escaping @Sendable (SleepEvent) -> Void) -> any SleepInhibition {
        Nothing()
    }

    package func showStatus(_ text: StatusText) -> any StatusDisplay { Nothing() }

    private final class Nothing: SleepInhibition, StatusDisplay {
        func release() {}
        func update(_ text: StatusText) {}
        func close() {}
    }
}
