package import AudioCore

/// Who else wants the sound in a simulation: calls, assistants, alarms and other programs, as a test says.
///
/// Events go out on the simulation's thread, in the order of time, with time standing still.
package final class SimulatedArbiter: SessionArbiter, @unchecked Sendable {
    // Unchecked: every `var` is guarded by the lock of the simulation.
    private let lifetime: SimulationLifetime
    private var claim: SessionClaim?
    /// Who wants the sound now, in the order in which they came.
    private var present: [SessionInterruption] = []
    /// The interruptions that the session was told of and that have not ended for it.
    private var told: Set<SessionInterruption> = []
    private var otherAudio = OtherAudio()
    private var listener: (@Sendable (ArbiterEvent) -> Void)?
    /// For tests of tests: what is done to each event on its way out; nil drops it.
    private var filter: @Sendable (ArbiterEvent) -> ArbiterEvent? = { $0 }

    init(_ lifetime: SimulationLifetime) { self.lifetime = lifetime }

    /// Nobody takes the sound from these while they last.
    private static let untouchable: Set<SessionInterruption> = [.call, .assistant, .alarm]

    // MARK: The session's side

    package func activate(_ claim: SessionClaim) throws(AudioFailure) {
        try lifetime.core.withLock { () throws(AudioFailure) in
            if let holder = present.first(where: Self.untouchable.contains) {
                throw AudioFailure(
                    .busy,
                    "A simulated \(holder.rawValue) has the sound. It can be had when that has ended."
                )
            }
            self.claim = claim
            // What interrupted has lost the sound to the session; its end is of no interest any more.
            told = []
            if claim.manner == .exclusive { present.removeAll { $0 == .otherProgram } }
        }
    }

    package func deactivate(notifyingOthers: Bool) {
        lifetime.core.withLock {
            claim = nil
            told = []
        }
    }

    package var others: OtherAudio { lifetime.core.withLock { otherAudio } }

    package func listen(_ listener: @escaping @Sendable (ArbiterEvent) -> Void) {
        lifetime.core.withLock { self.listener = listener }
    }

    package func survey() -> SessionSurvey {
        lifetime.core.withLock {
            let own = claim.map { claim in
                let standing: ProgramSession.Standing =
                    claim.manner == .exclusive ? (told.isEmpty ? .holds : .waits) : .beside
                return ProgramSession(program: "this program", processID: nil, claim: claim, standing: standing)
            }
            let others = present.map {
                ProgramSession(
                    program: "simulated \($0.rawValue)",
                    processID: nil,
                    claim: SessionClaim(manner: .exclusive, mayRecord: $0 == .call, mayPlay: true, isCall: $0 == .call),
                    standing: .holds
                )
            }
            return SessionSurvey(sessions: others + [own].compactMap { $0 })
        }
    }

    // MARK: The others' side

    /// Somebody takes the sound. Nothing where they have it already.
    package func begin(_ interruption: SessionInterruption) {
        lifetime.core.withLock {
            if present.contains(interruption) { return }
            present.append(interruption)
            guard let claim else { return }
            // Programs that play interrupt those that do not mix; a call interrupts everybody.
            if interruption == .otherProgram, claim.manner != .exclusive { return }
            told.insert(interruption)
            post(.began(interruption))
        }
    }

    /// Somebody gives the sound back. The session is told where it was told of the beginning and has not been activated or
    /// deactivated since.
    package func end(_ interruption: SessionInterruption, shouldResume: Bool) {
        lifetime.core.withLock {
            present.removeAll { $0 == interruption }
            if told.remove(interruption) != nil { post(.ended(interruption, shouldResume: shouldResume)) }
        }
    }

    /// Others begin or stop to play.
    package func setOthers(_ others: OtherAudio) {
        lifetime.core.withLock {
            if otherAudio == others { return }
            otherAudio = others
            post(.othersChanged(others))
        }
    }

    /// Who has the sound now, in the order in which they came.
    package var interruptions: [SessionInterruption] { lifetime.core.withLock { present } }

    /// Puts a defect between this arbiter and the session, so that a test can see that it is found.
    package func setDefect(_ filter: @escaping @Sendable (ArbiterEvent) -> ArbiterEvent?) {
        lifetime.core.withLock { self.filter = filter }
    }

    /// Under the lock.
    private func post(_ event: ArbiterEvent) {
        guard let listener, let event = filter(event) else { return }
        lifetime.core.post(from: nil) { listener(event) }
    }
}
