import AVFAudio
import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import TestSupport
import Testing

/// A real sound server that plays a tone into a null sink, and recorders that hear its monitor.
final class ToneBench: Sendable {
    /// The tone: −6.02 dBFS peak, so −9.03 dBFS as a root mean square.
    static let amplitude = 0.5
    static let level = -9.03

    let server: any SoundServer
    let runtime: Runtime
    let session: AVAudioSession
    let scratch: TemporaryFolder
    private let speaker: any DeviceStream

    init(_ server: any SoundServer) throws {
        self.server = server
        scratch = try TemporaryFolder()
        let host = PulseHost(applicationName: "kayit tests", serverAddress: server.address)
        var runtime = Runtime.system
        runtime.devices = host
        runtime.callbacks = SerialQueueExecutor(label: "test.callbacks")
        self.runtime = runtime
        session = AVAudioSession(runtime: runtime)
        speaker = try host.openPlayback(
            StreamRequest(
                sampleRate: 48_000,
                channelCount: 2,
                deviceID: "loop",
                fragment: .milliseconds(400),
                title: "tone"
            ),
            source: ToneSource(amplitude: Float(Self.amplitude), sampleRate: 48_000, channelCount: 2),
            events: { _ in }
        )
        try speaker.start()
        // The first block of an idle sink may still be silent.
        Thread.sleep(forTimeInterval: 0.3)
    }

    deinit {
        speaker.close()
        server.kill()
    }

    func recorder(_ name: String, _ settings: [String: Any]) throws -> AVAudioRecorder {
        try AVAudioRecorder(url: scratch.file(name), settings: settings, runtime: runtime, session: session.core)
    }

    /// Every channel of a file as floats, with the exact trims.
    func channels(_ name: String) throws -> (rate: Double, samples: [[Float]]) {
        let file = try runtime.files.open(scratch.path(name), .reading)
        let reader = try FrameReader(file, media: runtime.media)
        let read = PCMBuffer(format: reader.format, capacity: 4_096)
        let format = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount)
        let converter = SampleConverter(from: reader.format, to: format)
        let floats = PCMBuffer(format: format, capacity: 4_096)
        var samples = [[Float]](repeating: [], count: format.channelCount)
        while try reader.read(into: read) > 0 {
            converter.convert(read, into: floats)
            let values = floats.samples(as: Float.self)
            for index in 0..<read.frameLength * format.channelCount {
                samples[index % format.channelCount].append(values[index])
            }
            read.setFrameLength(0)
        }
        #expect(reader.length == reader.position)
        return (format.sampleRate, samples)
    }
}

@Suite("Recording from a real server", .serialized)
struct RecordingServerTests {
    /// 1.2 seconds of each format at each rate in one and two channels, eight at a time.
    static func recordAll(on bench: ToneBench) async throws {
        for start in stride(from: 0, to: FormatCase.all.count, by: 8) {
            let cases = FormatCase.all[start..<min(start + 8, FormatCase.all.count)]
            var recorders: [AVAudioRecorder] = []
            for item in cases {
                let recorder = try bench.recorder(item.name, item.settings)
                #expect(recorder.prepareToRecord(), "\(item.name)")
                recorders.append(recorder)
            }
            for recorder in recorders { #expect(recorder.record(forDuration: 1.2)) }
            #expect(await eventually { recorders.allSatisfy { !$0.isRecording } })
            for item in cases { try check(item, on: bench) }
        }
    }

    static func check(_ item: FormatCase, on bench: ToneBench) throws {
        let (rate, channels) = try bench.channels(item.name)
        // Opus files count in 48 kHz, whatever the rate of the source (RFC 7845, 4).
        let frames = Int((1.2 * (item.format == .opus ? 48_000 : item.rate)).rounded())
        #expect(rate == (item.format == .opus ? 48_000 : item.rate), "\(item.name)")
        #expect(channels.count == item.channels, "\(item.name)")
        for samples in channels {
            #expect(samples.count == frames, "\(item.name)")
            // The first tenth of a second is left to the settling of the codecs.
            let settled = Array(samples.dropFirst(frames / 12))
            let frequency = Measure.frequency(settled, near: 440, sampleRate: rate)
            #expect(abs(frequency - 440) < 0.5, "\(item.name): \(frequency) Hz")
            let level = Measure.decibels(settled)
            #expect(abs(level - ToneBench.level) < 0.5, "\(item.name): \(level) dBFS")
        }
        let head = try #require(channels.first).prefix(Int(rate / 50))
        if item.format == .pcm { #expect(head.contains { $0 != 0 }, "\(item.name) begins with silence") }
    }

    @Test("a tone comes back in every format at every rate, from PulseAudio")
    func pulseAudio() async throws {
        try await Self.recordAll(
            on: ToneBench(PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")]))
        )
    }

    @Test("a tone comes back in every format at every rate, from PipeWire's PulseAudio server")
    func pipeWire() async throws {
        try await Self.recordAll(on: ToneBench(PrivatePipeWireServer(sinks: ["loop"])))
    }
}
