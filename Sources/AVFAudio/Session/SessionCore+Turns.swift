package import AudioCore
import Dispatch
import Synchronization

/// Carries out what `SessionMachine` decides.
extension SessionCore {
    /// Runs `work` in its turn and waits for it.
    func turn<Result: Sendable>(_ work: () throws(AudioFailure) -> Result) throws(AudioFailure) -> Result {
        let result: Swift.Result<Result, AudioFailure> = turns.sync {
            do throws(AudioFailure) { return .success(try work()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Within a turn.
    /// - Throws: the reason why the input was refused.
    func handle(_ input: SessionMachine.Input) throws(AudioFailure) {
        switch input {
        case .activate, .configure:
            listenToArbiter()
            listenToConditions()
        default: break
        }
        try carryOut(state.withLock { $0.machine.handle(input) })
    }

    private func carryOut(_ effects: [SessionMachine.Effect]) throws(AudioFailure) {
        for effect in effects {
            switch effect {
            case .claim(let claim):
                do throws(AudioFailure) {
                    try runtime.arbiter.activate(claim)
                } catch {
                    try carryOut(state.withLock { $0.machine.failed(effect) })
                    return
                }
            case .giveBack(let notifyingOthers): runtime.arbiter.deactivate(notifyingOthers: notifyingOthers)
            case .refuse(let refusal): throw AudioFailure(.busy, refusal.message, refusal: refusal)
            case .interrupt:
                let clients = state.withLock { state in
                    let clients = state.takeClients { _ in true }
                    state.interrupted = clients.map { WeakClient(object: $0) }
                    return clients
                }
                for client in clients { client.sessionInterrupts() }
            case .pausePlayers:
                let reason = AudioFailure(.deviceUnavailable, "What was heard came from a device that is gone.")
                for client in state.withLock({ $0.takeClients { $0 == .playback } }) { client.sessionStops(reason) }
            case .lower(let isLowered): for client in players { client.sessionLowers(isLowered) }
            case .tell(let notice):
                if case .interruptionEnded(let shouldResume) = notice {
                    for client in takeInterrupted() { client.sessionInterruptionEnds(shouldResume: shouldResume) }
                }
                post(notice)
            }
        }
    }

    private var players: [any SessionClient] {
        state.withLock { $0.activities.values.filter { $0.use == .playback }.compactMap(\.client) }
    }

    /// Those that the interruption which is over had stopped, and that are still there.
    private func takeInterrupted() -> [any SessionClient] {
        state.withLock { state in
            defer { state.interrupted = [] }
            return state.interrupted.compactMap(\.object)
        }
    }

    // MARK: What comes from outside

    /// The sound is taken away. Returns when recorders and players stand still.
    ///
    /// For whoever knows of a reason that no arbiter tells: a stream that has to wait, a program that was suspended, a
    /// microphone that is switched off.
    package func interrupt(_ interruption: SessionInterruption) { receive(.began(interruption)) }

    /// The interruption of this kind is over.
    package func endInterruption(_ interruption: SessionInterruption, shouldResume: Bool) {
        receive(.ended(interruption, shouldResume: shouldResume))
    }

    /// The sound server is gone. What runs does what its own policy says.
    package func mediaServicesLost() { receive(.servicesLost) }

    /// It is back.
    package func mediaServicesReset() { receive(.servicesReset) }

    /// The program went to the background (true) or came to the front. Nothing is paused; it decides what may begin.
    package func setInBackground(_ isInBackground: Bool) { receive(.background(isInBackground)) }

    var sessionPreferences: SessionMachine.Preferences { state.withLock { $0.machine.preferences } }

    func updateSessionPreferences(_ change: (inout SessionMachine.Preferences) -> Void) {
        var new = sessionPreferences
        change(&new)
        receive(.prefer(new))
    }

    /// From any thread but one that `work` of a turn waits for.
    func receive(_ input: SessionMachine.Input) {
        turns.sync {
            // Nothing that comes from outside is refused.
            try? handle(input)
        }
    }

    /// Hears of the arbiter of the runtime that counts now; what an earlier one tells is no news any more.
    private func listenToArbiter() {
        let arbiter = runtime.arbiter
        let number: Int? = state.withLock { state in
            if state.arbiter === arbiter { return nil }
            let isOther = state.arbiterNumber > 0
            state.arbiter = arbiter
            state.arbiterNumber += 1
            return isOther ? state.arbiterNumber : -state.arbiterNumber
        }
        guard let number else { return }
        if number > 0 { try? carryOut(state.withLock { $0.machine.handle(.newArbiter) }) }
        arbiter.listen { [weak self] event in
            guard let self, self.state.withLock({ $0.arbiterNumber == abs(number) }) else { return }
            switch event {
            case .began(let interruption): receive(.began(interruption))
            case .ended(let interruption, let resume): receive(.ended(interruption, shouldResume: resume))
            case .othersChanged(let others): receive(.othersChanged(others))
            case .ducked(let isDucked): receive(.ducked(isDucked))
            }
        }
        let others = arbiter.others
        _ = state.withLock { $0.machine.handle(.othersChanged(others)) }
    }
}
