import Foundation
import TestSupport
import Testing

/// A join or a conversion that removes its sources is killed, as a process: either all sources are there, or the whole
/// target is; and taking it up again ends it.
///
/// `KAYIT_JOB_KILLS` kills of each kind (1 by default) follow from `KAYIT_SEED`.
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("ffmpeg", "sndfile-convert")))
struct FileJobKillTests {
    /// What is made of what.
    private static let kinds = [
        ("PCM 16 little endian in wav", "PCM 16 little endian in wav"),
        ("PCM 16 big endian in aiff", "PCM 16 big endian in aiff"),
        ("ALAC 16 in m4a", "ALAC 16 in m4a"), ("ALAC 16 in caf", "ALAC 16 in caf"),
        ("FLAC 16 in flac", "FLAC 16 in flac"),
        ("PCM 16 little endian in wav", "AAC in m4a"), ("PCM 16 little endian in wav", "FLAC 16 in flac"),
    ]

    @Test func nothingOfTheRecordingIsGone() throws {
        let kills = Campaign.number("KAYIT_JOB_KILLS", default: 1)
        let seed = Campaign.number("KAYIT_SEED", default: 1)
        let sounds = try KnownSounds(seconds: 10, rates: [44_100], seed: seed)
        var rows = [
            "| job | kills | all sources there | whole target there | ended when taken up again |",
            "|---|--:|--:|--:|--:|",
        ]
        defer { Campaign.publish(rows.joined(separator: "\n"), as: "jobs") }
        for (index, (from, to)) in Self.kinds.enumerated() {
            let trial = try FileJobTrial(
                of: try #require(RecordedPair.named(from)),
                to: try #require(RecordedPair.named(to)),
                sounds
            )
            var (sources, targets, ended) = (0, 0, 0)
            for kill in 0..<kills {
                var random = SeededGenerator(seed: seed &* 1_000_003 &+ kill &* 100 &+ UInt64(index))
                let moment = FileJobTrial.Moment(using: &random)
                let outcome = try trial.kill(moment)
                #expect(outcome.complaints.isEmpty, "\(trial.name), seed \(seed), kill \(kill), \(moment)")
                if outcome.hasTarget { targets += 1 } else { sources += 1 }
                if outcome.complaints.isEmpty { ended += 1 }
            }
            rows.append("| \(trial.name) | \(kills) | \(sources) | \(targets) | \(ended) |")
        }
    }
}
