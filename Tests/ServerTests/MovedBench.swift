import AVFAudio
import AudioCore
import AudioRuntime
import AudioSimulation
import DevicePulse
import Foundation
import TestSupport
import Testing

/// Where streams are moved: two microphones, "mic" and "other", and two outputs, "desk" and "headphones", of which the first
/// ones are the defaults.
enum MovedStage: CaseIterable, Sendable {
    case pulseAudio, pipeWire, simulated

    /// What a user does in a mixer or with a plug, and a server by itself. Devices are named, before and after.
    struct Hands {
        var moveRecorder: (String, String) throws -> Void
        var movePlayer: (String, String) throws -> Void
        var suspend: (String, Bool) throws -> Void
        var setDefaultInput: (String) throws -> Void
        var setDefaultOutput: (String) throws -> Void
        var pullHeadphones: () throws -> Void
    }

    func make() async throws -> (any AudioDeviceHost, Hands) {
        switch self {
        case .pulseAudio: try await Self.make(PrivatePulseServer())
        case .pipeWire: try await Self.make(PrivatePipeWireServer())
        case .simulated: Self.makeSimulated()
        }
    }

    private static func make(_ server: any SoundServer) async throws -> (any AudioDeviceHost, Hands) {
        try server.addNullSink("desk")
        let headphones = try server.addNullSink("headphones")
        _ = try server.addMicrophone("mic")
        _ = try server.addMicrophone("other")
        try server.control("set-default-source", "mic")
        try server.control("set-default-sink", "desk")
        let host = PulseHost(applicationName: "tests", serverAddress: server.address)
        let isReady = await eventually {
            let defaults = (try? host.devices().filter(\.isDefault).map(\.id)) ?? []
            return Set(defaults) == ["mic", "desk"]
        }
        try #require(isReady)
        /// The number of the one stream in a list.
        func number(_ list: String) throws -> String {
            let lines = try server.control("list", "short", list).split(separator: "\n")
            #expect(lines.count == 1, "\(lines)")
            return String(try #require(lines.first?.split(separator: "\t").first))
        }
        return (
            host,
            Hands(
                moveRecorder: { try server.control("move-source-output", number("source-outputs"), $1) },
                movePlayer: { try server.control("move-sink-input", number("sink-inputs"), $1) },
                suspend: { try server.control($0 == "mic" ? "suspend-source" : "suspend-sink", $0, $1 ? "1" : "0") },
                setDefaultInput: { try server.control("set-default-source", $0) },
                setDefaultOutput: { try server.control("set-default-sink", $0) },
                pullHeadphones: { try server.unload(headphones) }
            )
        )
    }

    private static func makeSimulated() -> (any AudioDeviceHost, Hands) {
        var configuration = SimulatedConfiguration()
        configuration.devices = [
            .microphone("mic", name: "Microphone"), .microphone("other", name: "Other microphone"),
            .speaker("desk", name: "Loudspeaker"), .speaker("headphones", name: "Headphones", port: .headphones),
        ]
        let host = SimulatedHost(configuration)
        return (
            host,
            Hands(
                moveRecorder: { host.inject(.move(from: $0, to: $1)) },
                movePlayer: { host.inject(.move(from: $0, to: $1)) },
                suspend: { host.inject(.suspend($0, $1)) },
                setDefaultInput: { host.inject(.setDefault($0)) },
                setDefaultOutput: { host.inject(.setDefault($0)) },
                pullHeadphones: { host.inject(.vanish("headphones")) }
            )
        )
    }
}

/// Recorders and players on a stage, and what their session tells.
final class MovedBench {
    let log = Recorded<String>()
    let hands: MovedStage.Hands
    private let scratch: TemporaryFolder
    private let runtime: Runtime
    private let session: AVAudioSession
    private let token: any NSObjectProtocol

    init(_ stage: MovedStage) async throws {
        let (host, hands) = try await stage.make()
        self.hands = hands
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
        try session.setCategory(.playAndRecord)
        await told("route 3 → mic, desk")
    }

    deinit { NotificationCenter.default.removeObserver(token) }

    func told(_ entry: String, times: Int = 1) async {
        #expect(await eventually { self.log.all.filter { $0 == entry }.count >= times }, "\(entry): \(log.all)")
    }

    func startRecorder() async throws -> AVAudioRecorder {
        let recorder = try AVAudioRecorder(
            url: scratch.file("take.wav"),
            settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1],
            runtime: runtime,
            session: session.core
        )
        #expect(recorder.record())
        #expect(await eventually { recorder.currentTime > 0.2 })
        log.append("records")
        return recorder
    }

    /// A player of a hundred seconds.
    func startPlayer() async throws -> AVAudioPlayer {
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
        let player = try AVAudioPlayer(url: url, data: nil, hint: nil, runtime: runtime, session: session.core)
        #expect(player.play())
        #expect(await eventually { player.currentTime > 0.1 })
        log.append("plays")
        return player
    }

    func goesOn(_ player: AVAudioPlayer) async {
        let time = player.currentTime
        #expect(await eventually { player.isPlaying && player.currentTime > time + 0.1 })
        log.append("plays on")
    }

    func goesOn(_ recorder: AVAudioRecorder) async {
        let time = recorder.currentTime
        #expect(await eventually { recorder.isRecording && recorder.currentTime > time + 0.2 })
        log.append("records on")
    }
}
