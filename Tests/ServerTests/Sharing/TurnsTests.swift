import Foundation
import TestSupport
import Testing

/// Two recorders that take the sound from each other again and again, and are killed meanwhile: a few turns always,
/// `KAYIT_SESSION_ROUNDS=100` for more. What happens follows from the seed.
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("dbus-daemon"), "dbus-daemon is not installed"))
struct TurnsTests {
    /// A program, the file of its take, and what the take has been through.
    private final class Side {
        let name: String
        var program: SharingProgram
        var file: String
        var takes = 0

        init(_ name: String, _ program: SharingProgram) {
            self.name = name
            self.program = program
            file = ""
        }
    }

    private static let rounds = Int(ProcessInfo.processInfo.environment["KAYIT_SESSION_ROUNDS"] ?? "") ?? 6
    private static let seed = UInt64(ProcessInfo.processInfo.environment["KAYIT_SEED"] ?? "") ?? 1

    private let rig: SharingRig

    init() throws { rig = try SharingRig() }

    private func begin(_ side: Side) {
        side.takes += 1
        side.file = "\(side.name)\(side.takes).wav"
        #expect(side.program.order("record " + rig.scratch.path(side.file)) == "ok record")
    }

    /// Beginnings and ends must alternate, and each take be whole but for its pauses.
    private func close(_ side: Side, isKilled: Bool) throws {
        let interruptions = side.program.interruptions
        for (index, line) in interruptions.enumerated() {
            #expect(line.hasPrefix(index.isMultiple(of: 2) ? "began" : "ended"), "\(side.name): \(interruptions)")
        }
        let pauses = interruptions.filter { $0.hasPrefix("began") }.compactMap { Int($0.dropFirst(6)) }
        #expect(try rig.jumps(in: side.file, pauses: pauses) == [])
        if !isKilled { #expect(interruptions.count.isMultiple(of: 2), "\(side.name): \(interruptions)") }
    }

    @Test func takingAndGivingBack() throws {
        var random = SeededGenerator(seed: Self.seed)
        let keeper = Side("keeper", try rig.program("playAndRecord"))
        let taker = Side("taker", try rig.program("playAndRecord"))
        begin(keeper)
        var (begins, ends, kills) = (0, 0, 0)
        for round in 0..<Self.rounds {
            Thread.sleep(forTimeInterval: .random(in: 0.05...0.4, using: &random))
            begin(taker)
            #expect(eventually(within: 30) { keeper.program.interruptions.count == 2 * begins + 1 }, "round \(round)")
            begins += 1
            Thread.sleep(forTimeInterval: .random(in: 0.05...0.4, using: &random))
            let isKeeperKilled = Int.random(in: 0..<8, using: &random) == 0
            if isKeeperKilled {
                // Killed while it waits: the one that has the sound does not notice.
                keeper.program.kill()
                try close(keeper, isKilled: true)
                kills += 1
            }
            let notifies = Bool.random(using: &random)
            let isTakerKilled = Int.random(in: 0..<4, using: &random) == 0
            if isTakerKilled {
                taker.program.kill()
                try close(taker, isKilled: true)
                kills += 1
                taker.program = try rig.program("playAndRecord")
            } else {
                #expect(taker.program.order("stop") == "ok stop")
                try close(taker, isKilled: false)
                #expect(taker.program.order("deactivate " + (notifies ? "notify" : "quiet")) == "ok deactivate")
            }
            if isKeeperKilled {
                keeper.program = try rig.program("playAndRecord")
                begin(keeper)
                (begins, ends) = (0, 0)
                continue
            }
            let wanted = notifies && !isTakerKilled ? "ended resume" : "ended stay"
            #expect(eventually(within: 30) { keeper.program.interruptions.count == 2 * begins }, "round \(round)")
            #expect(keeper.program.interruptions.last == wanted, "round \(round)")
            ends += 1
            #expect(keeper.program.order("resume") == "ok resume")
        }
        #expect(keeper.program.order("stop") == "ok stop")
        try close(keeper, isKilled: false)
        #expect(begins == ends)
        print("turns: \(Self.rounds) rounds, seed \(Self.seed), \(kills) kills")
    }
}
