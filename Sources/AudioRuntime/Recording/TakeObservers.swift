package import AudioCore
import Synchronization

/// Who listens to what happens to the recordings of one recorder. Any thread.
package final class TakeObservers: Sendable {
    /// Called with each notice in order, and with nil when none will follow, because the recorder is gone.
    package typealias Observer = @Sendable (TakeNotice?) -> Void

    private struct State {
        var observers: [Int: Observer] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    init() {}

    deinit { send(nil) }

    /// - Returns: what `remove` takes.
    package func add(_ observer: @escaping Observer) -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            state.observers[state.next] = observer
            return state.next
        }
    }

    package func remove(_ number: Int) { _ = state.withLock { $0.observers.removeValue(forKey: number) } }

    /// Outside of the lock: an observer may remove itself.
    func send(_ notice: TakeNotice?) {
        for (_, observer) in state.withLock({ $0.observers }).sorted(by: { $0.key < $1.key }) { observer(notice) }
    }
}
