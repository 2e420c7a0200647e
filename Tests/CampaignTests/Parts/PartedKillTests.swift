import Foundation
import TestSupport
import Testing

/// A recorder whose parts change several times a second is killed: while parts change, while the last one is completed and
/// while they are joined; and `kayit recover` makes one file of what is left.
///
/// `KAYIT_PART_KILLS` kills of each pair (1 by default) follow from `KAYIT_SEED`.
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("ffmpeg", "sndfile-convert")))
struct PartedKillTests {
    /// Frames of a part: a few packets of every codec.
    static let partFrames = 12_000

    private static func moment(using random: inout SeededGenerator) -> VirtualMoment {
        let frames = Int.random(in: 30_000...120_000, using: &random)
        return switch Int.random(in: 0..<10, using: &random) {
        // A change of parts is about a dozen calls, one of each kind.
        case 0..<4: .call(.random(in: 30...300, using: &random))
        case 4: .recording(.random(in: 0...0.3, using: &random))
        case 5: .paused(frames, .random(in: 0...0.05, using: &random))
        case 6: .stopping(frames, .random(in: 0...0.1, using: &random))
        // The end of the last part, and the calls of the join.
        default: .stoppingCall(frames, .random(in: 1...120, using: &random))
        }
    }

    @Test func everyPairIsOneFileAgain() throws {
        let kills = Campaign.number("KAYIT_PART_KILLS", default: 1)
        let seed = Campaign.number("KAYIT_SEED", default: 1)
        // Without a whole campaign every third pair.
        let pairs =
            kills > 1 ? RecordedPair.all : RecordedPair.all.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let sounds = try KnownSounds(seconds: 40, rates: Set(pairs.map(\.sampleRate)), seed: seed)
        var table = VirtualKillTable()
        defer { Campaign.publish(table.text, as: "parts") }
        for round in 0..<kills {
            let victims = pairs.enumerated().map { index, pair in
                var random = SeededGenerator(seed: seed &* 1_000_033 &+ round &* 100 &+ UInt64(index))
                return VirtualVictim(
                    pair: pair,
                    moment: Self.moment(using: &random),
                    seed: random.next() | 1,
                    source: sounds.path(pair.sampleRate),
                    partFrames: Self.partFrames
                )
            }
            for start in stride(from: 0, to: victims.count, by: 4) {
                let some = Array(victims[start..<min(start + 4, victims.count)])
                let verdicts = atOnce(some) { victim in
                    let remains = try victim.die()
                    try Self.recover(remains)
                    return VirtualVerdict(on: remains, sounds.samples(victim.pair.sampleRate))
                }
                for (victim, verdict) in zip(some, verdicts) {
                    let name = "\(victim.pair), seed \(seed), round \(round), \(victim.moment)"
                    switch verdict {
                    case .success(let verdict):
                        table.add(verdict, victim.pair)
                        #expect(verdict.complaints.isEmpty, "\(name)")
                    case .failure(let error): Issue.record("\(name): \(error)")
                    }
                }
            }
        }
    }

    /// What a person does, by a program of its own; twice, as the first one may have nothing to do.
    private static func recover(_ remains: VirtualVictim.Remains) throws {
        let scratch = try TemporaryFolder()
        let kayit = try ChildProcess(
            [Kayit.path, "recover", remains.folder.url.path],
            environment: ["XDG_DATA_HOME": scratch.path("share"), "LC_ALL": "C.UTF-8"],
            errors: scratch.path("errors")
        )
        let status = kayit.wait(within: 60)
        if status == 0 { return }
        let words = (try? String(contentsOfFile: scratch.path("errors"), encoding: .utf8)) ?? ""
        throw SetupFailure("kayit recover ends with \(status): \(words)")
    }
}
