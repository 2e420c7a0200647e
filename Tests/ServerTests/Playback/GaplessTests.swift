import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// One sine cut in two at an odd frame, played by two players of which the second is given the end of the first.
@Suite("From one player to the next", .serialized)
struct GaplessTests {
    @Test("nothing is missing, nothing is twice, nothing clicks", arguments: ServerKind.allCases)
    func follows(_ kind: ServerKind) throws {
        let rig = try PlayerRig(kind)
        let sine = { (frame: Int) in 0.5 * Float(sin(2 * .pi * 437 * Double(frame) / PlayerRig.rate)) }
        let (cut, rest) = (31_234, 20_000)
        let first = try rig.player("first.wav", seconds: Double(cut) / PlayerRig.rate, sine)
        let second = try rig.player("second.wav", seconds: Double(rest) / PlayerRig.rate) { sine(cut + $0) }
        #expect(first.prepareToPlay() && second.prepareToPlay())
        let ear = try rig.ear()
        defer { ear.stream.close() }
        let start = first.deviceCurrentTime + 0.4
        #expect(first.play(atTime: start))
        #expect(second.play(atTime: start + first.duration))
        #expect(rig.eventually { rig.heard.all == ["finished true", "finished true"] })
        Thread.sleep(forTimeInterval: 0.2)
        let heard = ear.sink.samples(channel: 0)
        // The first frame is 0; the second, 0.0286, is the first that is heard.
        let begin = try #require(heard.firstIndex { abs($0) > 0.01 }) - 1
        try #require(heard.count >= begin + cut + rest)
        let worst = (0..<(cut + rest)).map { abs(heard[begin + $0] - sine($0)) }.max() ?? 1
        #expect(worst < 0.005, "one frame more or less would be 0.03")
    }
}
