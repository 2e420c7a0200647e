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

    @Test("each stall is told once, and its end once, however they follow each other")
    func toldInPairs() async throws {
        let bench = FaultBench(.wav)
        let engine = bench.engine()
        try engine.record()
        let stream = try #require(bench.host.capture)
        for round in 0..<6 {
            bench.disk.set(FileFault(.stall, calls: [.write, .synchronize]))
            stream.hear(FaultBench.noise(Self.burst))
            #expect(await eventually { bench.disk.stalledCalls > 0 })
            #expect(await eventually { bench.notices.all.count == 2 * round + 1 })
            // Others look at the disk in the very moment in which it answers.
            let looking = Task.detached { for _ in 0..<200 { _ = try? engine.record() } }
            bench.disk.release()
            #expect(await eventually { bench.notices.all.count == 2 * round + 2 })
            await looking.value
        }
        engine.stop()
        _ = await bench.reported(engine)
        let expected = (0..<12).map { $0 % 2 == 0 ? TakeNotice.diskStalled : .diskAnswers }
        #expect(bench.notices.all == expected)
    }

    @Test(
        "record() on a disk that never answers fails in time, and nothing is left once it does",
        arguments: [FileCall.open, .write, .synchronize, .synchronizeFolder, .reserve, .status, .lock],
        [nil, Duration.milliseconds(500)]
    )
    func startGivesUp(_ call: FileCall, _ partLength: Duration?) async throws {
        let bench = FaultBench(.aac)
        let old = try bench.memory.open(FaultBench.path, .creatingExclusively)
        try old.write([1, 2, 3], at: 0)
        old.close()
        let engine = bench.engine(limits: TakeLimits(patience: .milliseconds(200)))
        engine.options.partLength = partLength
        bench.disk.set(FileFault(.stall, calls: [call]))
        let start = SuspendingClock.now
        let failure = #expect(throws: AudioFailure.self) { try engine.record() }
        #expect(start.duration(to: .now) < .seconds(20))
        #expect(
            failure?.code == .inputOutput && failure?.message.contains("does not answer") == true,
            "\(failure as Any)"
        )
        #expect(engine.phase == .stopped)
        #expect(bench.host.openStreams == 0)
        bench.disk.release()
        #expect(await eventually { bench.disk.openFiles == 0 && bench.memory.names(in: "/takes") == ["take"] })
        #expect(bench.memory.content(of: FaultBench.path) == [1, 2, 3])
        // The disk is well again.
        try engine.record()
        #expect(try #require(bench.host.capture).hear(FaultBench.noise(Self.burst)))
        engine.stop()
        _ = engine.joinJob?.wait()
        #expect(try FaultBench.frames(in: bench.memory).count == Self.burst)
    }

    @Test("a disk that stands still while the file gets its name: the recording goes on, and has everything")
    func namingTakesLong() async throws {
        let bench = FaultBench(.wav)
        let engine = bench.engine(limits: TakeLimits(patience: .milliseconds(200)))
        bench.disk.set(FileFault(.stall, calls: [.rename]))
        try engine.record()
        #expect(bench.disk.stalledCalls == 1 && engine.phase == .recording)
        let stream = try #require(bench.host.capture)
        for index in 0..<10 { #expect(stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index)))) }
        bench.disk.release()
        #expect(await eventually { bench.memory.names(in: "/takes") == ["take"] })
        engine.stop()
        #expect(await bench.reported(engine) == ["finished true"])
        #expect(try FaultBench.frames(in: bench.memory).count == 10 * Self.burst)
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
