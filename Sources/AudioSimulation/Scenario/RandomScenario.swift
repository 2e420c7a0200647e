extension SimulationScenario {
    /// A scenario made up from a seed; the same seed always gives the same one.
    ///
    /// It begins with a person who presses record, and holds whatever can follow in a life of a recorder: interruptions that
    /// overlap, things plugged in and out, servers and disks that fail to answer, and the person. All times are multiples of
    /// 10 ms, which are whole frames at every usual rate.
    /// - Parameters:
    ///   - seed: any.
    ///   - length: how long it lasts, 1 s or more.
    ///   - events: how many things happen besides, 0 or more.
    public static func random(
        seed: UInt64,
        length: Duration = .seconds(120),
        events: Int = 12
    ) -> SimulationScenario {
        var maker = RandomScenario(seed: seed, length: max(length, .seconds(1)))
        return maker.make(events: max(events, 0))
    }
}

/// Makes up scenarios in which only what can happen does: what is not plugged in cannot be pulled out.
private struct RandomScenario {
    private var random: SplitMix
    private var scenario: SimulationScenario
    private var isIn: [SimulatedAudio.Accessory: Bool] = [:]
    private var microphoneIsIn: [SimulatedAudio.Microphone: Bool] = [.main: true, .spare: false]
    private var microphoneSleeps = false
    private var isPlaying = false
    private var isDenied = false
    private static let step = Duration.milliseconds(10)

    init(seed: UInt64, length: Duration) {
        random = SplitMix(state: SplitMix.hash(seed))
        scenario = SimulationScenario(length: length)
    }

    mutating func make(events: Int) -> SimulationScenario {
        scenario.input = .noise(seed: UInt64.random(in: 0..<1000, using: &random), amplitude: 0.25)
        let codecs: [SimulationScenario.Recording] = [
            .init(.pcm), .init(.pcm, sampleRate: 48_000), .init(.ima4), .init(.flac), .init(.aac, sampleRate: 32_000),
            .init(.alac),
        ]
        scenario.recording = pick(codecs)
        if scenario.length > .seconds(3600) {
            // Hours are to be heard quickly, and kept in little room.
            scenario.input = .sine(frequency: 440, amplitude: 0.25)
            scenario.recording = .init(.ima4, sampleRate: 8000)
        }
        scenario.client = chance(4) ? .waits : .resumes
        scenario.microphoneLoss = chance(3) ? .changes : .waits
        scenario.at(.zero, .press(.record))
        let steps = Int(scenario.length / Self.step)
        let times = (0..<events).map { _ in Int.random(in: 1..<max(steps, 2), using: &random) }.sorted()
        for (index, time) in times.enumerated() {
            let next = index + 1 < times.count ? times[index + 1] : steps
            scenario.at(Self.step * time, event(untilNext: Self.step * (next - time)))
        }
        return scenario
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func time(upTo seconds: Int) -> Duration {
        Self.step * Int.random(in: 1...max(seconds * 100, 1), using: &random)
    }

    private mutating func event(untilNext pause: Duration) -> SimulationScenario.Event {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40:
            let who = pick(SimulatedAudio.Interruption.allCases)
            // An assistant never says that work should be resumed.
            let shouldResume = who != .assistant && !chance(3)
            return .interruption(who, lasting: chance(20) ? nil : time(upTo: 20), shouldResume: shouldResume)
        case 40..<55:
            let accessory = pick(SimulatedAudio.Accessory.allCases)
            let connects = !(isIn[accessory] ?? false)
            isIn[accessory] = connects
            return .accessory(accessory, isConnected: connects)
        case 55..<65:
            let microphone: SimulatedAudio.Microphone = chance(3) ? .spare : .main
            let connects = !(microphoneIsIn[microphone] ?? false)
            microphoneIsIn[microphone] = connects
            return .microphone(microphone, connects ? .connected : .disconnected)
        case 65..<70:
            microphoneSleeps.toggle()
            return .microphone(.main, microphoneSleeps ? .asleep : .awake)
        case 70..<75: return .serverDown(chance(2) ? .zero : time(upTo: 5))
        case 75..<78:
            // While a disk stands still, a pause waits for it by the machine's clock.
            let longest = pause - Self.step
            return .disk(longest > .zero ? .stalled(min(time(upTo: 10), longest)) : .healthy)
        case 78..<81:
            isPlaying.toggle()
            return .otherAudio(playing: isPlaying, primary: isPlaying && chance(2))
        case 81..<83:
            isDenied.toggle()
            return .permission(isGranted: !isDenied)
        case 83: return .app(pick([.background, .foreground, .suspended]))
        case 84: return .lowPower(chance(2))
        case 85: return .memory(pick(SimulatedAudio.MemoryPressure.allCases))
        default: return .press(pick([.record, .record, .record, .pause, .stop, .play, .silence]))
        }
    }
}
