package import AudioCore

/// The codecs that need no library: linear PCM, µ-law, A-law and Apple's IMA4.
package struct PCMCodecProvider: MediaProvider {
    package init() {}

    package var name: String { "pcm" }

    package func makeEncoder(_ request: EncodingRequest) throws(AudioFailure) -> (any PacketEncoder)? {
        switch request.codec {
        case .linearPCM(let layout):
            try CodecLimits.check(rate: request.sampleRate, channels: request.channelCount, codec: "Linear PCM")
            return try LinearPCMEncoder(
                layout: layout,
                sampleRate: request.sampleRate,
                channelCount: request.channelCount
            )
        case .muLaw, .aLaw:
            let law: CompandingLaw = request.codec == .muLaw ? .mu : .a
            try CodecLimits.check(rate: request.sampleRate, channels: request.channelCount, codec: law.title)
            return G711Encoder(law: law, sampleRate: request.sampleRate, channelCount: request.channelCount)
        case .ima4:
            try CodecLimits.check(
                rate: request.sampleRate,
                channels: request.channelCount,
                codec: "IMA4",
                maximumChannels: IMA4.maximumChannels
            )
            return IMA4Encoder(sampleRate: request.sampleRate, channelCount: request.channelCount)
        default:
            return nil
        }
    }

    package func makeDecoder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketDecoder)? {
        switch stream.codec {
        case .linearPCM(let layout):
            try CodecLimits.check(rate: stream.sampleRate, channels: stream.channelCount, codec: "Linear PCM")
            return try LinearPCMDecoder(
                layout: layout,
                sampleRate: stream.sampleRate,
                channelCount: stream.channelCount
            )
        case .muLaw, .aLaw:
            let law: CompandingLaw = stream.codec == .muLaw ? .mu : .a
            try CodecLimits.check(rate: stream.sampleRate, channels: stream.channelCount, codec: law.title)
            return G711Decoder(law: law, sampleRate: stream.sampleRate, channelCount: stream.channelCount)
        case .ima4:
            try CodecLimits.check(
                rate: stream.sampleRate,
                channels: stream.channelCount,
                codec: "IMA4",
                maximumChannels: IMA4.maximumChannels
            )
            return IMA4Decoder(sampleRate: stream.sampleRate, channelCount: stream.channelCount)
        default:
            return nil
        }
    }

    package func makePacketFinder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketFinder)? {
        stream.codec == .alac ? try ALACPacketFinder(stream) : nil
    }
}

/// What the codecs of this module accept.
enum CodecLimits {
    /// Above every rate in use, and small enough that no count of bytes per second overflows.
    static let maximumRate = 1_536_000.0
    static let maximumChannels = 256

    static func check(
        rate: Double,
        channels: Int,
        codec: String,
        maximumChannels: Int = CodecLimits.maximumChannels
    ) throws(AudioFailure) {
        // Written so that NaN fails too.
        guard rate >= 1, rate <= maximumRate else {
            throw AudioFailure(
                .invalidArgument,
                "\(codec) cannot have the sample rate \(rate) Hz: 1 to \(Int(maximumRate)) Hz is allowed.",
                argument: .sampleRate
            )
        }
        guard channels >= 1, channels <= maximumChannels else {
            throw AudioFailure(
                .invalidArgument,
                "\(codec) cannot have \(channels) channels: 1 to \(maximumChannels) is allowed.",
                argument: .channelCount
            )
        }
    }

    /// A packet that is not a whole number of units is damaged.
    static func units(in packet: EncodedPacket, of size: Int, codec: String) throws(AudioFailure) -> Int {
        let (units, rest) = packet.bytes.count.quotientAndRemainder(dividingBy: size)
        guard rest == 0 else {
            throw AudioFailure(
                .malformedMedia,
                "A packet of \(codec) has \(packet.bytes.count) bytes, which is not a multiple of \(size)."
            )
        }
        return units
    }

    /// Buffers of another format are a defect of the caller, but none that may be read as audio.
    static func check(_ buffer: PCMBuffer, is format: PCMFormat) throws(AudioFailure) {
        guard buffer.format == format else {
            throw AudioFailure(.internal, "The buffer has the format \(buffer.format), the encoder takes \(format).")
        }
    }
}

/// A buffer that a decoder fills again and again, replaced only when it must grow.
struct ReusedBuffer {
    private var buffer: PCMBuffer
    var format: PCMFormat { buffer.format }

    init(format: PCMFormat, capacity: Int) { buffer = PCMBuffer(format: format, capacity: capacity) }

    /// The buffer with room for `frames`, which are also its length.
    mutating func sized(for frames: Int) -> PCMBuffer {
        if buffer.capacity < frames { buffer = PCMBuffer(format: buffer.format, capacity: frames) }
        buffer.setFrameLength(frames)
        return buffer
    }
}
