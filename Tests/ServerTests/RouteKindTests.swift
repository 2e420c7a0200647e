import AVFAudio
import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import Synchronization
import TestSupport
import Testing

/// Headsets, loudspeakers and Bluetooth on a real server: null sinks and sources that say what they are.
@Suite(.serialized) struct RouteKindTests {
    private struct Kind: CustomTestStringConvertible {
        var properties: String
        var output: AVAudioSession.Port
        var input: AVAudioSession.Port

        var testDescription: String { properties }
    }

    private static let kinds: [Kind] = [
        Kind(properties: "device.form_factor=headset", output: .headphones, input: .headsetMic),
        Kind(properties: "device.form_factor=headphone", output: .headphones, input: .headsetMic),
        Kind(properties: "device.form_factor=internal", output: .builtInSpeaker, input: .builtInMic),
        Kind(
            properties: "device.form_factor=headset device.bus=bluetooth",
            output: .bluetoothA2DP,
            input: .bluetoothHFP
        ),
        Kind(properties: "device.form_factor=webcam device.bus=usb", output: .usbAudio, input: .usbAudio),
    ]

    private static func session(_ address: String) -> AVAudioSession {
        var runtime = Runtime.system
        runtime.devices = PulseHost(applicationName: "tests", serverAddress: address)
        runtime.callbacks = SerialQueueExecutor(label: "tests.callbacks")
        runtime.arbiter = LoneArbiter()
        return AVAudioSession(runtime: runtime)
    }

    @Test func connectorsAreCalledAsAppleCallsThem() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk")])
        let session = Self.session(server.address)
        try session.setCategory(.playAndRecord, options: [.allowBluetoothHFP, .allowBluetoothA2DP])
        for (index, kind) in Self.kinds.enumerated() {
            try server.control(
                "load-module",
                "module-null-sink",
                "sink_name=out\(index)",
                "sink_properties='\(kind.properties)'"
            )
            try server.control(
                "load-module",
                "module-remap-source",
                "source_name=in\(index)",
                "master=desk.monitor",
                "source_properties='\(kind.properties)'"
            )
            try server.control("set-default-sink", "out\(index)")
            try server.control("set-default-source", "in\(index)")
            #expect(await eventually { session.currentRoute.outputs.map(\.uid) == ["out\(index)"] })
            #expect(await eventually { session.currentRoute.inputs.map(\.uid) == ["in\(index)"] })
            #expect(session.currentRoute.outputs.map(\.portType) == [kind.output], "\(kind.properties)")
            #expect(session.currentRoute.inputs.map(\.portType) == [kind.input], "\(kind.properties)")
        }
    }

    @Test func headphonesThatAreUnpluggedAreToldWithTheRouteBefore() async throws {
        let server = try PrivatePulseServer(modules: [
            "module-null-sink sink_name=speaker norewinds=1 sink_properties='device.form_factor=internal'"
        ])
        let session = Self.session(server.address)
        let changes = Mutex<[(reason: UInt, before: [AVAudioSession.Port])]>([])
        let token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification,
            object: session,
            queue: nil
        ) { notification in
            let reason = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt ?? 0
            let before =
                notification.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            changes.withLock { $0.append((reason, before?.outputs.map(\.portType) ?? [])) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try session.setCategory(.playback)
        #expect(await eventually { session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker] })
        let headphones = try server.control(
            "load-module",
            "module-null-sink",
            "sink_name=headphones",
            "sink_properties='device.form_factor=headphone'"
        )
        try server.control("set-default-sink", "headphones")
        #expect(await eventually { session.currentRoute.outputs.map(\.portType) == [.headphones] })
        // The first is that of the category.
        #expect(await eventually { changes.withLock { $0.count } == 2 })
        #expect(changes.withLock { $0.last?.before } == [.builtInSpeaker])
        try server.unload(headphones)
        #expect(await eventually { changes.withLock { $0.last?.reason } == 2 })
        #expect(changes.withLock { $0.last?.before } == [.headphones])
        #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    }
}
