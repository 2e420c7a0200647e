import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import RecordingKit
import ScenarioRunner
import TestSupport
import Testing

/// What comes of scenarios, to the frame.
struct ScenarioRunTests {
    /// Runs a text, and records what does not hold.
    @discardableResult
    private func run(_ text: String, in folder: TemporaryFolder? = nil) throws -> ScenarioResult {
        let scenario = try SimulationScenario(parsing: text)
        let folder = try folder ?? TemporaryFolder()
        let result = try ScenarioRun(scenario, in: folder.url).run()
        #expect(result.failures == [], "\(timeline(result))")
        return result
    }

    private func timeline(_ result: ScenarioResult) -> String {
        result.entries.map { "\($0.time.scenarioText) \($0.frames) \($0.kind.rawValue) \($0.text)" }
            .joined(separator: "\n")
    }

    /// Every sample of a file.
    private func decoded(_ url: URL) throws -> Data {
        let file = try Runtime.system.files.open(url.path, .reading)
        defer { file.close() }
        let reader = try FrameReader(file, media: .system)
        let buffer = PCMBuffer(format: reader.format, capacity: 4096)
        var data = Data()
        while try reader.read(into: buffer) > 0 {
            data.append(buffer.bytes.assumingMemoryBound(to: UInt8.self), count: buffer.byteLength)
            buffer.setFrameLength(0)
        }
        return data
    }

    @Test func aRecordingIsAsLongAsItsTime() throws {
        let result = try run(
            """
            run 10s
            1s press record
            9s press stop
            expect frames 128000
            expect gaps 0
            expect told finished
            expect never told error
            expect state stopped
            """
        )
        #expect(result.takes.count == 1)
    }

    @Test func aCallPausesAndTheProgramGoesOn() throws {
        try run(
            """
            run 60s
            0s press record
            12s call for 30s, resume
            expect frames 480000
            expect gaps 0
            expect gap at 12s for 0s because interrupted
            expect told began, ended resume, finished
            expect state recording
            """
        )
    }

    @Test func anAssistantSaysNothingOfGoingOn() throws {
        try run(
            """
            run 60s
            0s press record
            12s assistant for 5s
            expect frames 192000
            expect told began, ended
            expect never told ended resume
            expect state paused
            """
        )
        try run(
            """
            run 60s
            0s press record
            12s assistant for 5s
            20s press record
            expect frames 832000
            expect state recording
            """
        )
    }

    @Test func aProgramThatWaitsIsResumedByItsButton() throws {
        try run(
            """
            client waits
            run 60s
            0s press record
            10s call for 10s, resume
            30s press record
            expect frames 640000
            expect told began, ended resume
            """
        )
    }

    @Test func duringACallNothingCanBeRecorded() throws {
        try run(
            """
            run 60s
            0s press record
            10s call for 20s
            15s press record
            expect frames 160000
            expect state paused
            expect told began, error, ended
            """
        )
    }

    @Test func aMicrophoneThatComesBackLeavesAGapOfTheTrueLength() throws {
        try run(
            """
            run 20s
            0s press record
            5s microphone out
            8s microphone in
            expect frames 320000
            expect gaps 1
            expect gap at 5s for 3s because deviceLost
            expect told route out, route in
            """
        )
    }

    @Test func aGapIsPutThoughNothingFollowsIt() throws {
        // Found by the random search: the microphone is back, and at the same moment somebody calls.
        try run(
            """
            run 11s
            0s press record
            7s microphone out
            8710ms headset in
            8710ms call for 1s, resume
            expect frames 160000
            expect gap at 7s for 1710ms because deviceLost
            expect gap at 8710ms for 0s because interrupted
            """
        )
    }

    @Test func theServerResets() throws {
        try run(
            """
            run 20s
            0s press record
            5s server down for 2s
            12s server reset
            expect frames 320000
            expect gap at 5s for 2s because deviceLost
            expect state recording
            """
        )
    }

    @Test func headphonesStopWhatPlaysWhenTheyAreUnplugged() throws {
        let result = try run(
            """
            run 20s
            0s press record
            0s press play
            5s headphones in
            10s headphones out
            expect frames 320000
            expect gaps 0
            expect told route in, route out
            """
        )
        #expect(result.notices.contains(.deviceOut))
    }

    @Test func aStalledDiskLosesNothing() throws {
        try run(
            """
            run 90s
            0s press record
            10s disk stalled for 40s
            expect frames 1440000
            expect gaps 0
            expect never told error
            """
        )
    }

    @Test func permissionIsNeeded() throws {
        try run(
            """
            run 20s
            0s permission denied
            1s press record
            10s permission granted
            11s press record
            expect frames 144000
            expect told error
            expect state recording
            """
        )
    }

    @Test func whatDoesNotHoldIsTold() throws {
        let scenario = try SimulationScenario(
            parsing: """
                run 10s
                0s press record
                expect frames 5
                expect gaps 1
                expect gap at 1s for 1s
                expect state paused
                expect told began
                expect never told finished
                """
        )
        let folder = try TemporaryFolder()
        let result = try ScenarioRun(scenario, in: folder.url).run()
        #expect(result.failures.count == 6, "\(result.failures)")
    }

    @Test func theSameScenarioGivesTheSameFilesAndTheSameTimeline() throws {
        for seed in [3, 4] as [UInt64] {
            var scenario = SimulationScenario.random(seed: seed, length: .seconds(20), events: 15)
            scenario.input = .voice(seed: seed)
            var results: [(ScenarioResult, [Data])] = []
            for _ in 0..<2 {
                let folder = try TemporaryFolder()
                let result = try ScenarioRun(scenario, in: folder.url).run()
                results.append((result, try result.takes.map { try decoded($0.url) }))
            }
            #expect(timeline(results[0].0) == timeline(results[1].0))
            #expect(results[0].0.takes.map(\.bytes) == results[1].0.takes.map(\.bytes))
            #expect(results[0].0.takes.map(\.gaps) == results[1].0.takes.map(\.gaps))
            for (first, second) in zip(results[0].1, results[1].1) {
                // Without a diff: it would take minutes.
                let isSame = first == second
                #expect(isSame, "\(scenario.text)")
            }
        }
    }
}
