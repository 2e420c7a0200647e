import AudioCore

#if canImport(Glibc)
import Glibc
#endif

/// Finds the pages of one Ogg stream. What is damaged or belongs to another stream is passed over.
struct OggPages {
    struct Located {
        var page: OggPage
        var offset: Int64
        var end: Int64 { offset + Int64(page.byteCount) }
    }

    private var source: SlidingBytes
    let serial: UInt32
    /// Where the stream ends: before the first page of a stream that is chained behind it.
    let end: Int64

    init(_ source: SlidingBytes, serial: UInt32, end: Int64) {
        self.source = source
        self.serial = serial
        self.end = end
    }

    /// The first whole page at or behind `offset` that starts before `limit`, of any stream.
    static func next(
        in source: inout SlidingBytes,
        from offset: Int64,
        before limit: Int64
    ) throws(AudioFailure) -> Located? {
        // Mostly one starts right there: a look as far as it can reach needs half of what a search does.
        if offset < limit,
            let page = try source.withBytes(at: offset, count: OggPage.largest, { OggPage($0) })
        {
            return Located(page: page, offset: offset)
        }
        var place = offset
        while place < limit {
            let reach = min(limit - place, Int64(64 << 10))
            // Pages that start in this part may end behind it.
            let found = try source.withBytes(at: place, count: Int(reach) + OggPage.largest) { bytes in
                firstPage(in: bytes, startingBefore: Int(reach))
            }
            if let (page, index) = found { return Located(page: page, offset: place + Int64(index)) }
            place += reach
        }
        return nil
    }

    private static func firstPage(in bytes: UnsafeRawBufferPointer, startingBefore limit: Int) -> (OggPage, Int)? {
        var index = 0
        let last = min(limit, bytes.count)
        while index < last, let base = bytes.baseAddress, let match = memchr(base + index, 0x4F, last - index) {
            index = UnsafeRawPointer(match) - base
            if let page = OggPage(UnsafeRawBufferPointer(rebasing: bytes[index...])) { return (page, index) }
            index += 1
        }
        return nil
    }

    /// The first page of this stream at or behind `offset`, before `limit`.
    mutating func next(from offset: Int64, before limit: Int64? = nil) throws(AudioFailure) -> Located? {
        var place = offset
        while let found = try Self.next(in: &source, from: place, before: limit ?? end) {
            if found.page.serial == serial { return found }
            place = found.end
        }
        return nil
    }

    /// The last page of this stream on which a packet ends, at or behind `start`.
    mutating func lastWithGranule(from start: Int64) throws(AudioFailure) -> Located? {
        var reach = Int64(OggPage.largest) * 2
        while true {
            let from = max(end - reach, start)
            var place = from
            var last: Located?
            while let found = try next(from: place) {
                if found.page.granule >= 0 { last = found }
                place = found.end
            }
            if let last { return last }
            if from == start { return nil }
            reach *= 4
        }
    }
}
