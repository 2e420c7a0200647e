extension SimulationScenario {
    /// Why a text is no scenario.
    public struct ParseError: Error, Sendable, Hashable, CustomStringConvertible {
        /// Counted from 1.
        public var line: Int
        /// The character in the line, counted from 1.
        public var column: Int
        /// What is wrong there, and what may stand there.
        public var message: String

        /// "line 3, column 7: …"
        public var description: String { "line \(line), column \(column): \(message)" }
    }

    /// More is refused.
    static let mostBytes = 4 << 20
    static let mostLines = 200_000

    /// Reads a scenario.
    ///
    /// A line is a setting (`record`, `hear`, `client`, `loss`, `run`), a time with what happens then, or `expect` with what
    /// must hold; `#` begins a remark. Everything that is not understood is an error: a misspelt line must not make a test
    /// that passes.
    /// - Parameter text: at most 4 MiB and 200 000 lines. `run` must be there.
    /// - Throws: ``ParseError``.
    public init(parsing text: String) throws(ParseError) {
        guard text.utf8.count <= Self.mostBytes else {
            throw ParseError(line: 1, column: 1, message: "A scenario has at most \(Self.mostBytes) bytes.")
        }
        var scenario = SimulationScenario(length: Self.longest)
        var steps: [(line: Int, step: Step)] = []
        var settings: Set<String> = []
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            guard number <= Self.mostLines else {
                throw ParseError(line: number, column: 1, message: "A scenario has at most \(Self.mostLines) lines.")
            }
            var words = ScenarioWords(line, number: number)
            guard let first = words.peek else { continue }
            if first.text == "expect" {
                _ = words.take()
                scenario.expectations.append(try words.expectation())
            } else if first.text.first?.isNumber == true {
                let time = try words.duration()
                steps.append((number, Step(time: time, event: try words.event())))
            } else {
                guard settings.insert(String(first.text)).inserted else {
                    throw words.error("'\(first.text)' stands there twice.")
                }
                try words.setting(&scenario)
            }
            try words.end()
        }
        guard settings.contains("run") else {
            throw ParseError(line: max(number, 1), column: 1, message: "'run' and how long it lasts is missing.")
        }
        if let late = steps.first(where: { $0.step.time >= scenario.length }) {
            throw ParseError(line: late.line, column: 1, message: "This is not before the end of the scenario.")
        }
        // In one go: `at` looks for the place of each.
        let sorted = steps.enumerated().sorted { ($0.element.step.time, $0.offset) < ($1.element.step.time, $1.offset) }
        for (_, step) in sorted { scenario.at(step.step.time, step.step.event) }
        self = scenario
    }

    /// The scenario as a text from which the same one can be read again, settings first, then what happens in the order of time.
    public var text: String {
        var lines = [
            "record \(recording.codec.rawValue) \(recording.sampleRate) \(recording.channelCount == 1 ? "mono" : "stereo")"
        ]
        lines.append(inputText)
        lines.append("client \(client.rawValue)")
        lines.append("loss \(microphoneLoss.rawValue)")
        lines.append("run \(length.scenarioText)")
        // What lies behind the end does not happen.
        lines += steps.filter { $0.time < length }.map { "\($0.time.scenarioText) \($0.event.text)" }
        lines += expectations.map { "expect \($0.text)" }
        return lines.map { $0 + "\n" }.joined()
    }

    private var inputText: String {
        switch input {
        case .voice(let seed): "hear voice \(seed)"
        case .sine(let frequency, let amplitude): "hear sine \(frequency) \(amplitude)"
        case .noise(let seed, let amplitude): "hear noise \(seed) \(amplitude)"
        case .silence: "hear silence"
        }
    }
}

extension SimulationScenario.Event {
    /// As it stands in a scenario's text, behind its time.
    public var text: String {
        switch self {
        case .interruption(let who, let lasting, let shouldResume):
            who.text + (lasting.map { " for \($0.scenarioText)" } ?? "") + (shouldResume ? ", resume" : "")
        case .otherAudio(false, _): "other sound off"
        case .otherAudio(true, let isPrimary): isPrimary ? "other sound primary" : "other sound on"
        case .accessory(let accessory, let isConnected): "\(accessory.rawValue) \(isConnected ? "in" : "out")"
        case .microphone(let microphone, let change): "\(microphone.text) \(change.rawValue)"
        case .serverDown(let duration): duration > .zero ? "server down for \(duration.scenarioText)" : "server reset"
        case .permission(let isGranted): "permission \(isGranted ? "granted" : "denied")"
        case .disk(.stalled(let duration)): "disk stalled for \(duration.scenarioText)"
        case .disk(.full(let bytes)): "disk full after \(bytes)"
        case .disk(.healthy): "disk healthy"
        case .app(let state): "app \(state.rawValue)"
        case .lowPower(let isOn): isOn ? "low power" : "full power"
        case .memory(let pressure): "memory \(pressure.text)"
        case .press(let button): "press \(button.rawValue)"
        }
    }
}

extension SimulationScenario.Expectation {
    /// As it stands in a scenario's text, behind "expect".
    public var text: String {
        switch self {
        case .frames(let frames, let tolerance): "frames \(frames)" + (tolerance > 0 ? " within \(tolerance)" : "")
        case .gaps(let count): "gaps \(count)"
        case .gap(let start, let length, let reason):
            "gap at \(start.scenarioText) for \(length.scenarioText)" + (reason.map { " because \($0)" } ?? "")
        case .state(let state): "state \(state.rawValue)"
        case .told(let notices): "told " + notices.map(\.text).joined(separator: ", ")
        case .notTold(let notice): "never told \(notice.text)"
        }
    }
}

extension SimulatedAudio.Interruption {
    var text: String { self == .otherApp ? "other app" : rawValue }
}

extension SimulatedAudio.Microphone {
    var text: String { self == .main ? "microphone" : "spare" }
}

extension SimulatedAudio.MemoryPressure {
    var text: String {
        switch self {
        case .normal: "normal"
        case .warning: "warning"
        case .critical: "critical"
        }
    }
}

extension Duration {
    /// "1h2m3s4ms", exact to the nanosecond.
    package var scenarioText: String {
        let (seconds, attoseconds) = components
        var text = ""
        func add(_ value: Int64, _ unit: String) { if value > 0 { text += "\(value)\(unit)" } }
        add(seconds / 3600, "h")
        add(seconds / 60 % 60, "m")
        add(seconds % 60, "s")
        let nanoseconds = attoseconds / 1_000_000_000
        add(nanoseconds / 1_000_000, "ms")
        add(nanoseconds / 1000 % 1000, "us")
        add(nanoseconds % 1000, "ns")
        return text.isEmpty ? "0s" : text
    }
}
