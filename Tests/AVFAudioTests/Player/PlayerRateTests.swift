import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

@Suite("AVAudioPlayer.rate")
struct PlayerRateTests {
    let bench: RecordingBench

    init() throws { bench = try RecordingBench() }

    static let rate = 8_000.0

    func tone(_ name: String, frames: Int) throws {
        let recorder = try bench.recorder(name, [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Self.rate])
        #expect(recorder.record())
        bench.host.capture?.hear(RecordingBench.sine(frames, rate: Self.rate, amplitude: 0.5))
        recorder.stop()
    }

    /// The left channel of what the device thread would play, up to `frames` frames.
    func play(_ frames: Int) async throws -> (left: [Float], isLast: Bool) {
        let stream = try #require(bench.host.playback)
        var left: [Float] = []
        var isLast = false
        for _ in 0..<4_000 where left.count < frames && !isLast {
            let part = stream.play(min(256, frames - left.count))
            isLast = part.isLast
            left += stride(from: 0, to: part.samples.count, by: 2).map { part.samples[$0] }
            if part.samples.isEmpty, !isLast { try await Task.sleep(for: .milliseconds(2)) }
        }
        return (left, isLast)
    }

    @Test("rates are kept, clamped, and count only where they are enabled")
    func setting() async throws {
        try tone("a.wav", frames: 8_000)
        let player = try bench.player("a.wav")
        #expect(!player.enableRate)
        #expect(player.rate == 1)
        player.rate = 1.5
        #expect(player.rate == 1.5)
        #expect(player.play())
        let (left, isLast) = try await play(20_000)
        #expect(isLast)
        #expect(left.count == 8_000, "not enabled")
        player.enableRate = true
        #expect(player.enableRate)
        for (asked, kept) in [(0.1, 0.5), (9, 2), (-1, 0.5), (.nan, 1), (0.5, 0.5), (2, 2)] as [(Float, Float)] {
            player.rate = asked
            #expect(player.rate == kept)
        }
        player.enableRate = false
        #expect(player.rate == 2, "kept for the next time")
        let silent = AVAudioPlayer()
        silent.enableRate = true
        silent.rate = 2
        #expect(silent.rate == 1)
    }

    @Test("loops and the end are exact at any rate", arguments: [0.5, 0.75, 1.25, 1.5, 2] as [Float])
    func loops(rate: Float) async throws {
        try tone("a.wav", frames: 6_001)
        let player = try bench.player("a.wav")
        player.enableRate = true
        player.rate = rate
        player.numberOfLoops = 2
        #expect(player.play())
        let (left, isLast) = try await play(60_000)
        #expect(isLast)
        #expect(abs(Double(left.count) - 3 * 6_001 / Double(rate)) <= 1)
    }

    @Test("the position follows the sound while the rate changes, and a seek is exact")
    func position() async throws {
        try tone("a.wav", frames: 80_000)
        let player = try bench.player("a.wav")
        player.enableRate = true
        #expect(player.play())
        _ = try await play(8_000)
        #expect(player.currentTime == 1)
        player.rate = 2
        // What was decoded before the change is heard first: a quarter of a second and a piece.
        _ = try await play(8_000)
        #expect(player.currentTime > 2.3 && player.currentTime <= 3)
        let before = player.currentTime
        _ = try await play(8_000)
        #expect(abs(player.currentTime - before - 2) < 0.01)
        player.currentTime = 5
        #expect(player.currentTime == 5)
        _ = try await play(4_000)
        #expect(abs(player.currentTime - 6) < 0.01)
        player.rate = 0.5
        _ = try await play(8_000)
        let later = player.currentTime
        _ = try await play(4_000)
        #expect(abs(player.currentTime - later - 0.25) < 0.01)
        player.stop()
        #expect(abs(player.currentTime - later - 0.25) < 0.01)
    }

    @Test("back at rate 1 the frames are those of the file")
    func transparentAgain() async throws {
        try tone("a.wav", frames: 80_000)
        let player = try bench.player("a.wav")
        player.enableRate = true
        player.rate = 1.5
        #expect(player.play())
        _ = try await play(8_000)
        player.rate = 1
        let (left, isLast) = try await play(100_000)
        #expect(isLast)
        let source = RecordingBench.sine(80_000, rate: Self.rate, amplitude: 0.5).suffix(40_000)
        #expect(zip(left.suffix(40_000), source).allSatisfy { abs($0 - $1) < 1 / 32_768 })
    }
}
