import AVFAudio
import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import TestSupport
import Testing

/// What the session's mode asks the server to do to the sound, as it arrives there.
@Suite(.serialized) struct StreamProcessingTests {
    /// The properties of the only stream that the server has of a kind, once there is one.
    private static func properties(_ server: any SoundServer, of kind: String) throws -> [String: String] {
        var found: [[String: Any]] = []
        _ = try eventually(within: 15) {
            let text = try server.control("-f", "json", "list", kind)
            found = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
            return found.count == 1
        }
        return found.first?["properties"] as? [String: String] ?? [:]
    }

    private func recorderAsks(on server: any SoundServer) throws {
        _ = try server.addMicrophone("mic")
        try server.control("set-default-source", "mic")
        let scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = PulseHost(applicationName: "tests", serverAddress: server.address)
        runtime.callbacks = SerialQueueExecutor(label: "tests.callbacks")
        runtime.arbiter = LoneArbiter()
        let session = AVAudioSession(runtime: runtime)
        for (index, mode) in [AVAudioSession.Mode.default, .measurement, .voiceChat].enumerated() {
            try session.setCategory(.playAndRecord, mode: mode)
            let recorder = try AVAudioRecorder(
                url: scratch.file("\(index).wav"),
                settings: [AVFormatIDKey: kAudioFormatLinearPCM],
                runtime: runtime,
                session: session.core
            )
            #expect(recorder.record())
            let properties = try Self.properties(server, of: "source-outputs")
            #expect(properties["media.role"] == (mode == .voiceChat ? "phone" : "production"))
            #expect(properties["filter.suppress"] == (mode == .measurement ? "echo-cancel" : nil))
            #expect(properties["state.restore-props"] == (mode == .measurement ? "false" : nil))
            #expect(properties["filter.want"] == (mode == .voiceChat ? "echo-cancel" : nil))
            recorder.stop()
            #expect(try eventually(within: 15) { try server.control("list", "short", "source-outputs").isEmpty })
        }
    }

    @Test func recordersAskOnPulseAudio() throws { try recorderAsks(on: PrivatePulseServer()) }

    @Test func recordersAskOnPipeWire() throws { try recorderAsks(on: PrivatePipeWireServer(sinks: ["desk"])) }

    /// With its modules PulseAudio puts the two streams of a conversation behind its canceller of echoes, and goes on.
    @Test func aConversationIsFilteredAndAMeasurementIsNot() throws {
        for processing in [StreamProcessing.conversation, .raw] {
            let server = try PrivatePulseServer(modules: [
                PrivatePulseServer.nullSink("desk"), "module-filter-heuristics", "module-filter-apply",
            ])
            _ = try server.addMicrophone("mic")
            try server.control("set-default-source", "mic")
            let host = PulseHost(applicationName: "tests", serverAddress: server.address)
            let request = StreamRequest(
                sampleRate: 48_000,
                channelCount: 1,
                mediaRole: "phone",
                processing: processing,
                title: "test"
            )
            let source = ToneSource(amplitude: 0.1, sampleRate: 48_000, channelCount: 1)
            let sink = RecordingSink()
            let playback = try host.openPlayback(request, source: source) { _ in }
            try playback.start()
            let capture = try host.openCapture(request, sink: sink) { _ in }
            try capture.start()
            #expect(eventually(within: 15) { sink.count > 48_000 })
            let isFiltered = processing == .conversation
            #expect(eventually(within: isFiltered ? 15 : 0) { capture.device?.id == "mic.echo-cancel" } == isFiltered)
            let heard = sink.count
            #expect(eventually(within: 15) { sink.count > heard + 24_000 })
            capture.close()
            playback.close()
        }
    }
}
