/// Where the links of a chained Ogg file lie (RFC 3533, 4): whole files, one behind the other, as those of a radio station or of
/// somebody who put two files together.
enum OggLinks {
    private static let headerBytes = 27
    /// Header, segment table, and 255 segments of 255 bytes.
    private static let largestPage = headerBytes + 255 + 255 * 255
    private static let isFirst: UInt8 = 2
    /// More pages than this are not looked at: it is a film, or meant to keep somebody busy.
    private static let mostPages = 500_000
    private static let mostLinks = 4_096

    /// The links in order; none where the file is no chain.
    static func find(in source: any ByteSource) throws(AudioFailure) -> [Range<Int64>] {
        let size = try source.size()
        guard let first = try Page(source, at: 0), first.flags & isFirst != 0 else { return [] }
        // A file that ends in the stream with which it began is whole: only others are worth a walk.
        guard let last = try lastSerial(source, size), last != first.serial else { return [] }
        var starts: [Int64] = []
        var offset: Int64 = 0
        var beganBefore = false
        for _ in 0..<mostPages {
            guard offset < size, let page = try Page(source, at: offset) else { break }
            let begins = page.flags & isFirst != 0
            // Streams beside each other begin together.
            if begins, !beganBefore { starts.append(offset) }
            if starts.count > mostLinks { break }
            beganBefore = begins
            offset += page.byteCount
        }
        if starts.count < 2 { return [] }
        return starts.indices.map { starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : size) }
    }

    private struct Page {
        var flags: UInt8
        var serial: UInt32
        var byteCount: Int64

        /// Nil where no page starts.
        init?(_ source: any ByteSource, at offset: Int64) throws(AudioFailure) {
            guard let head = try source.bytes(at: offset, count: headerBytes),
                head.starts(with: "OggS".utf8), head[4] == 0,
                let lacing = try source.bytes(at: offset + Int64(headerBytes), count: Int(head[26]))
            else { return nil }
            flags = head[5]
            serial = OggLinks.serial(head[...])
            byteCount = lacing.reduce(Int64(headerBytes + lacing.count)) { $0 + Int64($1) }
        }
    }

    private static func serial(_ page: ArraySlice<UInt8>) -> UInt32 {
        page.dropFirst(14).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The serial number of the last page; nil where none is found at the end.
    private static func lastSerial(_ source: any ByteSource, _ size: Int64) throws(AudioFailure) -> UInt32? {
        let count = Int(min(size, Int64(2 * largestPage)))
        guard let tail = try source.bytes(at: size - Int64(count), count: count) else { return nil }
        var place = tail.count - headerBytes
        while place >= 0 {
            if tail[place] == 0x4F, tail[place...].starts(with: "OggS".utf8), tail[place + 4] == 0 {
                return serial(tail[place...])
            }
            place -= 1
        }
        return nil
    }
}

/// A part of a source as a source of its own.
final class SlicedSource: ByteSource {
    private let base: any ByteSource
    private let range: Range<Int64>

    init(_ base: any ByteSource, _ range: Range<Int64>) {
        self.base = base
        self.range = range
    }

    func size() throws(AudioFailure) -> Int64 { range.upperBound - range.lowerBound }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        let length = range.upperBound - range.lowerBound
        guard offset >= 0, offset < length else { return 0 }
        let count = Int(min(Int64(buffer.count), length - offset))
        return try base.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]),
            at: range.lowerBound + offset
        )
    }
}
