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
    private static let table: [UInt32] = (0..<256).map { value in
        var remainder = UInt32(value) << 24
        for _ in 0..<8 { remainder = remainder & 0x8000_0000 != 0 ? remainder << 1 ^ 0x04C1_1DB7 : remainder << 1 }
        return remainder
    }

    static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 { crc32(bytes, skippingFieldAt: bytes.count) }

    /// The four bytes at `field` count as zero.
    static func crc32(_ bytes: UnsafeRawBufferPointer, skippingFieldAt field: Int) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var remainder: UInt32 = 0
            for index in 0..<bytes.count {
                let byte = index >= field && index < field + 4 ? 0 : bytes[index]
                remainder = remainder &<< 8 ^ table[Int(UInt8(truncatingIfNeeded: remainder &>> 24) ^ byte)]
            }
            return remainder
        }
    }
}
