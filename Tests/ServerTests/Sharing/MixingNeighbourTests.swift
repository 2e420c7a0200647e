import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// A foreign program plays a tone while recorders and players of a session that mixes start and stop.
@Suite(
    "A neighbour of a session that mixes",
    .serialized,
    .enabled(if: ExternalTool.areInstalled("paplay"), "paplay is not installed")
)
struct MixingNeighbourTests {
    private static let rate = 48_000
    private static let window = rate / 10

    @Test("its sound has no gap while recorders and a player start and stop in every order")
    func noGap() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk")])
        defer { server.kill() }
        _ = try server.addMicrophone("mic")
        try server.control("set-default-source", "mic")
        let bench = try RuntimeBench(server)
        try bench.writeTone("tone.wav", seconds: 60, rate: Double(Self.rate))
        let neighbour = try ChildProcess(
            ["timeout", "100", "paplay", "--device=desk", bench.scratch.path("tone.wav")],
            environment: server.environment
        )
        defer { neighbour.kill() }
        let ear = RecordingSink(capacity: Self.rate * 60)
        let stream = try bench.runtime.devices.openCapture(
            StreamRequest(sampleRate: Double(Self.rate), channelCount: 1, deviceID: "desk.monitor", title: "ear"),
            sink: ear,
            events: { _ in }
        )
        defer { stream.close() }
        try stream.start()
        #expect(await eventually { ear.count > Self.rate && Self.isTone(ear.last(Self.window)) })
        let start = ear.count

        try bench.session.setCategory(.playAndRecord, mode: .default, options: .mixWithOthers)
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            try shareTheSession(bench, order)
        }
        let end = ear.count + Self.window
        #expect(await eventually { ear.count >= end })
        #expect(ear.lostFrames == 0)
        var heard = ear.samples(start..<end)
        #expect(heard.count > Self.rate)
        #expect(Self.breaks(in: heard) == [])
        // The measure sees what it looks for.
        let middle = heard.count / 2
        for frame in middle..<(middle + Self.rate / 40) { heard[frame] = 0 }
        #expect(!Self.breaks(in: heard).isEmpty)
    }

    /// Two recorders and a player run together, and stop in an order.
    private func shareTheSession(_ bench: RuntimeBench, _ order: [Int]) throws {
        try bench.session.setActive(true)
        let recorders = try ["a.wav", "b.wav"].map { try bench.recorder($0, [:]) }
        let player = try AVAudioPlayer(
            url: bench.scratch.file("tone.wav"),
            data: nil,
            hint: nil,
            runtime: bench.runtime,
            session: bench.session.core
        )
        // A stream of silence: what is heard is the neighbour alone.
        player.volume = 0
        for recorder in recorders { #expect(recorder.record()) }
        #expect(player.play())
        Thread.sleep(forTimeInterval: 0.3)
        let stops = [{ recorders[0].stop() }, { recorders[1].stop() }, { player.stop() }]
        for (step, index) in order.enumerated() {
            #expect(bench.session.core.hasRunningClients)
            stops[index]()
            #expect(bench.session.core.hasRunningClients == (step < 2))
        }
        try bench.session.setActive(false)
        for name in ["a.wav", "b.wav"] {
            let file = try bench.runtime.files.open(bench.scratch.path(name), .reading)
            let length = try #require(FrameReader(file, media: bench.runtime.media).length)
            #expect(length.value > 0)
        }
    }

    private static func isTone(_ samples: [Float]) -> Bool {
        Measure.purity(samples, at: 440, sampleRate: Double(rate)) > 0.99
            && abs(Measure.frequency(samples, near: 440, sampleRate: Double(rate)) - 440) < 0.5
    }

    /// Where the tone turns or is missing, in frames: each place lies in two windows. Half a hertz between the halves of a
    /// window is a fortieth of a turn, 0.06 ms; purity falls where a hundredth of a window is silent.
    private static func breaks(in samples: [Float]) -> [Int] {
        stride(from: 0, through: samples.count - window, by: window / 2)
            .filter { !isTone(Array(samples[$0..<($0 + window)])) }
    }
}
