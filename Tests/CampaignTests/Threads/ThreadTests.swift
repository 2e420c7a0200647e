import Foundation
import TestSupport
import Testing

/// What several threads do to one program at once, and what is left behind after many takes; as a program of its own.
/// `make sanitize` runs the same for longer under sanitizers.
///
/// `KAYIT_THREAD_SECONDS` (3 by default), `KAYIT_TAKES` (60 by default) and `KAYIT_PLAYER_RUNS` (32 by default) say for how
/// long, `KAYIT_SEED` what.
@Suite(.serialized)
struct ThreadTests {
    @Test func randomCallsFromEightThreadsReturn() throws {
        let seconds = Campaign.number("KAYIT_THREAD_SECONDS", default: 3)
        let seed = Campaign.number("KAYIT_SEED", default: 1)
        #expect(
            try run(["calls", "\(seconds)", "\(seed)"], within: Double(seconds) + 120).contains("calls from 8 threads")
        )
    }

    @Test func takesLeaveNothingBehind() throws {
        let takes = Campaign.number("KAYIT_TAKES", default: 60)
        let row = try run(["takes", "\(takes)"], within: 120 + Double(takes))
        #expect(row.contains("\(takes) takes"))
        Campaign.publish("| | before | after |\n|---|---|---|\n" + row, as: "takes")
    }

    @Test func everyEndOfAPlayerIsToldOnce() throws {
        let runs = Campaign.number("KAYIT_PLAYER_RUNS", default: 32)
        let seed = Campaign.number("KAYIT_SEED", default: 1)
        #expect(
            try run(["players", "\(runs)", "\(seed)"], within: 120 + Double(runs)).contains("\(runs) runs of players")
        )
    }

    private func run(_ arguments: [String], within seconds: Double) throws -> String {
        let scratch = try TemporaryFolder()
        let process = try ChildProcess(
            [Campaign.program("CampaignThreads")] + arguments,
            // The C library learns from the first minute's ring of sound that is freed to keep the next ones, one or two as
            // the threads come to meet: a fixed threshold gives each back to the system.
            environment: ["MALLOC_MMAP_THRESHOLD_": "1048576"],
            output: scratch.path("output"),
            errors: scratch.path("errors")
        )
        let status = process.wait(within: seconds)
        let words = try String(contentsOfFile: scratch.path("errors"), encoding: .utf8)
        #expect(status == 0, "\(words)")
        return try String(contentsOfFile: scratch.path("output"), encoding: .utf8)
    }
}
