import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// A recorder, a player and what their session tells.
final class MovedBench {
    let log = Recorded<String>()
    private let scratch: TemporaryFolder
    private let runtime: Runtime
    private let session: AVAudioSession
    private let token: any NSObjectProtocol

    init(_ host: any AudioDeviceHost) throws {
        scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = host
        runtime.callbacks = SerialQueueExecutor(label: "tests.callbacks")
        runtime.arbiter = ScriptedArbiter()
        self.runtime = runtime
        let (session, log) = (AVAudioSession(runtime: runtime), log)
        self.session = session
        token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification,
            object: session,
            queue: nil
        ) { [weak session] notification in
            let reason = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt ?? 99
            guard let route = session?.currentRoute else { return }
            let ports = (route.inputs + route.outputs).map(\.uid).joined(separator: ", ")
            log.append("route \(reason) → \(ports)")
        }
    }

    deinit { NotificationCenter.default.removeObserver(token) }

    private func told(_ count: Int) async { #expect(await eventually { self.log.all.count >= count }, "\(log.all)") }

    func run(
        moveRecorder: () throws -> Void,
        movePlayer: () throws -> Void,
        suspendPlayer: (Bool) throws -> Void
    ) async throws {
        try session.setCategory(.playAndRecord)
        await told(1)
        let recorder = try AVAudioRecorder(
            url: scratch.file("take.wav"),
            settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1],
            runtime: runtime,
            session: session.core
        )
        #expect(recorder.record())
        let player = try makePlayer()
        #expect(player.play())
        #expect(await eventually { recorder.currentTime > 0.2 && player.currentTime > 0.1 })
        log.append("running")

        try moveRecorder()
        await told(3)
        try movePlayer()
        await told(4)
        await goesOn(player)
        try suspendPlayer(true)
        await told(6)
        try suspendPlayer(false)
        await told(7)
        await goesOn(player)
        player.stop()
        await told(9)
        let length = recorder.currentTime
        #expect(await eventually { recorder.currentTime > length + 0.2 }, "it records on")
        recorder.stop()
        await told(10)
        log.append("stopped")
    }

    /// The user puts a player on headphones that are not the default, and these are pulled.
    func runPlayer(movePlayer: () throws -> Void, pullHeadphones: () throws -> Void) async throws {
        try session.setCategory(.playAndRecord)
        await told(1)
        let player = try makePlayer()
        #expect(player.play())
        #expect(await eventually { player.currentTime > 0.1 })
        log.append("playing")
        try movePlayer()
        await told(3)
        await goesOn(player)
        try pullHeadphones()
        await told(5)
        #expect(await eventually { !player.isPlaying })
        let time = player.currentTime
        // What would go on over the loudspeaker would be some hundred milliseconds further by now.
        try await Task.sleep(for: .milliseconds(300))
        #expect(!player.isPlaying && player.currentTime == time)
        log.append("player stands still")
        // Whoever wants to hear it there asks for it.
        #expect(player.play())
        await goesOn(player)
        player.stop()
    }

    private func goesOn(_ player: AVAudioPlayer) async {
        let time = player.currentTime
        #expect(await eventually { player.isPlaying && player.currentTime > time + 0.1 })
        log.append("player plays on")
    }

    private func makePlayer() throws -> AVAudioPlayer {
        let url = scratch.file("sound.wav")
        do {
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            ]
            let file = try AVAudioFile(forWriting: url, settings: settings)
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4_800_000))
            buffer.frameLength = 4_800_000
            try file.write(from: buffer)
        }
        return try AVAudioPlayer(url: url, data: nil, hint: nil, runtime: runtime, session: session.core)
    }
}
