import AVFAudio
import AudioCore
import AudioRuntime
import AudioSimulation
import DevicePulse
import Foundation
import TestSupport
import Testing

/// One client, written once, on a real sound server and on simulated devices: both tell it the same in the same order.
@Suite(.serialized) struct SameClientTests {
    /// What becomes of a client that records and plays, is interrupted, and loses its headphones.
    private static let expected = [
        "route 3", "recording", "recorder: interruption began", "began 0", "refused: error",
        "recorder: interruption ended 1", "ended 1", "recording", "playing", "route 2",
        "player paused, still recording",
        "recorder: interruption began", "began 0", "recorder: finished true", "stopped",
    ]

    @Test func onARealServer() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk")])
        _ = try server.addMicrophone("mic")
        try server.control("set-default-source", "mic")
        let headphones = try server.addNullSink("headphones")
        try server.control("set-default-sink", "headphones")
        let host = PulseHost(applicationName: "tests", serverAddress: server.address)
        #expect(await eventually { (try? host.devices().first { $0.id == "headphones" }?.isDefault) == true })
        let bench = try ClientBench(host)
        try await bench.run { try server.unload(headphones) }
        #expect(bench.log.all == Self.expected)
        try bench.expectTheTake()
    }

    @Test func onSimulatedDevices() async throws {
        var configuration = SimulatedConfiguration()
        configuration.devices = [
            .microphone("mic", name: "Microphone"), .speaker("headphones", name: "Headphones", port: .headphones),
            .speaker("desk", name: "Loudspeaker"),
        ]
        let host = SimulatedHost(configuration)
        let bench = try ClientBench(host)
        try await bench.run { host.inject(.vanish("headphones")) }
        #expect(bench.log.all == Self.expected)
        try bench.expectTheTake()
    }
}

/// The client and what it stands on.
private final class ClientBench {
    let log = Recorded<String>()
    private let arbiter = ScriptedArbiter()
    private let scratch: TemporaryFolder
    private let runtime: Runtime
    private let session: AVAudioSession
    private var tokens: [any NSObjectProtocol] = []

    init(_ host: any AudioDeviceHost) throws {
        scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = host
        runtime.callbacks = SerialQueueExecutor(label: "tests.callbacks")
        runtime.arbiter = arbiter
        self.runtime = runtime
        session = AVAudioSession(runtime: runtime)
        observe()
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    private func observe() {
        let log = self.log
        tokens.append(
            NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification,
                object: session,
                queue: nil
            ) { notification in
                let info = notification.userInfo
                let hasBegun = info?[AVAudioSessionInterruptionTypeKey] as? UInt == 1
                let key = hasBegun ? AVAudioSessionInterruptionReasonKey : AVAudioSessionInterruptionOptionKey
                log.append("\(hasBegun ? "began" : "ended") \(info?[key] as? UInt ?? 99)")
            }
        )
        tokens.append(
            NotificationCenter.default.addObserver(
                forName: AVAudioSession.routeChangeNotification,
                object: session,
                queue: nil
            ) { log.append("route \($0.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt ?? 99)") }
        )
    }

    /// Waits until the log has an entry of this kind since `count` entries.
    private func heard(_ entry: String, times: Int = 1) async -> Bool {
        await eventually { self.log.all.filter { $0 == entry }.count >= times }
    }

    func run(pullHeadphones: () throws -> Void) async throws {
        let delegate = ClientDelegate(log)
        try session.setCategory(.playAndRecord)
        try session.setActive(true)
        #expect(await heard("route 3"))
        let recorder = try AVAudioRecorder(
            url: scratch.file("take.wav"),
            settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1],
            runtime: runtime,
            session: session.core
        )
        recorder.delegate = delegate
        #expect(recorder.record())
        #expect(await eventually { recorder.currentTime > 0.2 })
        log.append("recording")

        arbiter.tell(.began(.call))
        #expect(!recorder.isRecording)
        #expect(await heard("began 0"))
        #expect(!recorder.record())
        #expect(await heard("refused: error"))
        let standing = recorder.currentTime
        arbiter.tell(.ended(.call, shouldResume: true))
        #expect(await heard("ended 1"))
        #expect(recorder.currentTime == standing)
        #expect(recorder.record())
        #expect(await eventually { recorder.currentTime > standing + 0.2 })
        log.append("recording")

        let player = try makePlayer()
        #expect(player.play())
        #expect(await eventually { player.currentTime > 0.1 })
        log.append("playing")
        try pullHeadphones()
        #expect(await heard("route 2"))
        #expect(!player.isPlaying)
        #expect(recorder.isRecording)
        log.append("player paused, still recording")

        arbiter.tell(.began(.otherProgram))
        #expect(await heard("began 0", times: 2))
        recorder.stop()
        #expect(await heard("recorder: finished true"))
        log.append("stopped")
        #expect(gaps(of: recorder) == 0, "none is open any more")
        player.stop()
    }

    private func gaps(of recorder: AVAudioRecorder) -> Int { recorder.engine?.gaps.count ?? 0 }

    private func makePlayer() throws -> AVAudioPlayer {
        let url = scratch.file("sound.wav")
        do {
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            ]
            let file = try AVAudioFile(forWriting: url, settings: settings)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 480_000))
            buffer.frameLength = 480_000
            try file.write(from: buffer)
        }
        return try AVAudioPlayer(url: url, data: nil, hint: nil, runtime: runtime, session: session.core)
    }

    /// Complete, with the one interruption that it went on after marked.
    func expectTheTake() throws {
        let file = try runtime.files.open(scratch.path("take.wav"), .reading)
        let reader = try FrameReader(file, media: runtime.media).reader
        #expect(reader.integrity == .complete)
        #expect(reader.metadata.gaps.filter { $0.reason == .interrupted }.map(\.length) == [0])
        #expect((reader.validFrames ?? 0) > 19_200)
    }
}

/// Remembers what a recorder's delegate is told.
private final class ClientDelegate: NSObject, AVAudioRecorderDelegate {
    private let log: Recorded<String>

    init(_ log: Recorded<String>) {
        self.log = log
        super.init()
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        log.append("recorder: finished \(flag)")
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        log.append("refused: error")
    }

    func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) { log.append("recorder: interruption began") }

    func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {
        log.append("recorder: interruption ended \(flags)")
    }
}
