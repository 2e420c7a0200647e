/// What an active session asks of everybody else who makes or hears sound on this machine.
package struct SessionClaim: Sendable, Hashable {
    /// What becomes of the others.
    package enum Manner: String, Sendable, Hashable, CaseIterable {
        /// They are interrupted while this session is active.
        case exclusive
        /// They go on beside it.
        case mixing
        /// They go on, but quieter.
        case ducking
        /// They go on, quieter; those that speak (podcasts, audio books) are interrupted.
        case interruptingSpeech
    }

    package var manner: Manner
    package var mayRecord: Bool
    package var mayPlay: Bool
    /// What it plays is speech, which is interrupted rather than made quieter.
    package var isSpeech: Bool
    /// A conversation (the modes `voiceChat`, `videoChat` and `gameChat`): nobody may take the sound from it.
    package var isCall: Bool

    package init(manner: Manner, mayRecord: Bool, mayPlay: Bool, isSpeech: Bool = false, isCall: Bool = false) {
        self.manner = manner
        self.mayRecord = mayRecord
        self.mayPlay = mayPlay
        self.isSpeech = isSpeech
        self.isCall = isCall
    }
}

/// Who takes the sound away from a session.
package enum SessionInterruption: String, Sendable, Hashable, CaseIterable {
    /// Another program's session, or another player of the desktop.
    case otherProgram
    /// A telephone or video call.
    case call
    /// A spoken assistant. Its end never says that work should be resumed.
    case assistant
    /// An alarm or timer.
    case alarm
    /// The sound server has this program's streams wait for somebody else's.
    case server
    /// The program was suspended while its session was active.
    case suspended
    /// The built-in microphone was switched off.
    case microphoneMuted
    /// The device that the route needs was disconnected.
    case routeDisconnected
}

/// What somebody else on this machine plays.
package struct OtherAudio: Sendable, Hashable {
    /// Another program plays now.
    package var isPlaying: Bool
    /// One of them plays without mixing: this program's background sounds had better be silent.
    package var isPrimary: Bool

    package init(isPlaying: Bool = false, isPrimary: Bool = false) {
        self.isPlaying = isPlaying
        self.isPrimary = isPrimary
    }
}

/// What an arbiter tells, in order.
package enum ArbiterEvent: Sendable, Hashable {
    /// The session has lost the sound. Until the matching end, or until it is activated anew or deactivated.
    case began(SessionInterruption)
    /// The interruption of this kind is over. `shouldResume` where the other side says that what it stopped may go on.
    case ended(SessionInterruption, shouldResume: Bool)
    /// Others began or stopped to play.
    case othersChanged(OtherAudio)
    /// Another program asks that what this one plays is quieter (true), or does so no longer.
    case ducked(Bool)
}

/// Decides between the sessions of several programs.
package protocol SessionArbiter: AnyObject, Sendable {
    /// Makes the claim count: others are interrupted, made quieter or left alone as it says. A further call replaces the
    /// claim. May wait for others to answer, 2 seconds at most.
    /// - Throws: `busy` where somebody holds the sound who cannot be interrupted now (a call).
    func activate(_ claim: SessionClaim) throws(AudioFailure)

    /// Gives the sound back.
    /// - Parameter notifyingOthers: tell those who were interrupted that they should resume.
    func deactivate(notifyingOthers: Bool)

    /// What others play now, as far as it is known. Answers at once.
    var others: OtherAudio { get }

    /// Whom events are told to, instead of whoever was told before. Called on a thread of the arbiter, one at a time, never
    /// from inside `activate` or `deactivate`.
    ///
    /// The call returns when recorders and players have done what the event asks of them, so that an arbiter in virtual
    /// time can hold the time still. Before, it waits for an `activate` or `deactivate` that is under way: those must not
    /// need the thread that tells of events.
    func listen(_ listener: @escaping @Sendable (ArbiterEvent) -> Void)

    /// Who uses sound now. Asks others: blocks for up to 2 seconds.
    func survey() -> SessionSurvey
}

extension SessionArbiter {
    package func survey() -> SessionSurvey { SessionSurvey(obstacle: "No other programs are asked.") }
}

/// One program alone: nobody to ask, nobody who interrupts.
package final class LoneArbiter: SessionArbiter {
    package init() {}

    package func activate(_ claim: SessionClaim) {}

    package func deactivate(notifyingOthers: Bool) {}

    package var others: OtherAudio { OtherAudio() }

    package func listen(_ listener: @escaping @Sendable (ArbiterEvent) -> Void) {}
}
