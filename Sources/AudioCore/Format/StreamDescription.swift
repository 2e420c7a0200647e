/// The codecs that the media seam speaks of by name. What comes from other people's files may have others.
package enum CodecID: Sendable, Hashable {
    case linearPCM(LinearPCMLayout)
    case aac
    case alac
    case ima4
    case flac
    case opus
    case muLaw
    case aLaw
    /// A codec known to the foreign-format adapter only, by that adapter's name for it ("mp3", "vorbis").
    case foreign(String)

    /// The short name shown to people.
    package var name: String {
        switch self {
        case .linearPCM: "pcm"
        case .aac: "aac"
        case .alac: "alac"
        case .ima4: "ima4"
        case .flac: "flac"
        case .opus: "opus"
        case .muLaw: "ulaw"
        case .aLaw: "alaw"
        case .foreign(let name): name
        }
    }

    /// True where decoding gives back exactly what was encoded.
    package var isLossless: Bool {
        switch self {
        case .linearPCM, .alac, .flac: true
        default: false
        }
    }
}

/// One audio stream as a container and a codec agree on it.
package struct StreamDescription: Sendable, Hashable {
    package var codec: CodecID
    /// Frames per second of the decoded audio; every count of frames is at this rate. Opus always runs at 48 000 inside:
    /// here it is the rate encoded from or decoded to, 48 000 divided by 1, 2, 3, 4 or 6, and containers that count at
    /// 48 000 (Ogg granules, pre-skip) multiply by that divisor.
    package var sampleRate: Double
    package var channelCount: Int
    /// Frames in every packet, 0 where packets differ. 1 for linear PCM and G.711, 64 for IMA4, 1024 for AAC-LC, 4096 for
    /// ALAC.
    package var framesPerPacket: Int
    /// Bytes in every packet, 0 where packets differ. For linear PCM the bytes of one frame.
    package var bytesPerPacket: Int
    /// Significant bits of the source for lossless codecs and PCM (16, 24 …); 0 where that has no meaning.
    package var bitsPerChannel: Int
    /// Codec set-up in its plain form: `AudioSpecificConfig` for AAC, the 24-byte `ALACSpecificConfig` (36 bytes with
    /// channel layout) for ALAC, the 34-byte STREAMINFO for FLAC, the `OpusHead` packet for Opus; empty for others.
    package var configuration: [UInt8]
    /// Frames that the decoder puts out before the first frame of the recording (encoder delay), at `sampleRate`.
    package var primingFrames: FrameCount
    /// Mean bits per second, 0 where unknown.
    package var bitRate: Int

    package init(
        codec: CodecID,
        sampleRate: Double,
        channelCount: Int,
        framesPerPacket: Int,
        bytesPerPacket: Int = 0,
        bitsPerChannel: Int = 0,
        configuration: [UInt8] = [],
        primingFrames: FrameCount = 0,
        bitRate: Int = 0
    ) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.framesPerPacket = framesPerPacket
        self.bytesPerPacket = bytesPerPacket
        self.bitsPerChannel = bitsPerChannel
        self.configuration = configuration
        self.primingFrames = primingFrames
        self.bitRate = bitRate
    }
}

/// The files that we write and read by ourselves, and the name of everything else.
package enum ContainerKind: Sendable, Hashable {
    case m4a, caf, wav, aiff, aifc, flac, oggOpus
    /// Read by the foreign-format adapter only, by that adapter's name for it ("mp3", "matroska").
    case foreign(String)

    package var name: String {
        switch self {
        case .m4a: "m4a"
        case .caf: "caf"
        case .wav: "wav"
        case .aiff: "aiff"
        case .aifc: "aifc"
        case .flac: "flac"
        case .oggOpus: "opus"
        case .foreign(let name): name
        }
    }

    /// The container that a file name asks for, by its extension (any case); nil where we write none of that name.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "m4a", "mp4", "m4b": self = .m4a
        case "caf": self = .caf
        case "wav", "wave": self = .wav
        case "aif", "aiff": self = .aiff
        case "aifc": self = .aifc
        case "flac": self = .flac
        case "opus", "ogg", "oga": self = .oggOpus
        default: return nil
        }
    }
}
