import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// A disk that answers nothing for a while.
@Suite("Stalled disk")
struct StallTests {
    /// Deliveries of a tenth of a second.
    static let burst = 4_800

    @Test("a disk that stands still for a minute loses no frame", arguments: [RecordedKind.aac, .alac, .wav])
    func minute(_ kind: RecordedKind) async throws {
        let bench = FaultBench(kind)
        let engine = bench.engine()
        try engine.record()
        let stream = try #require(bench.host.capture)
        stream.hear(FaultBench.noise(Self.burst))
        bench.disk.set(FileFault(.stall, calls: [.write, .synchronize]))
        // A minute is heard as fast as the encoder takes it: no faster, as its room is a minute too.
        var heard: Int64 = Int64(Self.burst)
        let sound = FaultBench.noise(Self.burst, seed: 2)
        for _ in 0..<600 {
            try #require(stream.hear(sound))
            heard += Int64(Self.burst)
        }
        #expect(await eventually { bench.disk.stalledCalls > 0 }, "the disk stands still")
        #expect(engine.phase == .recording)
        bench.disk.release()
        stream.hear(sound)
        heard += Int64(Self.burst)
        engine.stop()
        #expect(await bench.reported(engine) == ["finished true"])
        let frames = try FaultBench.frames(in: bench.memory)
        #expect(Int64(frames.count) == heard)
        #expect(Self.silences(in: frames).isEmpty, "nothing was replaced by silence")
    }

    @Test(
        "a stall beyond the room leaves a gap of the exact length at its place, also at the end",
        arguments: [true, false]
    )
    func beyondTheRoom(_ goesOn: Bool) async throws {
        let bench = FaultBench(.wav)
        let engine = bench.engine(limits: TakeLimits(waitingAudio: .seconds(1), waitingBytes: 64 << 10))
        try engine.record()
        let stream = try #require(bench.host.capture)
        bench.disk.set(FileFault(.stall, calls: [.write, .synchronize]))
        var heard: [Float] = []
        for index in 0..<100 {
            let sound = FaultBench.noise(Self.burst, seed: UInt64(index))
            try #require(stream.hear(sound))
            heard += sound
        }
        bench.disk.release()
        if goesOn {
            // The gap is placed by what follows, which has room once the encoder has taken what waits.
            #expect(await eventually { engine.frames.value > 48_000 })
            try await Task.sleep(for: .milliseconds(200))
            for index in 100..<105 {
                let sound = FaultBench.noise(Self.burst, seed: UInt64(index))
                stream.hear(sound)
                heard += sound
            }
        }
        engine.stop()
        #expect(await bench.reported(engine) == ["finished true"])
        let frames = try FaultBench.frames(in: bench.memory)
        #expect(frames.count == heard.count, "the file is as long as the sound was")
        let gaps = Self.silences(in: frames)
        #expect(!gaps.isEmpty, "ten seconds do not fit into one")
        var present = [Bool](repeating: true, count: frames.count)
        for gap in gaps { for index in gap { present[index] = false } }
        let wrong = zip(frames, heard).enumerated().first {
            present[$0.offset] && abs($0.element.0 - $0.element.1) > 1e-4
        }
        #expect(wrong == nil, "what is there is in its place: frame \(wrong?.offset ?? 0)")
        if goesOn {
            #expect(frames.count - (gaps.last?.upperBound ?? 0) >= 5 * Self.burst, "what follows is all there")
        }
    }

    @Test("a stall is told within two seconds, and its end")
    func told() async throws {
        let bench = FaultBench(.wav)
        let engine = bench.engine()
        try engine.record()
        let stream = try #require(bench.host.capture)
        bench.disk.set(FileFault(.stall, calls: [.write, .synchronize]))
        stream.hear(FaultBench.noise(Self.burst))
        #expect(await eventually { bench.disk.stalledCalls > 0 })
        #expect(await eventually { bench.notices.all == [.diskStalled] })
        bench.disk.release()
        #expect(await eventually { bench.notices.all == [.diskStalled, .diskAnswers] })
        engine.stop()
        #expect(await bench.reported(engine) == ["finished true"])
    }

    @Test("stop() does not wait for ever, and the file is completed when the disk answers", arguments: [true, false])
    func stopGivesUp(_ pausesFirst: Bool) async throws {
        let bench = FaultBench(.aac)
        let engine = bench.engine(limits: TakeLimits(patience: .milliseconds(300)))
        try engine.record()
        let stream = try #require(bench.host.capture)
        for _ in 0..<10 { stream.hear(FaultBench.noise(Self.burst)) }
        engine.pause()
        try engine.record()
        bench.disk.set(FileFault(.stall, calls: [.write, .synchronize, .truncate]))
        for _ in 0..<10 { stream.hear(FaultBench.noise(Self.burst)) }
        if pausesFirst { engine.pause() }
        engine.stop()
        #expect(bench.disk.stalledCalls == 1, "the call returned though the disk stands still")
        #expect(await bench.reported(engine) == ["failed inputOutput", "finished false"])
        #expect(engine.phase == .stopped)
        #expect(bench.host.openStreams == 0)
        let early = try FaultBench.frames(in: bench.memory).count
        #expect(early >= 10 * Self.burst - 4 * 1024)
        bench.disk.release()
        #expect(await eventually { bench.disk.openFiles == 0 })
        #expect(try FaultBench.frames(in: bench.memory).count == 20 * Self.burst)
        #expect(try FaultBench.integrity(in: bench.memory) == .complete)
    }

    /// Where more than a few frames are exactly zero, which the noise never is.
    static func silences(in frames: [Float]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start: Int?
        for (index, frame) in (frames + [1]).enumerated() {
            if frame == 0 {
                start = start ?? index
            } else if let first = start {
                if index - first > 8 { result.append(first..<index) }
                start = nil
            }
        }
        return result
    }
}
