import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// Remembers what a player's delegate is told.
final class PlayerListener: NSObject, AVAudioPlayerDelegate {
    let heard = Recorded<String>()

    nonisolated override init() { super.init() }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        heard.append("finished \(flag)")
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        heard.append("error")
    }

    func audioPlayerBeginInterruption(_ player: AVAudioPlayer) { heard.append("interruption began") }

    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {
        heard.append("interruption ended \(flags)")
    }
}

@Suite("AVAudioPlayer")
struct AVAudioPlayerTests {
    let bench: RecordingBench

    init() throws { bench = try RecordingBench() }

    static let rate = 8_000.0

    /// A WAV file whose frame `n` has the value `n`, out of 32 768.
    func ramp(_ name: String, frames: Int) throws {
        let recorder = try bench.recorder(name, [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Self.rate])
        #expect(recorder.record())
        bench.host.capture?.hear((0..<frames).map { Float($0) / 32_768 })
        recorder.stop()
    }

    /// Plays what the device thread would, and gives the left channel as frame numbers.
    func play(_ frames: Int) async throws -> (left: [Int], isLast: Bool) {
        let stream = try #require(bench.host.playback)
        var left: [Int] = []
        var isLast = false
        for _ in 0..<2_000 where left.count < frames && !isLast {
            let part = stream.play(min(512, frames - left.count))
            isLast = part.isLast
            for index in stride(from: 0, to: part.samples.count, by: 2) {
                left.append(Int((part.samples[index] * 32_768).rounded()))
            }
            if part.samples.isEmpty, !isLast { try await Task.sleep(for: .milliseconds(2)) }
        }
        return (left, isLast)
    }

    @Test("what is played is what is in the file, to the frame, and the end is told once")
    func playsExactly() async throws {
        try ramp("a.wav", frames: 5_000)
        let player = try bench.player("a.wav")
        let listener = PlayerListener()
        player.delegate = listener
        #expect(player.duration == 5_000 / Self.rate)
        #expect(player.numberOfChannels == 1)
        #expect(player.prepareToPlay())
        #expect(!player.isPlaying)
        #expect(player.play())
        #expect(player.isPlaying)
        let (left, isLast) = try await play(6_000)
        #expect(left == Array(0..<5_000))
        #expect(isLast)
        bench.host.playback?.tell(.drained)
        #expect(await eventually { listener.heard.all == ["finished true"] })
        #expect(!player.isPlaying)
        #expect(player.currentTime == 0)
        #expect(bench.host.openStreams == 0)
        #expect(player.play(), "it can be played again")
        #expect(try await play(100).left == Array(0..<100))
    }

    @Test("pause holds the position and stop keeps it; neither is told")
    func pauseAndStop() async throws {
        try ramp("a.wav", frames: 20_000)
        let player = try bench.player("a.wav")
        let listener = PlayerListener()
        player.delegate = listener
        #expect(player.play())
        #expect(try await play(1_000).left == Array(0..<1_000))
        player.pause()
        #expect(player.currentTime == 1_000 / Self.rate)
        #expect(player.play())
        #expect(try await play(500).left == Array(1_000..<1_500))
        player.stop()
        #expect(player.currentTime == 1_500 / Self.rate)
        #expect(bench.host.openStreams == 0)
        #expect(player.play())
        #expect(try await play(500).left == Array(1_500..<2_000))
        player.stop()
        try await Task.sleep(for: .milliseconds(50))
        #expect(listener.heard.all.isEmpty)
    }

    @Test("currentTime can be set stopped, playing and paused, exactly and clamped")
    func seeks() async throws {
        try ramp("a.wav", frames: 20_000)
        let player = try bench.player("a.wav")
        player.currentTime = 1.25
        #expect(player.currentTime == 1.25)
        #expect(player.play())
        #expect(try await play(300).left == Array(10_000..<10_300))
        player.currentTime = 0.5
        #expect(try await play(300).left == Array(4_000..<4_300))
        player.pause()
        player.currentTime = 2
        #expect(player.currentTime == 2)
        #expect(player.play())
        #expect(try await play(300).left == Array(16_000..<16_300))
        player.currentTime = -5
        #expect(try await play(10).left == Array(0..<10))
        player.currentTime = 1e9
        #expect(player.currentTime == player.duration)
        #expect(try await play(10).isLast)
        player.currentTime = .nan
        #expect(player.currentTime == 0)
    }

    @Test("loops repeat the sound without a frame more or less", arguments: [0, 1, 3])
    func loops(count: Int) async throws {
        try ramp("a.wav", frames: 3_001)
        let player = try bench.player("a.wav")
        player.numberOfLoops = count
        #expect(player.play())
        let (left, isLast) = try await play(3_001 * 5)
        #expect(left == Array((0...count).map { _ in 0..<3_001 }.joined()))
        #expect(isLast)
    }

    @Test("a negative number of loops goes on until it is stopped, and the position wraps")
    func endless() async throws {
        try ramp("a.wav", frames: 2_000)
        let player = try bench.player("a.wav")
        player.numberOfLoops = -1
        #expect(player.play())
        let (left, isLast) = try await play(21_500)
        #expect(left.count == 21_500)
        #expect(!isLast)
        #expect(player.currentTime == 1_500 / Self.rate)
        player.stop()
    }

    @Test(
        "volume and pan follow the stated law",
        arguments: [
            (1.0, 0.0, 1.0, 1.0), (0.5, 0.0, 0.5, 0.5), (0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 1.0),
            (1.0, -1.0, 1.0, 0.0),
            (0.8, 0.25, 0.6, 0.8), (1.0, 7.0, 0.0, 1.0), (-1.0, 0.0, 0.0, 0.0),
        ] as [(Float, Float, Float, Float)]
    )
    func volumeAndPan(volume: Float, pan: Float, left: Float, right: Float) async throws {
        let recorder = try bench.recorder("a.wav", [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Self.rate])
        #expect(recorder.record())
        bench.host.capture?.hear([Float](repeating: 0.5, count: 4_000))
        recorder.stop()
        let player = try bench.player("a.wav")
        player.volume = volume
        player.pan = pan
        #expect(player.play())
        _ = try await play(1_000)
        let samples = try #require(bench.host.playback).play(100).samples
        #expect(samples.count == 200)
        #expect(abs(samples[0] - 0.5 * left) < 1e-4)
        #expect(abs(samples[1] - 0.5 * right) < 1e-4)
    }

    @Test("a change of volume while playing is a ramp without a step")
    func smoothVolume() async throws {
        let recorder = try bench.recorder("a.wav", [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Self.rate])
        #expect(recorder.record())
        bench.host.capture?.hear([Float](repeating: 0.5, count: 8_000))
        recorder.stop()
        let player = try bench.player("a.wav")
        #expect(player.play())
        _ = try await play(500)
        player.setVolume(0, fadeDuration: 0.2)
        var last: Float = 0.5
        var steps: [Float] = []
        for _ in 0..<20 {
            let samples = try #require(bench.host.playback).play(100).samples
            for index in stride(from: 0, to: samples.count, by: 2) {
                steps.append(last - samples[index])
                last = samples[index]
            }
        }
        #expect(last == 0)
        #expect(steps.allSatisfy { $0 >= 0 && $0 < 0.001 }, "monotonic, no step above twice the slope")
        let silentAfter = steps.lastIndex { $0 > 0 } ?? 0
        #expect(abs(silentAfter - 1_600) <= 10, "0.2 s at 8 kHz")
        player.stop()
    }

    @Test("a speaker that goes away keeps the position; play goes on with the next")
    func speakerLost() async throws {
        try ramp("a.wav", frames: 20_000)
        let player = try bench.player("a.wav")
        #expect(player.play())
        #expect(try await play(700).left == Array(0..<700))
        bench.host.playback?.tell(.lost(AudioFailure(.deviceUnavailable, "unplugged")))
        #expect(await eventually { !player.isPlaying })
        #expect(player.currentTime == 700 / Self.rate)
        #expect(player.play())
        #expect(try await play(100).left == Array(700..<800))
    }

    @Test("meters follow the sound that is heard")
    func meters() async throws {
        let recorder = try bench.recorder("a.wav", [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Self.rate])
        #expect(recorder.record())
        bench.host.capture?.hear(RecordingBench.sine(8_000, rate: Self.rate, amplitude: 0.2))
        recorder.stop()
        let player = try bench.player("a.wav")
        player.volume = 0.5
        player.isMeteringEnabled = true
        player.updateMeters()
        #expect(player.averagePower(forChannel: 0) == -160)
        #expect(player.play())
        _ = try await play(3_000)
        player.updateMeters()
        #expect(abs(player.averagePower(forChannel: 0) - -23.01) < 0.5)
        #expect(abs(player.peakPower(forChannel: 0) - -20) < 0.2)
        #expect(player.peakPower(forChannel: 1) == -160, "the sound has one channel")
        #expect(player.peakPower(forChannel: -1) == -160)
        player.stop()
    }

    @Test("sounds in memory play, and hints are taken where content does not tell")
    func fromMemory() async throws {
        try ramp("a.wav", frames: 1_000)
        let data = try Data(contentsOf: bench.scratch.file("a.wav"))
        let player = try AVAudioPlayer(
            url: nil,
            data: data,
            hint: "com.microsoft.waveform-audio",
            runtime: bench.runtime,
            session: bench.session
        )
        #expect(player.data == data)
        #expect(player.url == nil)
        #expect(player.play())
        #expect(try await play(2_000).left == Array(0..<1_000))
    }

    @Test("damage in the middle is silence of its own length, and the rest is heard in time")
    func damaged() async throws {
        let recorder = try bench.recorder("a.flac", [AVSampleRateKey: Self.rate])
        #expect(recorder.record())
        bench.host.capture?.hear((0..<40_000).map { Float($0 % 1_000) / 32_768 })
        recorder.stop()
        var bytes = [UInt8](try Data(contentsOf: bench.scratch.file("a.flac")))
        for index in bytes.count / 2..<bytes.count / 2 + 40 { bytes[index] ^= 0x5A }
        try Data(bytes).write(to: bench.scratch.file("a.flac"))
        let player = try bench.player("a.flac")
        let listener = PlayerListener()
        player.delegate = listener
        #expect(player.duration == 40_000 / Self.rate)
        #expect(player.play())
        let (left, isLast) = try await play(50_000)
        #expect(isLast)
        #expect(left.count == 40_000)
        #expect(Array(left.prefix(10_000)) == (0..<10_000).map { $0 % 1_000 })
        #expect(Array(left.suffix(10_000)) == (30_000..<40_000).map { $0 % 1_000 })
        #expect(left[10_000..<30_000].contains { $0 == 0 })
        bench.host.playback?.tell(.drained)
        #expect(await eventually { listener.heard.all == ["finished true"] })
    }

    @Test("what is not a sound, not there, or not a file is refused with Apple's domain")
    func refused() throws {
        try Data("this is no sound at all".utf8).write(to: bench.scratch.file("text.wav"))
        try Data().write(to: bench.scratch.file("empty.wav"))
        for name in ["text.wav", "empty.wav", "missing.wav"] {
            let error = try #require(throws: NSError.self) { try bench.player(name) }
            #expect(error.domain == NSOSStatusErrorDomain)
            #expect(!error.localizedDescription.isEmpty)
        }
        let remote = try #require(URL(string: "https://example.org/a.mp3"))
        #expect(throws: NSError.self) { try AVAudioPlayer(contentsOf: remote) }
        #expect(throws: NSError.self) { try AVAudioPlayer(data: Data([1, 2, 3])) }
    }

    @Test("a player that was made without a sound does nothing and does not trap")
    func withoutSound() {
        let player = AVAudioPlayer()
        #expect(!player.prepareToPlay())
        #expect(!player.play())
        player.pause()
        player.stop()
        player.volume = 0.5
        player.currentTime = 3
        player.updateMeters()
        #expect(player.duration == 0)
        #expect(player.currentTime == 0)
        #expect(player.numberOfChannels == 0)
        #expect(player.format.sampleRate == 44_100)
    }

    @Test("the category decides whether playing is allowed")
    func category() async throws {
        try ramp("a.wav", frames: 20_000)
        let player = try bench.player("a.wav")
        try bench.audioSession.setCategory(.record)
        #expect(!player.play())
        try bench.audioSession.setCategory(.playback)
        #expect(player.play())
        #expect(throws: NSError.self, "busy") { try bench.audioSession.setActive(false) }
        #expect(!player.isPlaying)
    }
}
