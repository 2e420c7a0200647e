import AVFAudio
import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import TestSupport
import Testing

/// The level of an input, on real servers: it is the one that mixers show, and what is recorded follows it.
@Suite(.serialized) struct InputGainServerTests {
    private static func session(_ rig: ToneRig) -> AVAudioSession { AVAudioSession(runtime: rig.runtime) }

    /// The places of the channels' sliders in percent, as `pactl` shows them.
    private static func percents(_ server: any SoundServer, _ source: String) throws -> [Int] {
        let text = try server.control("get-source-volume", source)
        let numbers = text.split(separator: "%").dropLast().compactMap { $0.split(separator: " ").last }
        return numbers.compactMap { Int($0) }
    }

    /// The level of what a stream hears, in decibels.
    private static func level(_ rig: ToneRig, _ source: String) throws -> Double {
        let sink = RecordingSink()
        let request = StreamRequest(sampleRate: 44_100, channelCount: 1, deviceID: source, title: "ear")
        let stream = try rig.host.openCapture(request, sink: sink) { _ in }
        try stream.start()
        #expect(rig.eventually { sink.count > 44_100 })
        stream.close()
        return Measure.decibels(sink.last(22_050))
    }

    private func gain(on server: any SoundServer) async throws {
        let rig = try ToneRig(server)
        try rig.addTone("room")
        try rig.plug("room", as: "mic")
        try server.control("set-default-source", "mic")
        let session = Self.session(rig)
        try session.setCategory(.record)
        #expect(await eventually { session.currentRoute.inputs.map(\.uid) == ["mic"] })
        #expect(session.isInputGainSettable)
        try session.setInputGain(1)
        let full = try Self.level(rig, "mic")
        try session.setInputGain(0.5)
        #expect(abs(session.inputGain - 0.5) < 0.001)
        #expect(try Self.percents(server, "mic") == [50, 50])
        // An eighth of the amplitude.
        let half = try Self.level(rig, "mic")
        #expect(abs(full - half - 18.06) < 0.3, "\(full) dB, \(half) dB")
        // A mute of the mixer is left alone.
        try server.control("set-source-mute", "mic", "1")
        #expect(await eventually { session.inputGain == 0 })
        try session.setInputGain(0.75)
        #expect(session.inputGain == 0)
        try server.control("set-source-mute", "mic", "0")
        #expect(await eventually { abs(session.inputGain - 0.75) < 0.001 })
    }

    @Test func onPulseAudio() async throws { try await gain(on: PrivatePulseServer()) }

    @Test func onPipeWire() async throws { try await gain(on: PrivatePipeWireServer()) }

    @Test func theBalanceOfTheChannelsStays() async throws {
        let server = try PrivatePulseServer()
        _ = try server.addMicrophone("mic")
        try server.control("set-default-source", "mic")
        try server.control("set-source-volume", "mic", "80%", "40%")
        let host = PulseHost(applicationName: "tests", serverAddress: server.address)
        try host.setVolume(0.064, ofInput: "mic")
        #expect(try Self.percents(server, "mic") == [40, 20])
        try host.setVolume(0, ofInput: "mic")
        #expect(try Self.percents(server, "mic") == [0, 0])
        try host.setVolume(1, ofInput: "mic")
        #expect(try Self.percents(server, "mic") == [100, 100])
    }

    @Test func monitorsAndWhatIsNotThereAreRefused() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk")])
        let host = PulseHost(applicationName: "tests", serverAddress: server.address)
        let monitor = #expect(throws: AudioFailure.self) { try host.setVolume(0.5, ofInput: "desk.monitor") }
        #expect(monitor?.code == .unsupported)
        #expect(try Self.percents(server, "desk.monitor") == [100, 100])
        for id in ["desk", "nowhere", ""] {
            let failure = #expect(throws: AudioFailure.self) { try host.setVolume(0.5, ofInput: id) }
            #expect(failure?.code == .deviceUnavailable)
        }
        for volume in [-0.1, 1.1, .nan, .infinity] {
            let failure = #expect(throws: AudioFailure.self) { try host.setVolume(volume, ofInput: "desk.monitor") }
            #expect(failure?.code == .invalidArgument)
        }
        server.kill()
        let dead = #expect(throws: AudioFailure.self) { try host.setVolume(0.5, ofInput: "desk.monitor") }
        #expect(dead?.code == .serverUnavailable)
    }
}
