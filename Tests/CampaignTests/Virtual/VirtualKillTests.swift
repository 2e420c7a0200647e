import Foundation
import TestSupport
import Testing

/// A recorder in virtual time is killed: in the place of one of its file calls, or from outside at any moment. Every sample
/// is known by its place, and what is lost does not depend on how fast the machine is.
///
/// `KAYIT_VIRTUAL_KILLS` kills of each codec in each container (1 by default) follow from `KAYIT_SEED`.
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("ffmpeg", "sndfile-convert")))
struct VirtualKillTests {
    @Test func everyPairIsWhole() throws {
        let kills = Campaign.number("KAYIT_VIRTUAL_KILLS", default: 1)
        let seed = Campaign.number("KAYIT_SEED", default: 1)
        let sounds = try KnownSounds(seconds: 40, rates: Set(RecordedPair.all.map(\.sampleRate)), seed: seed)
        var table = VirtualKillTable()
        defer { Campaign.publish(table.text, as: "virtual") }
        for round in 0..<kills {
            let victims = RecordedPair.all.enumerated().map { index, pair in
                var random = SeededGenerator(seed: seed &* 1_000_003 &+ round &* 100 &+ UInt64(index))
                return VirtualVictim(
                    pair: pair,
                    moment: VirtualMoment(using: &random),
                    seed: random.next(),
                    source: sounds.path(pair.sampleRate)
                )
            }
            // A few at once: they keep the machine busy.
            for start in stride(from: 0, to: victims.count, by: 4) {
                let some = Array(victims[start..<min(start + 4, victims.count)])
                let verdicts = atOnce(some) { VirtualVerdict(on: try $0.die(), sounds.samples($0.pair.sampleRate)) }
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
}

/// Noise of which every stretch tells its place, as a file for victims and in memory for verdicts.
struct KnownSounds: Sendable {
    private let folder: TemporaryFolder
    private let sounds: [Double: [Float]]

    init(seconds: Double, rates: Set<Double>, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        var sounds: [Double: [Float]] = [:]
        for rate in rates {
            let samples = Noise.samples(seconds: seconds, sampleRate: rate, seed: seed)
            try samples.withUnsafeBytes { try Data($0).write(to: folder.file("\(Int(rate))")) }
            sounds[rate] = samples
        }
        self.sounds = sounds
    }

    func path(_ rate: Double) -> String { folder.path("\(Int(rate))") }

    func samples(_ rate: Double) -> [Float] { sounds[rate] ?? [] }
}
