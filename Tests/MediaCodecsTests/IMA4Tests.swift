import AudioCore
import Foundation
import MediaCodecs
import Testing

@Suite struct IMA4Tests {
    private static func voice(_ frames: Int, level: Double = 0.3) -> [Float] {
        var seed: UInt32 = 1
        return (0..<frames).map { frame in
            seed = seed &* 1_664_525 &+ 1_013_904_223
            let time = Double(frame) / 44_100
            let noise = Double(seed >> 8) / Double(1 << 24) - 0.5
            let tone = sin(2 * .pi * 140 * time) + 0.5 * sin(2 * .pi * 1_310 * time) + 0.03 * noise
            return Float(level * (0.6 + 0.4 * sin(2 * .pi * 2 * time)) * tone)
        }
    }

    @Test(arguments: [1, 2]) func packetsAreApplesAndLengthIsPaddedTo64(channels: Int) throws {
        let encoder = try CodecBench.makeEncoder(.ima4, channels: channels)
        #expect(encoder.stream.bytesPerPacket == 34 * channels && encoder.stream.framesPerPacket == 64)
        let mono = Self.voice(4_001)
        let packets = try CodecBench.packets(
            encoder,
            mono.flatMap { [Float](repeating: $0, count: channels) },
            piece: 177
        )
        #expect(packets.count == 63)
        #expect(packets.allSatisfy { $0.frames == 64 && $0.bytes.count == 34 * channels })
        let found = try CodecBench.decoded(packets, CodecBench.makeDecoder(encoder.stream), as: Int16.self)
        #expect(found.count == 63 * 64 * channels)
        for channel in 0..<channels {
            let own = stride(from: channel, to: found.count, by: channels).map { found[$0] }
            #expect(CodecBench.signalToNoise(mono, own) > 30)
        }
    }

    @Test func searchIsBetterThanTakingTheNearest() throws {
        let source = Self.voice(44_100)
        let encoder = try CodecBench.makeEncoder(.ima4)
        let packets = try CodecBench.packets(encoder, source)
        let found = try CodecBench.decoded(packets, CodecBench.makeDecoder(encoder.stream), as: Int16.self)
        #expect(CodecBench.signalToNoise(source, found) > Self.nearestMagnitudes(source) + 0.3)
    }

    /// A plain encoder, without preambles: what the search has to beat.
    private static func nearestMagnitudes(_ source: [Float]) -> Double {
        let steps = (0...88).map { Int((7 * pow(32767.0 / 7, Double($0) / 88)).rounded()) }
        var predictor = 0
        var index = 0
        let decoded = source.map { sample -> Int16 in
            let delta = Int((sample * 32768).rounded()) - predictor
            let magnitude = min(abs(delta) * 4 / steps[index], 7)
            let distance = (2 * magnitude + 1) * steps[index] / 8
            predictor = min(max(predictor + (delta < 0 ? -distance : distance), -32768), 32767)
            index = min(max(index + (magnitude < 4 ? -1 : 2 * (magnitude - 3)), 0), 88)
            return Int16(predictor)
        }
        return CodecBench.signalToNoise(source, decoded)
    }

    @Test func silenceStaysSilent() throws {
        let encoder = try CodecBench.makeEncoder(.ima4)
        let packets = try CodecBench.packets(encoder, Self.voice(6_400) + [Float](repeating: 0, count: 64_000))
        let found = try CodecBench.decoded(packets, CodecBench.makeDecoder(encoder.stream), as: Int16.self)
        #expect(found.suffix(32_000).allSatisfy { $0 == 0 })
    }

    @Test func quietPartsHaveNoNoise() throws {
        // A fade to −60 dBFS, as in the reports about decoders that start each packet from the cut predictor.
        let source = (0..<88_200).map { frame -> Float in
            let level = frame < 44_100 ? pow(10, -3 * Double(frame) / 44_100) : 0.001
            return Float(level * 0.5 * sin(2 * .pi * 440 * Double(frame) / 44_100))
        }
        let encoder = try CodecBench.makeEncoder(.ima4)
        let packets = try CodecBench.packets(encoder, source)
        let found = try CodecBench.decoded(packets, CodecBench.makeDecoder(encoder.stream), as: Int16.self)
        var noise = 0.0
        for index in 44_100..<88_200 {
            let miss = source[index].scaled - found[index].scaled
            noise += miss * miss
        }
        #expect(10 * log10(noise / 44_100) < -80)
    }

    @Test func theRunningPredictorGoesOnWhereThePreambleAgrees() throws {
        let decoder = try CodecBench.makeDecoder(try CodecBench.makeEncoder(.ima4).stream)
        func first(predictor: Int, index: Int) throws -> Int16 {
            let preamble = UInt16(truncatingIfNeeded: predictor & ~127 | index)
            let bytes = [UInt8(preamble >> 8), UInt8(preamble & 0xFF)] + [UInt8](repeating: 0, count: 32)
            let samples = try CodecBench.decoded([EncodedPacket(bytes: bytes, frames: 64)], decoder, as: Int16.self)
            return try #require(samples.first)
        }
        // The first packet ends at predictor 128 + 12 / 8 + … with index 0: nothing that a preamble could say.
        let start = try first(predictor: 128, index: 20)
        #expect(start == 128 + 50 / 8)
        let held = try first(predictor: 128, index: 0)
        #expect(held > 128 && held < 256)
        #expect(try first(predictor: 0, index: 1) == 1)
        #expect(try first(predictor: -32768, index: 0) == -32768)
        decoder.reset()
        #expect(try first(predictor: 128, index: 0) == 128)
    }

    @Test func anyBytesDecode() throws {
        let decoder = try CodecBench.makeDecoder(try CodecBench.makeEncoder(.ima4, channels: 2).stream)
        var seed: UInt64 = 7
        for _ in 0..<500 {
            let bytes = (0..<68).map { _ -> UInt8 in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: seed >> 33)
            }
            let samples = try CodecBench.decoded([EncodedPacket(bytes: bytes, frames: 64)], decoder, as: Int16.self)
            #expect(samples.count == 128)
        }
    }

    @Test func aPacketClosedEarlyChangesNothing() throws {
        let source = Self.voice(1_000)
        let plain = try CodecBench.packets(try CodecBench.makeEncoder(.ima4), source)
        let encoder = try CodecBench.makeEncoder(.ima4)
        let buffer = PCMBuffer(format: encoder.input, capacity: 10)
        var packets: [EncodedPacket] = []
        for start in stride(from: 0, to: 1_000, by: 10) {
            for index in 0..<10 { buffer.samples(as: Float.self)[index] = source[start + index] }
            buffer.setFrameLength(10)
            try encoder.encode(buffer) { packets.append($0) }
            let partial = try encoder.partialPacket()
            #expect((partial == nil) == ((start + 10) % 64 == 0))
        }
        try encoder.finish { packets.append($0) }
        #expect(packets.map(\.bytes) == plain.map(\.bytes))
    }
}
