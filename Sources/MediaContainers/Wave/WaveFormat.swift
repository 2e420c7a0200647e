import AudioCore

/// The `fmt ` chunk of a WAV file: what of a stream it says.
struct WaveFormat {
    enum Tag: UInt16 {
        case pcm = 1
        case float = 3
        case aLaw = 6
        case muLaw = 7
        case extensible = 0xFFFE
    }

    var codec: CodecID
    var sampleRate: UInt32
    var channelCount: Int
    var bytesPerFrame: Int
    var bitsPerChannel: Int

    var stream: StreamDescription {
        StreamDescription(
            codec: codec,
            sampleRate: Double(sampleRate),
            channelCount: channelCount,
            framesPerPacket: 1,
            bytesPerPacket: bytesPerFrame,
            bitsPerChannel: bitsPerChannel,
            bitRate: Int(clamping: Int64(sampleRate) * Int64(bytesPerFrame) * 8)
        )
    }
}

// MARK: - Reading

extension WaveFormat {
    /// The last 14 bytes of the GUIDs that stand for a format tag (KSDATAFORMAT_SUBTYPE_WAVEFORMATEX).
    private static let guidTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

    /// Nil for a codec that is not ours.
    init?(reading reader: ByteReader) throws(AudioFailure) {
        var reader = reader
        var tag = try reader.little(UInt16.self)
        channelCount = Int(try reader.little(UInt16.self))
        sampleRate = try reader.little(UInt32.self)
        try reader.skip(4)
        let blockAlign = Int(try reader.little(UInt16.self))
        var bits = reader.remaining >= 2 ? Int(try reader.little(UInt16.self)) : 0
        guard channelCount > 0, channelCount <= 256 else {
            throw AudioFailure(.malformedMedia, "The WAV file states \(channelCount) channels: 1 to 256 can be read.")
        }
        guard sampleRate > 0, sampleRate <= 1_536_000 else {
            throw AudioFailure(.malformedMedia, "The WAV file states the impossible sample rate \(sampleRate) Hz.")
        }
        let bytesPerSample =
            blockAlign > 0 && blockAlign % channelCount == 0 ? blockAlign / channelCount : (bits + 7) / 8
        if tag == Tag.extensible.rawValue, reader.remaining >= 24 {
            try reader.skip(2)
            let validBits = Int(try reader.little(UInt16.self))
            try reader.skip(4)
            tag = try reader.little(UInt16.self)
            guard try reader.raw(14) == Self.guidTail else { return nil }
            if validBits > 0, validBits <= bits { bits = validBits }
        }
        switch Tag(rawValue: tag) {
        case .pcm:
            guard (1...4).contains(bytesPerSample) else { return nil }
            let layout = LinearPCMLayout(
                bitsPerSample: bytesPerSample * 8,
                isBigEndian: false,
                isSigned: bytesPerSample > 1
            )
            codec = .linearPCM(layout)
        case .float:
            guard bytesPerSample == 4 || bytesPerSample == 8 else { return nil }
            codec = .linearPCM(LinearPCMLayout(bitsPerSample: bytesPerSample * 8, isFloat: true, isBigEndian: false))
        case .aLaw, .muLaw:
            guard bytesPerSample == 1 else { return nil }
            codec = tag == Tag.aLaw.rawValue ? .aLaw : .muLaw
        case .extensible, nil:
            return nil
        }
        bytesPerFrame = bytesPerSample * channelCount
        bitsPerChannel = bits > 0 && bits <= bytesPerSample * 8 ? bits : bytesPerSample * 8
    }
}

// MARK: - Writing

extension WaveFormat {
    /// - Throws: `unsupported` where a WAV file cannot hold the stream.
    init(writing stream: StreamDescription) throws(AudioFailure) {
        codec = stream.codec
        let bytesPerSample: Int
        switch stream.codec {
        case .linearPCM(let layout):
            guard !layout.isBigEndian || layout.bitsPerSample == 8 else {
                throw AudioFailure(.unsupported, "WAV files hold linear PCM in little-endian order only.")
            }
            guard layout.isFloat || layout.isSigned == (layout.bitsPerSample > 8) else {
                throw AudioFailure(.unsupported, "WAV files hold samples of 8 bits unsigned, wider ones signed.")
            }
            bytesPerSample = layout.bytesPerSample
        case .muLaw, .aLaw:
            bytesPerSample = 1
        default:
            throw AudioFailure(
                .unsupported,
                "WAV files are written with linear PCM, µ-law or A-law, not with \(stream.codec.name)."
            )
        }
        bytesPerFrame = bytesPerSample * stream.channelCount
        guard stream.channelCount > 0, bytesPerFrame <= Int(UInt16.max) else {
            throw AudioFailure(.unsupported, "WAV files cannot have \(stream.channelCount) channels.")
        }
        guard let rate = UInt32(exactly: stream.sampleRate), rate > 0 else {
            throw AudioFailure(
                .unsupported,
                "WAV files cannot have the sample rate \(stream.sampleRate) Hz: whole numbers above 0 are allowed."
            )
        }
        sampleRate = rate
        channelCount = stream.channelCount
        bitsPerChannel = bytesPerSample * 8
    }

    private var tag: Tag {
        switch codec {
        case .muLaw: .muLaw
        case .aLaw: .aLaw
        case .linearPCM(let layout) where layout.isFloat: .float
        default: .pcm
        }
    }

    var isPCMInteger: Bool { tag == .pcm }

    /// Microsoft requires the extended form for more than two channels and for integers of more than 16 bits.
    private var isExtensible: Bool { channelCount > 2 || (isPCMInteger && bitsPerChannel > 16) }

    var chunkBody: [UInt8] {
        var body = ByteWriter(capacity: 40)
        body.little((isExtensible ? Tag.extensible : tag).rawValue)
        body.little(UInt16(channelCount))
        body.little(sampleRate)
        body.little(UInt32(clamping: UInt64(sampleRate) * UInt64(bytesPerFrame)))
        body.little(UInt16(bytesPerFrame))
        body.little(UInt16(bitsPerChannel))
        if isExtensible {
            body.little(22 as UInt16)
            body.little(UInt16(bitsPerChannel))
            body.little(speakerMask)
            body.little(tag.rawValue)
            body.raw(Self.guidTail)
        } else if !isPCMInteger {
            body.little(0 as UInt16)
        }
        return body.bytes
    }

    /// The speakers that are usual for so many channels, in the order of WAVEFORMATEXTENSIBLE; 0 says nothing of them.
    private var speakerMask: UInt32 {
        let masks: [UInt32] = [0, 0x4, 0x3, 0x7, 0x33, 0x37, 0x3F, 0x13F, 0x63F]
        return channelCount < masks.count ? masks[channelCount] : 0
    }
}
