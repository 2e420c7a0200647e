import AudioCore

/// The audio of an M4A file whose index (`moov`) was never written, is torn or is cut off.
///
/// Files of ours have a table of packet sizes at a fixed place, which a torn page of counts leaves whole; what it does
/// not cover, and files of others, are searched packet by packet.
struct MP4Salvage {
    private let source: any ByteSource
    private var window: SourceWindow
    private let like: StreamDescription?

    /// How far from the start the pieces of a torn index are looked for.
    private static let headBytes = MP4Index.page
    /// Whole file lengths are looked at in pages up to here: a reserved table of 16 million packets.
    private static let reach: Int64 = 4 * Int64(PacketSizes.limit) + 16384

    /// - Parameter like: the stream of a file from the same recorder, for what the file itself no longer says.
    init(_ source: any ByteSource, like: StreamDescription?) throws(AudioFailure) {
        self.source = source
        window = try SourceWindow(source)
        self.like = like
    }

    /// - Throws: `malformedMedia` with what would help where the audio cannot be found.
    mutating func open(_ finder: (StreamDescription) throws(AudioFailure) -> (any PacketFinder)?)
        throws(AudioFailure) -> SalvagedReader
    {
        guard let data = try mediaData() else {
            throw AudioFailure(.malformedMedia, "The MP4 file has no audio (mdat) that can be found.")
        }
        guard var stream = try setUp() ?? like else {
            throw AudioFailure(
                .malformedMedia,
                "The MP4 file has lost its index (moov), and with it what its audio is. A file that the same recorder made"
                    + " with the same settings tells (--like)."
            )
        }
        // An example that was joined may have packets of several lengths; the codec has one.
        if stream.codec == .aac, let config = AudioSpecificConfig(stream.configuration) {
            stream.framesPerPacket = config.framesPerPacket
        }
        guard stream.framesPerPacket > 0, stream.codec == .aac || stream.codec == .alac else {
            throw AudioFailure(
                .unsupported,
                "\(stream.codec.name) packets cannot be found in an MP4 file without its index."
            )
        }
        if let priming = try statedPriming(stream) { stream.primingFrames = priming }
        guard let finder = try finder(stream) else {
            throw AudioFailure(.unsupported, "Packets of \(stream.codec.name) cannot be found without a table.")
        }
        var scan = PacketScan(source, finder: finder, end: data.end)
        let table = try self.table(before: data)
        if let table {
            let count = try PacketTableCheck.believable(table, at: data.start, of: source, finder)
            scan.take(table, count: count, at: data.start)
        }
        try scan.run(from: data.start + scan.sizes.total)
        return try SalvagedReader(
            source,
            container: .m4a,
            stream: stream,
            packets: scan,
            reason: "The index of the file is lost; its audio was found packet by packet."
        )
    }

    /// A file of ours whose audio still runs to the end of the file, as `finish` leaves none.
    mutating func isOpenRecording() throws(AudioFailure) -> Bool {
        try MP4Box.all(&window, from: 0, to: window.size).contains { $0.type == "mdat" && $0.isOpen }
    }

    // MARK: Where the audio is

    private struct Extent {
        var start: Int64
        var end: Int64
        /// It lies as our writer puts it: on a page, behind a table.
        var isOurs: Bool
    }

    private mutating func mediaData() throws(AudioFailure) -> Extent? {
        if let ours = try pagedMediaData() { return ours }
        var offset: Int64 = 0
        // Boxes of the top level, forgiving a size that was never written.
        for _ in 0..<1_000 {
            guard window.size - offset >= 8, var head = try window.reader(at: offset, count: 8) else { return nil }
            let size = Int64(try head.big(UInt32.self))
            let type = try head.code()
            if !type.isText { return nil }
            if type == "mdat" {
                let body = offset + (size == 1 ? 16 : 8)
                var end = window.size
                if size >= 8 { end = min(end, offset + size) }
                if size == 1, var more = try window.reader(at: offset + 8, count: 8) {
                    let large = try more.big(Int64.self)
                    if large > 16, large < window.size - offset { end = offset + large }
                }
                // A size that leaves next to nothing was a placeholder.
                if end - body < 16 { end = window.size }
                return body < end ? Extent(start: body, end: end, isOurs: false) : nil
            }
            guard size >= 8 else { return nil }
            offset += size
        }
        return nil
    }

    /// The head of an `mdat` that ends with a page, behind the page of counts and its table.
    private mutating func pagedMediaData() throws(AudioFailure) -> Extent? {
        let page = Int64(MP4Index.page)
        var start = 2 * page
        let last = min(window.size, Self.reach)
        while start <= last {
            if let head = try window.bytes(at: start - 16, count: 16) {
                if head == MP4Header.openMediaData {
                    return Extent(start: start, end: window.size, isOurs: true)
                }
                if head.starts(with: MP4Header.large("mdat", size: 0).prefix(8)) {
                    let size = head[8...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
                    if size > 16, size <= window.size - (start - 16) {
                        return Extent(start: start, end: start - 16 + size, isOurs: true)
                    }
                }
            }
            start += page
        }
        return nil
    }

    // MARK: What the audio is

    /// From a sample description that is whole, wherever it lies in the first page or in what is left of an index.
    private mutating func setUp() throws(AudioFailure) -> StreamDescription? {
        for offset in try places(of: "stsd") {
            guard var head = try window.reader(at: offset, count: 4) else { continue }
            let size = Int64(try head.big(UInt32.self))
            guard size >= 16, size <= 4096, size <= window.size - offset else { continue }
            let box = MP4Box(type: "stsd", body: offset + 8, end: offset + size)
            let entry: MP4SampleEntry?
            do throws(AudioFailure) {
                entry = try MP4SampleEntry.read(box, &window)
            } catch {
                guard error.code == .malformedMedia else { throw error }
                continue
            }
            guard let entry, let rate = entry.sampleRates.first, rate >= 1, rate <= 1e8, entry.framesPerPacket > 0,
                (1...64).contains(entry.channelCount)
            else { continue }
            return StreamDescription(
                codec: entry.codec,
                sampleRate: rate,
                channelCount: entry.channelCount,
                framesPerPacket: entry.framesPerPacket,
                bitsPerChannel: entry.bitsPerChannel,
                configuration: entry.configuration,
                bitRate: entry.bitRate
            )
        }
        return nil
    }

    /// From an edit list or iTunes' statement that survived.
    private mutating func statedPriming(_ stream: StreamDescription) throws(AudioFailure) -> FrameCount? {
        for offset in try places(of: "elst") {
            guard var fields = try window.reader(at: offset + 8, count: 24) else { continue }
            let version = try fields.big(UInt32.self) >> 24
            guard try fields.big(UInt32.self) == 1 else { continue }
            try fields.skip(version == 1 ? 8 : 4)
            let time = version == 1 ? try fields.big(Int64.self) : Int64(try fields.big(Int32.self))
            if (0...Int64(1 << 16)).contains(time) { return FrameCount(time) }
        }
        return nil
    }

    /// Where boxes of a type begin, among the bytes in which an index of ours lies and those at the end of the file.
    private mutating func places(of type: FourCC) throws(AudioFailure) -> [Int64] {
        var found: [Int64] = []
        let name = type.bytes
        let tail = max(0, window.size - Int64(64 << 10))
        for (start, count) in [(Int64(0), Self.headBytes), (tail, 64 << 10)] {
            let count = Int(min(Int64(count), window.size - start))
            guard count >= 8, let bytes = try window.bytes(at: start, count: count) else { continue }
            for index in 4...bytes.count - 4
            where bytes[index] == name[0] && bytes[index..<index + 4].elementsEqual(name) {
                found.append(start + Int64(index) - 4)
            }
        }
        return found
    }

    // MARK: Where the packets are

    /// What our writer has noted of the packets, without a count: up to the first entry that cannot be one.
    private mutating func table(before data: Extent) throws(AudioFailure) -> PacketSizes? {
        guard data.isOurs else { return nil }
        let page = Int64(MP4Index.page)
        let room = data.start - 16 - 8 - page
        let entries = Int(min(room / 4, Int64(PacketSizes.limit)))
        var sizes = PacketSizes()
        let piece = 16 << 10
        var index = 0
        while index < entries {
            let count = min(piece, entries - index)
            guard let raw = try window.bytes(at: page + 4 * Int64(index), count: 4 * count) else { break }
            let read = PacketSizes(bigEndian: raw, count: count, limit: 1 << 20)
            for entry in 0..<read.count {
                let size = UInt32(read[entry])
                if size == 0 || sizes.total + Int64(size) > data.end - data.start { return sizes }
                sizes.append(size)
            }
            if read.count < count { break }
            index += count
        }
        return sizes
    }
}
