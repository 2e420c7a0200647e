import AudioCore

/// What M4A has to say about one codec: its sample entry, and how it is to be entered in the middle.
struct MP4Codec {
    /// Media frames for one frame of the stream: Opus in MP4 always counts at 48 000.
    let scale: Int64
    /// Media frames per second, which is also the movie's time scale.
    let timescale: UInt32
    /// Packets to decode before one comes out right; 0 where every packet stands alone.
    let rollPackets: Int
    /// Says its trims in iTunes' words too.
    let hasITunesTrims: Bool
    let sampleEntry: [UInt8]

    /// - Throws: `unsupported` for codecs that are not written to M4A, `invalidArgument` for bad descriptions.
    init(_ stream: StreamDescription) throws(AudioFailure) {
        guard stream.sampleRate.isFinite, stream.sampleRate == stream.sampleRate.rounded(),
            (1...Double(UInt32.max)).contains(stream.sampleRate)
        else {
            throw AudioFailure(.invalidArgument, "M4A needs a whole number of hertz, not \(stream.sampleRate).")
        }
        guard (1...255).contains(stream.channelCount) else {
            throw AudioFailure(.invalidArgument, "M4A is written with 1 to 255 channels, not \(stream.channelCount).")
        }
        let rate = UInt32(stream.sampleRate)
        var rateDivisor: UInt32 = 1
        var roll = 0
        let type: FourCC
        let setUp: ByteWriter
        switch stream.codec {
        case .aac:
            type = "mp4a"
            setUp = try Self.aac(stream)
            roll = 1
        case .alac:
            type = "alac"
            setUp = try Self.alac(stream)
        case .opus:
            guard rate > 0, 48000 % rate == 0, stream.framesPerPacket > 0 else {
                throw AudioFailure(
                    .invalidArgument,
                    "Opus in M4A is written at 48, 24, 16, 12 or 8 kHz with packets of one length."
                )
            }
            type = "Opus"
            setUp = try Self.opus(stream)
            rateDivisor = 48000 / rate
            // 80 ms, as the encapsulation of Opus in ISO media asks.
            let packet = stream.framesPerPacket * Int(rateDivisor)
            roll = (3840 + packet - 1) / packet
        case .flac:
            type = "fLaC"
            setUp = try Self.flac(stream)
        case .linearPCM, .ima4, .muLaw, .aLaw, .foreign:
            throw AudioFailure(
                .unsupported,
                "M4A is not written with \(stream.codec.name); it takes AAC, ALAC, FLAC and Opus."
            )
        }
        scale = Int64(rateDivisor)
        timescale = rate * rateDivisor
        rollPackets = roll
        hasITunesTrims = stream.codec == .aac
        let bits = stream.codec.isLossless && stream.bitsPerChannel > 0 ? stream.bitsPerChannel : 16
        let statedRate = timescale <= 0xFFFF ? timescale << 16 : 0
        var entry = ByteWriter()
        entry.box(type) { entry in
            entry.zeros(6)
            entry.big(UInt16(1))  // the data are in this file
            entry.zeros(8)
            entry.big(UInt16(stream.channelCount))
            entry.big(UInt16(clamping: bits))
            entry.zeros(4)
            entry.big(statedRate)
            entry.raw(setUp.bytes)
        }
        sampleEntry = entry.bytes
    }

    private static func aac(_ stream: StreamDescription) throws(AudioFailure) -> ByteWriter {
        guard (2...64).contains(stream.configuration.count) else {
            throw AudioFailure(.invalidArgument, "AAC cannot be written without its AudioSpecificConfig.")
        }
        let descriptor = ESDescriptor.bytes(audioSpecificConfig: stream.configuration, bitRate: stream.bitRate)
        var writer = ByteWriter()
        writer.fullBox("esds") { $0.raw(descriptor) }
        return writer
    }

    private static func alac(_ stream: StreamDescription) throws(AudioFailure) -> ByteWriter {
        let cookie = try ALACCookie.plain(from: stream.configuration)
        var writer = ByteWriter()
        writer.fullBox("alac") { $0.raw(cookie) }
        return writer
    }

    private static func flac(_ stream: StreamDescription) throws(AudioFailure) -> ByteWriter {
        guard stream.configuration.count == 34 else {
            throw AudioFailure(.invalidArgument, "FLAC cannot be written without its 34 bytes of STREAMINFO.")
        }
        var writer = ByteWriter()
        writer.fullBox("dfLa") { box in
            box.big(UInt32(0x8000_0000 | 34))  // the last metadata block, of type STREAMINFO
            box.raw(stream.configuration)
        }
        return writer
    }

    private static func opus(_ stream: StreamDescription) throws(AudioFailure) -> ByteWriter {
        let specific = try OpusHead.boxContent(stream.configuration)
        var writer = ByteWriter()
        writer.box("dOps") { $0.raw(specific) }
        return writer
    }
}
