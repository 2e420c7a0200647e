import AVFAudio
import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import TestSupport
import Testing

/// What the desktop's policies do to a recording: they ask players to wait, and people mute microphones.
@Suite(.serialized) struct CapturePoliciesTests {
    private static func request(_ role: String, _ device: String? = nil) -> StreamRequest {
        StreamRequest(sampleRate: 48_000, channelCount: 1, deviceID: device, mediaRole: role, title: role)
    }

    /// PulseAudio's policies know streams of outputs only: what plays is asked to wait, what records is left alone.
    @Test func aServerThatHasPlayersWaitLeavesRecordersAlone() throws {
        let server = try PrivatePulseServer(modules: [
            PrivatePulseServer.nullSink("desk"), "module-role-cork trigger_roles=phone cork_roles=music,production",
        ])
        _ = try server.addMicrophone("mic")
        let host = PulseHost(applicationName: "tests", serverAddress: server.address)
        let other = PulseHost(applicationName: "telephone", serverAddress: server.address)
        let (played, captured) = (Recorded<Bool>(), Recorded<Bool>())
        @Sendable func note(_ event: StreamEvent, _ log: Recorded<Bool>) {
            if case .corked(let isCorked) = event { log.append(isCorked) }
        }
        let tone = { ToneSource(amplitude: 0.1, sampleRate: 48_000, channelCount: 1) }
        let playback = try host.openPlayback(Self.request("music"), source: tone()) { note($0, played) }
        let sink = RecordingSink()
        let capture = try host.openCapture(Self.request("production", "mic"), sink: sink) { note($0, captured) }
        try playback.start()
        try capture.start()
        let call = try other.openPlayback(Self.request("phone"), source: tone()) { _ in }
        try call.start()
        #expect(eventually(within: 15) { played.all == [true] })
        let heard = sink.count
        #expect(eventually(within: 15) { sink.count > heard + 24_000 })
        call.close()
        #expect(captured.all.isEmpty)
        capture.close()
        playback.close()
    }

    /// A cough behind the mute of the mixer: nobody is interrupted, and what follows is where it belongs.
    @Test func aMutedMicrophoneIsSilenceOfTheSameLength() async throws {
        let rig = try ToneRig(PrivatePulseServer())
        try rig.addTone("room")
        try rig.plug("room", as: "mic")
        try rig.server.control("set-default-source", "mic")
        let session = AVAudioSession(runtime: rig.runtime)
        let interruptions = Recorded<UInt>()
        let token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification,
            object: session,
            queue: nil
        ) { interruptions.append($0.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt ?? 99) }
        defer { NotificationCenter.default.removeObserver(token) }
        try session.setCategory(.record)
        let recorder = try AVAudioRecorder(
            url: rig.scratch.file("a.wav"),
            settings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: ToneRig.rate, AVNumberOfChannelsKey: 1,
                AVLinearPCMBitDepthKey: 16,
            ],
            runtime: rig.runtime,
            session: session.core
        )
        #expect(recorder.record())
        func pass(_ seconds: Double) -> Bool {
            let start = recorder.currentTime
            return rig.eventually { recorder.currentTime > start + seconds }
        }
        #expect(pass(1.5))
        try rig.server.control("set-source-mute", "mic", "1")
        #expect(pass(1.5))
        #expect(recorder.isRecording)
        try rig.server.control("set-source-mute", "mic", "0")
        #expect(pass(1.5))
        let length = recorder.currentTime
        recorder.stop()
        let samples = try rig.samples()
        #expect(Double(samples.count) / ToneRig.rate >= length)
        // The tone, a silence of about what was asked for, and the tone again.
        let block = Int(ToneRig.rate / 10)
        let levels = stride(from: 0, to: samples.count - block, by: block).map {
            Measure.decibels(samples[$0..<($0 + block)])
        }
        let silent = levels.indices.filter { levels[$0] < -60 }
        let (first, last) = (try #require(silent.first { $0 > 5 }), try #require(silent.last))
        #expect(last - first >= 11, "\(levels)")
        #expect(levels.indices.filter { $0 > first && $0 < last && levels[$0] > -60 }.isEmpty, "\(levels)")
        #expect(levels.suffix(8).allSatisfy { $0 > -20 } && levels[first - 2] > -20, "\(levels)")
        #expect(interruptions.all.isEmpty)
    }
}
