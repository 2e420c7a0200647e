import AudioCore
import MediaCodecs
import Testing

@Suite struct G711Tests {
    @Test(arguments: [EncodingRequest.Codec.muLaw, .aLaw]) func everyCodeComesBack(codec: EncodingRequest.Codec) throws
    {
        let encoder = try CodecBench.makeEncoder(codec, rate: 8_000)
        let decoder = try CodecBench.makeDecoder(encoder.stream)
        let codes = (0...255).map { UInt8($0) }
        let samples = try CodecBench.decoded([EncodedPacket(bytes: codes, frames: 256)], decoder, as: Int16.self)
        let again = try CodecBench.packets(encoder, samples.map { Float($0) / 32768 }).flatMap(\.bytes)
        // µ-law has two codes of zero: 0x7F comes back as 0xFF.
        for (code, found) in zip(codes, again) { #expect(found == code || (codec == .muLaw && code == 0x7F)) }
    }

    /// Values of ITU-T G.711, tables 1a and 2a, on the scale of 16 bits.
    @Test func theExtremesAreThoseOfTheStandard() throws {
        let mu = try CodecBench.makeEncoder(.muLaw, rate: 8_000)
        let a = try CodecBench.makeEncoder(.aLaw, rate: 8_000)
        #expect(try CodecBench.packets(mu, [Float(1), -1, 0]).flatMap(\.bytes) == [0x80, 0x00, 0xFF])
        #expect(try CodecBench.packets(a, [Float(1), -1, 0]).flatMap(\.bytes) == [0xAA, 0x2A, 0xD5])
        let muSamples = try CodecBench.decoded(
            [EncodedPacket(bytes: [0x80, 0x00, 0xFF], frames: 3)],
            CodecBench.makeDecoder(mu.stream),
            as: Int16.self
        )
        #expect(muSamples == [32124, -32124, 0])
        let aSamples = try CodecBench.decoded(
            [EncodedPacket(bytes: [0xAA, 0x2A, 0xD5], frames: 3)],
            CodecBench.makeDecoder(a.stream),
            as: Int16.self
        )
        #expect(aSamples == [32256, -32256, 8])
    }

    @Test(arguments: [EncodingRequest.Codec.muLaw, .aLaw]) func noSampleIsFurtherThanHalfAStep(
        codec: EncodingRequest.Codec
    ) throws {
        let encoder = try CodecBench.makeEncoder(codec, rate: 8_000)
        let all = (-32768...32767).map { Float($0) / 32768 }
        let packets = try CodecBench.packets(encoder, all, piece: 4_096)
        let found = try CodecBench.decoded(packets, CodecBench.makeDecoder(encoder.stream), as: Int16.self)
        var worst = 0.0
        for (sample, decoded) in zip(all, found) where abs(sample) < 0.97 {
            worst = max(worst, abs(sample.scaled - decoded.scaled) / max(abs(sample.scaled), 0x1p-7))
        }
        // Half of one of 16 steps of a segment, at its lower end (which the bias of µ-law moves down).
        #expect(worst < (codec == .muLaw ? 0.0422 : 0.0313))
    }
}
