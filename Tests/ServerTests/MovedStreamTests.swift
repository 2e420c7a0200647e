import AVFAudio
import AudioCore
import AudioRuntime
import AudioSimulation
import DevicePulse
import Foundation
import TestSupport
import Testing

/// A recorder and a player whose streams the user moves in a mixer, and whose devices the server puts to sleep: what the
/// session tells is the same on a real server and in simulation.
@Suite(.serialized) struct MovedStreamTests {
    private static let expected = [
        "route 3 → mic, desk", "running", "route 4 → other, desk", "route 4 → other, headphones", "player plays on",
        "route 8 → other, headphones", "route 8 → other, headphones", "player plays on",
        "route 4 → other, desk", "route 4 → mic, desk", "stopped",
    ]

    @Test func onARealServer() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk")])
        _ = try server.addMicrophone("mic")
        _ = try server.addMicrophone("other")
        try server.control("set-default-source", "mic")
        _ = try server.addNullSink("headphones")
        try server.control("set-default-sink", "desk")
        let host = PulseHost(applicationName: "tests", serverAddress: server.address)
        #expect(await eventually { (try? host.devices().first { $0.id == "desk" }?.isDefault) == true })
        #expect(await eventually { (try? host.devices().first { $0.id == "mic" }?.isDefault) == true })
        let bench = try MovedBench(host)
        try await bench.run(
            moveRecorder: {
                let stream = try Self.number(server.control("list", "short", "source-outputs"))
                try server.control("move-source-output", stream, "other")
            },
            movePlayer: {
                let stream = try Self.number(server.control("list", "short", "sink-inputs"))
                try server.control("move-sink-input", stream, "headphones")
            },
            suspendPlayer: { try server.control("suspend-sink", "headphones", $0 ? "1" : "0") }
        )
        #expect(bench.log.all == Self.expected)
    }

    @Test func onSimulatedDevices() async throws {
        var configuration = SimulatedConfiguration()
        configuration.devices = [
            .microphone("mic", name: "Microphone"), .microphone("other", name: "Other microphone"),
            .speaker("desk", name: "Loudspeaker"), .speaker("headphones", name: "Headphones", port: .headphones),
        ]
        let host = SimulatedHost(configuration)
        let bench = try MovedBench(host)
        try await bench.run(
            moveRecorder: { host.inject(.move(from: "mic", to: "other")) },
            movePlayer: { host.inject(.move(from: "desk", to: "headphones")) },
            suspendPlayer: { host.inject(.suspend("headphones", $0)) }
        )
        #expect(bench.log.all == Self.expected)
    }

    /// The number of the one stream in a list.
    private static func number(_ list: String) throws -> String {
        let lines = list.split(separator: "\n")
        #expect(lines.count == 1, "\(list)")
        return String(try #require(lines.first?.split(separator: "\t").first))
    }
}

/// A recorder, a player and what their session tells.
private final class MovedBench {
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
