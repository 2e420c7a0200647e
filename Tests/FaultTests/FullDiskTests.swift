import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

@Suite("Full disk")
struct FullDiskTests {
    static let burst = 9_600

    @Test(
        "a disk that fills up ends the recording, says so within a second, and keeps all that was there",
        arguments: RecordedKind.all
    )
    func fillsUp(_ kind: RecordedKind) async throws {
        let bench = FaultBench(kind)
        let engine = bench.engine()
        try engine.record()
        let stream = try #require(bench.host.capture)
        let used = Int64(try #require(bench.memory.content(of: FaultBench.path)).count)
        bench.memory.setCapacity(used + 40_000)
        var kept: Int64 = 0
        var told: Duration?
        for index in 0..<400 {
            let clock = ContinuousClock()
            let start = clock.now
            stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index)))
            // Returns when what was heard is on the disk, or has failed to get there.
            engine.pause()
            if engine.phase == .stopped {
                _ = await bench.reported(engine)
                told = clock.now - start
                break
            }
            kept += Int64(Self.burst)
            try engine.record()
        }
        #expect(await bench.reported(engine) == ["failed noSpace", "finished false"])
        #expect(try #require(told, "the disk is full before") < .seconds(1))
        #expect(kept > 0)
        #expect(bench.host.openStreams == 0)
        #expect(Int64(try FaultBench.frames(in: bench.memory).count) >= kept - kind.heldBack)
    }

    @Test("a recording on a full disk does not start, says why, and leaves nothing", arguments: RecordedKind.all)
    func isFull(_ kind: RecordedKind) async throws {
        let bench = FaultBench(kind)
        bench.memory.setCapacity(16)
        let engine = bench.engine()
        let failure = #expect(throws: AudioFailure.self) { try engine.record() }
        #expect(failure?.code == .noSpace)
        #expect(failure?.message == "Cannot record to '/takes/take': No space left on device.")
        #expect(bench.memory.names(in: "/takes").isEmpty)
        #expect(bench.host.openStreams == 0)
    }

    @Test("a disk that fails after it stood still costs no more than what did not fit at once")
    func failsAfterStall() async throws {
        let bench = FaultBench(.wav)
        let engine = bench.engine()
        try engine.record()
        let stream = try #require(bench.host.capture)
        bench.disk.set(FileFault(.stall, calls: [.write]))
        let sound = FaultBench.noise(Self.burst)
        for _ in 0..<150 { stream.hear(sound) }
        #expect(await eventually { engine.frames.value == Int64(150 * Self.burst) })
        // Room for a part of the 2.9 MB that wait.
        bench.memory.setCapacity(2_000_000)
        bench.disk.release()
        #expect(await eventually { engine.phase == .stopped })
        #expect(await bench.reported(engine) == ["failed noSpace", "finished false"])
        let frames = try FaultBench.frames(in: bench.memory).count
        #expect(frames * 2 > 2_000_000 - 2 * (256 << 10))
    }
}
