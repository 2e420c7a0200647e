import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// A short take whose power fails while one of its calls stands still.
struct PowerCutTrial {
    static let burst = 2_400

    let kind: RecordedKind
    /// The steps of samples that come back exactly; nil compares no samples.
    var step: Float?
    /// Seeds by which the fate of every write is drawn by itself.
    var seeds: Range<UInt64> = 0..<4

    /// - Returns: false when the take made fewer calls than `k`.
    func cut(before k: Int) throws -> Bool {
        let bench = FaultBench(kind)
        let engine = bench.engine()
        let kept = Recorded<Int64>()
        return try Self.cut(bench.disk, before: k) {
            guard (try? engine.record()) != nil, let stream = bench.host.capture else { return }
            kept.append(0)
            for index in 1...4 {
                stream.hear(Self.sound(index))
                // Returns when everything heard is on the disk.
                engine.pause()
                kept.append(Int64(index * Self.burst))
                try? engine.record()
            }
            engine.stop()
        } examine: {
            // Before the recording started there is nothing to find.
            guard let promised = kept.all.last else { return }
            for seed in seeds { check(bench, promised, seed: seed, fate: nil, k) }
            for fate in PowerCut.Fate.allCases { check(bench, promised, seed: 9, fate: fate, k) }
        }
    }

    private static func sound(_ index: Int) -> [Float] { FaultBench.noise(burst, seed: UInt64(index)) }

    private func check(_ bench: FaultBench, _ promised: Int64, seed: UInt64, fate: PowerCut.Fate?, _ k: Int) {
        let place = "\(kind.name), call \(k), seed \(seed), \(fate.map { "\($0)" } ?? "mixed")"
        let found = bench.memory.afterPowerCut(seed: seed, fate: fate)
        do {
            // What was written after the last synchronisation may be damaged.
            let frames = try FaultBench.frames(in: found, untilDamage: true)
            #expect(Int64(frames.count) >= promised - kind.heldBack, "\(place): \(frames.count) of \(promised)")
            guard let step else { return }
            let spoken = (1...4).flatMap(Self.sound)
            let sure = min(frames.count, Int(promised))
            let other = (0..<sure).first { abs(frames[$0] - spoken[$0]) > 1.5 * step }
            #expect(other == nil, "\(place): foreign from frame \(other ?? 0) of \(sure)")
        } catch {
            Issue.record("\(place): \(error) (\(found.names(in: "/takes")))")
        }
    }

    /// Works on a disk until its changing call `k` stands still, looks at what a power cut would leave then, and lets the
    /// work end.
    ///
    /// - Returns: false when the work made fewer calls; nothing was looked at then.
    static func cut(
        _ disk: FaultingFileStore,
        before k: Int,
        work: @escaping @Sendable () -> Void,
        examine: () throws -> Void
    ) throws -> Bool {
        disk.set(FileFault(.stall, first: k, times: 1))
        let isOver = Recorded<Bool>()
        Thread.detachNewThread {
            defer { isOver.append(true) }
            work()
        }
        #expect(eventually(within: 60) { disk.stalledCalls > 0 || !isOver.all.isEmpty })
        let wasCut = disk.stalledCalls > 0
        defer {
            disk.release()
            #expect(eventually(within: 60) { !isOver.all.isEmpty })
        }
        if wasCut { try examine() }
        return wasCut
    }
}
