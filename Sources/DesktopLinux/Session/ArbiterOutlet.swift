import AudioCore
import Dispatch
import Synchronization

/// Where the events of an arbiter go out: one after the other, on a queue of their own, with no lock held.
final class ArbiterOutlet: Sendable {
    private struct State {
        var listener: (@Sendable (ArbiterEvent) -> Void)?
        var others = OtherAudio()
        /// Counts how often the session was activated or given back: interruptions of an earlier time are of no concern.
        var generation = 0
        /// The beginning that is being told now.
        var beginning: SessionInterruption?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "kayit.session.arbiter")

    var others: OtherAudio { state.withLock { $0.others } }

    func listen(_ listener: @escaping @Sendable (ArbiterEvent) -> Void) { state.withLock { $0.listener = listener } }

    func tell(_ event: ArbiterEvent) {
        let generation = state.withLock { state in
            if case .othersChanged(let others) = event { state.others = others }
            return state.generation
        }
        queue.async { [self] in
            let listener = state.withLock { state in
                if event.isOfInterruption, state.generation != generation {
                    return nil as (@Sendable (ArbiterEvent) -> Void)?
                }
                if case .began(let kind) = event { state.beginning = kind }
                return state.listener
            }
            listener?(event)
            state.withLock { $0.beginning = nil }
        }
    }

    /// The session has been activated or given back. A beginning that the listener is hearing at this moment may reach it
    /// afterwards, so it gets an end: nobody stays interrupted.
    func advance() {
        let late = state.withLock { state in
            state.generation += 1
            return state.beginning
        }
        if let late { tell(.ended(late, shouldResume: true)) }
    }
}

extension ArbiterEvent {
    fileprivate var isOfInterruption: Bool {
        switch self {
        case .began, .ended: true
        case .othersChanged, .ducked: false
        }
    }
}
