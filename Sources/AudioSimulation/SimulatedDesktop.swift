package import AudioCore
import Synchronization

/// A desktop of software: it notes who keeps it awake and what is shown on it, and its sleep is the scenario's.
package final class SimulatedDesktop: DesktopServices {
    private struct State {
        var inhibitions: [UInt64: @Sendable (SleepEvent) -> Void] = [:]
        var displays: [(number: UInt64, text: StatusText)] = []
        var next: UInt64 = 0
        var vibrations = 0
        var preferences = SoundPreferences()
    }

    private let state = Mutex(State())

    package init() {}

    /// Somebody keeps the machine awake.
    package var isKeptAwake: Bool { state.withLock { !$0.inhibitions.isEmpty } }

    /// What is shown, the oldest first.
    package var statusTexts: [StatusText] { state.withLock { $0.displays.map(\.text) } }

    /// How often it vibrated.
    package var vibrations: Int { state.withLock { $0.vibrations } }

    /// What the person chooses about the sounds of the desktop.
    package func choose(_ preferences: SoundPreferences) { state.withLock { $0.preferences = preferences } }

    package func vibrate() { state.withLock { $0.vibrations += 1 } }

    package func soundPreferences() -> SoundPreferences { state.withLock { $0.preferences } }

    /// The machine goes to sleep although it is asked not to (true), or wakes.
    package func sleep(_ begins: Bool) {
        let told = state.withLock { $0.inhibitions.sorted { $0.key < $1.key }.map(\.value) }
        for events in told { events(begins ? .willSleep(ready: {}) : .didWake) }
    }

    package func inhibitSleep(why: String, events: @escaping @Sendable (SleepEvent) -> Void) -> any SleepInhibition {
        Held(self, number { $0.inhibitions[$1] = events }) { $0.inhibitions.removeValue(forKey: $1) }
    }

    package func showStatus(_ text: StatusText) -> any StatusDisplay {
        Held(self, number { $0.displays.append(($1, text)) }) { state, number in
            state.displays.removeAll { $0.number == number }
        }
    }

    private func number(_ body: (inout State, UInt64) -> Void) -> UInt64 {
        state.withLock { state in
            state.next += 1
            body(&state, state.next)
            return state.next
        }
    }

    /// What somebody holds, until they give it back.
    private final class Held: SleepInhibition, StatusDisplay {
        private let desktop: SimulatedDesktop
        private let number: UInt64
        private let end: @Sendable (inout State, UInt64) -> Void

        init(_ desktop: SimulatedDesktop, _ number: UInt64, end: @escaping @Sendable (inout State, UInt64) -> Void) {
            self.desktop = desktop
            self.number = number
            self.end = end
        }

        deinit { release() }

        func release() { desktop.state.withLock { end(&$0, number) } }

        func close() { release() }

        func update(_ text: StatusText) {
            desktop.state.withLock { state in
                if let index = state.displays.firstIndex(where: { $0.number == number }) {
                    state.displays[index].text = text
                }
            }
        }
    }
}
