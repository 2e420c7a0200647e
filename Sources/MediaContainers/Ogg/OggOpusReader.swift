import AudioCore

/// Reads Opus in Ogg (RFC 7845): the first stream of the file. Frames are counted at 48 kHz.
///
/// The length is what the granule positions say: the last one, less where the first page starts, less the pre-skip.
final class OggOpusReader: ContainerReader {
    let container = ContainerKind.oggOpus
    let stream: StreamDescription
    let integrity: MediaIntegrity
    let metadata: MediaMetadata
    let validFrames: FrameCount?
    let audioByteCount: Int64
    private var pages: OggPages
    /// The first page of audio, and the granule position at its start.
    private let audioStart: Int64
    private let origin: Int64

    /// Packets of the page that was read last, not given yet.
    private var ready: [EncodedPacket] = []
    private var readyIndex = 0
    /// The start of a packet that goes on in the next page; nil where its start was not seen.
    private var partial: [UInt8]?
    private var nextPage: Int64
    /// The granule position at which the next packet should start; nil where that is not known.
    private var expected: Int64?

    private static let largestPacket = 1 << 20

    static func recognizes(_ opening: [UInt8]) -> Bool {
        opening.count >= 36 && opening.starts(with: "OggS".utf8) && opening[28..<36].elementsEqual("OpusHead".utf8)
    }

    /// Nil for a file in which another stream lies beside the audio.
    init?(_ source: any ByteSource) throws(AudioFailure) {
        var bytes = try SlidingBytes(source)
        guard let first = try OggPages.next(in: &bytes, from: 0, before: bytes.size), first.offset == 0 else {
            throw AudioFailure(.malformedMedia, "The first page of the Ogg file is damaged.")
        }
        let head = first.page.body
        guard head.count >= 19, head.starts(with: "OpusHead".utf8), head[8] & 0xF0 == 0, head[9] > 0 else {
            throw AudioFailure(.malformedMedia, "The Opus header of the Ogg file is damaged.")
        }
        guard let tags = try Self.readTags(&bytes, from: first.end, serial: first.page.serial) else { return nil }
        let end = try Self.endOfStream(&bytes, from: tags.end, serial: first.page.serial)
        var pages = OggPages(bytes, serial: first.page.serial, end: end)
        let preSkip = Int64(head[10]) | Int64(head[11]) << 8
        let start = try Self.start(&pages, from: tags.end)
        let last = try pages.lastWithGranule(from: start.offset)

        // A packet takes a byte at least: more frames than the bytes allow are nonsense.
        let most = max(end - start.offset, 0) * Int64(OpusPacket.longest)
        let total = last.map { $0.page.granule.subtractingReportingOverflow(start.granule) }
        let counted = total.map { $0.overflow ? 0 : min(max($0.partialValue, 0), most) } ?? 0
        validFrames = FrameCount(max(counted - preSkip, 0))
        let isFinished = last.map { $0.page.flags & OggPage.last != 0 } ?? tags.isLast
        integrity = isFinished ? .complete : .unfinished(reason: "The recording was not finished, or the file is cut.")
        metadata = tags.metadata
        self.pages = pages
        audioStart = start.offset
        nextPage = start.offset
        origin = start.granule
        expected = start.granule
        audioByteCount = max(end - start.offset, 0)
        stream = StreamDescription(
            codec: .opus,
            sampleRate: OpusPacket.rate,
            channelCount: Int(head[9]),
            framesPerPacket: 0,
            configuration: head,
            primingFrames: FrameCount(preSkip),
            bitRate: counted > 0 ? Int(Double(audioByteCount * 8) * OpusPacket.rate / Double(counted)) : 0
        )
    }

    // MARK: - Opening

    private struct Tags {
        var metadata: MediaMetadata
        var isLast: Bool
        var end: Int64
    }

    /// Nil where another stream begins before the tags.
    private static func readTags(
        _ bytes: inout SlidingBytes,
        from offset: Int64,
        serial: UInt32
    ) throws(AudioFailure) -> Tags? {
        var packet: [UInt8] = []
        var tags = Tags(metadata: MediaMetadata(), isLast: false, end: offset)
        while packet.count <= largestPacket,
            let found = try OggPages.next(in: &bytes, from: tags.end, before: bytes.size)
        {
            if found.page.serial != serial { return nil }
            // Tags that were lost in a damaged page are missed less than the audio.
            if packet.isEmpty, !found.page.body.starts(with: "OpusTags".utf8) { return tags }
            packet += found.page.body
            tags.end = found.end
            tags.isLast = found.page.flags & OggPage.last != 0
            if found.page.lacing.last != 255 { break }
        }
        if packet.count > 8 {
            tags.metadata = VorbisComments.metadata(
                reading: ByteReader(Array(packet.dropFirst(8))),
                sampleRate: OpusPacket.rate
            )
        }
        return tags
    }

    /// Behind the last page of the stream: where a chained one starts, or the end of the file.
    private static func endOfStream(
        _ bytes: inout SlidingBytes,
        from offset: Int64,
        serial: UInt32
    ) throws(AudioFailure) -> Int64 {
        // Only where the end of the file belongs to another stream its start has to be searched for.
        let tail = max(bytes.size - 2 * Int64(OggPage.largest), offset)
        var place = tail
        var isForeign = false
        while let found = try OggPages.next(in: &bytes, from: place, before: bytes.size) {
            isForeign = isForeign || found.page.serial != serial
            place = found.end
        }
        if !isForeign { return bytes.size }
        place = offset
        while let found = try OggPages.next(in: &bytes, from: place, before: bytes.size) {
            if found.page.serial != serial, found.page.flags & OggPage.first != 0 { return found.offset }
            place = found.end
        }
        return bytes.size
    }

    /// The first page of audio and the granule position at its start, which is not zero where the beginning was cut off.
    private static func start(_ pages: inout OggPages, from offset: Int64) throws(AudioFailure) -> (
        offset: Int64, granule: Int64
    ) {
        guard let first = try pages.next(from: offset) else { return (pages.end, 0) }
        var place = first
        var frames: Int64 = 0
        // A packet may need several pages until its end is stated.
        for _ in 0..<64 {
            frames += Int64(packets(of: place.page, after: nil).packets.reduce(0) { $0 + $1.frames })
            if place.page.granule >= 0 { break }
            guard let next = try pages.next(from: place.end) else { break }
            place = next
        }
        let start = place.page.granule >= 0 ? place.page.granule.subtractingReportingOverflow(frames).partialValue : 0
        // Less than zero: the only page is trimmed at its end.
        return (first.offset, max(start, 0))
    }

    // MARK: - Packets

    /// The packets that end in a page, and what is left of one that goes on.
    private static func packets(of page: OggPage, after partial: [UInt8]?) -> (packets: [EncodedPacket], rest: [UInt8]?)
    {
        var packets: [EncodedPacket] = []
        let isContinued = page.flags & OggPage.continued != 0
        // Nil while inside a packet whose start was not seen.
        var current: [UInt8]? = isContinued ? partial : []
        var place = 0
        for size in page.lacing {
            current?.append(contentsOf: page.body[place..<place + Int(size)])
            place += Int(size)
            if size == 255 {
                if (current?.count ?? 0) > largestPacket { current = nil }
                continue
            }
            if let bytes = current, !bytes.isEmpty {
                packets.append(EncodedPacket(bytes: bytes, frames: OpusPacket.frames(bytes)))
            }
            current = []
        }
        return (packets, page.lacing.last == 255 ? current : nil)
    }

    func nextPacket() throws(AudioFailure) -> EncodedPacket? {
        while readyIndex == ready.count {
            guard let found = try pages.next(from: nextPage) else { return nil }
            take(found)
        }
        defer { readyIndex += 1 }
        return ready[readyIndex]
    }

    private func take(_ found: OggPages.Located) {
        let (packets, rest) = Self.packets(of: found.page, after: partial)
        (ready, readyIndex, partial, nextPage) = (packets, 0, rest, found.end)
        let frames = packets.reduce(Int64(0)) { $0 + Int64($1.frames) }
        let isLast = found.page.flags & OggPage.last != 0
        guard found.page.granule >= 0, !packets.isEmpty else {
            expected = expected.map { $0 + frames }
            return
        }
        // Pages that were lost leave a hole, and what is behind stays where it belongs. The last page is trimmed.
        let (start, overflow) = found.page.granule.subtractingReportingOverflow(frames)
        if let expected, !overflow, !isLast, start > expected,
            start - origin < (validFrames?.value ?? 0) + Int64(Int16.max)
        {
            ready.insert(EncodedPacket(bytes: OpusPacket.lost, frames: Int(start - expected)), at: 0)
        }
        expected = found.page.granule
    }

    // MARK: - Seeking

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        // 20 ms is the usual packet; shorter ones make the way back longer than needed, which does no harm.
        let back = Int64(min(max(preroll, 0), 1 << 20)) * 960
        let target = max(min(max(frame.value, 0), (validFrames?.value ?? 0) + stream.primingFrames.value) - back, 0)
        // The page before whose end the target lies starts at or behind `low`.
        var (low, high) = (audioStart, pages.end)
        while high - low > Int64(OggPage.largest) {
            let middle = low + (high - low) / 2
            // The last page is trimmed: its start is not known from its granule position.
            if let found = try pageWithGranule(from: middle, before: high), found.page.granule - origin <= target,
                found.page.flags & OggPage.last == 0
            {
                low = found.offset
            } else {
                high = middle
            }
        }
        return try walk(from: low, to: target)
    }

    private func pageWithGranule(from offset: Int64, before limit: Int64) throws(AudioFailure) -> OggPages.Located? {
        var place = offset
        while let found = try pages.next(from: place, before: limit) {
            if found.page.granule >= 0 { return found }
            place = found.end
        }
        return nil
    }

    /// Reads pages from `offset` on until the packet that holds `target` is next.
    private func walk(from offset: Int64, to target: Int64) throws(AudioFailure) -> FrameCount {
        (ready, readyIndex, partial, nextPage) = ([], 0, nil, offset)
        expected = offset == audioStart ? origin : nil
        var position = offset == audioStart ? 0 : nil as Int64?
        while true {
            if readyIndex < ready.count, let start = position {
                let end = start + Int64(ready[readyIndex].frames)
                if end > target { return FrameCount(start) }
                position = end
                readyIndex += 1
                continue
            }
            guard let found = try pages.next(from: nextPage) else { break }
            take(found)
            if position == nil, found.page.granule >= 0 {
                let frames = ready.reduce(Int64(0)) { $0 + Int64($1.frames) }
                let isLast = found.page.flags & OggPage.last != 0
                if isLast { return try walk(from: audioStart, to: target) }
                position = max(found.page.granule - origin - frames, 0)
            }
        }
        return FrameCount(position ?? 0)
    }
}
