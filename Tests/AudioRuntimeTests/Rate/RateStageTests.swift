import AudioCore
import Foundation
import StretchSoundTouch
import TestSupport
import Testing

@Suite("Rate with the pitch kept")
struct RateStageTests {
    static let rates = [0.5, 0.75, 1.25, 1.5, 2.0]

    @Test("the pitch stays within 3 cents, the length is exact to a frame", arguments: rates, [220.0, 440, 1_000.3])
    func pitchAndLength(rate: Double, frequency: Double) throws {
        let sound = StagedSound()
        let source = StagedSound.sine(frequency, seconds: 3)
        try sound.stage.setRate(rate)
        try sound.put(source[...])
        try sound.finish()
        #expect(abs(Double(sound.given) - Double(source.count) / rate) <= 1)
        #expect(abs(sound.stage.timeline.source - Double(source.count)) <= rate)
        // Pieces are joined where they fit best, so the phase wanders a little: over a second it is averaged.
        let middle = Array(sound.output[8_820..<(sound.given - 8_820)])
        let heard = Measure.frequency(middle, near: frequency, sampleRate: 44_100)
        #expect(abs(1_200 * log2(heard / frequency)) < 3, "\(heard) Hz")
        #expect(abs(Measure.decibels(middle) - Measure.decibels(source)) < 0.1)
        #expect(steepest(middle) < 1.3 * steepest(source), "no click")
    }

    @Test("at rate 1 not a bit changes")
    func transparent() throws {
        let sound = StagedSound()
        let source = StagedSound.sine(440, seconds: 1)
        try sound.stage.setRate(1)
        try sound.put(source[...])
        try sound.finish()
        #expect(sound.output.elementsEqual(source))
    }

    @Test("a change begins with the frame that would have followed, and the way back ends in the sound itself")
    func thereAndBack() throws {
        let sound = StagedSound()
        let source = StagedSound.sine(440, seconds: 4)
        try sound.put(source[..<44_100])
        try sound.stage.setRate(1.5)
        try sound.put(source[44_100..<110_250])
        #expect(sound.output[..<44_500].elementsEqual(source[..<44_500]), "the sound itself, beyond the change")
        try sound.stage.setRate(1)
        try sound.put(source[110_250...])
        try sound.finish()
        let rest = source.count - Int(sound.stage.timeline.source(at: Int64(sound.given) - 20_000))
        #expect(rest == 20_000)
        #expect(sound.output.suffix(20_000).elementsEqual(source.suffix(20_000)), "bit by bit")
        #expect(steepest(sound.output) < 1.3 * steepest(source), "no click at either change")
        let quietest = envelope(sound.output).dropFirst(2).dropLast(2).min() ?? 0
        #expect(quietest > 0.9 * 0.5, "no hole at either change: \(quietest)")
    }

    @Test("rates that change all the time keep the pitch, the position and the length")
    func wandering() throws {
        let sound = StagedSound()
        let source = StagedSound.sine(440, seconds: 8)
        var random = SeededGenerator(seed: 5)
        var place = 0
        while place < source.count {
            try sound.stage.setRate([0.5, 0.7, 1, 1, 1.2, 1.7, 2].randomElement(using: &random) ?? 1)
            let end = min(place + 2_048 * Int.random(in: 1...6, using: &random), source.count)
            try sound.put(source[place..<end])
            place = end
        }
        try sound.finish()
        #expect(abs(sound.stage.timeline.source - Double(source.count)) <= 2)
        #expect(steepest(sound.output) < 1.3 * steepest(source))
        let cycles = risingZeros(sound.output)
        let seconds = Double(sound.given) / 44_100
        #expect(abs(1_200 * log2(Double(cycles) / seconds / 440)) < 10, "counted in whole cycles")
    }

    @Test("the position is right to 20 ms, wherever the rate has changed", arguments: rates)
    func position(rate: Double) throws {
        // A chirp tells by its pitch which frame is heard.
        let seconds = 6.0
        let source = (0..<Int(seconds * 44_100)).map { frame -> Float in
            let time = Double(frame) / 44_100
            return Float(0.5 * sin(2 * Double.pi * (200 * time + 50 * time * time)))
        }
        let sound = StagedSound()
        try sound.put(source[..<44_100])
        try sound.stage.setRate(rate)
        try sound.put(source[44_100..<160_000])
        try sound.stage.setRate(1.1)
        try sound.put(source[160_000...])
        try sound.finish()
        for place in stride(from: 60_000, to: sound.given - 20_000, by: 17_000) {
            let part = Array(sound.output[(place - 2_205)..<(place + 2_205)])
            let frequency = frequency(of: part)
            let heard = (frequency - 200) / 100
            let stated = sound.stage.timeline.source(at: Int64(place)) / 44_100
            #expect(abs(heard - stated) < 0.02, "frame \(place): \(heard) s heard, \(stated) s stated")
        }
    }

    @Test(
        "the end is not cut and not padded, however short the sound is",
        arguments: rates,
        [0, 1, 10, 441, 3_000, 9_001]
    )
    func shortSounds(rate: Double, frames: Int) throws {
        let sound = StagedSound(channels: 2)
        let source = StagedSound.sine(440, seconds: 1, channels: 2)
        try sound.stage.setRate(rate)
        try sound.put(source[..<(2 * frames)])
        try sound.finish()
        #expect(abs(Double(sound.given) - Double(frames) / rate) <= 1)
        // What follows is a new sound.
        sound.stage.reset(to: 0)
        try sound.stage.setRate(1)
        #expect(sound.stage.passesThrough)
    }

    @Test("the last click of a sound is heard at its place", arguments: rates)
    func lastClick(rate: Double) throws {
        var source = [Float](repeating: 0, count: 44_100)
        for index in 42_300..<43_600 { source[index] = 0.8 * Float(sin(Double(index) * 0.3)) }
        let sound = StagedSound()
        try sound.stage.setRate(rate)
        try sound.put(source[...])
        try sound.finish()
        let loudest = sound.output.indices.max { abs(sound.output[$0]) < abs(sound.output[$1]) } ?? 0
        #expect(abs(sound.output[loudest]) > 0.6)
        #expect(abs(Double(loudest) - 42_950 / rate) < 0.04 * 44_100)
    }

    @Test("channels stay apart and in step")
    func channels() throws {
        let sound = StagedSound(channels: 4)
        let source = (0..<44_100 * 4).map { index -> Float in
            let channel = index % 4
            let phase = 2 * Double.pi * 440 * Double(index / 4) / 44_100
            return channel == 2 ? 0 : Float(0.1 * Double(channel + 1) * sin(phase))
        }
        try sound.stage.setRate(1.3)
        try sound.put(source[...])
        try sound.finish()
        for channel in 0..<4 {
            let own = stride(from: channel + 4 * 4_410, to: sound.output.count - 4 * 4_410, by: 4).map {
                sound.output[$0]
            }
            let first = stride(from: 4 * 4_410, to: sound.output.count - 4 * 4_410, by: 4).map { sound.output[$0] }
            let factor: Float = channel == 2 ? 0 : Float(channel + 1)
            #expect(zip(own, first).allSatisfy { abs($0 - factor * $1) < 1e-4 })
        }
    }

    @Test("more channels than the stretcher takes are refused, typed, and the rate stays")
    func refusal() throws {
        let stage = RateStage(sampleRate: 44_100, channelCount: 40, provider: SoundTouchProvider())
        let failure = #expect(throws: AudioFailure.self) { try stage.setRate(1.5) }
        #expect(failure?.code == .unsupported)
        #expect(stage.passesThrough)
        try stage.setRate(1)
    }

    // MARK: Measures

    private func steepest(_ samples: [Float]) -> Float {
        zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
    }

    /// The peak of each 5 ms.
    private func envelope(_ samples: [Float]) -> [Float] {
        stride(from: 0, to: samples.count - 220, by: 220).map { start in
            samples[start..<start + 220].reduce(0) { max($0, abs($1)) }
        }
    }

    private func risingZeros(_ samples: [Float]) -> Int {
        zip(samples, samples.dropFirst()).reduce(0) { $0 + ($1.0 < 0 && $1.1 >= 0 ? 1 : 0) }
    }

    /// Cycles for each second, from the first to the last rise through zero.
    private func frequency(of samples: [Float]) -> Double {
        var rises: [Double] = []
        for index in 1..<samples.count where samples[index - 1] < 0 && samples[index] >= 0 {
            rises.append(Double(index) - Double(samples[index] / (samples[index] - samples[index - 1])))
        }
        guard let first = rises.first, let last = rises.last, rises.count > 1 else { return 0 }
        return Double(rises.count - 1) * 44_100 / (last - first)
    }
}
