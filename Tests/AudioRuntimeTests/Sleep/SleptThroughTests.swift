import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// What a recording makes of time in which the machine slept.
@Suite("Slept through")
struct SleptThroughTests {
    static let rate = 44_100.0
    /// Forty minutes.
    static let sleep = Int(rate) * 2_400

    let host = ManualHost()
    let scratch: TemporaryFolder
    let runtime: Runtime

    init() throws {
        scratch = try TemporaryFolder()
        runtime = .test(devices: host)
    }

    static func tone(_ frames: Int) -> [Float] {
        (0..<frames).map { 0.5 * Float(sin(2 * Double.pi * 440 * Double($0) / rate)) }
    }

    func engine(_ name: String, _ codec: EncodingRequest.Codec, _ container: ContainerKind) -> RecorderEngine {
        RecorderEngine(
            TakeConfiguration(
                path: scratch.path(name),
                container: container,
                encoding: EncodingRequest(codec: codec, sampleRate: Self.rate, channelCount: 1)
            ),
            runtime: runtime,
            report: { _ in }
        )
    }

    /// Hours must not take minutes to encode: what is said after them would wait, and the room for it is a minute.
    @Test("a gap of hours has its exact length, is silence, and is behind us in seconds", arguments: ["m4a", "caf"])
    func hours(ending: String) throws {
        let engine =
            ending == "m4a"
            ? engine("a.m4a", .aac, .m4a)
            : engine("a.caf", .alac, .caf)
        try engine.record()
        let stream = try #require(host.capture)
        let tone = Self.tone(44_100)
        stream.hear(tone)
        stream.lose(frames: Self.sleep, .asleep)
        stream.hear(tone)
        engine.pause()
        let gap = try #require(engine.gaps.first)
        #expect(engine.gaps.count == 1)
        #expect(gap == RecordingGap(start: 44_100, length: FrameCount(Self.sleep), reason: .asleep))
        engine.stop()

        let file = try runtime.files.open(scratch.path("a.\(ending)"), .reading)
        let reader = try FrameReader(file, media: runtime.media)
        #expect(reader.reader.integrity == .complete)
        #expect(reader.length == FrameCount(Self.sleep + 2 * 44_100))
        let last = 44_100 + Self.sleep
        // In the tone, in the gap at its start, middle and end (the codec rings for a packet or two), in the tone again.
        let places: [(Int, Bool)] = [
            (20_000, true), (44_100 + 4_096, false), (44_100 + 88_200, false), (last / 2, false),
            (last - 12_000, false),
            (last + 2_048, true), (last + 30_000, true),
        ]
        for (frame, sounds) in places {
            let level = try self.level(reader, at: frame)
            #expect(sounds ? abs(level + 9.03) < 0.5 : level < -60, "\(level) dB at frame \(frame)")
        }
    }

    private func level(_ reader: FrameReader, at frame: Int) throws -> Double {
        try reader.seek(to: FrameCount(frame))
        let buffer = PCMBuffer(format: reader.format, capacity: 8_192)
        while buffer.frameLength < 8_192, try reader.read(into: buffer) > 0 {}
        let floats = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: 1)
        let converted = PCMBuffer(format: floats, capacity: 8_192)
        SampleConverter(from: reader.format, to: floats).convert(buffer, into: converted)
        return Measure.decibels(converted.samples(as: Float.self).prefix(converted.frameLength))
    }

    @Test("a microphone that is found to be gone after the sleep is missed from the last frame on")
    func lostInSleep() async throws {
        let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
        let engine = engine("a.wav", .linearPCM(pcm), .wav)
        engine.options.microphoneLossPolicy = .wait
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear(Self.tone(4_410))
        #expect(await eventually { engine.frames == 4_410 })
        let heard = runtime.clock.now
        // As if the machine slept: no frame comes, and nobody says so before it is awake.
        try await Task.sleep(for: .milliseconds(1_500))
        stream.tell(.lost(AudioFailure(.deviceUnavailable, "gone after the sleep")))
        #expect(await eventually { host.capture !== stream && host.capture?.isRunning == true })
        let back = runtime.clock.now
        host.capture?.hear(Self.tone(4_410))
        engine.stop()
        let file = try runtime.files.open(scratch.path("a.wav"), .reading)
        let reader = try FrameReader(file, media: runtime.media)
        let missed = try #require(reader.length).seconds(at: Self.rate) - 0.2
        #expect(missed > 1.4)
        #expect(missed <= (back - heard).inSeconds + 0.3)
    }
}
