import AudioCore
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite struct LevelMeterTests {
    private func sine(_ amplitude: Float, frequency: Double = 440, rate: Double = 44_100, frames: Int) -> [Float] {
        (0..<frames).map { amplitude * Float(sin(2 * Double.pi * frequency * Double($0) / rate)) }
    }

    private func feed(_ meter: LevelMeter, _ samples: [Float]) {
        samples.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            meter.update(base, frames: buffer.count / meter.channelCount)
        }
    }

    @Test(arguments: [8_000.0, 44_100, 48_000, 192_000]) func sineOfMinus20(rate: Double) {
        let meter = LevelMeter(channelCount: 1, sampleRate: rate)
        // In odd pieces, as a device brings them.
        let audio = sine(0.1, rate: rate, frames: Int(rate / 2))
        for start in stride(from: 0, to: audio.count, by: 441) {
            feed(meter, Array(audio[start..<min(start + 441, audio.count)]))
        }
        #expect(abs(meter.averagePower(channel: 0) + 23.01) < 0.1)
        #expect(abs(meter.peakPower(channel: 0) + 20) < 0.1)
    }

    @Test func silenceIsTheFloorAndFullScaleTheCeiling() {
        let meter = LevelMeter(channelCount: 1, sampleRate: 48_000)
        #expect(meter.averagePower(channel: 0) == -160)
        feed(meter, [Float](repeating: 0, count: 48_000))
        #expect(meter.averagePower(channel: 0) == -160 && meter.peakPower(channel: 0) == -160)
        feed(meter, [Float](repeating: 1, count: 48_000))
        #expect(meter.averagePower(channel: 0) == 0 && meter.peakPower(channel: 0) == 0)
        feed(meter, [Float](repeating: 40, count: 48_000))
        #expect(meter.averagePower(channel: 0) == 0 && meter.peakPower(channel: 0) == 0)
        feed(meter, sine(0.9886, rate: 48_000, frames: 48_000))
        #expect(abs(meter.peakPower(channel: 0) + 0.1) < 0.01)
    }

    @Test func whatIsNotANumberNeverShows() {
        let meter = LevelMeter(channelCount: 1, sampleRate: 48_000)
        feed(meter, [Float](repeating: .nan, count: 4_800))
        #expect(meter.averagePower(channel: 0) == -160 && meter.peakPower(channel: 0) == -160)
        feed(meter, [Float](repeating: -.infinity, count: 4_800))
        #expect(meter.averagePower(channel: 0) == 0 && meter.peakPower(channel: 0) == 0)
    }

    @Test func channelsAreApart() {
        let meter = LevelMeter(channelCount: 2, sampleRate: 44_100)
        feed(meter, sine(0.5, frames: 22_050).flatMap { [$0, 0] })
        #expect(abs(meter.peakPower(channel: 0) + 6.02) < 0.05)
        #expect(meter.peakPower(channel: 1) == -160)
        #expect(meter.peakPower(channel: 2) == -160 && meter.averagePower(channel: -1) == -160)
    }

    @Test func theWindowForgetsAndResetIsImmediate() {
        let meter = LevelMeter(channelCount: 1, sampleRate: 48_000)
        feed(meter, sine(0.5, rate: 48_000, frames: 9_600))
        feed(meter, [Float](repeating: 0, count: 1_920))
        #expect(meter.peakPower(channel: 0) > -7)
        feed(meter, [Float](repeating: 0, count: 3_840))
        #expect(meter.peakPower(channel: 0) == -160)
        feed(meter, sine(0.5, rate: 48_000, frames: 9_600))
        meter.reset()
        #expect(meter.peakPower(channel: 0) == -160 && meter.averagePower(channel: 0) == -160)
        feed(meter, sine(0.1, rate: 48_000, frames: 9_600))
        #expect(abs(meter.averagePower(channel: 0) + 23.01) < 0.1)
    }
}
