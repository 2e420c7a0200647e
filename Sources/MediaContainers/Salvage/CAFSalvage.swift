import AudioCore

/// The audio of a CAF file whose head is damaged, or whose packet table is missing.
struct CAFSalvage {
    private let source: any ByteSource
    private var window: SourceWindow
    private let like: StreamDescription?

    /// The audio of our files starts within the room of the table in front, on a page.
    private static let reach: Int64 = 1 << 20

    init(_ source: any ByteSource, like: StreamDescription?) throws(AudioFailure) {
        self.source = source
        window = try SourceWindow(source)
        self.like = like
    }

    mutating func open(_ finder: (StreamDescription) throws(AudioFailure) -> (any PacketFinder)?)
        throws(AudioFailure) -> any ContainerReader
    {
        var chunks: CAFChunks?
        do throws(AudioFailure) {
            chunks = try CAFChunks(&window)
        } catch {
            guard error.code == .malformedMedia else { throw error }
        }
        var data = chunks?.data
        if data == nil { data = try pagedData() }
        if data == nil { data = try markedData() }
        if data == nil, let like { data = try usualData(like) }
        guard let data else {
            throw AudioFailure(.malformedMedia, "The CAF file has no audio that can be found.")
        }
        guard let stream = stated(chunks) ?? like else {
            throw AudioFailure(
                .malformedMedia,
                "The head of the CAF file is damaged, and with it what its audio is. A file that the same recorder made"
                    + " with the same settings tells (--like)."
            )
        }
        let reason = "The head of the file is damaged or was never finished; its audio was found without it."
        if stream.bytesPerPacket > 0 {
            let extent = FixedSizeUnits.Extent(start: data.offset, length: max(0, window.size - data.offset))
            return try SalvagedUnitsReader(window, container: .caf, stream: stream, extent: extent, reason: reason)
        }
        guard stream.framesPerPacket > 0, let finder = try finder(stream) else {
            throw AudioFailure(.unsupported, "Packets of \(stream.codec.name) cannot be found without a table.")
        }
        var scan = PacketScan(source, finder: finder, end: window.size)
        try scan.run(from: data.offset)
        return try SalvagedReader(source, container: .caf, stream: stream, packets: scan, reason: reason)
    }

    /// What the chunks in front of the audio say, where those are whole.
    private func stated(_ chunks: CAFChunks?) -> StreamDescription? {
        guard let chunks, let codec = chunks.format.codec, chunks.format.framesPerPacket > 0,
            let configuration = try? CAFReader.configuration(codec, chunks)
        else { return nil }
        let format = chunks.format
        return StreamDescription(
            codec: codec,
            sampleRate: format.sampleRate,
            channelCount: Int(format.channelCount),
            framesPerPacket: Int(format.framesPerPacket),
            bytesPerPacket: Int(format.bytesPerPacket),
            bitsPerChannel: codec == .alac ? ALACCookie.bitDepth(configuration) : Int(format.bitsPerChannel),
            configuration: configuration,
            primingFrames: FrameCount(max(0, Int64(chunks.packetTable?.counts.primingFrames ?? 0)))
        )
    }

    /// Where a `data` chunk ends its head with a page, as in our files.
    private mutating func pagedData() throws(AudioFailure) -> CAFChunks.Span? {
        var start = CAFHead.page
        let last = min(window.size, Self.reach)
        while start <= last {
            let header = try window.bytes(at: start - Int64(CAFHead.dataHeaderSize), count: 4)
            if header == FourCC("data").bytes { return CAFChunks.Span(offset: start, size: window.size - start) }
            start += CAFHead.page
        }
        return nil
    }

    /// The page behind the mark of a recording that was never finished: only padding and the head of `data` lie between.
    private mutating func markedData() throws(AudioFailure) -> CAFChunks.Span? {
        let head = try source.bytes(at: 0, count: Int(min(64 << 10, window.size))) ?? []
        guard let mark = OwnRecording.position(of: CAFHead.recordingMark, in: head) else { return nil }
        return span(from: CAFHead.pageAligned(Int64(mark + CAFHead.recordingMark.count + CAFHead.dataHeaderSize)))
    }

    /// Where our writer lets the audio of such a stream begin.
    private func usualData(_ like: StreamDescription) throws(AudioFailure) -> CAFChunks.Span? {
        span(from: try HeadSalvage.headLength(.caf, of: like))
    }

    private func span(from start: Int64) -> CAFChunks.Span? {
        start < window.size ? CAFChunks.Span(offset: start, size: window.size - start) : nil
    }
}
