import AudioSimulation
import Foundation
import ScenarioRunner
import TestSupport
import Testing

/// Long recordings full of interruptions: file, clock, gaps and callbacks agree to the frame.
struct DayTests {
    /// Ten minutes always; `KAYIT_HOURS=24` for a day with a thousand things that happen.
    @Test func aLongRecordingFullOfInterruptionsAgreesToTheFrame() throws {
        let hours = ProcessInfo.processInfo.environment["KAYIT_HOURS"].flatMap { Int($0) }
        var scenario = SimulationScenario.random(
            seed: 24,
            length: hours.map { .seconds(3600 * $0) } ?? .seconds(600),
            events: hours.map { 42 * $0 } ?? 60
        )
        scenario.recording = .init(.ima4, sampleRate: 8000)
        scenario.input = .sine(frequency: 440, amplitude: 0.25)
        let folder = try TemporaryFolder()
        let start = ContinuousClock.now
        let result = try ScenarioRun(scenario, in: folder.url).run()
        #expect(result.failures == [], "\(scenario.text)")
        #expect(result.frames > 0)
        #expect(result.notices.filter { $0 == .began }.count > (hours ?? 1) * 2)
        print(
            "\(scenario.length.scenarioText), \(scenario.moments.count) moments, \(result.frames) frames in "
                + "\(result.takes.count) recordings: \(start.duration(to: .now))"
        )
    }
}
