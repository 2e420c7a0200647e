import Foundation
import TestSupport
import Testing

/// `kayit record` is killed at random moments while a real sound server plays: what lies on the disk is a recording that
/// opens everywhere and lacks a fifth of a second at most.
///
/// `KAYIT_KILLS` kills of each format (3 by default) follow from `KAYIT_SEED` (1 by default).
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("pulseaudio", "pactl", "ffmpeg", "sndfile-convert")))
struct KillCampaignTests {
    @Test func aKilledRecordingIsWhole() throws {
        let kills = Campaign.number("KAYIT_KILLS", default: 3)
        let seed = Campaign.number("KAYIT_SEED", default: 1)
        let formats = KillFormat.all + (kills > 3 ? KillFormat.lowRate : [])
        let rates = Set(formats.map(\.sampleRate))
        var table = KillTable()
        defer { Campaign.publish(table.text(formats), as: "killed") }
        var room = try Room(rates: rates, seed: seed)
        for round in 0..<kills {
            if room.isOld { room = try Room(rates: rates, seed: seed) }
            // One of each format at once, so that a large number takes minutes and not hours.
            let victims = formats.enumerated().map { index, format in
                var random = SeededGenerator(seed: seed &* 1_000_003 &+ round &* 100 &+ UInt64(index))
                return Victim(format, KillMoment(using: &random), in: room)
            }
            let remains = atOnce(victims) { try $0.die() }
            // What sounded is known from deliveries before and after.
            Thread.sleep(forTimeInterval: 0.5)
            for (victim, remains) in zip(victims, remains) {
                let witness = try #require(room.witnesses[victim.format.sampleRate])
                let name = "\(victim.format.name), seed \(seed), round \(round), \(victim.moment)"
                switch remains {
                case .success(let remains):
                    let verdict = Verdict(on: remains, witness)
                    table.add(verdict, victim.format)
                    #expect(verdict.complaints.isEmpty, "\(name)")
                case .failure(let error):
                    Issue.record("\(name): \(error)")
                }
            }
        }
    }
}
