package import AudioCore

/// Numbers FLAC frames anew where they come to lie behind others: header and both checksums change, samples do not.
package struct FLACRenumbering {
    /// Frames are counted; otherwise their first samples are (RFC 9639, 9.1.1).
    private let hasEqualBlocks: Bool
    private var blocks: Int64 = 0
    private var position: Int64 = 0

    package init(_ stream: StreamDescription) throws(AudioFailure) {
        let info = try FLACStreamInfo(reading: stream.configuration)
        hasEqualBlocks = info.leastBlock == info.largestBlock
    }

    /// - Throws: `malformedMedia` for what is no whole frame.
    package mutating func next(_ packet: EncodedPacket, of name: String) throws(AudioFailure) -> EncodedPacket {
        var bytes = packet.bytes
        let isIntact = bytes.withUnsafeBytes { FLACChecksums.crc16($0) == 0 }
        guard isIntact, bytes.count > 6, let header = Self.header(bytes) else {
            throw AudioFailure(.malformedMedia, "'\(name)' has a hole or a damaged frame.", path: name)
        }
        var fresh: [UInt8] = [0xFF, hasEqualBlocks ? 0xF8 : 0xF9, bytes[2], bytes[3]]
        fresh += Self.number(hasEqualBlocks ? blocks : position)
        fresh += bytes[header.behindNumber..<header.checksum]
        fresh.append(fresh.withUnsafeBytes { FLACChecksums.crc8($0) })
        blocks += 1
        position += Int64(packet.frames)
        if !bytes.starts(with: fresh) {
            bytes.replaceSubrange(0...header.checksum, with: fresh)
            bytes.removeLast(2)
            let checksum = bytes.withUnsafeBytes { FLACChecksums.crc16($0) }
            bytes += [UInt8(checksum >> 8), UInt8(checksum & 0xFF)]
        }
        return EncodedPacket(bytes: bytes, frames: packet.frames)
    }

    /// Where the number ends, and where the header's checksum is; nil where the bytes are too few.
    private static func header(_ bytes: [UInt8]) -> (behindNumber: Int, checksum: Int)? {
        let ones = (~bytes[4]).leadingZeroBitCount
        let behindNumber = 4 + max(ones, 1)
        let blockBytes = [6: 1, 7: 2][Int(bytes[2] >> 4)] ?? 0
        let rateBytes = [12: 1, 13: 2, 14: 2][Int(bytes[2] & 0x0F)] ?? 0
        let checksum = behindNumber + blockBytes + rateBytes
        return checksum + 2 < bytes.count ? (behindNumber, checksum) : nil
    }

    /// In the extended form of UTF-8, up to 36 bits.
    private static func number(_ value: Int64) -> [UInt8] {
        if value < 0x80 { return [UInt8(value)] }
        // `count` bytes hold 5 × count + 1 bits, seven hold 36.
        var count = 2
        while count < 7, value >= 1 << (5 * count + 1) { count += 1 }
        var bytes = (1..<count).map { index in
            0x80 | UInt8(truncatingIfNeeded: value >> (6 * (count - 1 - index))) & 0x3F
        }
        let mark = UInt8(truncatingIfNeeded: 0xFF00 >> count)
        let top = count == 7 ? 0 : UInt8(truncatingIfNeeded: value >> (6 * (count - 1)))
        bytes.insert(mark | top, at: 0)
        return bytes
    }
}
