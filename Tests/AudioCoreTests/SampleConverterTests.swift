import AudioCore
import Testing

@Suite struct SampleConverterTests {
    private func converted<Source, Target>(
        _ samples: [Source],
        _ from: SampleType,
        _ to: SampleType,
        channels: (Int, Int) = (1, 1),
        as _: Target.Type
    ) -> [Target] {
        let input = PCMFormat(sampleType: from, sampleRate: 48_000, channelCount: channels.0)
        let output = PCMFormat(sampleType: to, sampleRate: 48_000, channelCount: channels.1)
        let frames = samples.count / channels.0
        let source = PCMBuffer(format: input, capacity: frames)
        let target = PCMBuffer(format: output, capacity: frames)
        for (index, sample) in samples.enumerated() { source.samples(as: Source.self)[index] = sample }
        source.setFrameLength(frames)
        SampleConverter(from: input, to: output).convert(source, into: target)
        #expect(target.frameLength == frames)
        return Array(target.samples(as: Target.self).prefix(frames * channels.1))
    }

    @Test func everyInt16SurvivesEveryOtherType() {
        let all = (Int16.min...Int16.max).map { $0 }
        let floats = converted(all, .int16, .float32, as: Float.self)
        #expect(floats[0] == -1)
        #expect(converted(floats, .float32, .int16, as: Int16.self) == all)
        let doubles = converted(all, .int16, .float64, as: Double.self)
        #expect(converted(doubles, .float64, .int16, as: Int16.self) == all)
        let wide = converted(all, .int16, .int32, as: Int32.self)
        #expect(wide[0] == .min)
        #expect(wide.last == 32767 << 16)
        #expect(converted(wide, .int32, .int16, as: Int16.self) == all)
    }

    @Test func twentyFourBitsSurviveFloat32AndThirtyTwoSurviveFloat64() {
        let samples = stride(from: Int32(-8_388_608), through: 8_388_607, by: 997).map { $0 << 8 }
        let floats = converted(samples, .int32, .float32, as: Float.self)
        #expect(converted(floats, .float32, .int32, as: Int32.self) == samples)
        let wide: [Int32] = [.min, .min + 1, -1, 0, 1, 0x1234_5679, .max - 1, .max]
        let doubles = converted(wide, .int32, .float64, as: Double.self)
        #expect(converted(doubles, .float64, .int32, as: Int32.self) == wide)
    }

    @Test func roundsToNearestAndClamps() {
        let step: Float = 1 / 32768
        let values: [Float] = [0.4 * step, 0.6 * step, -0.6 * step, -1.4 * step, 1, 2, -2, .infinity, -.infinity, .nan]
        #expect(
            converted(values, .float32, .int16, as: Int16.self) == [
                0, 1, -1, -1, 32767, 32767, -32768, 32767, -32768, 0,
            ]
        )
        #expect(converted(values.suffix(5), .float32, .int32, as: Int32.self) == [.max, .min, .max, .min, 0])
        #expect(converted([Int32(0x7FFF_FFFF), 0x0000_8001], .int32, .int16, as: Int16.self) == [32767, 1])
    }

    @Test func monoGoesToBothSidesAndStereoToItsMean() {
        let up = converted([Int16(100), -7], .int16, .int16, channels: (1, 2), as: Int16.self)
        #expect(up == [100, 100, -7, -7])
        let down = converted([Int16(100), 200, -32768, -32768], .int16, .float32, channels: (2, 1), as: Float.self)
        #expect(down == [150 / 32768, -1])
    }

    @Test func otherLayoutsFollowTheirRule() {
        let quad = converted([Float(0.1), 0.2, 0.3, 0.4], .float32, .float32, channels: (4, 2), as: Float.self)
        #expect(abs(quad[0] - 0.2) < 1e-6 && abs(quad[1] - 0.3) < 1e-6)
        #expect(
            converted([Float(0.1), 0.2], .float32, .float32, channels: (2, 4), as: Float.self) == [0.1, 0.2, 0, 0]
        )
        // Front left alone, then low frequency alone (with what is not a number), then everything at full scale.
        let surround: [Float] = [1, 0, 0, 0, 0, 0] + [0, 0, 0, .nan, 0, 0] + [1, 1, 1, 1, 1, 1]
        let stereo = converted(surround, .float32, .float32, channels: (6, 2), as: Float.self)
        #expect(abs(stereo[0] - 0.41421) < 1e-4 && stereo[1] == 0)
        #expect(stereo[2] == 0 && stereo[3] == 0)
        #expect(abs(stereo[4] - 1) < 1e-6 && abs(stereo[5] - 1) < 1e-6)
        let mono = converted(surround, .float32, .float32, channels: (6, 1), as: Float.self)
        #expect(abs(mono[2] - 1) < 1e-6 && abs(mono[0] - 0.2071) < 1e-4)
    }
}
