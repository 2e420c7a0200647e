import AudioCore
import Synchronization

/// What the session makes of the program's place on the machine.
extension SessionCore {
    /// Hears, from the first activation on, when the program goes to the background or is suspended. Within a turn.
    func listenToConditions() {
        let conditions = runtime.conditions
        if state.withLock({ $0.watched?.conditions === conditions }) { return }
        let last = Mutex(conditions.now.app)
        let observation = conditions.observe { [weak self] now in
            let before = last.withLock { last in
                defer { last = now.app }
                return last
            }
            if now.app != before { self?.moved(from: before, to: now.app) }
        }
        let old = state.withLock { state in
            defer { state.watched = (conditions, observation) }
            return state.watched
        }
        withExtendedLifetime(old) {}
    }

    private func moved(from before: AppState, to now: AppState) {
        // A program that sleeps is told when it can hear. One that records or plays was not suspended, as on Apple's systems:
        // it goes on, and what it slept through is a gap.
        if before == .suspended, isActive, !hasRunningClients { interrupt(.suspended) }
        if now != .suspended { setInBackground(now == .background) }
    }
}
