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

    private static let pulled = [
        "route 3 → mic, desk", "playing", "route 4 → mic, headphones", "player plays on", "route 2 → mic, desk",
        "player stands still", "player plays on",
    ]

    @Test func pulledHeadphonesOnARealServer() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk")])
        _ = try server.addMicrophone("mic")
        try server.control("set-default-source", "mic")
        let headphones = try server.addNullSink("headphones")
        try server.control("set-default-sink", "desk")
        let host = PulseHost(applicationName: "tests", serverAddress: server.address)
        #expect(await eventually { (try? host.devices().first { $0.id == "desk" }?.isDefault) == true })
        #expect(await eventually { (try? host.devices().first { $0.id == "mic" }?.isDefault) == true })
        let bench = try MovedBench(host)
        try await bench.runPlayer(
            movePlayer: {
                let stream = try Self.number(server.control("list", "short", "sink-inputs"))
                try server.control("move-sink-input", stream, "headphones")
            },
            pullHeadphones: { try server.unload(headphones) }
        )
        #expect(bench.log.all == Self.pulled)
    }

    @Test func pulledHeadphonesOnSimulatedDevices() async throws {
        var configuration = SimulatedConfiguration()
        configuration.devices = [
            .microphone("mic", name: "Microphone"), .speaker("desk", name: "Loudspeaker"),
            .speaker("headphones", name: "Headphones", port: .headphones),
        ]
        let host = SimulatedHost(configuration)
        let bench = try MovedBench(host)
        try await bench.runPlayer(
            movePlayer: { host.inject(.move(from: "desk", to: "headphones")) },
            pullHeadphones: { host.inject(.vanish("headphones")) }
        )
        #expect(bench.log.all == Self.pulled)
    }

    /// The number of the one stream in a list.
    private static func number(_ list: String) throws -> String {
        let lines = list.split(separator: "\n")
        #expect(lines.count == 1, "\(list)")
        return String(try #require(lines.first?.split(separator: "\t").first))
    }
}
