import AudioCore
import MediaCodecs
import Testing

@Suite struct LinearPCMTests {
    static let layouts: [LinearPCMLayout] = [false, true].flatMap { isBigEndian in
        [
            LinearPCMLayout(bitsPerSample: 8, isBigEndian: isBigEndian),
            LinearPCMLayout(bitsPerSample: 8, isBigEndian: isBigEndian, isSigned: false),
            LinearPCMLayout(bitsPerSample: 16, isBigEndian: isBigEndian),
            LinearPCMLayout(bitsPerSample: 24, isBigEndian: isBigEndian),
            LinearPCMLayout(bitsPerSample: 32, isBigEndian: isBigEndian),
            LinearPCMLayout(bitsPerSample: 32, isFloat: true, isBigEndian: isBigEndian),
            LinearPCMLayout(bitsPerSample: 64, isFloat: true, isBigEndian: isBigEndian),
        ]
    }

    @Test(arguments: layouts, [1, 2, 5]) func everyLayoutComesBackExactly(layout: LinearPCMLayout, channels: Int) throws
    {
        let encoder = try CodecBench.makeEncoder(.linearPCM(layout), channels: channels)
        let decoder = try CodecBench.makeDecoder(encoder.stream)
        #expect(encoder.stream.bytesPerPacket == layout.bytesPerSample * channels)
        let count = channels * 333
        switch layout.naturalSampleType {
        case .int16:
            let unit = layout.bitsPerSample == 8 ? 256 : 1
            let samples = (0..<count).map { Int16(clamping: ($0 * 7919 % 65536 - 32768) / unit * unit) }
            try roundTrip(samples, encoder, decoder)
        case .int32:
            let unit = layout.bitsPerSample == 24 ? 256 : 1
            let samples = (0..<count).map { ($0 * 1_234_567_891 % (1 << 32) - 1 << 31) / unit * unit }
            try roundTrip(samples.map { Int32(clamping: $0) }, encoder, decoder)
        case .float32:
            try roundTrip((0..<count).map { Float($0) * 0.01 - 3.3 }, encoder, decoder)
        case .float64:
            try roundTrip((0..<count).map { Double($0) * 0.01 - 3.3 }, encoder, decoder)
        }
    }

    private func roundTrip<Sample: Equatable>(
        _ samples: [Sample],
        _ encoder: any PacketEncoder,
        _ decoder: any PacketDecoder
    ) throws {
        let packets = try CodecBench.packets(encoder, samples, piece: 100)
        #expect(packets.reduce(0) { $0 + $1.frames } * encoder.input.channelCount == samples.count)
        #expect(try CodecBench.decoded(packets, decoder, as: Sample.self) == samples)
    }

    @Test func bytesLieAsTheLayoutSays() throws {
        func bytes(_ layout: LinearPCMLayout, _ sample: some Any) throws -> [UInt8] {
            let encoder = try CodecBench.makeEncoder(.linearPCM(layout))
            switch sample {
            case let value as Int16: return try CodecBench.packets(encoder, [value]).flatMap(\.bytes)
            case let value as Int32: return try CodecBench.packets(encoder, [value]).flatMap(\.bytes)
            default: return []
            }
        }
        #expect(try bytes(LinearPCMLayout(bitsPerSample: 16, isBigEndian: true), Int16(0x1234)) == [0x12, 0x34])
        #expect(try bytes(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false), Int16(0x1234)) == [0x34, 0x12])
        let wide = Int32(0x1234_5600)
        #expect(try bytes(LinearPCMLayout(bitsPerSample: 24, isBigEndian: true), wide) == [0x12, 0x34, 0x56])
        #expect(try bytes(LinearPCMLayout(bitsPerSample: 24, isBigEndian: false), wide) == [0x56, 0x34, 0x12])
        let unsigned = LinearPCMLayout(bitsPerSample: 8, isBigEndian: false, isSigned: false)
        #expect(try bytes(unsigned, Int16(0)) == [0x80])
        #expect(try bytes(unsigned, Int16.max) == [0xFF])
        #expect(try bytes(unsigned, Int16.min) == [0x00])
    }

    @Test func narrowLayoutsRoundAndDoNotWrap() throws {
        let layout = LinearPCMLayout(bitsPerSample: 24, isBigEndian: true)
        let encoder = try CodecBench.makeEncoder(.linearPCM(layout))
        let packets = try CodecBench.packets(encoder, [Int32.max, .min, 0x17F, 0x180])
        #expect(packets.flatMap(\.bytes) == [0x7F, 0xFF, 0xFF, 0x80, 0, 0, 0, 0, 1, 0, 0, 2])
    }
}
