import Foundation
import TestSupport
import Testing

/// `kayit record` is killed at random moments while a real sound server plays: what lies on the disk is a recording that
/// opens everywhere and lacks a fifth of a second at most.
///
/// `KAYIT_KILLS` kills of each format (3 by default) follow from `KAYIT_SEED` (1 by default).
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("pulseaudio", "pactl", "ffmpeg", "sndfile-convert")))
struct KillCampaignTests {
    private static func number(_ name: String, default value: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) ?? value
    }

    @Test func aKilledRecordingIsWhole() throws {
        let kills = Self.number("KAYIT_KILLS", default: 3)
        let seed = Self.number("KAYIT_SEED", default: 1)
        let formats = KillFormat.all + (kills > 3 ? KillFormat.lowRate : [])
        let rates = Set(formats.map(\.sampleRate))
        var table = KillTable()
        defer { print(table.text(formats)) }
        var room = try Room(rates: rates, seed: seed)
        for round in 0..<kills {
            if room.isOld { room = try Room(rates: rates, seed: seed) }
            // One of each format at once, so that a large number takes minutes and not hours.
            let victims = formats.enumerated().map { index, format in
                var random = SeededGenerator(seed: seed &* 1_000_003 &+ round &* 100 &+ UInt64(index))
                return Victim(format, KillMoment(using: &random), in: room)
            }
            let remains = Self.atOnce(victims) { try $0.die() }
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

    /// Each on a thread of its own, begun shortly after the other: they sleep most of the time.
    private static func atOnce<Item: Sendable, Value: Sendable>(
        _ items: [Item],
        _ body: @escaping @Sendable (Item) throws -> Value
    ) -> [Result<Value, any Error>] {
        let results = Collected<Value>(count: items.count)
        for (index, item) in items.enumerated() {
            // The server lets five connections wait and refuses more.
            Thread.sleep(forTimeInterval: 0.05)
            Thread.detachNewThread { results.put(Result { try body(item) }, at: index) }
        }
        return results.wait()
    }
}

/// Results that come from threads.
private final class Collected<Value: Sendable>: @unchecked Sendable {
    // Unchecked: `condition` guards `values`.
    private let condition = NSCondition()
    private var values: [Result<Value, any Error>?]

    init(count: Int) { values = Array(repeating: nil, count: count) }

    func put(_ value: Result<Value, any Error>, at index: Int) {
        condition.withLock {
            values[index] = value
            condition.broadcast()
        }
    }

    func wait() -> [Result<Value, any Error>] {
        condition.withLock {
            while values.contains(where: { $0 == nil }) { condition.wait() }
            return values.compactMap { $0 }
        }
    }
}
