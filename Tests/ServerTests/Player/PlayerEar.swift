import AVFAudio
import AudioCore
import AudioRuntime
import AudioSimulation
import DevicePulse
import Foundation
import TestSupport
import Testing

/// Players on a speaker, and an ear at its monitor: the null sink of a real server, or the simulated speaker in steps of
/// time.
final class PlayerEar {
    enum Speaker: String, CaseIterable, Sendable { case server, simulated }

    static let rate = 48_000.0

    let sink: RecordingSink
    let runtime: Runtime
    let session: AVAudioSession
    let speakerID: String
    private let scratch: TemporaryFolder
    private let server: PrivatePulseServer?
    private let simulation: SimulatedHost?
    private var ear: (any DeviceStream)?
    private var files = 0

    /// - Parameter map: of a real speaker with more than two channels.
    init(_ speaker: Speaker, channels: Int = 2, map: String? = nil) async throws {
        scratch = try TemporaryFolder()
        sink = RecordingSink(channelCount: channels)
        var runtime = Runtime.system
        switch speaker {
        case .server:
            let map = map.map { " channel_map=\($0)" } ?? ""
            // In floating point, so that the sink rounds nothing.
            let module = PrivatePulseServer.nullSink("speaker", channels: channels) + " format=float32le" + map
            let server = try PrivatePulseServer(modules: [module])
            self.server = server
            simulation = nil
            speakerID = "speaker"
            runtime.devices = PulseHost(applicationName: "kayit tests", serverAddress: server.address)
            runtime.callbacks = SerialQueueExecutor(label: "test.callbacks")
        case .simulated:
            var configuration = SimulatedConfiguration()
            configuration.time = .stepped
            let simulation = SimulatedHost(configuration)
            self.simulation = simulation
            server = nil
            speakerID = "simulated.speaker"
            runtime.devices = simulation
            runtime.clock = simulation.clock
            runtime.callbacks = HoldingExecutor(SerialQueueExecutor(label: "test.callbacks"), clock: simulation.clock)
        }
        runtime.arbiter = LoneArbiter()
        self.runtime = runtime
        session = AVAudioSession(runtime: runtime)
        ear = try runtime.devices.openCapture(
            StreamRequest(
                sampleRate: Self.rate,
                channelCount: channels,
                deviceID: speakerID + ".monitor",
                title: "ear"
            ),
            sink: sink,
            events: { _ in }
        )
        try ear?.start()
        #expect(await until { self.sink.count > 0 })
    }

    deinit { ear?.close() }

    // MARK: Players

    /// A player of a file in floating point, with every sample what `sample` says of a frame and a channel.
    func player(seconds: Double, channels: Int = 1, _ sample: (Int, Int) -> Float) throws -> AVAudioPlayer {
        let frames = Int((seconds * Self.rate).rounded())
        let format = try #require(
            AVAudioFormat(standardFormatWithSampleRate: Self.rate, channels: AVAudioChannelCount(channels))
        )
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        let samples = try #require(buffer.floatChannelData)
        for channel in 0..<channels {
            for frame in 0..<frames { samples[channel][frame] = sample(frame, channel) }
        }
        buffer.frameLength = AVAudioFrameCount(frames)
        files += 1
        let url = scratch.file("\(files).wav")
        do {
            let file = try AVAudioFile(forWriting: url, settings: format.settings)
            try file.write(from: buffer)
        }
        return try AVAudioPlayer(url: url, data: nil, hint: nil, runtime: runtime, session: session.core)
    }

    /// A sine that does not begin at zero, so that its first frame is heard.
    static func sine(_ frequency: Double, _ frame: Int, amplitude: Float = 0.5) -> Float {
        amplitude * Float(sin(2 * Double.pi * frequency * Double(frame) / rate + Double.pi / 4))
    }

    // MARK: Time

    func pass(_ seconds: Double) async throws {
        if let simulation {
            simulation.clock.advance(by: .seconds(seconds))
        } else {
            try await Task.sleep(for: .seconds(seconds))
        }
    }

    /// Lets time pass until `condition` holds.
    func until(within seconds: Double = 25, _ condition: () -> Bool) async -> Bool {
        for _ in 0..<Int(seconds / 0.02) {
            if condition() { return true }
            try? await pass(0.02)
        }
        return condition()
    }

    // MARK: Hearing

    /// Lets a player play to its end, and gives what was heard of it in one channel, from the first frame to the last.
    ///
    /// A machine that is too busy to play makes holes, which are none of the player's: it is then heard once more.
    func hear(
        _ player: AVAudioPlayer,
        channel: Int = 0,
        while playing: () async throws -> Void = {}
    ) async throws -> [Float] {
        var heard: [Float] = []
        for _ in 0..<4 {
            let start = sink.count
            player.currentTime = 0
            #expect(player.play())
            try await playing()
            #expect(await until { !player.isPlaying })
            // What the monitor holds back.
            try await pass(0.3)
            heard = samples(from: start, channel: channel)
            if !Self.hasHole(heard) { break }
        }
        return heard
    }

    /// What was heard from frame `start` of the ear on, without the silence around it.
    private func samples(from start: Int, channel: Int) -> [Float] {
        let all = sink.samples(channel: channel, start..<sink.count)
        guard let first = all.firstIndex(where: { abs($0) > 1e-4 }),
            let last = all.lastIndex(where: { abs($0) > 1e-4 })
        else { return [] }
        return Array(all[first...last])
    }

    /// A millisecond of exact silence inside of a tone.
    static func hasHole(_ samples: [Float]) -> Bool {
        var zeros = 0
        for sample in samples {
            zeros = sample == 0 ? zeros + 1 : 0
            if zeros >= 48 { return true }
        }
        return false
    }

    /// The greatest step from one sample to the next.
    static func steepest(_ samples: some Sequence<Float>) -> Float {
        var last: Float?
        var greatest: Float = 0
        for sample in samples {
            if let last { greatest = max(greatest, abs(sample - last)) }
            last = sample
        }
        return greatest
    }
}
