import AVFAudio
import AudioCore
import AudioRuntime
import AudioSimulation
import TestSupport
import Testing

/// The level of the input, on simulated devices and on what a test makes up.
@Suite struct SessionGainTests {
    private static let amplitude: Float = 0.8

    /// A session in stepped time whose microphone hears a tone, and the devices.
    private static func stage() -> (session: AVAudioSession, host: SimulatedHost) {
        var configuration = SimulatedConfiguration()
        configuration.time = .stepped
        configuration.devices = [
            .microphone("mic", name: "Microphone", signal: .sine(frequency: 440, amplitude: amplitude)),
            .speaker("desk", name: "Loudspeaker"), .monitor(of: "desk"),
        ]
        let host = SimulatedHost(configuration)
        var runtime = Runtime.system
        runtime.devices = host
        runtime.clock = host.clock
        runtime.callbacks = SerialQueueExecutor(label: "tests.callbacks")
        runtime.arbiter = LoneArbiter()
        return (AVAudioSession(runtime: runtime), host)
    }

    /// The peak of what a stream hears in a tenth of a second.
    private static func peak(_ host: SimulatedHost) throws -> Float {
        let sink = RecordingSink()
        let request = StreamRequest(sampleRate: 48_000, channelCount: 1, deviceID: "mic", title: "test")
        let stream = try host.openCapture(request, sink: sink) { _ in }
        try stream.start()
        host.clock.advance(by: .milliseconds(100))
        stream.close()
        return peak(sink.samples())
    }

    private static func peak(_ samples: [Float]) -> Float { samples.map(abs).max() ?? 0 }

    @Test func theGainIsThePlaceOfACubicSlider() throws {
        let (session, host) = Self.stage()
        try session.setCategory(.record)
        #expect(session.isInputGainSettable)
        #expect(session.inputGain == 1)
        for gain: Float in [0.5, 0.25, 1, 0] {
            try session.setInputGain(gain)
            #expect(abs(session.inputGain - gain) < 1e-5)
            #expect(abs(try Self.peak(host) - Self.amplitude * gain * gain * gain) < 1e-3)
        }
    }

    @Test func valuesOutsideAreTakenAsTheNearest() throws {
        let (session, _) = Self.stage()
        try session.setInputGain(-.infinity)
        #expect(session.inputGain == 0)
        try session.setInputGain(17)
        #expect(session.inputGain == 1)
        #expect(code { try session.setInputGain(.nan) } == .badParam)
        #expect(session.inputGain == 1)
    }

    @Test func aStreamThatRunsHearsTheChange() throws {
        let (session, host) = Self.stage()
        let sink = RecordingSink()
        let request = StreamRequest(sampleRate: 48_000, channelCount: 1, title: "test")
        let stream = try host.openCapture(request, sink: sink) { _ in }
        try stream.start()
        host.clock.advance(by: .milliseconds(100))
        #expect(abs(Self.peak(sink.samples()) - Self.amplitude) < 1e-3)
        try session.setInputGain(0.5)
        let before = sink.count
        host.clock.advance(by: .milliseconds(100))
        #expect(abs(Self.peak(sink.samples(before..<sink.count)) - Self.amplitude / 8) < 1e-3)
        stream.close()
    }

    @Test func whatHasNoLevelIsRefused() throws {
        let (session, host) = Self.stage()
        try session.setCategory(.playback)
        #expect(!session.isInputGainSettable)
        #expect(code { try session.setInputGain(0.5) } == .resourceNotAvailable)
        try session.setCategory(.record)
        host.inject(.volumeControl("mic", false))
        #expect(!session.isInputGainSettable)
        #expect(code { try session.setInputGain(0.5) } == .resourceNotAvailable)
        // Only a monitor is left.
        host.inject(.vanish("mic"))
        #expect(session.currentRoute.inputs.map(\.uid) != ["mic"])
        #expect(!session.isInputGainSettable)
        #expect(code { try session.setInputGain(0.5) } == .resourceNotAvailable)
        host.inject(.serverLoss)
        #expect(code { try session.setInputGain(0.5) } == .mediaServicesFailed)
    }

    @Test func muteStaysTheUsers() throws {
        let (session, host) = Self.stage()
        host.inject(.mute("mic", true))
        try session.setInputGain(0.5)
        #expect(session.inputGain == 0)
        host.inject(.mute("mic", false))
        #expect(abs(session.inputGain - 0.5) < 1e-5)
    }

    @Test func devicesRefuseWhatTheyCannotDo() throws {
        let (_, host) = Self.stage()
        for volume in [-0.1, 1.1, .nan, .infinity] {
            let failure = #expect(throws: AudioFailure.self) { try host.setVolume(volume, ofInput: "mic") }
            #expect(failure?.code == .invalidArgument)
        }
        for id in ["desk", "nowhere"] {
            let failure = #expect(throws: AudioFailure.self) { try host.setVolume(1, ofInput: id) }
            #expect(failure?.code == .deviceUnavailable)
        }
        let monitor = #expect(throws: AudioFailure.self) { try host.setVolume(1, ofInput: "desk.monitor") }
        #expect(monitor?.code == .unsupported)
        let fake = #expect(throws: AudioFailure.self) { try FakeDeviceHost(.desktop).setVolume(1, ofInput: "mic") }
        #expect(fake?.code == .unsupported)
    }
}
