import AudioCore
import Foundation
import MediaCodecs
import Testing

/// Runs codecs over whole signals.
enum CodecBench {
    static func makeEncoder(
        _ codec: EncodingRequest.Codec,
        rate: Double = 44_100,
        channels: Int = 1
    ) throws -> any PacketEncoder {
        let request = EncodingRequest(codec: codec, sampleRate: rate, channelCount: channels)
        return try #require(try PCMCodecProvider().makeEncoder(request))
    }

    static func makeDecoder(_ stream: StreamDescription) throws -> any PacketDecoder {
        try #require(try PCMCodecProvider().makeDecoder(stream))
    }

    /// Encodes in pieces of `piece` frames and finishes.
    static func packets<Sample>(
        _ encoder: any PacketEncoder,
        _ samples: [Sample],
        piece: Int = 1_000
    ) throws -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        let channels = encoder.input.channelCount
        let buffer = PCMBuffer(format: encoder.input, capacity: piece)
        for start in stride(from: 0, to: samples.count, by: piece * channels) {
            let part = samples[start..<min(start + piece * channels, samples.count)]
            let target = buffer.samples(as: Sample.self)
            for (index, sample) in part.enumerated() { target[index] = sample }
            buffer.setFrameLength(part.count / channels)
            try encoder.encode(buffer) { packets.append($0) }
        }
        try encoder.finish { packets.append($0) }
        return packets
    }

    static func decoded<Sample>(
        _ packets: [EncodedPacket],
        _ decoder: any PacketDecoder,
        as _: Sample.Type
    ) throws -> [Sample] {
        var samples: [Sample] = []
        let take: (PCMBuffer) throws(AudioFailure) -> Void = { buffer in
            samples += buffer.samples(as: Sample.self).prefix(buffer.frameLength * buffer.format.channelCount)
        }
        for packet in packets { try decoder.decode(packet, emit: take) }
        try decoder.finish(emit: take)
        return samples
    }

    /// Of `decoded` against `source`, in decibels.
    static func signalToNoise(_ source: [Float], _ decoded: [Int16]) -> Double {
        var signal = 0.0
        var noise = 0.0
        for (expected, found) in zip(source, decoded) {
            signal += expected.scaled * expected.scaled
            noise += (expected.scaled - found.scaled) * (expected.scaled - found.scaled)
        }
        return 10 * log10(signal / noise)
    }
}
