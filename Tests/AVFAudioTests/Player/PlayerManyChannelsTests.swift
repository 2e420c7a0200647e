import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

@Suite("AVAudioPlayer: sounds of many channels")
struct PlayerManyChannelsTests {
    @Test("the pan has no effect on more than two channels, the volume has")
    func panAndVolume() async throws {
        let bench = try RecordingBench()
        let recorder = try bench.recorder(
            "a.wav",
            [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 4]
        )
        #expect(recorder.record())
        bench.host.capture?.hear([Float](repeating: 0.5, count: 4 * 4_000))
        recorder.stop()
        let player = try bench.player("a.wav")
        player.volume = 0.5
        player.pan = 1
        #expect(player.play())
        let samples = try #require(bench.host.playback).play(100).samples
        #expect(samples.count == 400)
        #expect(samples.allSatisfy { abs($0 - 0.25) < 1e-4 })
    }
}
