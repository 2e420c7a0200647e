import AVFAudio
import Foundation
import TestSupport
import Testing

/// `play(atTime:)` on the simulated speaker, whose monitor hears everything in steps of time: to the frame.
@Suite("play(atTime:)") struct PlayerMomentTests {
    @Test("two players begin in one frame, at the moment, to the frame")
    func together() throws {
        let bench = try SpeakerBench()
        let left = try bench.player("left.wav", frames: 9_600, pan: -1) { _ in 0.5 }
        let right = try bench.player("right.wav", frames: 9_600, pan: 1) { _ in 0.5 }
        try bench.listen()
        bench.pass(0.25)
        let start = left.deviceCurrentTime
        #expect(start == right.deviceCurrentTime, "one clock")
        #expect(left.play(atTime: start + 0.3))
        bench.pass(0.1)
        #expect(right.play(atTime: start + 0.3), "later, for the same moment")
        #expect(left.isPlaying && right.isPlaying)
        #expect(left.currentTime == 0 && right.currentTime == 0)
        bench.pass(0.1)
        #expect(left.currentTime == 0 && right.currentTime == 0, "they wait")
        bench.pass(0.5)
        let edges = (0..<2).map { channel in bench.sink.samples(channel: channel).firstIndex { $0 > 0.01 } }
        let moment = Int(((start + 0.3) * SpeakerBench.rate).rounded())
        // The monitor hears a frame later.
        #expect(edges[0].map { $0 - moment } == 1)
        #expect(edges[1] == edges[0])
        #expect(!left.isPlaying && !right.isPlaying, "both have ended")
    }

    @Test("a player that is given the end of another follows without a frame more or less")
    func gapless() throws {
        let bench = try SpeakerBench()
        let frequency = 437.0
        let cut = 12_345
        let sine = { (frame: Int) in 0.5 * Float(sin(2 * .pi * frequency * Double(frame) / SpeakerBench.rate)) }
        let first = try bench.player("first.wav", frames: cut, sine)
        let second = try bench.player("second.wav", frames: 10_000) { sine(cut + $0) }
        try bench.listen()
        let start = first.deviceCurrentTime + 0.2
        #expect(first.play(atTime: start))
        #expect(second.play(atTime: start + first.duration))
        bench.pass(1)
        let heard = bench.sink.samples(channel: 0)
        let begin = Int((start * SpeakerBench.rate).rounded()) + 1
        var worst: Float = 0
        for frame in 0..<(cut + 10_000) { worst = max(worst, abs(heard[begin + frame] - sine(frame))) }
        #expect(worst < 0.01, "no step, no hole, nothing twice")
        #expect(heard[(begin + cut + 10_000)...].allSatisfy { abs($0) < 0.001 })
    }

    @Test("a moment that has passed means at once; one that is no number is refused")
    func past() throws {
        let bench = try SpeakerBench()
        let player = try bench.player("a.wav", frames: 4_800) { _ in 0.5 }
        bench.pass(1)
        for time in [player.deviceCurrentTime - 0.5, player.deviceCurrentTime, -.infinity, -1e300] {
            #expect(player.play(atTime: time))
            bench.pass(0.05)
            #expect(abs(player.currentTime - 0.05) < 0.021)
            player.stop()
            player.currentTime = 0
        }
        #expect(!player.play(atTime: .nan))
        #expect(player.play(atTime: .infinity), "never comes")
        bench.pass(1)
        #expect(player.currentTime == 0)
        player.stop()
    }

    @Test("pause and stop take the moment back, a seek does not, and the clock runs on in pause")
    func takenBack() throws {
        let bench = try SpeakerBench()
        let player = try bench.player("a.wav", frames: 48_000) { Float($0) / 48_000 }
        let before = player.deviceCurrentTime
        #expect(player.play(atTime: before + 0.5))
        bench.pass(0.2)
        player.pause()
        #expect(!player.isPlaying)
        bench.pass(0.6)
        #expect(player.currentTime == 0)
        #expect(player.deviceCurrentTime > before + 0.79, "it ran on")
        #expect(player.play(atTime: player.deviceCurrentTime + 0.5))
        player.currentTime = 0.25
        bench.pass(0.4)
        #expect(player.currentTime == 0.25, "it still waits, elsewhere")
        bench.pass(0.3)
        #expect(abs(player.currentTime - 0.45) < 0.025)
        player.pause()
        let paused = player.currentTime
        #expect(player.play(atTime: player.deviceCurrentTime + 0.2))
        bench.pass(0.19)
        #expect(abs(player.currentTime - paused) < 0.000_1, "from where it was paused")
        player.stop()
    }
}
