import AudioCore

/// One page of an Ogg stream (RFC 3533, 6).
struct OggPage {
    static let continued: UInt8 = 1
    static let first: UInt8 = 2
    static let last: UInt8 = 4

    static let capturePattern: FourCC = "OggS"
    static let headerBytes = 27
    static let mostSegments = 255
    /// Header, segment table, and 255 segments of 255 bytes.
    static let largest = headerBytes + 255 + 255 * 255

    var flags: UInt8
    /// For Opus the frames at 48 kHz up to the end of the last packet that ends here; −1 where none does.
    var granule: Int64
    var serial: UInt32
    var sequence: UInt32
    /// The sizes of the segments.
    var lacing: [UInt8]
    var body: [UInt8]

    init(flags: UInt8, granule: Int64, serial: UInt32, sequence: UInt32, lacing: [UInt8] = [], body: [UInt8] = []) {
        self.flags = flags
        self.granule = granule
        self.serial = serial
        self.sequence = sequence
        self.lacing = lacing
        self.body = body
    }

    var byteCount: Int { Self.headerBytes + lacing.count + body.count }

    /// Segments that a packet of `bytes` takes: as many of 255 as there are, then the rest, which may be 0.
    static func segments(of bytes: Int) -> Int { bytes / 255 + 1 }

    /// Adds a whole packet; the page must have room for its segments.
    mutating func append(_ packet: [UInt8]) {
        lacing += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        body += packet
    }

    var bytes: [UInt8] {
        var page = ByteWriter(capacity: byteCount)
        page.code(Self.capturePattern)
        page.big(0 as UInt8)
        page.big(flags)
        page.little(granule)
        page.little(serial)
        page.little(sequence)
        page.little(0 as UInt32)
        page.big(UInt8(lacing.count))
        page.raw(lacing)
        page.raw(body)
        page.patchLittle(page.bytes.withUnsafeBytes(OggChecksum.crc32), at: 22)
        return page.bytes
    }

    /// The page that starts at `bytes`; nil where none does, or where it is cut or damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerBytes, bytes.starts(with: "OggS".utf8), bytes[4] == 0 else { return nil }
        let segments = Int(bytes[26])
        let bodyStart = Self.headerBytes + segments
        guard bytes.count >= bodyStart else { return nil }
        lacing = Array(bytes[Self.headerBytes..<bodyStart])
        let end = bodyStart + lacing.reduce(0) { $0 + Int($1) }
        guard bytes.count >= end else { return nil }
        let page = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        let checksum = UInt32(littleEndian: page.loadUnaligned(fromByteOffset: 22, as: UInt32.self))
        guard OggChecksum.crc32(page, skippingFieldAt: 22) == checksum else { return nil }
        flags = page[5]
        let position = Int64(littleEndian: page.loadUnaligned(fromByteOffset: 6, as: Int64.self))
        // No recording is longer than 700 000 years: sums with what is left cannot overflow.
        granule = (0...1 << 60).contains(position) ? position : -1
        serial = UInt32(littleEndian: page.loadUnaligned(fromByteOffset: 14, as: UInt32.self))
        sequence = UInt32(littleEndian: page.loadUnaligned(fromByteOffset: 18, as: UInt32.self))
        body = Array(page[bodyStart...])
    }
}

/// The checksum of Ogg pages: CRC-32 with the polynomial 0x04C11DB7, not reflected, from zero.
enum OggChecksum {
    /// Row `k` is a byte followed by `k` zeros.
    private static let tables: [UInt32] = ChecksumTables.make(0x04C1_1DB7, rows: 8)

    static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 { crc32(bytes, from: 0) }

    /// The four bytes at `field` count as zero; they must lie in `bytes`.
    static func crc32(_ bytes: UnsafeRawBufferPointer, skippingFieldAt field: Int) -> UInt32 {
        let front = crc32(UnsafeRawBufferPointer(rebasing: bytes[..<field]))
        let zeros = withUnsafeBytes(of: 0 as UInt32) { crc32($0, from: front) }
        return crc32(UnsafeRawBufferPointer(rebasing: bytes[(field + 4)...]), from: zeros)
    }

    /// Goes on from `start`.
    private static func crc32(_ bytes: UnsafeRawBufferPointer, from start: UInt32) -> UInt32 {
        guard let base = bytes.baseAddress else { return start }
        return tables.withUnsafeBufferPointer { tables in
            var remainder = start
            var index = 0
            // Eight bytes at a time: the tables of the bytes do not depend on each other.
            while index &+ 8 <= bytes.count {
                let four = UInt32(bigEndian: base.loadUnaligned(fromByteOffset: index, as: UInt32.self)) ^ remainder
                var next: UInt32 = 0
                for place in 0..<4 {
                    let byte = UInt8(truncatingIfNeeded: four &>> UInt32(24 &- 8 &* place))
                    next ^= tables[(7 &- place) &* 256 &+ Int(byte)]
                }
                for place in 4..<8 {
                    let byte = base.load(fromByteOffset: index &+ place, as: UInt8.self)
                    next ^= tables[(7 &- place) &* 256 &+ Int(byte)]
                }
                remainder = next
                index &+= 8
            }
            while index < bytes.count {
                let byte = base.load(fromByteOffset: index, as: UInt8.self)
                remainder = remainder &<< 8 ^ tables[Int(UInt8(truncatingIfNeeded: remainder &>> 24) ^ byte)]
                index &+= 1
            }
            return remainder
        }
    }
}
