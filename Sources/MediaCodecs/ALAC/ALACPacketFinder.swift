import AudioCore

/// Finds the packets of Apple Lossless, which do not say how long they are: every packet is read to its end tag.
///
/// Only the codes are followed; samples are not made. What the codes stand for adapts to their own values, so nothing can
/// be passed over.
final class ALACPacketFinder: PacketFinder {
    let longestPacket: Int
    private let setUp: ALACSetUp

    init(_ stream: StreamDescription) throws(AudioFailure) {
        guard let setUp = ALACSetUp(stream.configuration) else {
            throw AudioFailure(.malformedMedia, "The set-up of Apple Lossless is not one that can be used.")
        }
        self.setUp = setUp
        // What does not get smaller is stored as it is, behind a few bytes of head; doubled for writers that do worse.
        longestPacket = 2 * setUp.framesPerPacket * setUp.channelCount * ((setUp.bitDepth + 7) / 8) + 64
    }

    /// Three bits of the element's kind, four of its number, and one that is never used.
    func mayStart(with byte: UInt8) -> Bool { byte == (setUp.channelCount == 2 ? 0x20 : 0) }

    func sizes(in bytes: [UInt8], isEnd: Bool) throws(AudioFailure) -> [Int] {
        // Bits are looked at eight bytes at a time.
        let padded = bytes + [UInt8](repeating: 0, count: ALACBits.padding)
        return padded.withUnsafeBytes { buffer in
            var sizes: [Int] = []
            var start = 0
            while start < bytes.count {
                var bits = ALACBits(buffer, from: start, to: bytes.count)
                guard let size = bits.packet(setUp), size > 0, size <= longestPacket else { break }
                sizes.append(size)
                start += size
                // A short packet is the last one.
                if bits.frames < setUp.framesPerPacket { break }
            }
            return sizes
        }
    }
}

/// What the plain set-up says of the codes.
struct ALACSetUp {
    let framesPerPacket: Int
    let bitDepth: Int
    let channelCount: Int
    /// How fast the mean of the values is followed, where it starts, and the longest remainder of a code.
    let historyMultiplier: UInt32
    let initialHistory: UInt32
    let riceLimit: Int

    init?(_ plain: [UInt8]) {
        guard plain.count >= 24 else { return nil }
        framesPerPacket = plain[0..<4].reduce(0) { $0 << 8 | Int($1) }
        bitDepth = Int(plain[5])
        historyMultiplier = UInt32(plain[6])
        initialHistory = UInt32(plain[7])
        riceLimit = Int(plain[8])
        channelCount = Int(plain[9])
        guard (1...16384).contains(framesPerPacket), [16, 20, 24, 32].contains(bitDepth),
            (1...8).contains(channelCount),
            (1...30).contains(riceLimit)
        else { return nil }
    }
}

/// The bits of one packet.
struct ALACBits {
    /// Bytes that must lie behind the last one.
    static let padding = 16

    private let bytes: UnsafeRawBufferPointer
    private let start: Int
    private let end: Int
    private var position: Int
    /// Frames of the last packet that was read.
    private(set) var frames = 0

    /// - Parameter bytes: with `padding` bytes behind `end`.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        self.bytes = bytes
        self.start = start
        self.end = end * 8
        position = start * 8
    }

    private enum Element {
        static let single = 0, pair = 1, lowFrequency = 3, data = 4, fill = 6, end = 7
    }

    /// Bytes of the packet; nil where there is none that is right.
    mutating func packet(_ setUp: ALACSetUp) -> Int? {
        var channels = 0
        while position + 3 <= end {
            switch take(3) {
            case Element.single, Element.lowFrequency:
                guard channels + 1 <= setUp.channelCount, element(1, setUp) else { return nil }
                channels += 1
            case Element.pair:
                guard channels + 2 <= setUp.channelCount, element(2, setUp) else { return nil }
                channels += 2
            case Element.data:
                _ = take(4)
                let isAligned = take(1) == 1
                var count = take(8)
                if count == 255 { count += take(8) }
                if isAligned { position = (position + 7) / 8 * 8 }
                position += 8 * count
            case Element.fill:
                var count = take(4)
                if count == 15 { count += take(8) - 1 }
                position += 8 * count
            case Element.end:
                guard channels == setUp.channelCount, position <= end else { return nil }
                let rest = (8 - position % 8) % 8
                guard take(rest) == 0 else { return nil }
                return position / 8 - start
            default:
                return nil
            }
        }
        return nil
    }

    private mutating func element(_ channels: Int, _ setUp: ALACSetUp) -> Bool {
        // Number of the element; twelve bits that are never used.
        _ = take(4)
        guard take(12) == 0 else { return false }
        let isShort = take(1) == 1
        let shiftedBits = 8 * take(2)
        let isPlain = take(1) == 1
        frames = isShort ? take(16) << 16 | take(16) : setUp.framesPerPacket
        guard (1...setUp.framesPerPacket).contains(frames), shiftedBits < setUp.bitDepth else { return false }
        if isPlain {
            position += frames * channels * setUp.bitDepth
            return position <= end
        }
        _ = take(16)
        var multipliers: [UInt32] = []
        for _ in 0..<channels {
            let mode = take(4)
            guard mode == 0 || mode == 15 else { return false }
            _ = take(4)
            multipliers.append(UInt32(take(3)) * setUp.historyMultiplier / 4)
            position += 16 * take(5)
        }
        position += frames * channels * shiftedBits
        let bits = setUp.bitDepth - shiftedBits + channels - 1
        for multiplier in multipliers {
            guard position <= end, residual(multiplier, bits: bits, setUp) else { return false }
        }
        return position <= end
    }

    /// The values of one channel: Golomb codes whose parameter follows the mean, with runs of zeros where it is small.
    private mutating func residual(_ multiplier: UInt32, bits: Int, _ setUp: ALACSetUp) -> Bool {
        var history = setUp.initialHistory
        var sign: UInt32 = 0
        var index = 0
        while index < frames {
            if position > end { return false }
            let k = min(31 - ((history >> 9) + 3).leadingZeroBitCount, setUp.riceLimit)
            let value = scalar(k, longBits: bits) &+ sign
            sign = 0
            index += 1
            if value > 0xFFFF {
                history = 0xFFFF
            } else {
                history = history &+ value &* multiplier &- (history &* multiplier) >> 9
            }
            guard history < 128, index < frames else { continue }
            // Zeros follow: how many is a code, too.
            let zeros = min(history.leadingZeroBitCount - 24 + Int(history + 16) >> 6, setUp.riceLimit)
            let count = scalar(zeros, longBits: 16)
            index += Int(count)
            if index > frames { return false }
            if count < 0xFFFF { sign = 1 }
            history = 0
        }
        return position <= end
    }

    private mutating func scalar(_ k: Int, longBits: Int) -> UInt32 {
        let window = peek()
        let ones = (~window).leadingZeroBitCount
        if ones >= 9 {
            position += 9
            return UInt32(truncatingIfNeeded: takeLong(longBits))
        }
        position += ones + 1
        if k == 1 { return UInt32(ones) }
        let rest = UInt32(truncatingIfNeeded: (window << UInt64(ones + 1)) >> UInt64(64 - k))
        let value = UInt32(ones) << UInt32(k) &- UInt32(ones)
        if rest > 1 {
            position += k
            return value &+ rest &- 1
        }
        position += k - 1
        return value
    }

    // MARK: Bits

    /// At least 57 bits from here on, from the highest bit down; zeros behind the end.
    private func peek() -> UInt64 {
        let byte = min(position >> 3, bytes.count - 8)
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: byte, as: UInt64.self))
        return position >> 3 > byte ? 0 : word << UInt64(position & 7)
    }

    /// Up to 16 bits.
    private mutating func take(_ count: Int) -> Int {
        if count == 0 { return 0 }
        defer { position += count }
        return Int(truncatingIfNeeded: peek() >> UInt64(64 - count))
    }

    /// Up to 33 bits.
    private mutating func takeLong(_ count: Int) -> UInt64 {
        defer { position += count }
        return peek() >> UInt64(64 - count)
    }
}
