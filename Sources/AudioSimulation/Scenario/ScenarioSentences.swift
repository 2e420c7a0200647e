/// What a line of a scenario can say.
extension ScenarioWords {
    // MARK: Settings

    mutating func setting(_ scenario: inout SimulationScenario) throws(SimulationScenario.ParseError) {
        switch try choice(["record", "hear", "client", "loss", "run"].map { ($0, $0) }) {
        case "record":
            let codec = try choice(SimulationScenario.Recording.Codec.allCases.map { ($0.rawValue, $0) })
            let rate = try integer(8000...192_000, "A number of frames per second")
            let channels = try choice([("mono", 1), ("stereo", 2)])
            scenario.recording = .init(codec, sampleRate: Int(rate), channelCount: channels)
        case "hear": scenario.input = try input()
        case "client":
            scenario.client = try choice(SimulationScenario.Client.allCases.map { ($0.rawValue, $0) })
        case "loss":
            scenario.microphoneLoss = try choice(SimulationScenario.MicrophoneLoss.allCases.map { ($0.rawValue, $0) })
        default:
            let length = try duration()
            guard length > .zero else { throw error("A scenario lasts longer than no time at all.") }
            scenario.length = length
        }
    }

    private mutating func input() throws(SimulationScenario.ParseError) -> SimulatedAudio.Input {
        switch try choice(["voice", "sine", "noise", "silence"].map { ($0, $0) }) {
        case "voice": return .voice(seed: UInt64(try integer(0...Int64.max, "A seed")))
        case "sine":
            let frequency = try number(1...96_000, "A frequency in hertz")
            return .sine(frequency: frequency, amplitude: try number(0...1, "An amplitude"))
        case "noise":
            let seed = UInt64(try integer(0...Int64.max, "A seed"))
            return .noise(seed: seed, amplitude: try number(0...1, "An amplitude"))
        default: return .silence
        }
    }

    // MARK: Events

    private enum Subject {
        case interruption(SimulatedAudio.Interruption)
        case other, server, permission, disk, app, memory, press
        case power(Bool)
        case accessory(SimulatedAudio.Accessory)
        case microphone(SimulatedAudio.Microphone)
    }

    mutating func event() throws(SimulationScenario.ParseError) -> SimulationScenario.Event {
        let subjects: [(String, Subject)] = [
            ("call", .interruption(.call)), ("assistant", .interruption(.assistant)), ("alarm", .interruption(.alarm)),
            ("other", .other), ("headphones", .accessory(.headphones)), ("headset", .accessory(.headset)),
            ("microphone", .microphone(.main)), ("spare", .microphone(.spare)), ("server", .server),
            ("permission", .permission), ("disk", .disk), ("app", .app), ("low", .power(true)), ("full", .power(false)),
            ("memory", .memory),
            ("press", .press),
        ]
        switch try choice(subjects) {
        case .interruption(let who): return try interruption(who)
        case .other:
            if takes("app") { return try interruption(.otherApp) }
            try expect("sound")
            return try choice([
                ("on", .otherAudio(playing: true, primary: false)),
                ("primary", .otherAudio(playing: true, primary: true)),
                ("off", .otherAudio(playing: false, primary: false)),
            ])
        case .accessory(let accessory):
            return .accessory(accessory, isConnected: try choice([("in", true), ("out", false)]))
        case .microphone(let microphone):
            return .microphone(
                microphone,
                try choice(SimulationScenario.MicrophoneChange.allCases.map { ($0.rawValue, $0) })
            )
        case .server:
            if try choice([("reset", true), ("down", false)]) { return .serverDown(.zero) }
            try expect("for")
            return .serverDown(try duration())
        case .permission: return .permission(isGranted: try choice([("granted", true), ("denied", false)]))
        case .disk: return .disk(try disk())
        case .app: return .app(try choice(SimulatedAudio.AppState.allCases.map { ($0.rawValue, $0) }))
        case .power(let isLow):
            try expect("power")
            return .lowPower(isLow)
        case .memory: return .memory(try choice(SimulatedAudio.MemoryPressure.allCases.map { ($0.text, $0) }))
        case .press: return .press(try choice(SimulationScenario.Button.allCases.map { ($0.rawValue, $0) }))
        }
    }

    private mutating func interruption(_ who: SimulatedAudio.Interruption) throws(SimulationScenario.ParseError)
        -> SimulationScenario.Event
    {
        let lasting: Duration? = takes("for") ? try duration() : nil
        guard takes(",") else { return .interruption(who, lasting: lasting, shouldResume: false) }
        try expect("resume")
        return .interruption(who, lasting: lasting, shouldResume: true)
    }

    private mutating func disk() throws(SimulationScenario.ParseError) -> SimulationScenario.DiskChange {
        switch try choice(["stalled", "full", "healthy"].map { ($0, $0) }) {
        case "stalled":
            try expect("for")
            return .stalled(try duration())
        case "full":
            try expect("after")
            return .full(afterBytes: try integer(0...Int64.max, "A number of bytes"))
        default: return .healthy
        }
    }

    // MARK: Expectations

    mutating func expectation() throws(SimulationScenario.ParseError) -> SimulationScenario.Expectation {
        switch try choice(["frames", "gaps", "gap", "state", "told", "never"].map { ($0, $0) }) {
        case "frames":
            let frames = try integer(0...Int64.max, "A number of frames")
            let tolerance = takes("within") ? try integer(0...Int64.max, "A number of frames") : 0
            return .frames(frames, within: tolerance)
        case "gaps": return .gaps(Int(try integer(0...1_000_000, "A number of gaps")))
        case "gap":
            try expect("at")
            let start = try duration()
            try expect("for")
            let length = try duration()
            let reasons = ["deviceLost", "suspended", "overrun", "asleep", "interrupted", "disk", "other"]
            let reason: String? = takes("because") ? try choice(reasons.map { ($0, $0) }) : nil
            return .gap(start: start, length: length, reason: reason)
        case "state":
            return .state(try choice(SimulationScenario.State.allCases.map { ($0.rawValue, $0) }))
        case "told":
            var notices = [try notice()]
            while takes(",") { notices.append(try notice()) }
            return .told(notices)
        default:
            try expect("told")
            return .notTold(try notice())
        }
    }

    /// The longest that fits: "ended resume" before "ended".
    private mutating func notice() throws(SimulationScenario.ParseError) -> SimulationScenario.Notice {
        let all = SimulationScenario.Notice.allCases
        for notice in all {
            let parts = notice.text.split(separator: " ")
            var words = self
            if parts.allSatisfy({ words.takes(String($0)) }) {
                self = words
                return notice
            }
        }
        throw error("One of these is missing here: \(all.map { "'\($0.text)'" }.joined(separator: ", ")).")
    }
}
