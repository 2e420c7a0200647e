import AudioCore

/// Reads CAF from anybody, also where it was never finished or is cut.
final class CAFReader: PacketRunReader {
    let container = ContainerKind.caf
    let stream: StreamDescription
    let validFrames: FrameCount?
    let integrity: MediaIntegrity
    let metadata: MediaMetadata
    let audioByteCount: Int64

    private var window: SourceWindow
    private var packets: CAFPackets

    static func recognizes(_ opening: [UInt8]) -> Bool { opening.starts(with: "caff".utf8) }

    /// Nil where the codec is another adapter's.
    static func open(_ source: any ByteSource) throws(AudioFailure) -> CAFReader? {
        var window = try SourceWindow(source)
        let chunks = try CAFChunks(&window)
        guard let codec = chunks.format.codec else { return nil }
        return try CAFReader(window, chunks, codec)
    }

    private init(_ window: SourceWindow, _ chunks: CAFChunks, _ codec: CodecID) throws(AudioFailure) {
        var window = window
        let format = chunks.format
        guard let data = chunks.data else {
            throw AudioFailure(.malformedMedia, "The CAF file has no audio: it ends before its data.")
        }
        var packets = try CAFPackets(format: format, data: data, chunks: chunks, &window)
        if codec == .alac { try packets.measureLastPacket(&window) }
        audioByteCount = packets.byteCount

        let total = packets.decodedFrames
        let counts = chunks.packetTable?.counts
        let priming = min(max(0, Int64(counts?.primingFrames ?? 0)), total)
        let readable = total - priming
        if let counts, counts.validFrames >= 0, counts.packetCount <= packets.count {
            validFrames = FrameCount(min(counts.validFrames, readable))
        } else {
            validFrames = FrameCount(readable)
        }
        if let reason = chunks.damage {
            integrity = .unfinished(reason: reason)
        } else if let counts, !packets.isConstant, counts.packetCount > packets.count {
            integrity = .unfinished(reason: "\(packets.count) of \(counts.packetCount) packets are in the file.")
        } else {
            integrity = .complete
        }
        metadata = chunks.metadata
        stream = StreamDescription(
            codec: codec,
            sampleRate: format.sampleRate,
            channelCount: Int(format.channelCount),
            framesPerPacket: Int(format.framesPerPacket),
            bytesPerPacket: Int(format.bytesPerPacket),
            bitsPerChannel: try Self.bitsPerChannel(codec, chunks),
            configuration: try Self.configuration(codec, chunks),
            primingFrames: FrameCount(priming),
            bitRate: Self.bitRate(bytes: packets.byteCount, frames: total, rate: format.sampleRate)
        )
        self.window = window
        self.packets = packets
    }

    func nextPacket() throws(AudioFailure) -> EncodedPacket? { try packets.next(&window) }

    func nextRun(atMost limit: Int) throws(AudioFailure) -> PacketRun? { packets.nextRun(atMost: limit) }

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        FrameCount(packets.seek(toFrame: frame.value, preroll: preroll))
    }

    private static func bitsPerChannel(_ codec: CodecID, _ chunks: CAFChunks) throws(AudioFailure) -> Int {
        switch codec {
        case .linearPCM: Int(chunks.format.bitsPerChannel)
        case .alac: ALACCookie.bitDepth(try configuration(codec, chunks))
        default: 0
        }
    }

    /// The set-up bytes in their plain form, whatever form the file has.
    static func configuration(_ codec: CodecID, _ chunks: CAFChunks) throws(AudioFailure) -> [UInt8] {
        switch codec {
        case .alac:
            return try ALACCookie.plain(from: chunks.cookie)
        case .aac:
            guard let first = chunks.cookie.first else {
                throw AudioFailure(.malformedMedia, "The CAF file lacks the set-up (kuki) that AAC needs.")
            }
            // A descriptor starts with its tag, 3, or with four zero bytes of an `esds` box; object types 0 (none) and
            // 3 with this first byte are not in use, so everything else is a bare AudioSpecificConfig.
            if first != 3, first != 0 { return chunks.cookie }
            return try ESDescriptor.parse(chunks.cookie).audioSpecificConfig
        case .opus:
            if chunks.cookie.starts(with: "OpusHead".utf8) { return chunks.cookie }
            return OpusHead.synthesized(
                channelCount: Int(chunks.format.channelCount),
                preSkip: Int(max(0, chunks.packetTable?.counts.primingFrames ?? 0)),
                sampleRate: chunks.format.sampleRate
            )
        default:
            return []
        }
    }

    private static func bitRate(bytes: Int64, frames: Int64, rate: Double) -> Int {
        frames > 0 ? Int(min(1e12, (Double(bytes) * 8 * rate / Double(frames)).rounded())) : 0
    }
}
