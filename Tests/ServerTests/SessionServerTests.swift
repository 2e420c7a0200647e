import AVFAudio
import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import Synchronization
import TestSupport
import Testing

/// The session on a real sound server: permission, routes and their changes as the server tells them.
@Suite(.serialized) struct SessionServerTests {
    private static func session(_ address: String) -> AVAudioSession {
        var runtime = Runtime.system
        runtime.devices = PulseHost(applicationName: "tests", serverAddress: address)
        runtime.callbacks = SerialQueueExecutor(label: "tests.callbacks")
        return AVAudioSession(runtime: runtime)
    }

    /// The answer and the seconds until it came.
    private static func ask(_ session: AVAudioSession) async -> (isGranted: Bool, seconds: Double) {
        let start = ContinuousClock.now
        let isGranted = await withCheckedContinuation { continuation in
            session.requestRecordPermission { continuation.resume(returning: $0) }
        }
        return (isGranted, (ContinuousClock.now - start).inSeconds)
    }

    @Test func permissionAndHardware() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk", rate: 44_100)])
        let session = Self.session(server.address)
        #expect(session.recordPermission == .undetermined)
        let answer = await Self.ask(session)
        #expect(answer.isGranted)
        #expect(answer.seconds < 2.5)
        #expect(session.recordPermission == .granted)
        try session.setCategory(.playback)
        #expect(session.currentRoute.outputs.map(\.uid) == ["desk"])
        #expect(session.currentRoute.inputs.isEmpty)
        #expect(session.sampleRate == 44_100)
        #expect(session.outputNumberOfChannels == 2)
        #expect(session.outputVolume == 1)
        try server.control("set-sink-volume", "desk", "50%")
        #expect(await eventually { abs(session.outputVolume - 0.5) < 0.01 })
        try server.control("set-sink-mute", "desk", "1")
        #expect(await eventually { session.outputVolume == 0 })
    }

    @Test func routesFollowTheServer() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk")])
        let session = Self.session(server.address)
        let reasons = Mutex<[UInt]>([])
        let token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification,
            object: session,
            queue: nil
        ) { notification in
            let reason = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
            reasons.withLock { $0.append(reason ?? 99) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try session.setCategory(.playback)
        #expect(await eventually { reasons.withLock { $0 } == [3] })
        let headset = try server.addNullSink("headset")
        try server.control("set-default-sink", "headset")
        #expect(await eventually { session.currentRoute.outputs.map(\.uid) == ["headset"] })
        #expect(await eventually { reasons.withLock { $0.count } == 2 })
        try server.unload(headset)
        #expect(await eventually { session.currentRoute.outputs.map(\.uid) == ["desk"] })
        #expect(await eventually { reasons.withLock { $0.count } == 3 })
        // The server adds a device and makes it the default in two steps: the second is the user's choice.
        let seen = reasons.withLock { $0 }
        #expect(seen.first == 3 && [1, 4].contains(seen.dropFirst().first) && seen.last == 2, "\(seen)")
    }

    @Test func aServerThatGoesAndComes() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk")])
        let session = Self.session(server.address)
        try session.setCategory(.playback)
        #expect(session.currentRoute.outputs.count == 1)
        server.kill()
        #expect(await eventually { session.currentRoute.outputs.isEmpty })
        let start = ContinuousClock.now
        #expect(session.outputVolume == 0)
        #expect((ContinuousClock.now - start).inSeconds < 2.5)
        let answer = await Self.ask(session)
        #expect(!answer.isGranted)
        #expect(answer.seconds < 2.5)
        #expect(session.recordPermission == .undetermined)
        try server.start()
        #expect(await eventually { session.currentRoute.outputs.map(\.uid) == ["desk"] })
        #expect(await Self.ask(session).isGranted)
    }
}
