import AudioSimulation

/// What the recorder of a scenario must be doing, by the documented rules of interruptions alone: written a second time, so
/// that session, arbiter and recorder are not their own judges.
struct ScenarioOracle {
    private enum Phase { case inactive, active, interrupted }

    private let client: SimulationScenario.Client
    /// Nil where it follows from something that is not known here.
    private(set) var isRecording: Bool? = false
    private var isWanted = false
    private var phase = Phase.inactive
    private var wasEverActive = false
    /// Who has the sound.
    private var present: Set<SimulatedAudio.Interruption> = []
    /// Interruptions that the session knows of.
    private var known: Set<SimulatedAudio.Interruption> = []
    private var shouldResume = true
    private var serverIsThere = true
    private var isAllowed = true
    private var microphones: Set<String> = ["main"]
    private var isInBackground = false

    init(_ scenario: SimulationScenario) { client = scenario.client }

    /// - Parameter observed: what the recorder does after it: counts where the rules do not say.
    mutating func note(_ action: ScenarioAction, observed: Bool) {
        switch action {
        case .begin(let who): begin(who)
        case .end(let who, let resume): end(who, resume)
        case .press(.record):
            isWanted = true
            record()
        case .press(.pause), .press(.stop):
            isWanted = false
            isRecording = false
        case .press(.play): _ = activate()
        case .server(let isRunning): serverIsThere = isRunning
        case .permission(let isGranted): isAllowed = isGranted
        case .accessory(.headset, let isConnected): plug("headset", isConnected)
        case .microphone(let microphone, .connected): plug(microphone.rawName, true)
        case .microphone(let microphone, .disconnected): plug(microphone.rawName, false)
        case .app(let state): isInBackground = state != .foreground
        case .press(.silence), .accessory, .otherAudio, .microphone, .disk, .lowPower, .memory: break
        }
        isRecording = isRecording ?? observed
    }

    private mutating func plug(_ microphone: String, _ isIn: Bool) {
        if isIn { microphones.insert(microphone) } else { microphones.remove(microphone) }
    }

    private mutating func begin(_ who: SimulatedAudio.Interruption) {
        guard present.insert(who).inserted, wasEverActive else { return }
        known.insert(who)
        guard phase == .active else { return }
        phase = .interrupted
        shouldResume = true
        isRecording = false
    }

    private mutating func end(_ who: SimulatedAudio.Interruption, _ resume: Bool) {
        present.remove(who)
        guard known.remove(who) != nil else { return }
        if !resume || who == .assistant { shouldResume = false }
        guard known.isEmpty, phase == .interrupted else { return }
        phase = .inactive
        if shouldResume, client == .resumes, isWanted, activate() != false { record() }
    }

    /// - Returns: nil where the rules of the background decide, which depend on what others play.
    private mutating func activate() -> Bool? {
        if !present.isDisjoint(with: [.call, .assistant, .alarm]) { return false }
        phase = .active
        wasEverActive = true
        known = []
        present.remove(.otherApp)
        return isInBackground ? nil : true
    }

    private mutating func record() {
        if isRecording == true { return }
        switch activate() {
        case false?: isRecording = false
        case nil: isRecording = nil
        // What can be opened without a microphone is the devices' affair.
        case true?: isRecording = serverIsThere && isAllowed && !microphones.isEmpty ? true : nil
        }
    }
}

extension SimulatedAudio.Microphone {
    fileprivate var rawName: String { self == .main ? "main" : "spare" }
}
