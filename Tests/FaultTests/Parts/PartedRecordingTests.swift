import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import TestSupport
import Testing

/// Parts that change every half second, for minutes.
@Suite("Recording in parts")
struct PartedRecordingTests {
    static let frequency = 5_000.0
    static let burst = 4_800
    /// Twenty seconds, or five minutes where hours are asked for.
    static let bursts = PartedHoursTests.hours == nil ? 200 : 3_000

    /// A sine; the same frames whatever the blocks.
    static func sine(from start: Int, _ frames: Int) -> [Float] {
        (start..<start + frames).map { frame in
            0.5 * Float(sin(2 * .pi * frequency * Double(frame) / FaultBench.rate))
        }
    }

    /// Speaks no faster than the recorder takes it.
    static func speak(_ bench: FaultBench, _ engine: RecorderEngine, bursts: Range<Int>) async throws {
        let stream = try #require(bench.host.capture)
        for index in bursts {
            try #require(stream.hear(sine(from: index * burst, burst)))
            if index % 50 == 49 {
                let behind = Int64(max(index - 100, 0) * burst)
                #expect(await eventually { engine.frames.value >= behind })
            }
        }
    }

    /// The largest change of phase between windows, in parts of a circle; a frame too many or too few is 5000 ÷ 48000.
    static func largestJump(_ samples: [Float]) -> Double {
        let window = 1_440
        let step = 2 * Double.pi * frequency / FaultBench.rate
        var before: Double?
        var largest = 0.0
        for start in stride(from: 2 * window, through: samples.count - 2 * window, by: window) {
            var (real, imaginary) = (0.0, 0.0)
            for frame in start..<start + window {
                real += Double(samples[frame]) * sin(step * Double(frame))
                imaginary += Double(samples[frame]) * cos(step * Double(frame))
            }
            let level = 2 * (real * real + imaginary * imaginary).squareRoot() / Double(window)
            if abs(level - 0.5) > 0.1 { return .infinity }
            let phase = atan2(imaginary, real) / (2 * .pi)
            if let before {
                let turn = abs(phase - before)
                largest = max(largest, min(turn, 1 - turn))
            }
            before = phase
        }
        return largest
    }

    @Test(
        "a part every half second for long: no frame is lost or added, each part plays alone",
        arguments: RecordedKind.all
    )
    func halfSecondParts(_ kind: RecordedKind) async throws {
        let bench = FaultBench(kind)
        let engine = bench.engine()
        engine.options.partLength = .milliseconds(500)
        engine.options.keepsParts = true
        let notices = Recorded<TakeNotice>()
        _ = engine.observers.add { if let notice = $0 { notices.append(notice) } }
        try engine.record()
        try await Self.speak(bench, engine, bursts: 0..<Self.bursts)
        #expect(engine.frames.value <= Int64(Self.bursts * Self.burst))
        engine.stop()
        let result = try #require(engine.joinJob).wait().get()
        #expect(await bench.reported(engine) == ["finished true"])
        #expect(result.frames.value == Int64(Self.bursts * Self.burst))

        let names = bench.memory.names(in: PartsJoinFaultTests.folder).filter { $0 != PartsLog.name }
        #expect(names.count >= Self.bursts / 6 && names.count <= Self.bursts / 5 + 1, "\(names.count) parts")
        var sum = 0
        var separate: [Float] = []
        for name in names {
            let part = try FaultBench.frames(PartsJoinFaultTests.folder + "/" + name, in: bench.memory)
            sum += part.count
            separate += part
        }
        #expect(sum == Self.bursts * Self.burst)
        #expect(Self.largestJump(separate) < 0.03)
        #expect(Self.largestJump(try FaultBench.frames(in: bench.memory)) < 0.03)
        try playElsewhere(names, bench.memory, kind)
        #expect(notices.all.first == .joining(parts: 0, of: names.count))
        #expect(notices.all.last == .joined(path: FaultBench.path, frames: FrameCount(Self.bursts * Self.burst)))
    }

    /// Some parts give FFmpeg what they state, but for the priming and padding that it does not take off.
    private func playElsewhere(_ names: [String], _ disk: MemoryFileStore, _ kind: RecordedKind) throws {
        guard ExternalTool.areInstalled("ffmpeg") else { return }
        let scratch = try TemporaryFolder()
        for index in [0, 1, names.count / 2, names.count - 1] {
            let path = PartsJoinFaultTests.folder + "/" + names[index]
            let file = try scratch.write(try #require(disk.content(of: path)), to: names[index])
            let run = try ExternalTool.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", file, "-ar", "48000", "-ac", "1", "-f", "f32le", "-"]
            )
            let expected = try FaultBench.frames(path, in: disk).count
            let found = run.output.count / 4
            #expect(run.status == 0 && run.messages.isEmpty, "\(names[index]): \(run.messages)")
            #expect(found >= expected && found <= expected + 2 * 4_096, "\(names[index]): \(found) of \(expected)")
        }
    }

    @Test(
        "parts change while the disk stands still again and again, and no frame is lost",
        arguments: [RecordedKind.aac, .wav]
    )
    func stallsWhileChanging(_ kind: RecordedKind) async throws {
        let bench = FaultBench(kind)
        let engine = bench.engine()
        engine.options.partLength = .milliseconds(500)
        try engine.record()
        for round in 0..<6 {
            let calls: Set<FileCall> = [[.open], [.synchronizeFolder], [.synchronize]][round % 3]
            bench.disk.set(FileFault(.stall, calls: calls))
            // Four seconds: at the end of every part there is a call of each kind.
            try await Self.speak(bench, engine, bursts: round * 40..<(round + 1) * 40)
            #expect(await eventually { bench.disk.stalledCalls > 0 }, "round \(round)")
            bench.disk.release()
        }
        engine.stop()
        #expect(try #require(engine.joinJob).wait().get().frames.value == 240 * Int64(Self.burst))
        let frames = try FaultBench.frames(in: bench.memory)
        #expect(frames.count == 240 * Self.burst)
        #expect(Self.largestJump(frames) < 0.03)
        #expect(bench.memory.names(in: "/takes") == ["take"])
    }

    @Test("a recording shorter than a part has its name when stop() returns")
    func onePart() async throws {
        let bench = FaultBench(.aac)
        let engine = bench.engine()
        engine.options.partLength = .seconds(300)
        try engine.record()
        try await Self.speak(bench, engine, bursts: 0..<10)
        engine.stop()
        #expect(bench.memory.names(in: "/takes") == ["take"])
        #expect(try FaultBench.frames(in: bench.memory).count == 10 * Self.burst)
        #expect(bench.disk.openFiles == 0)
        // The next one replaces it, as without parts.
        try engine.record()
        #expect(engine.joinJob == nil)
        try await Self.speak(bench, engine, bursts: 0..<20)
        engine.stop()
        #expect(bench.memory.names(in: "/takes") == ["take"])
        #expect(try FaultBench.frames(in: bench.memory).count == 20 * Self.burst)
        try engine.delete()
        #expect(bench.memory.names(in: "/takes").isEmpty)
    }

    @Test("what never started leaves nothing; a folder that is there is left alone")
    func prepared() async throws {
        let bench = FaultBench(.wav)
        let engine = bench.engine()
        engine.options.partLength = .milliseconds(200)
        try engine.prepare()
        #expect(bench.memory.names(in: "/takes") == ["take.parts"])
        engine.stop()
        #expect(bench.memory.names(in: "/takes").isEmpty)
        #expect(bench.disk.openFiles == 0)

        try bench.memory.makeFolder("/takes/take.parts")
        let file = try bench.memory.open("/takes/take.parts/0001.wav", .creatingExclusively)
        file.close()
        try engine.record()
        try await Self.speak(bench, engine, bursts: 0..<8)
        engine.stop()
        let result = try #require(engine.joinJob).wait().get()
        #expect(result.partCount == 4)
        #expect(bench.memory.names(in: "/takes") == ["take", "take.parts"])
        #expect(bench.memory.names(in: "/takes/take.parts") == ["0001.wav"])
    }

    /// One take in parts for each call of the file system that fails, in every way.
    @Test(
        "whatever call fails, what was kept is there in complete parts",
        arguments: [RecordedKind.aac, .wav, .opus],
        Array(FailingCallTests.ways.enumerated().map { NumberedWay(number: $0.offset, way: $0.element) })
    )
    func failingCalls(_ kind: RecordedKind, _ numbered: NumberedWay) async throws {
        // PCM is quick and has each call fail in its turn; of the others every seventh of each way: together all of them.
        let step = kind.codec == RecordedKind.wav.codec ? 1 : 7
        let way = numbered.way
        var k = numbered.number % step + 1 - step
        while true {
            k += step
            try #require(k < 1_000)
            let place = "\(kind), \(way.name), call \(k)"
            let bench = FaultBench(kind)
            let engine = bench.engine()
            engine.options.partLength = .milliseconds(100)
            let calls = FileCall.changing.subtracting([.remove, .removeFolder])
            bench.disk.set(FileFault(way.effect, calls: calls, first: k, times: way.times))
            do { try engine.record() } catch {
                #expect(bench.memory.names(in: "/takes").isEmpty, "\(place)")
                #expect(bench.disk.openFiles == 0, "\(place)")
                continue
            }
            let stream = try #require(bench.host.capture)
            var kept = 0
            for index in 0..<4 where stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index))) {
                engine.pause()
                guard engine.phase == .paused else { break }
                kept = (index + 1) * Self.burst
                guard (try? engine.record()) != nil else { break }
            }
            engine.stop()
            _ = engine.joinJob?.wait()
            #expect(bench.disk.openFiles == 0, "\(place)")
            let isUntouched = bench.disk.matchingCalls < k
            bench.disk.set(nil)
            if try bench.memory.status(PartsJoinFaultTests.folder) != nil {
                let result = try PartsJoin(folder: PartsJoinFaultTests.folder).run(in: bench.runtime)
                #expect(result.frames.value >= Int64(kept) - kind.heldBack, "\(place): \(result.frames) of \(kept)")
            }
            #expect(bench.memory.names(in: "/takes") == ["take"], "\(place)")
            let frames = try FaultBench.frames(in: bench.memory)
            #expect(Int64(frames.count) >= Int64(kept) - kind.heldBack, "\(place)")
            if isUntouched { break }
        }
        #expect(k > 20)
    }

    struct NumberedWay: Sendable, CustomTestStringConvertible {
        var number: Int
        var way: FailingCallTests.Way
        var testDescription: String { way.name }
    }
}
