import AudioSimulation
import Testing

/// Scenarios as texts.
struct ScenarioTextTests {
    private static let whole = """
        # Everything that can be said.
        record aac 44100 stereo
        hear sine 440 0.5
        client waits
        loss changes
        run 24h
        0s press record
        12s call for 30s, resume
        2m assistant for 5s
        2m alarm
        150s other app for 1m, resume
        3m headphones in
        3m1ms headphones out
        4m headset in
        4m30s other sound primary
        4m31s other sound off   # quiet again
        5m low power
        5m memory warning
        6m app background
        6m10s app foreground
        7m full power
        8m microphone out
        8m30s spare in
        9m microphone asleep
        10m server reset
        10m10s server down for 3s
        11m disk stalled for 40s
        12m disk full after 100000
        13m disk healthy
        14m permission denied
        15m permission granted
        16m press stop
        expect frames 1000 within 2
        expect gaps 1
        expect gap at 3s for 2m1s because deviceLost
        expect state paused
        expect told began, ended resume, ended, route in
        expect never told error
        """

    @Test func aTextSaysEverythingThatAScenarioCan() throws {
        let scenario = try SimulationScenario(parsing: Self.whole)
        #expect(scenario.recording == .init(.aac, sampleRate: 44_100, channelCount: 2))
        #expect(scenario.input == .sine(frequency: 440, amplitude: 0.5))
        #expect(scenario.client == .waits)
        #expect(scenario.microphoneLoss == .changes)
        #expect(scenario.length == .seconds(86_400))
        #expect(scenario.steps.count == 26)
        #expect(
            scenario.steps[1]
                == .init(time: .seconds(12), event: .interruption(.call, lasting: .seconds(30), shouldResume: true))
        )
        #expect(scenario.steps[2].event == .interruption(.assistant, lasting: .seconds(5), shouldResume: false))
        #expect(scenario.steps[3].event == .interruption(.alarm, lasting: nil, shouldResume: false))
        #expect(scenario.steps[6].time == .milliseconds(180_001))
        #expect(scenario.expectations.count == 6)
        #expect(scenario.expectations[2] == .gap(start: .seconds(3), length: .seconds(121), reason: "deviceLost"))
        #expect(scenario.expectations[4] == .told([.began, .endedResume, .ended, .deviceIn]))
    }

    @Test func aPrintedScenarioIsReadAgainAsTheSame() throws {
        let scenario = try SimulationScenario(parsing: Self.whole)
        let again = try SimulationScenario(parsing: scenario.text)
        #expect(again == scenario)
        #expect(again.text == scenario.text)
        for seed in 0..<300 {
            let random = SimulationScenario.random(seed: UInt64(seed), length: .seconds(60), events: 20)
            #expect(try SimulationScenario(parsing: random.text) == random)
        }
    }

    @Test func linesMayStandInAnyOrder() throws {
        let scenario = try SimulationScenario(parsing: "5s call\n\n1s press record\nrun 10s\n1s headset in")
        #expect(scenario.steps.map(\.time) == [.seconds(1), .seconds(1), .seconds(5)])
        #expect(scenario.steps.map(\.event.text) == ["press record", "headset in", "call"])
    }

    @Test(arguments: [
        ("run 10s\n1s cal", 2, 4, "'call'"),
        ("run 10s\n1s call for", 2, 12, "time"),
        ("run 10s\n1s call for 5s resume", 2, 16, "too much"),
        ("run 10s\n1s call for 5s, no", 2, 17, "'resume'"),
        ("run 10s\n1x call", 2, 1, "no time"),
        ("run 10s\n1s2h call", 2, 1, "no time"),
        ("run 10s\nrun 11s", 2, 1, "twice"),
        ("run 0s", 1, 7, "longer"),
        ("run 2000h", 1, 5, "at most"),
        ("run 99999999999999999999h", 1, 5, "no time"),
        ("run 9223372036854775807h", 1, 5, "at most"),
        ("press record", 1, 1, "missing"),
        ("1s press record", 1, 1, "'run'"),
        ("run 5s\n5s call", 2, 1, "before the end"),
        ("run 5s\nrecord mp3 44100 mono", 2, 8, "'aac'"),
        ("run 5s\nrecord aac 1 mono", 2, 12, "8000"),
        ("run 5s\nhear sine -3 0.5", 2, 11, "frequency"),
        ("run 5s\nhear sine nan 0.5", 2, 11, "frequency"),
        ("run 5s\nexpect gaps -1", 2, 13, "0 …"),
        ("run 5s\nexpect told began,", 2, 19, "missing"),
        ("run 5s\nexpect gap at 1s for 2s because of", 2, 33, "'deviceLost'"),
        ("", 1, 1, "'run'"),
    ])
    func whatIsNotUnderstoodIsToldWithItsPlace(_ text: String, line: Int, column: Int, message: String) {
        let error = #expect(throws: SimulationScenario.ParseError.self) { try SimulationScenario(parsing: text) }
        #expect(error?.line == line, "\(error.map(String.init(describing:)) ?? "")")
        #expect(error?.column == column, "\(error.map(String.init(describing:)) ?? "")")
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func aTextThatIsTooLongIsRefused() {
        #expect(throws: SimulationScenario.ParseError.self) {
            try SimulationScenario(parsing: String(repeating: "#", count: 5 << 20))
        }
        #expect(throws: SimulationScenario.ParseError.self) {
            try SimulationScenario(parsing: "run 1s" + String(repeating: "\n", count: 200_001))
        }
    }

    @Test func beginningsAndEndingsComeInTheirOrder() throws {
        let scenario = try SimulationScenario(
            parsing: "run 20s\n1s call for 5s, resume\n6s alarm for 10s\n7s server reset"
        )
        #expect(
            scenario.moments.map { "\($0.time.scenarioText) \($0.action.text)" } == [
                "1s call begins", "6s call ends, resume", "6s alarm begins", "7s server ends", "7s server comes back",
                "16s alarm ends",
            ]
        )
    }
}
