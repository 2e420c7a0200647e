import Foundation
import TestSupport

/// Runs a recorder in virtual time, as a program of its own, and kills it.
struct VirtualVictim: Sendable {
    static let old = [UInt8]("An older recording.".utf8)

    var pair: RecordedPair
    var moment: VirtualMoment
    var seed: UInt64
    /// The file of floats that the microphone hears.
    var source: String
    /// Frames of a part; nil for a recording in one file.
    var partFrames: Int?

    struct Remains: Sendable {
        var folder: TemporaryFolder
        var pair: RecordedPair
        var phase: KillBoard.Phase
        /// Frames that the microphone gave.
        var heard: Int
        /// Frames that a pause or the end had promised.
        var promised: Int
        var hadOld: Bool
    }

    /// Returns when the program is gone.
    func die() throws -> Remains {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let board = try KillBoard(scratch.path("board"))
        var hasOld = false
        if case .starting = moment { hasOld = true }
        if case .call = moment { hasOld = seed % 2 == 0 }
        if hasOld { _ = try folder.write(Self.old, to: pair.fileName) }
        let process = try ChildProcess(
            [
                Campaign.program("CampaignVictim"), "job=record", "pair=\(pair)", "file=\(folder.path(pair.fileName))",
                "source=\(source)",
                "board=\(scratch.path("board"))", "seed=\(seed)",
            ] + moment.order + (partFrames.map { ["parts=\($0)"] } ?? []),
            errors: scratch.path("errors")
        )
        func reach(_ phase: KillBoard.Phase) throws {
            guard eventually(within: 60, { board.phase.rawValue >= phase.rawValue }) else {
                process.kill()
                let words = (try? String(contentsOfFile: scratch.path("errors"), encoding: .utf8)) ?? ""
                throw SetupFailure("The victim does not come to it: \(words)")
            }
        }
        switch moment {
        case .recording(let wait):
            try reach(.recording)
            Thread.sleep(forTimeInterval: wait)
        case .starting(let wait): Thread.sleep(forTimeInterval: wait)
        case .paused(_, let wait):
            try reach(.paused)
            Thread.sleep(forTimeInterval: wait)
        case .stopping(_, let wait):
            try reach(.stopping)
            Thread.sleep(forTimeInterval: wait)
        case .call, .stoppingCall:
            // A take that makes fewer calls ends, or waits at the end of all sound.
            let status = process.wait(within: 60)
            guard status == 0 || status == 137 else {
                let words = (try? String(contentsOfFile: scratch.path("errors"), encoding: .utf8)) ?? ""
                throw SetupFailure("The victim ended with \(status): \(words)")
            }
        }
        process.kill()
        return Remains(
            folder: folder,
            pair: pair,
            phase: board.phase,
            heard: board.heard,
            promised: board.promised,
            hadOld: hasOld
        )
    }
}
