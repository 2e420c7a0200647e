import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// Which devices recorders and players are opened on: what the session says of its route is where their streams are.
@Suite("Where streams are opened, by what the session allows and asks for", .serialized)
struct RouteChoiceTests {
    /// A desktop with loudspeaker and microphone built in, and a headset that is the default of both.
    private struct Stage {
        let server: PrivatePulseServer
        let bench: RuntimeBench

        init(headset properties: String) async throws {
            server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("hidden")])
            try Self.add("internal", "device.form_factor=internal", to: server)
            try Self.add("headset", properties, to: server)
            try server.control("set-default-sink", "headset")
            try server.control("set-default-source", "headset-mic")
            bench = try RuntimeBench(server)
            let host = bench.runtime.devices
            let isReady = await eventually {
                let defaults = (try? host.devices().filter(\.isDefault).map(\.id)) ?? []
                return Set(defaults) == ["headset", "headset-mic"]
            }
            try #require(isReady)
        }

        private static func add(_ name: String, _ properties: String, to server: PrivatePulseServer) throws {
            try server.control(
                "load-module",
                "module-null-sink",
                "sink_name=\(name)",
                "norewinds=1",
                "sink_properties='\(properties)'"
            )
            try server.control(
                "load-module",
                "module-remap-source",
                "source_name=\(name)-mic",
                "master=hidden.monitor",
                "source_properties='\(properties)'"
            )
        }

        var route: [String] {
            let route = bench.session.currentRoute
            return (route.inputs + route.outputs).map(\.uid)
        }

        /// Where the server has the stream of a new recorder and that of a new player.
        func places() async throws -> [String] {
            let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVNumberOfChannelsKey: 1]
            let recorder = try bench.recorder("take.wav", settings)
            #expect(recorder.record())
            let tone = bench.scratch.file("tone.wav")
            if !FileManager.default.fileExists(atPath: tone.path) {
                try bench.writeTone("tone.wav", seconds: 20, rate: 48_000)
            }
            let (runtime, session) = (bench.runtime, bench.session)
            let player = try AVAudioPlayer(url: tone, data: nil, hint: nil, runtime: runtime, session: session.core)
            #expect(player.play())
            #expect(await eventually { player.currentTime > 0 && recorder.currentTime > 0 })
            let sinks = try names("sinks")
            let places = try rows("sink-inputs").compactMap { sinks[$0[1]] }
            let microphone = recorder.engine?.device?.id
            player.stop()
            recorder.stop()
            #expect(await eventually { (try? rows("sink-inputs").isEmpty) == true })
            return [microphone ?? "none"] + places
        }

        private func rows(_ list: String) throws -> [[String]] {
            try server.control("list", "short", list).split(separator: "\n").map { line in
                line.split(separator: "\t").map(String.init)
            }
        }

        private func names(_ list: String) throws -> [String: String] {
            Dictionary(try rows(list).map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        }
    }

    @Test("Bluetooth is used where an option allows it, and the built-in devices are where it does not")
    func bluetooth() async throws {
        let stage = try await Stage(headset: "device.form_factor=headset device.bus=bluetooth")
        let session = stage.bench.session
        for (options, expected) in [
            (AVAudioSession.CategoryOptions(), ["internal-mic", "internal"]),
            (.allowBluetoothHFP, ["headset-mic", "headset"]),
            (.allowBluetoothA2DP, ["internal-mic", "headset"]),
        ] {
            try session.setCategory(.playAndRecord, options: options)
            #expect(stage.route == expected, "\(options)")
            #expect(try await stage.places() == expected, "\(options)")
            // Nothing of it is left.
            #expect(stage.route == expected, "\(options)")
        }
        // Whoever only plays asks nobody.
        try session.setCategory(.playback)
        #expect(stage.route == ["headset"])
    }

    @Test("a preferred microphone and the loudspeaker instead of the headset")
    func asked() async throws {
        let stage = try await Stage(headset: "device.form_factor=headset")
        let session = stage.bench.session
        try session.setCategory(.playAndRecord)
        #expect(stage.route == ["headset-mic", "headset"])
        #expect(try await stage.places() == stage.route)
        try session.overrideOutputAudioPort(.speaker)
        #expect(stage.route == ["headset-mic", "internal"])
        #expect(try await stage.places() == stage.route)
        let port = try #require(session.availableInputs?.first { $0.portType == .builtInMic })
        try session.setPreferredInput(port)
        #expect(stage.route == ["internal-mic", "internal"])
        #expect(try await stage.places() == stage.route)
        try session.overrideOutputAudioPort(.none)
        try session.setPreferredInput(nil)
        #expect(try await stage.places() == ["headset-mic", "headset"])
    }
}
