import AudioCore
import MediaCodecs
import MediaContainers
import Testing
import TestSupport

/// Takes in the containers of PCM and their kin: made, read back, compared.
enum LivePCMTakes {
    static let media = MediaRegistry(providers: [ContainerProvider(), PCMCodecProvider()])

    static func linear(_ bits: Int, isFloat: Bool = false, isBigEndian: Bool = false) -> EncodingRequest.Codec {
        .linearPCM(
            LinearPCMLayout(
                bitsPerSample: bits,
                isFloat: isFloat,
                isBigEndian: isBigEndian,
                isSigned: bits > 8 || isBigEndian
            )
        )
    }

    /// A tone with a little noise: every sample type holds another part of it.
    static func tone(frames: Int, channels: Int, rate: Double = 44_100) -> [Float] {
        var random = SeededGenerator(seed: 3)
        return (0..<frames).flatMap { frame -> [Float] in
            let value = 0.5 * sine(440 * Double(frame) / rate) + Double.random(in: -0.001...0.001, using: &random)
            return (0..<channels).map { Float(value / Double($0 + 1)) }
        }
    }

    /// The sine of `turns` full circles.
    private static func sine(_ turns: Double) -> Double {
        // Two parabolas are sine enough here, and need no library.
        let part = turns - turns.rounded(.down)
        return part < 0.5 ? 16 * part * (0.5 - part) : 16 * (part - 1) * (part - 0.5)
    }

    struct Take {
        var file: MemoryFile
        /// What the encoder was given, in its own type, as one value.
        var source: [Float]
        var encoder: any PacketEncoder
        var packets: [EncodedPacket]
    }

    /// A take of `frames` frames with a checkpoint after every `piece`, finished.
    static func record(
        _ codec: EncodingRequest.Codec,
        in container: ContainerKind,
        frames: Int,
        rate: Double = 44_100,
        channels: Int = 1,
        piece: Int = 1_000,
        metadata: MediaMetadata = MediaMetadata(),
        afterCheckpoint: (any ContainerWriter, MemoryFile) throws -> Void = { _, _ in }
    ) throws -> Take {
        let encoder = try media.makeEncoder(
            EncodingRequest(codec: codec, sampleRate: rate, channelCount: channels)
        )
        let file = MemoryFile()
        let writer = try media.makeWriter(
            container,
            stream: encoder.stream,
            file: file,
            options: WriterOptions(metadata: metadata)
        )
        let source = tone(frames: frames, channels: channels, rate: rate)
        let floats = PCMFormat(sampleRate: rate, channelCount: channels)
        let converter = SampleConverter(from: floats, to: encoder.input)
        let (input, converted) = (
            PCMBuffer(format: floats, capacity: piece), PCMBuffer(format: encoder.input, capacity: piece)
        )
        var packets: [EncodedPacket] = []
        func write(_ packet: EncodedPacket) throws(AudioFailure) {
            packets.append(packet)
            try writer.append(packet)
        }
        for start in stride(from: 0, to: frames, by: piece) {
            let count = min(piece, frames - start)
            for index in 0..<count * channels {
                input.samples(as: Float.self)[index] = source[start * channels + index]
            }
            input.setFrameLength(count)
            converter.convert(input, into: converted)
            try encoder.encode(converted, emit: write)
            try writer.checkpoint(synchronize: true)
            try afterCheckpoint(writer, file)
        }
        try encoder.finish(emit: write)
        try writer.finish(validFrames: FrameCount(frames))
        return Take(file: file, source: source, encoder: encoder, packets: packets)
    }

    /// All frames as decoded, interleaved.
    static func frames(of source: any ByteSource, from start: FrameCount = 0) throws -> (FrameReader, [Float]) {
        let reader = try FrameReader(source, media: media)
        try reader.seek(to: start)
        let buffer = PCMBuffer(format: reader.format, capacity: 4_096)
        let floats = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount)
        let converter = SampleConverter(from: reader.format, to: floats)
        let converted = PCMBuffer(format: floats, capacity: 4_096)
        var result: [Float] = []
        while true {
            buffer.setFrameLength(0)
            if try reader.read(into: buffer) == 0 { break }
            converter.convert(buffer, into: converted)
            result += converted.samples(as: Float.self).prefix(converted.frameLength * floats.channelCount)
        }
        return (reader, result)
    }

    /// Bytes of the audio as one run.
    static func payload(_ reader: any ContainerReader) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let packet = try reader.nextPacket() { bytes += packet.bytes }
        return bytes
    }
}
