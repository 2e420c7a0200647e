/// The two checksums of a FLAC frame (RFC 9639, 9.1.8 and 9.3).
enum FLACChecksums {
    /// x^8 + x^2 + x + 1, over the header.
    private static let table8: [UInt8] = ChecksumTables.make(0x07, rows: 1)

    /// x^16 + x^15 + x^2 + 1, over the whole frame; row `k` is a byte followed by `k` zeros.
    private static let tables16: [UInt16] = ChecksumTables.make(0x8005, rows: 8)

    static func crc8(_ bytes: UnsafeRawBufferPointer) -> UInt8 {
        table8.withUnsafeBufferPointer { table in bytes.reduce(0) { table[Int($0 ^ $1)] } }
    }

    /// Goes on from `start`. Zero over a frame with its own checksum.
    static func crc16(_ bytes: UnsafeRawBufferPointer, from start: UInt16 = 0) -> UInt16 {
        guard let base = bytes.baseAddress else { return start }
        return tables16.withUnsafeBufferPointer { tables in
            var remainder = start
            var index = 0
            // Eight bytes at a time: the tables of the bytes do not depend on each other.
            while index &+ 8 <= bytes.count {
                let high = base.load(fromByteOffset: index, as: UInt8.self) ^ UInt8(truncatingIfNeeded: remainder &>> 8)
                let low = base.load(fromByteOffset: index &+ 1, as: UInt8.self) ^ UInt8(truncatingIfNeeded: remainder)
                var next = tables[7 &* 256 &+ Int(high)] ^ tables[6 &* 256 &+ Int(low)]
                for place in 2..<8 {
                    let byte = base.load(fromByteOffset: index &+ place, as: UInt8.self)
                    next ^= tables[(7 &- place) &* 256 &+ Int(byte)]
                }
                remainder = next
                index &+= 8
            }
            while index < bytes.count {
                let byte = base.load(fromByteOffset: index, as: UInt8.self)
                remainder = remainder &<< 8 ^ tables[Int(UInt8(truncatingIfNeeded: remainder &>> 8) ^ byte)]
                index &+= 1
            }
            return remainder
        }
    }
}
