/// The header of a FLAC frame (RFC 9639, 9.1), found in any bytes.
struct FLACFrameHeader: Equatable {
    /// The first frame of audio in it, counted as the stream counts.
    var position: Int64
    var blockSize: Int
    var byteCount: Int

    /// The longest header: sync, codes, number of 7 bytes, block size, sample rate, checksum.
    static let longest = 16

    /// Nil where `bytes` do not start with a header that fits to `info`.
    init?(_ bytes: UnsafeRawBufferPointer, _ info: FLACStreamInfo) {
        guard bytes.count >= 6, bytes[0] == 0xFF, bytes[1] & 0xFE == 0xF8, bytes[3] & 1 == 0 else { return nil }
        let (blockCode, rateCode) = (Int(bytes[2] >> 4), Int(bytes[2] & 0x0F))
        let (channelCode, bitsCode) = (Int(bytes[3] >> 4), Int(bytes[3] >> 1 & 7))
        guard blockCode != 0, rateCode != 15, channelCode <= 10, bitsCode != 3 else { return nil }
        guard (channelCode < 8 ? channelCode + 1 : 2) == info.channelCount else { return nil }
        guard bitsCode == 0 || Self.bits[bitsCode] == info.bitsPerSample else { return nil }

        guard let (number, numberBytes) = Self.number(UnsafeRawBufferPointer(rebasing: bytes[4...])) else { return nil }
        var place = 4 + numberBytes
        func field(_ size: Int) -> Int? {
            guard place + size <= bytes.count else { return nil }
            defer { place += size }
            return size == 1 ? Int(bytes[place]) : Int(bytes[place]) << 8 | Int(bytes[place + 1])
        }
        switch blockCode {
        case 1: blockSize = 192
        case 2...5: blockSize = 576 << (blockCode - 2)
        case 6, 7:
            guard let size = field(blockCode - 5) else { return nil }
            blockSize = size + 1
        default: blockSize = 256 << (blockCode - 8)
        }
        let rate: Int
        switch rateCode {
        case 12...14:
            guard let value = field(rateCode == 12 ? 1 : 2) else { return nil }
            rate = value * (rateCode == 12 ? 1_000 : rateCode == 14 ? 10 : 1)
        default: rate = Self.rates[rateCode]
        }
        guard rateCode == 0 || rate == info.sampleRate else { return nil }
        guard blockSize <= info.largestBlock, place < bytes.count else { return nil }
        guard FLACChecksums.crc8(UnsafeRawBufferPointer(rebasing: bytes[..<place])) == bytes[place] else { return nil }
        byteCount = place + 1
        // Streams of blocks of one size count blocks, others count frames of audio.
        let isVariable = bytes[1] & 1 == 1
        position = isVariable ? number : number * Int64(info.largestBlock)
    }

    private static let bits = [0, 8, 12, 0, 16, 20, 24, 32]
    private static let rates = [
        0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000, 0, 0, 0, 0,
    ]

    /// A number in the extended form of UTF-8, up to 36 bits in 7 bytes.
    private static func number(_ bytes: UnsafeRawBufferPointer) -> (Int64, Int)? {
        guard let first = bytes.first else { return nil }
        let ones = (~first).leadingZeroBitCount
        if ones == 0 { return (Int64(first), 1) }
        guard (2...7).contains(ones), bytes.count >= ones else { return nil }
        var value = ones == 7 ? 0 : Int64(first & (0x7F >> UInt8(ones)))
        for byte in bytes[1..<ones] {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | Int64(byte & 0x3F)
        }
        return (value, ones)
    }
}
