import AudioCore

/// What the common chunk of an AIFF or AIFC file says of a stream.
struct AIFFFormat {
    var codec: CodecID
    var sampleRate: Double
    var channelCount: Int
    /// Bits of a sample as the file states them.
    var sampleSize: Int
    /// Nil in AIFF, which has no compression.
    var compression: FourCC?

    /// A frame of PCM, a packet of IMA4.
    var unitBytes: Int {
        switch codec {
        case .linearPCM(let layout): layout.bytesPerSample * channelCount
        case .ima4: 34 * channelCount
        default: channelCount
        }
    }

    var unitFrames: Int { codec == .ima4 ? 64 : 1 }

    var stream: StreamDescription {
        let bits =
            switch codec {
            case .linearPCM: sampleSize
            case .ima4: 0
            default: 8
            }
        return StreamDescription(
            codec: codec,
            sampleRate: sampleRate,
            channelCount: channelCount,
            framesPerPacket: unitFrames,
            bytesPerPacket: unitBytes,
            bitsPerChannel: bits,
            bitRate: Int((sampleRate * Double(unitBytes * 8) / Double(unitFrames)).rounded())
        )
    }

    /// The names that QuickTime gives, and that stand in the file.
    private static let names: [FourCC: String] = [
        "NONE": "not compressed", "sowt": "", "in24": "", "in32": "", "fl32": "Float 32", "fl64": "Float 64",
        "raw ": "", "ulaw": "uLaw 2:1", "alaw": "aLaw 2:1", "ima4": "IMA 4:1",
    ]
}

// MARK: - Writing

extension AIFFFormat {
    /// - Parameter isCompressed: AIFC.
    /// - Throws: `unsupported` where the file cannot hold the stream.
    init(writing stream: StreamDescription, isCompressed: Bool) throws(AudioFailure) {
        guard (1...256).contains(stream.channelCount) else {
            throw AudioFailure(
                .unsupported,
                "AIFF files cannot have \(stream.channelCount) channels: 1 to 256 are written."
            )
        }
        guard stream.sampleRate >= 1, stream.sampleRate <= 1_536_000 else {
            throw AudioFailure(
                .unsupported,
                "AIFF files cannot have the sample rate \(stream.sampleRate) Hz: 1 to 1536000 Hz are written."
            )
        }
        codec = stream.codec
        sampleRate = stream.sampleRate
        channelCount = stream.channelCount
        if isCompressed {
            (compression, sampleSize) = try Self.compression(of: stream.codec)
        } else {
            compression = nil
            guard case .linearPCM(let layout) = stream.codec, !layout.isFloat, layout.isSigned,
                layout.isBigEndian || layout.bitsPerSample == 8
            else {
                throw AudioFailure(
                    .unsupported,
                    "AIFF files hold signed big-endian integers only; AIFC files (.aifc) hold other samples too."
                )
            }
            sampleSize = layout.bitsPerSample
        }
    }

    private static func compression(of codec: CodecID) throws(AudioFailure) -> (FourCC, Int) {
        switch codec {
        case .muLaw: return ("ulaw", 16)
        case .aLaw: return ("alaw", 16)
        case .ima4: return ("ima4", 16)
        case .linearPCM(let layout):
            let bits = layout.bitsPerSample
            switch (layout.isFloat, layout.isSigned, layout.isBigEndian || bits == 8, bits) {
            case (true, _, true, 32): return ("fl32", 32)
            case (true, _, true, 64): return ("fl64", 64)
            case (false, false, _, 8): return ("raw ", 8)
            case (false, true, true, 8), (false, true, true, 16): return ("NONE", bits)
            case (false, true, true, 24): return ("in24", 24)
            case (false, true, true, 32): return ("in32", 32)
            case (false, true, false, 16), (false, true, false, 24), (false, true, false, 32): return ("sowt", bits)
            default:
                throw AudioFailure(.unsupported, "AIFC files cannot hold this kind of linear PCM.")
            }
        default:
            throw AudioFailure(
                .unsupported,
                "AIFC files are written with linear PCM, µ-law, A-law or IMA4, not with \(codec.name)."
            )
        }
    }

    /// The body of the common chunk. `units` is what it calls sample frames: for IMA4 these are packets.
    func chunkBody(units: UInt32) -> [UInt8] {
        var body = ByteWriter(capacity: 64)
        body.big(UInt16(channelCount))
        body.big(units)
        body.big(UInt16(sampleSize))
        body.raw(ExtendedFloat.bytes(of: sampleRate))
        if let compression {
            body.code(compression)
            let name = Array((Self.names[compression] ?? "").utf8)
            body.raw([UInt8(name.count)] + name)
            body.zeros((name.count + 1) % 2)
        }
        return body.bytes
    }
}

// MARK: - Reading

extension AIFFFormat {
    /// What stands in the common chunk as its number of sample frames, beside the format; nil for a codec that is not ours.
    static func read(_ reader: ByteReader, isCompressed: Bool) throws(AudioFailure) -> (AIFFFormat, frames: Int64)? {
        var reader = reader
        let channels = Int(try reader.big(UInt16.self))
        let frames = Int64(try reader.big(UInt32.self))
        let sampleSize = Int(try reader.big(UInt16.self))
        let exponent = try reader.big(UInt16.self)
        let mantissa = try reader.big(UInt64.self)
        let compression: FourCC? = isCompressed && reader.remaining >= 4 ? try reader.code() : nil
        guard (1...256).contains(channels) else {
            throw AudioFailure(.malformedMedia, "The AIFF file states \(channels) channels: 1 to 256 can be read.")
        }
        guard let rate = ExtendedFloat.value(exponentField: exponent, mantissa: mantissa), rate >= 1, rate <= 1_536_000
        else {
            throw AudioFailure(.malformedMedia, "The AIFF file states an impossible sample rate.")
        }
        guard let codec = codec(compression, sampleSize: sampleSize) else { return nil }
        var bits = sampleSize
        if case .linearPCM(let layout) = codec, layout.bytesPerSample != (sampleSize + 7) / 8 {
            bits = layout.bitsPerSample
        }
        let format = AIFFFormat(
            codec: codec,
            sampleRate: rate,
            channelCount: channels,
            sampleSize: bits,
            compression: compression
        )
        return (format, frames)
    }

    private static func codec(_ compression: FourCC?, sampleSize: Int) -> CodecID? {
        func linear(_ bits: Int, isFloat: Bool = false, isBigEndian: Bool = true, isSigned: Bool = true) -> CodecID {
            .linearPCM(
                LinearPCMLayout(bitsPerSample: bits, isFloat: isFloat, isBigEndian: isBigEndian, isSigned: isSigned)
            )
        }
        switch compression {
        case nil, "NONE", "none", "twos":
            return (1...32).contains(sampleSize) ? linear((sampleSize + 7) / 8 * 8) : nil
        case "sowt":
            return (1...32).contains(sampleSize) ? linear((sampleSize + 7) / 8 * 8, isBigEndian: false) : nil
        case "raw ": return linear(8, isBigEndian: false, isSigned: false)
        case "in24": return linear(24)
        case "42ni": return linear(24, isBigEndian: false)
        case "in32": return linear(32)
        case "23ni": return linear(32, isBigEndian: false)
        case "fl32", "FL32": return linear(32, isFloat: true)
        case "fl64", "FL64": return linear(64, isFloat: true)
        case "ulaw", "ULAW": return .muLaw
        case "alaw", "ALAW": return .aLaw
        case "ima4": return .ima4
        default: return nil
        }
    }
}
