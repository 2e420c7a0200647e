import AudioCore
import AudioRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("RecorderEngine")
struct RecorderEngineTests {
    let host = ManualHost()
    let scratch: TemporaryFolder
    let runtime: Runtime
    let reports = Recorded<String>()

    init() throws {
        scratch = try TemporaryFolder()
        runtime = .test(devices: host)
    }

    func engine(
        _ name: String = "take.caf",
        codec: EncodingRequest.Codec = .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)),
        container: ContainerKind = .caf,
        rate: Double = 8_000,
        channels: Int = 1
    ) -> RecorderEngine {
        let reports = self.reports
        return RecorderEngine(
            TakeConfiguration(
                path: scratch.path(name),
                container: container,
                encoding: EncodingRequest(codec: codec, sampleRate: rate, channelCount: channels)
            ),
            runtime: runtime
        ) { report in
            switch report {
            case .finished(let successfully): reports.append("finished \(successfully)")
            case .interruptionBegan, .interruptionEnded: break
            case .failed(let failure): reports.append("failed \(failure.code)")
            }
        }
    }

    static func ramp(_ range: Range<Int>) -> [Float] { range.map { Float($0) / 32_768 } }

    func frames(of name: String) throws -> [Int16] {
        let file = try runtime.files.open(scratch.path(name), .reading)
        let reader = try FrameReader(file, media: runtime.media)
        let buffer = PCMBuffer(format: reader.format, capacity: 100_000)
        while try reader.read(into: buffer) > 0 {}
        #expect(reader.format.sampleType == .int16)
        return Array(buffer.samples(as: Int16.self).prefix(buffer.frameLength * reader.format.channelCount))
    }

    @Test("what is heard is what is kept, through pauses, to the frame")
    func recordsExactly() async throws {
        let engine = engine()
        try engine.record()
        let stream = try #require(host.capture)
        #expect(stream.hear(Self.ramp(0..<1_000)))
        engine.pause()
        #expect(engine.frames == 1_000)
        #expect(!stream.isRunning)
        try engine.record()
        stream.hear(Self.ramp(1_000..<1_500))
        engine.pause()
        #expect(engine.frames == 1_500)
        try engine.record()
        stream.hear(Self.ramp(1_500..<1_777))
        engine.stop()
        #expect(engine.phase == .stopped)
        #expect(engine.frames == 0, "as Apple's recorder: 0 when stopped")
        #expect(try frames(of: "take.caf") == (0..<1_777).map { Int16($0) })
        #expect(scratch.names == ["take.caf"])
        #expect(host.openStreams == 0)
        #expect(await eventually { reports.all == ["finished true"] })
    }

    @Test("a limit ends the recording by itself, to the frame, with one report")
    func limit() async throws {
        let engine = engine()
        try engine.record(limit: 1_234)
        let stream = try #require(host.capture)
        for start in stride(from: 0, to: 3_000, by: 100) { stream.hear(Self.ramp(start..<start + 100)) }
        #expect(await eventually { engine.phase == .stopped })
        #expect(try frames(of: "take.caf") == (0..<1_234).map { Int16($0) }, "complete as soon as it has stopped")
        #expect(await eventually { reports.all == ["finished true"] })
        engine.stop()
        #expect(reports.all == ["finished true"])
    }

    @Test("preparing leaves an old recording alone; starting replaces it; a second recording replaces the first")
    func replaces() throws {
        let old = scratch.path("take.caf")
        try Data("old".utf8).write(to: URL(fileURLWithPath: old))
        let engine = engine()
        try engine.prepare()
        #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == Data("old".utf8))
        engine.stop()
        #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == Data("old".utf8))
        #expect(scratch.names == ["take.caf"], "what was prepared is gone")
        try engine.record()
        host.capture?.hear(Self.ramp(0..<10))
        engine.stop()
        #expect(try frames(of: "take.caf").count == 10)
        try engine.record()
        host.capture?.hear(Self.ramp(0..<7))
        engine.stop()
        #expect(try frames(of: "take.caf").count == 7)
    }

    @Test("a microphone that cannot be opened or started loses nothing and leaves nothing", arguments: [true, false])
    func microphoneFails(atOpening: Bool) throws {
        let old = scratch.path("take.caf")
        try Data("old".utf8).write(to: URL(fileURLWithPath: old))
        let failure = AudioFailure(.deviceUnavailable, "There is no microphone.")
        host.state.withLock { state in
            if atOpening { state.openFailure = failure } else { state.startFailure = failure }
        }
        let engine = engine()
        #expect(throws: AudioFailure.self) { try engine.record() }
        #expect(engine.phase == .stopped)
        #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == Data("old".utf8))
        #expect(scratch.names == ["take.caf"])
        #expect(host.openStreams == 0)
        #expect(reports.all.isEmpty)
    }

    @Test("a microphone that goes away ends the recording with everything heard, an error and a failed finish")
    func deviceLost() async throws {
        let engine = engine()
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear(Self.ramp(0..<500))
        stream.tell(.lost(AudioFailure(.deviceUnavailable, "unplugged")))
        #expect(await eventually { reports.all == ["failed deviceUnavailable", "finished false"] })
        #expect(engine.phase == .stopped)
        #expect(try frames(of: "take.caf").count == 500)
    }

    @Test("lost frames become silence of the same length at their place")
    func gapIsSilence() throws {
        let engine = engine()
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear(Self.ramp(1..<101))
        stream.lose(frames: 40)
        stream.hear(Self.ramp(141..<201))
        engine.stop()
        let expected = (1..<201).map { (101..<141).contains($0) ? Int16(0) : Int16($0) }
        #expect(try frames(of: "take.caf") == expected)
    }

    @Test("a recording can be deleted when stopped, and only then")
    func deletes() throws {
        let engine = engine()
        try engine.record()
        #expect(throws: AudioFailure.self) { try engine.delete() }
        host.capture?.hear(Self.ramp(0..<10))
        engine.stop()
        try engine.delete()
        #expect(scratch.names == [])
        #expect(throws: AudioFailure.self) { try engine.delete() }
    }

    @Test("giving the recorder up completes the file without a report")
    func released() async throws {
        let engine = engine()
        try engine.record()
        host.capture?.hear(Self.ramp(0..<321))
        engine.release()
        #expect(try frames(of: "take.caf").count == 321)
        try await Task.sleep(for: .milliseconds(50))
        #expect(reports.all.isEmpty)
    }

    @Test("an impossible request fails before anything is opened")
    func impossible() {
        let engine = engine(codec: .aac, container: .m4a, rate: 7_999)
        #expect(throws: AudioFailure.self) { try engine.prepare() }
        #expect(host.capture == nil)
        #expect(scratch.names == [])
    }

    @Test("the file lies complete on the disk while it is recorded")
    func visibleWhileRecording() async throws {
        let engine = engine()
        try engine.record()
        let stream = try #require(host.capture)
        for start in stride(from: 0, to: 4_000, by: 80) {
            stream.hear(Self.ramp(start..<start + 80))
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(await eventually { ((try? frames(of: "take.caf"))?.count ?? 0) >= 3_600 })
        engine.stop()
        #expect(try frames(of: "take.caf").count == 4_000)
    }

    @Test("a scheduled recording begins with the frame of its moment")
    func scheduled() throws {
        let engine = engine()
        try engine.record(at: runtime.clock.now + .milliseconds(100))
        let stream = try #require(host.capture)
        stream.hear(Self.ramp(0..<2_000))
        engine.stop()
        let kept = try frames(of: "take.caf")
        let first = try #require(kept.first)
        // 100 ms are 800 frames at 8 kHz, less the time that the call itself took.
        #expect((500...800).contains(Int(first)))
        #expect(kept.last == 1_999)
    }

    @Test("calls from eight threads at once neither crash nor hang nor leave a stream open")
    func manyCallers() async throws {
        let engine = engine()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for step in 0..<40 {
                        switch (worker + step) % 5 {
                        case 0: try? engine.record()
                        case 1: engine.pause()
                        case 2: engine.stop()
                        case 3: try? engine.prepare()
                        default:
                            _ = engine.frames
                            _ = engine.meter?.averagePower(channel: 0)
                        }
                    }
                }
            }
        }
        engine.stop()
        #expect(engine.phase == .stopped)
        #expect(host.openStreams == 0)
    }
}
