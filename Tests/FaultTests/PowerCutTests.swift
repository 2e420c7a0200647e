import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// The power fails between any two calls of a short take, and the disk kept what it liked of what was not synchronised.
@Suite("Power cut")
struct PowerCutTests {
    static let burst = 2_400

    @Test("everything up to the last synchronisation is there", arguments: RecordedKind.all)
    func cut(_ kind: RecordedKind) async throws {
        var k = 1
        while try await cut(kind, before: k) {
            k += 1
            try #require(k < 1_000, "a take this short ends")
        }
        #expect(k > 10, "a take makes more calls than that")
    }

    /// The power fails while call `k` stands still; false when the take made fewer.
    private func cut(_ kind: RecordedKind, before k: Int) async throws -> Bool {
        let bench = FaultBench(kind)
        bench.disk.set(FileFault(.stall, first: k, times: 1))
        let engine = bench.engine()
        let kept = Recorded<Int64>()
        let isOver = Recorded<Bool>()
        let worker = Thread {
            defer { isOver.append(true) }
            guard (try? engine.record()) != nil, let stream = bench.host.capture else { return }
            kept.append(0)
            for index in 1...4 {
                stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index)))
                // Returns when everything heard is on the disk.
                engine.pause()
                kept.append(Int64(index * Self.burst))
                try? engine.record()
            }
            engine.stop()
        }
        worker.start()
        #expect(eventually(within: 30) { bench.disk.stalledCalls > 0 || !isOver.all.isEmpty })
        let wasCut = bench.disk.stalledCalls > 0
        // Before the recording started there is nothing to find.
        if let promised = kept.all.last {
            for seed in 0..<4 as Range<UInt64> { check(bench, kind, promised, seed: seed, fate: nil, k) }
            for fate in PowerCut.Fate.allCases { check(bench, kind, promised, seed: 9, fate: fate, k) }
        }
        bench.disk.release()
        #expect(eventually(within: 30) { !isOver.all.isEmpty })
        return wasCut
    }

    private func check(
        _ bench: FaultBench,
        _ kind: RecordedKind,
        _ promised: Int64,
        seed: UInt64,
        fate: PowerCut.Fate?,
        _ k: Int
    ) {
        let place = "\(kind.name), call \(k), seed \(seed), \(fate.map { "\($0)" } ?? "mixed")"
        let found = bench.memory.afterPowerCut(seed: seed, fate: fate)
        do {
            // What was written after the last synchronisation may be damaged.
            let frames = try FaultBench.frames(in: found, untilDamage: true)
            #expect(Int64(frames.count) >= promised - kind.heldBack, "\(place): \(frames.count) of \(promised)")
        } catch {
            Issue.record("\(place): \(error) (\(found.names(in: "/takes")))")
        }
    }
}
