import Foundation
import TestSupport
import Testing

/// `kayit record` of a real sound server into a real ext4 file system, whose disk is copied at random moments: every take
/// is there under its name and lacks 350 ms at most, also those that have just begun.
///
/// `KAYIT_POWER_CUTS` rounds (1 by default) of two copies each follow from `KAYIT_SEED`.
@Suite(
    .serialized,
    .enabled(if: ExternalTool.areInstalled("pulseaudio", "pactl", "ffmpeg", "sndfile-convert")),
    .enabled(if: ImageDisk.isPossible, "mounting an image needs root and loop devices")
)
struct ImageCutTests {
    /// Seconds that a power cut may take.
    static let limit = 0.35

    @Test func aTakeIsOnTheDisk() throws {
        let rounds = Campaign.number("KAYIT_POWER_CUTS", default: 1)
        let seed = Campaign.number("KAYIT_SEED", default: 1)
        var table = KillTable()
        defer { Campaign.publish(table.text(KillFormat.all), as: "ext4") }
        let disk = try ImageDisk()
        var room = try Room(rates: Set(KillFormat.all.map(\.sampleRate)), seed: seed)
        for round in 0..<rounds {
            if room.isOld { room = try Room(rates: Set(KillFormat.all.map(\.sampleRate)), seed: seed) }
            var random = SeededGenerator(seed: seed &* 1_000_003 &+ round)
            let takes = try KillFormat.all.enumerated().map { try CutTake($1, number: $0, on: disk, in: room) }
            defer { for take in takes { take.end() } }
            for cut in 0..<2 {
                // The first falls into the beginnings; the others need time for what the copy held up.
                Thread.sleep(forTimeInterval: cut == 0 ? .random(in: 0...1, using: &random) : 1)
                for take in takes { take.watch() }
                Thread.sleep(forTimeInterval: .random(in: 0...1, using: &random))
                let folder = try TemporaryFolder()
                for take in takes { take.note() }
                let moment = Witness.now
                try disk.copy(to: folder.path("copy.img"))
                // What sounded is known from deliveries before and after.
                Thread.sleep(forTimeInterval: 0.5)
                try ImageDisk.inspect(folder.path("copy.img")) { point in
                    for take in takes {
                        guard let remains = try take.remains(in: point, at: moment) else { continue }
                        let witness = try #require(room.witnesses[take.format.sampleRate])
                        let verdict = Verdict(on: remains, witness)
                        table.add(verdict, remains.format)
                        #expect(
                            verdict.complaints.isEmpty,
                            "\(take.format.name), seed \(seed), round \(round), copy \(cut), after \(moment - (remains.begun ?? moment)) s"
                        )
                    }
                }
            }
        }
    }
}
