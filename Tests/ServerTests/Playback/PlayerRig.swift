import AVFAudio
import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import TestSupport
import Testing

/// A real server with two sinks, a player that plays a tone there, and what its delegate hears.
final class PlayerRig {
    static let rate = 48_000.0

    let server: any SoundServer
    let host: PulseHost
    let runtime: Runtime
    let session: SessionCore
    let scratch: TemporaryFolder
    let heard = Recorded<String>()
    private var listeners: [PlayerEars] = []

    /// - Parameter kind: with sinks "a" and "b", "a" being the default.
    init(_ kind: ServerKind, rates: (a: Int, b: Int) = (48_000, 48_000)) throws {
        switch kind {
        case .pulseAudio:
            server = try PrivatePulseServer(modules: [
                PrivatePulseServer.nullSink("a", rate: rates.a), PrivatePulseServer.nullSink("b", rate: rates.b),
                "module-rescue-streams",
            ])
        case .pipeWire: server = try PrivatePipeWireServer(sinks: ["a", "b"])
        }
        try server.control("set-default-sink", "a")
        host = PulseHost(applicationName: "kayit tests", serverAddress: server.address)
        scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = host
        runtime.callbacks = SerialQueueExecutor(label: "test.callbacks")
        runtime.arbiter = LoneArbiter()
        self.runtime = runtime
        session = SessionCore(runtime: { [runtime] in runtime })
    }

    deinit { server.kill() }

    /// A player of a mono WAV file of so many seconds; every frame is what `sample` says.
    func player(
        _ name: String = "tone.wav",
        seconds: Double = 30,
        _ sample: (Int) -> Float = { 0.5 * Float(sin(2 * .pi * 440 * Double($0) / PlayerRig.rate)) }
    ) throws -> AVAudioPlayer {
        let frames = Int(seconds * Self.rate)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: Self.rate, channels: 1))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        let samples = try #require(buffer.floatChannelData?[0])
        for frame in 0..<frames { samples[frame] = sample(frame) }
        buffer.frameLength = AVAudioFrameCount(frames)
        do {
            let file = try AVAudioFile(forWriting: scratch.file(name), settings: format.settings)
            try file.write(from: buffer)
        }
        let player = try AVAudioPlayer(
            url: scratch.file(name),
            data: nil,
            hint: nil,
            runtime: runtime,
            session: session
        )
        let ears = PlayerEars(heard)
        listeners.append(ears)
        player.delegate = ears
        return player
    }

    /// What a monitor hears from now on, two channels at 48 kHz.
    func ear(_ sink: String = "a") throws -> (sink: RecordingSink, stream: any DeviceStream) {
        let heard = RecordingSink(channelCount: 2)
        let stream = try host.openCapture(
            StreamRequest(sampleRate: Self.rate, channelCount: 2, deviceID: "\(sink).monitor", title: "ear"),
            sink: heard
        ) { _ in }
        try stream.start()
        return (heard, stream)
    }

    func eventually(within seconds: Double = 20, _ condition: () throws -> Bool) rethrows -> Bool {
        try TestSupport.eventually(within: seconds, condition)
    }

    /// The number of the player's stream at the server.
    func stream() throws -> String {
        let list = try server.control("list", "short", "sink-inputs")
        return try #require(list.split(separator: "\n").first?.split(separator: "\t").first.map(String.init), "\(list)")
    }

    func module(ofSink name: String) throws -> String {
        let list = try server.control("list", "short", "modules")
        let line = try #require(list.split(separator: "\n").first { $0.contains("sink_name=\(name)") }, "\(list)")
        return try #require(line.split(separator: "\t").first.map(String.init))
    }
}

/// Notes what a player's delegate is told.
private final class PlayerEars: NSObject, AVAudioPlayerDelegate {
    private let heard: Recorded<String>

    nonisolated init(_ heard: Recorded<String>) {
        self.heard = heard
        super.init()
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        heard.append("finished \(flag)")
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) { heard.append("error") }
}
