package import AudioCore
import Synchronization

/// An arbiter that says what a test tells it to say, and remembers what it was asked.
package final class ScriptedArbiter: SessionArbiter {
    package enum Call: Sendable, Equatable {
        case activate(SessionClaim.Manner)
        case deactivate(notifying: Bool)
    }

    private struct State {
        var calls: [Call] = []
        var claim: SessionClaim?
        var others = OtherAudio()
        var refusal: AudioFailure?
        var listener: (@Sendable (ArbiterEvent) -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package var calls: [Call] { state.withLock { $0.calls } }

    package var claim: SessionClaim? { state.withLock { $0.claim } }

    /// What the next activations are refused with; nil allows them.
    package func refuse(with failure: AudioFailure?) { state.withLock { $0.refusal = failure } }

    /// Tells the session. Returns when it has done what the event asks of it.
    package func tell(_ event: ArbiterEvent) {
        let listener = state.withLock { state in
            if case .othersChanged(let others) = event { state.others = others }
            return state.listener
        }
        listener?(event)
    }

    package func activate(_ claim: SessionClaim) throws(AudioFailure) {
        let refusal = state.withLock { state in
            state.calls.append(.activate(claim.manner))
            if state.refusal == nil { state.claim = claim }
            return state.refusal
        }
        if let refusal { throw refusal }
    }

    package func deactivate(notifyingOthers: Bool) {
        state.withLock { state in
            state.calls.append(.deactivate(notifying: notifyingOthers))
            state.claim = nil
        }
    }

    package var others: OtherAudio { state.withLock { $0.others } }

    package func listen(_ listener: @escaping @Sendable (ArbiterEvent) -> Void) {
        state.withLock { $0.listener = listener }
    }
}
