import AVFAudio
import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// A simulated speaker in steps of time, the ear of its monitor, and players of small files.
final class SpeakerBench {
    static let rate = 48_000.0

    let scratch: TemporaryFolder
    let simulation: SimulatedHost
    let runtime: Runtime
    let session: SessionCore
    let sink = RecordingSink(channelCount: 2)
    private var ear: (any DeviceStream)?

    /// - Parameter speakers: besides the first one.
    init(speakers: [String] = []) throws {
        scratch = try TemporaryFolder()
        var configuration = SimulatedConfiguration()
        configuration.time = .stepped
        configuration.devices += speakers.map { .speaker($0, name: $0) }
        let simulation = SimulatedHost(configuration)
        self.simulation = simulation
        var runtime = Runtime.system
        runtime.devices = simulation
        runtime.clock = simulation.clock
        runtime.callbacks = HoldingExecutor(SerialQueueExecutor(label: "test.callbacks"), clock: simulation.clock)
        runtime.arbiter = LoneArbiter()
        self.runtime = runtime
        session = SessionCore(runtime: { [runtime] in runtime })
    }

    func listen() throws {
        let request = StreamRequest(
            sampleRate: Self.rate,
            channelCount: 2,
            deviceID: "simulated.speaker.monitor",
            title: "ear"
        )
        ear = try simulation.openCapture(request, sink: sink) { _ in }
        try ear?.start()
    }

    /// A player of a mono WAV file, with every frame what `sample` says.
    func player(_ name: String, frames: Int, pan: Float = 0, _ sample: (Int) -> Float) throws -> AVAudioPlayer {
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
        player.pan = pan
        return player
    }

    func pass(_ seconds: Double) { simulation.clock.advance(by: .seconds(seconds)) }
}
