import AudioCore

/// What both CAF writers put in front of the audio.
enum CAFHead {
    static let page: Int64 = 4096
    /// The chunk header and the edit count in front of the audio.
    static let dataHeaderSize = CAFChunk.headerSize + 4

    static func pageAligned(_ offset: Int64) -> Int64 { (offset + page - 1) / page * page }

    /// Stands at the start of the `free` chunk in front of the audio until the recording is finished. A CAF of ours is
    /// whole at every checkpoint, so nothing else tells whether it was stopped or killed.
    static let recordingMark = Array("recording now   ".utf8)

    /// The `free` chunk that fills up to `end`, with the mark.
    static func padding(from start: Int, to end: Int64) -> [UInt8] {
        let size = Int(end) - start - CAFChunk.headerSize
        return CAFChunk("free", size: Int64(size)).header + recordingMark
            + [UInt8](repeating: 0, count: size - recordingMark.count)
    }

    /// Takes the mark off: the last thing that `finish` does.
    static func clearMark(at position: Int64, in file: any StoredFile) throws(AudioFailure) {
        try file.write([UInt8](repeating: 0, count: recordingMark.count), at: position)
        try file.synchronize()
    }

    /// File header, `desc`, `kuki` and `chan`: what never changes.
    static func fixedChunks(_ stream: StreamDescription, _ format: CAFFormat) throws(AudioFailure) -> [UInt8] {
        var writer = ByteWriter()
        writer.code("caff")
        writer.big(UInt16(1))
        writer.big(UInt16(0))
        writer.raw(CAFChunk.bytes("desc", format.bytes))
        switch stream.codec {
        case .aac:
            let descriptor = ESDescriptor.bytes(
                audioSpecificConfig: stream.configuration,
                bitRate: stream.bitRate
            )
            writer.raw(CAFChunk.bytes("kuki", descriptor))
        case .alac:
            writer.raw(CAFChunk.bytes("kuki", try ALACCookie.plain(from: stream.configuration)))
        default:
            break
        }
        var layout = ByteWriter()
        layout.big(layoutTag(stream.channelCount))
        layout.big(UInt32(0))
        layout.big(UInt32(0))
        writer.raw(CAFChunk.bytes("chan", layout.bytes))
        return writer.bytes
    }

    /// Apple's layout tags: the upper half names the layout, the lower half counts the channels.
    private static func layoutTag(_ channels: Int) -> UInt32 {
        switch channels {
        case 1: 100 << 16 | 1
        case 2: 101 << 16 | 2
        default: 147 << 16 | UInt32(channels)  // in order, nothing said about places
        }
    }

    static func dataHeader(audioBytes: Int64) -> [UInt8] {
        CAFChunk("data", size: audioBytes + 4).header + [0, 0, 0, 0]
    }

    /// Packets × frames = priming + valid + remainder, always.
    static func packetTable(_ packets: Int64, _ length: RecordingLength, _ format: CAFFormat) -> CAFPacketTableHeader {
        let total = packets * Int64(format.framesPerPacket)
        let priming = min(length.priming, total)
        return CAFPacketTableHeader(
            packetCount: packets,
            validFrames: length.valid,
            primingFrames: Int32(clamping: priming),
            remainderFrames: Int32(clamping: total - priming - length.valid)
        )
    }

    static func misfit(_ packet: EncodedPacket, isFinished: Bool) -> AudioFailure {
        if isFinished { return AudioFailure(.invalidArgument, "The file is finished; nothing can be appended.") }
        return AudioFailure(
            .invalidArgument,
            "A packet of \(packet.bytes.count) bytes and \(packet.frames) frames is not one of this CAF stream."
        )
    }
}
