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

/// What the desktop does for a program beside sound. Nothing of it may be missing for a recording to work.
package protocol DesktopServices: Sendable {
    /// Asks that the machine does not sleep by itself. Only sleep: the screen may go dark and be locked.
    ///
    /// Returns at once, whether anybody answers or not.
    /// - Parameters:
    ///   - why: shown by tools that list what keeps a machine awake.
    ///   - events: called on a thread of the adapter, one at a time; must not block.
    func inhibitSleep(why: String, events: @escaping @Sendable (SleepEvent) -> Void) -> any SleepInhibition
}

/// No desktop: for tests, and for programs in virtual time.
package struct NoDesktopServices: DesktopServices {
    package init() {}

    package func inhibitSleep(why: String, events: @escaping @Sendable (SleepEvent) -> Void) -> any SleepInhibition {
        Nothing()
    }

    private final class Nothing: SleepInhibition {
        func release() {}
    }
}
