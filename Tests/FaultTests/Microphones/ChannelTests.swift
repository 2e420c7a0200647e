import AudioCore
import AudioRuntime
import AudioSimulation
import TestSupport
import Testing

@Suite("Dead channels and silence", .serialized)
struct ChannelTests {
    private func record(
        _ selection: ChannelSelection?,
        channels: Int = 1,
        microphoneChannels: Int,
        dead: Int?,
        told: [String]
    ) async throws -> [[Float]] {
        let audio = MicrophoneBench.tone()
        audio.setMicrophoneFormat(sampleRate: 48_000, channelCount: microphoneChannels)
        if let dead { audio.setMicrophoneChannel(dead, dead: true) }
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.stop, channels: channels, selection: selection)
        try engine.record()
        bench.advance(4)
        #expect(await eventually { bench.texts == told }, "\(bench.texts)")
        engine.stop()
        return try bench.samples()
    }

    @Test("mono of a stereo microphone with a dead channel has the level of the living one", arguments: [0, 1])
    func deadChannel(_ dead: Int) async throws {
        for selection in [ChannelSelection.automatic, .mix] {
            let samples = try await record(selection, microphoneChannels: 2, dead: dead, told: ["dead \(dead)"])
            MicrophoneBench.expectTone(try #require(samples.first), 0.0...3.9)
        }
        let side = dead == 0 ? ChannelSelection.right : .left
        let samples = try await record(side, microphoneChannels: 2, dead: dead, told: ["dead \(dead)"])
        MicrophoneBench.expectTone(try #require(samples.first), 0.0...3.9)
    }

    @Test("a mono microphone is in both channels of a stereo recording, at its level")
    func monoToStereo() async throws {
        for selection in [ChannelSelection.automatic, .left, .right, .mix] {
            let samples = try await record(selection, channels: 2, microphoneChannels: 1, dead: nil, told: [])
            #expect(samples.count == 2 && samples.first == samples.last)
            MicrophoneBench.expectTone(try #require(samples.first), 0.0...3.9)
        }
    }

    @Test("a stereo recording keeps a dead channel, unless one side is chosen for both")
    func stereo() async throws {
        var samples = try await record(.automatic, channels: 2, microphoneChannels: 2, dead: 1, told: ["dead 1"])
        #expect(samples.last?.allSatisfy { $0 == 0 } == true)
        MicrophoneBench.expectTone(try #require(samples.first), 0.0...3.9)
        samples = try await record(.left, channels: 2, microphoneChannels: 2, dead: 1, told: ["dead 1"])
        #expect(samples.first == samples.last)
        MicrophoneBench.expectTone(try #require(samples.last), 0.0...3.9)
    }

    @Test("left to the device layer, the level is halved, as sound servers do: the reason for the choice")
    func layersOwn() async throws {
        let samples = try await record(nil, microphoneChannels: 2, dead: 1, told: [])
        MicrophoneBench.expectTone(
            try #require(samples.first),
            0.0...3.9,
            level: MicrophoneBench.level - 6.02
        )
    }

    @Test("exact zeros are told after three seconds, once for each stretch, and when sound is back")
    func silence() async throws {
        let audio = MicrophoneBench.tone()
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.stop)
        try engine.record()
        bench.advance(1)
        audio.setMicrophoneMuted(true)
        bench.advance(2.9)
        try await Task.sleep(for: .milliseconds(500))
        #expect(bench.texts.isEmpty)
        bench.advance(7)
        #expect(await bench.told("silent"))
        audio.setMicrophoneMuted(false)
        bench.advance(1)
        #expect(await bench.told("silent", "sound"))
        audio.setMicrophoneMuted(true)
        bench.advance(4)
        engine.stop()
        #expect(await bench.told("silent", "sound", "silent"), "what is heard last is told at the end, too")
        let samples = try #require(try bench.samples().first)
        #expect(samples.count == Int(15.9 * MicrophoneBench.rate))
    }
}
