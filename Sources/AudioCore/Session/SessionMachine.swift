/// What the session does next, as a pure table: *state × input → effects*, with no lock, clock or file.
///
/// A program that has neither chosen a category nor activated its session has none: it records and plays beside all others
/// and is interrupted by nobody, as on Apple's systems that have no session.
package struct SessionMachine: Sendable, Equatable {
    package enum Phase: String, Sendable, CaseIterable {
        case inactive, active
        /// The sound was taken away and may come back.
        case interrupted
    }

    /// On whose behalf the session is activated.
    package enum Starter: Sendable, Hashable {
        /// The program, by `setActive(true)`.
        case program
        /// A recorder or player that starts.
        case client(SessionUse)
    }

    /// What the program asked for beside category, mode and options.
    package struct Preferences: Sendable, Hashable {
        package var avoidsSystemAlerts = false
        package var interruptsOnDisconnect = true

        package init() {}
    }

    package enum Input: Sendable, Hashable {
        case configure(SessionConfiguration)
        case activate(Starter)
        case deactivate(notifyingOthers: Bool)
        case began(SessionInterruption)
        case ended(SessionInterruption, shouldResume: Bool)
        case othersChanged(OtherAudio)
        case ducked(Bool)
        /// - Parameters:
        ///   - outputIsGone: what was heard last came from a device that is not there any more.
        ///   - isPlaying: a player runs.
        case routeChanged(SessionRouteChange, outputIsGone: Bool, isPlaying: Bool)
        case servicesLost
        case servicesReset
        case background(Bool)
        case prefer(Preferences)
        /// Another arbiter has taken the place of the one that knew of the claim.
        case newArbiter
    }

    /// In order; the first that fails ends the rest, and the machine is told by `failed(_:)`.
    package enum Effect: Sendable, Hashable {
        case claim(SessionClaim)
        case giveBack(notifyingOthers: Bool)
        /// Ends the input: it was not allowed, and nothing has changed.
        case refuse(SessionRefusal)
        /// Recorders and players stand still, and keep what they have.
        case interrupt
        /// Players stand still: what they were heard on is gone.
        case pausePlayers
        /// Players become quieter, or loud again.
        case lower(Bool)
        case tell(SessionNotice)
    }

    package private(set) var phase = Phase.inactive
    /// Nil until the program chooses one.
    package private(set) var configuration: SessionConfiguration?
    package private(set) var isInBackground = false
    /// Others ask that this program is quieter.
    package private(set) var isLowered = false
    package private(set) var preferences = Preferences()
    /// The program has activated the session by itself.
    private var isManaged = false
    /// What the arbiter knows of this session; nil where nothing.
    private var claim: SessionClaim?
    /// Interruptions under way, in their order.
    private var interruptions: [SessionInterruption] = []
    /// Every interruption that ended since the first began lets work go on.
    private var shouldResume = true
    private var others = OtherAudio()
    private var areServicesLost = false
    /// What an activation or configuration that fails goes back to.
    private var before: [SessionMachine] = []

    package init() {}

    package var effective: SessionConfiguration { configuration ?? SessionConfiguration() }

    /// Takes part in the arbitration between programs.
    package var takesPart: Bool { configuration != nil || isManaged }

    /// How much a spoken prompt would disturb now.
    package enum PromptManner: Sendable, Hashable { case none, short, normal }

    /// Nothing during calls and assistants, short sounds beside what others play.
    package var promptManner: PromptManner {
        if !interruptions.allSatisfy(\.yields) { return .none }
        return others.isPrimary ? .short : .normal
    }

    package mutating func handle(_ input: Input) -> [Effect] {
        switch input {
        case .configure(let new): return configure(new)
        case .activate(let starter): return activate(starter)
        case .deactivate(let notifying): return deactivate(notifying)
        case .began(let interruption): return begin(interruption)
        case .ended(let interruption, let resume): return end(interruption, resume)
        case .othersChanged(let now):
            let isNews = now.isPrimary != others.isPrimary
            others = now
            return isNews && phase == .active ? [.tell(.silenceHint(now.isPrimary))] : []
        case .ducked(let isNow):
            if isNow == isLowered { return [] }
            isLowered = isNow
            return [.lower(isNow)]
        case .routeChanged(let change, let outputIsGone, let isPlaying):
            return changeRoute(change, outputIsGone && isPlaying)
        case .servicesLost:
            if areServicesLost { return [] }
            areServicesLost = true
            return [.tell(.servicesLost)]
        case .servicesReset:
            if !areServicesLost { return [] }
            areServicesLost = false
            return [.tell(.servicesReset)]
        case .background(let isNow):
            isInBackground = isNow
            return []
        case .prefer(let new):
            preferences = new
            return []
        case .newArbiter:
            claim = nil
            interruptions = []
            others = OtherAudio()
            phase = .inactive
            defer { isLowered = false }
            return isLowered ? [.lower(false)] : []
        }
    }

    /// An effect could not be carried out: others hold the sound who cannot be interrupted.
    package mutating func failed(_ effect: Effect) -> [Effect] {
        guard case .claim = effect, let old = before.popLast() else { return [] }
        self = old
        return [.refuse(.insufficientPriority)]
    }

    // MARK: Activation

    private mutating func configure(_ new: SessionConfiguration) -> [Effect] {
        let old = self
        configuration = new
        return phase == .active ? claimAnew(from: old) : []
    }

    private mutating func activate(_ starter: Starter) -> [Effect] {
        let old = self
        if starter == .program { isManaged = true }
        guard takesPart else {
            phase = .active
            return []
        }
        if let refusal = refusal(to: starter) {
            self = old
            return [.refuse(refusal)]
        }
        let isOver = phase != .active
        phase = .active
        // Whoever interrupted lets itself be interrupted: it is over, and its end is not told.
        interruptions = []
        return claimAnew(from: old, isForced: isOver)
    }

    /// - Parameter isForced: also where the claim is the same as before.
    private mutating func claimAnew(from old: SessionMachine, isForced: Bool = false) -> [Effect] {
        let new = SessionPolicy.claim(of: effective)
        if new == claim, !isForced { return [] }
        claim = new
        var old = old
        old.before = []
        before = [old]
        return [.claim(new)]
    }

    /// Why the session cannot become active now; nil where it can, as far as is known here.
    private func refusal(to starter: Starter) -> SessionRefusal? {
        let claim = SessionPolicy.claim(of: effective)
        let isRecording = starter == .program ? claim.mayRecord : starter == .client(.recording)
        if !interruptions.allSatisfy({ $0.yields }) { return refusalOfOthers(recording: isRecording) }
        if !isInBackground || phase == .active && starter == .program { return nil }
        if claim.manner == .exclusive, phase != .active, others.isPlaying { return .cannotInterruptOthers }
        if starter == .client(.recording), claim.manner != .exclusive { return .cannotStartRecording }
        let isSilencedBehind = effective.category == .ambient || effective.category == .soloAmbient
        return starter == .client(.playback) && isSilencedBehind ? .cannotStartPlaying : nil
    }

    private func refusalOfOthers(recording: Bool) -> SessionRefusal {
        interruptions.contains(.assistant) && recording ? .siriIsRecording : .insufficientPriority
    }

    private mutating func deactivate(_ notifyingOthers: Bool) -> [Effect] {
        let hadSound = claim != nil
        phase = .inactive
        claim = nil
        interruptions = []
        return hadSound ? [.giveBack(notifyingOthers: notifyingOthers)] : []
    }

    // MARK: Interruptions

    private mutating func begin(_ interruption: SessionInterruption) -> [Effect] {
        if !concerns(interruption) || interruptions.contains(interruption) { return [] }
        if !interruption.hasEnd {
            guard phase == .active else { return [] }
            phase = .inactive
            return [.interrupt, .tell(.interruptionBegan(interruption))]
        }
        interruptions.append(interruption)
        guard phase == .active else { return [] }
        phase = .interrupted
        shouldResume = true
        return [.interrupt, .tell(.interruptionBegan(interruption))]
    }

    /// The end of one that was never told, or is over because the program has taken the sound back, is not told.
    private mutating func end(_ interruption: SessionInterruption, _ resume: Bool) -> [Effect] {
        guard let index = interruptions.firstIndex(of: interruption) else { return [] }
        interruptions.remove(at: index)
        if !resume || interruption == .assistant { shouldResume = false }
        guard interruptions.isEmpty, phase == .interrupted else { return [] }
        // As on Apple's systems it is the program that takes the sound back.
        phase = .inactive
        return [.tell(.interruptionEnded(shouldResume: shouldResume))]
    }

    /// The rules of the configuration; what interrupts whom.
    private func concerns(_ interruption: SessionInterruption) -> Bool {
        if !takesPart { return interruption == .suspended }
        let claim = SessionPolicy.claim(of: effective)
        switch interruption {
        case .otherProgram: return claim.manner == .exclusive || claim.isSpeech
        case .alarm: return !preferences.avoidsSystemAlerts
        case .microphoneMuted:
            return claim.mayRecord
                && !SessionPolicy.effectiveOptions(of: effective).contains(.overrideMutedMicrophone)
        case .routeDisconnected: return preferences.interruptsOnDisconnect && isNowPlaying
        case .call, .assistant, .server, .suspended: return true
        }
    }

    /// What Apple calls the app that plays now: its sound is what the user listens to.
    private var isNowPlaying: Bool {
        effective.category == .playback && SessionPolicy.claim(of: effective).manner == .exclusive
    }

    // MARK: Routes

    private mutating func changeRoute(_ change: SessionRouteChange, _ isCutOff: Bool) -> [Effect] {
        let told = Effect.tell(.routeChanged(change))
        // The sound never jumps from headphones to the loudspeaker, unless the program wants just that.
        guard isCutOff, preferences.interruptsOnDisconnect else { return [told] }
        let interruption = begin(.routeDisconnected)
        return (interruption.isEmpty ? [.pausePlayers] : interruption) + [told]
    }
}

extension SessionInterruption {
    /// Who interrupted lets itself be interrupted by the program, which takes the sound back by activating its session.
    package var yields: Bool {
        switch self {
        case .otherProgram, .suspended, .microphoneMuted, .routeDisconnected: true
        case .call, .assistant, .alarm, .server: false
        }
    }

    /// Its end is told. The others have none on Apple's systems: the session is inactive, and that is all.
    package var hasEnd: Bool {
        switch self {
        case .suspended, .routeDisconnected: false
        case .otherProgram, .call, .assistant, .alarm, .server, .microphoneMuted: true
        }
    }
}
