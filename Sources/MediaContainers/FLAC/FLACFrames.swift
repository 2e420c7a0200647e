import AudioCore

#if canImport(Glibc)
import Glibc
#endif

/// Finds the frames of a FLAC stream, which have no length: a frame ends where its checksum is right and another one or
/// the end of the file follows.
struct FLACFrames {
    struct Frame {
        var header: FLACFrameHeader
        var offset: Int64
        var byteCount: Int
        /// False where the checksum is wrong.
        var isIntact: Bool
        var end: Int64 { offset + Int64(byteCount) }
    }

    let info: FLACStreamInfo
    /// Where the first frame should be.
    let start: Int64
    /// Where the audio ends: the end of the file, or of a tag behind it.
    let end: Int64
    private var source: SlidingBytes
    /// Bytes of the last frame, a guess for the next.
    private var usualBytes = 16 << 10

    /// More than any frame has: stored plainly, one more bit for a side channel, and headers.
    private var largestFrame: Int {
        info.largestBlock * info.channelCount * (info.bitsPerSample + 8) / 8 + 256
    }

    init(_ source: SlidingBytes, info: FLACStreamInfo, start: Int64) throws(AudioFailure) {
        self.source = source
        self.info = info
        self.start = min(start, source.size)
        // An ID3v1 tag.
        let tagStart = source.size - 128
        var source = source
        let tag = tagStart >= start ? try source.copy(at: tagStart, count: 3) : []
        end = tag == Array("TAG".utf8) ? tagStart : source.size
    }

    mutating func bytes(of frame: Frame) throws(AudioFailure) -> [UInt8] {
        try source.copy(at: frame.offset, count: frame.byteCount)
    }

    /// The first header at or behind `offset`, before `limit`.
    mutating func nextHeader(from offset: Int64, before limit: Int64) throws(AudioFailure) -> (FLACFrameHeader, Int64)?
    {
        let info = info
        var place = offset
        while place < limit {
            let count = Int(min(limit - place, 64 << 10))
            // Headers that start in this part may end behind it.
            let found = try source.withBytes(at: place, count: count + FLACFrameHeader.longest) { bytes in
                Self.firstHeader(in: bytes, from: 0, to: min(count, bytes.count), info)
            }
            if let (header, index) = found { return (header, place + Int64(index)) }
            place += Int64(count)
        }
        return nil
    }

    private static func firstHeader(
        in bytes: UnsafeRawBufferPointer,
        from first: Int,
        to last: Int,
        _ info: FLACStreamInfo
    ) -> (FLACFrameHeader, Int)? {
        var index = first
        while index < last, let base = bytes.baseAddress {
            guard let match = memchr(base + index, 0xFF, last - index) else { return nil }
            index = UnsafeRawPointer(match) - base
            if let header = FLACFrameHeader(UnsafeRawBufferPointer(rebasing: bytes[index...]), info) {
                return (header, index)
            }
            index += 1
        }
        return nil
    }

    /// The frame that starts at `offset`; nil where none does, or where it is cut by the end of the file.
    mutating func frame(at offset: Int64) throws(AudioFailure) -> Frame? {
        let info = info
        let available = Int(min(max(end - offset, 0), Int64(largestFrame) + Int64(FLACFrameHeader.longest)))
        var wanted = min(available, max(2 * usualBytes, 4 << 10))
        while wanted > 0 {
            let isAll = wanted == available
            let reachesEnd = offset + Int64(wanted) == end
            let found = try source.withBytes(at: offset, count: wanted) { bytes in
                Self.measure(
                    UnsafeRawBufferPointer(rebasing: bytes.prefix(wanted)),
                    info,
                    isAll: isAll,
                    reachesEnd: reachesEnd
                )
            }
            switch found {
            case .frame(let header, let count, let isIntact):
                usualBytes = count
                return Frame(header: header, offset: offset, byteCount: count, isIntact: isIntact)
            case .none: return nil
            case .needsMore: wanted = min(available, wanted * 4)
            }
        }
        return nil
    }

    private enum Measure {
        case frame(FLACFrameHeader, Int, isIntact: Bool)
        case none
        case needsMore
    }

    private static func measure(
        _ bytes: UnsafeRawBufferPointer,
        _ info: FLACStreamInfo,
        isAll: Bool,
        reachesEnd: Bool
    ) -> Measure {
        guard let header = FLACFrameHeader(bytes, info) else { return .none }
        var damaged: Int?
        var (checked, remainder) = (0, UInt16(0))
        // Headers that may go on behind the bytes are looked at when there are more.
        let last = isAll ? bytes.count : bytes.count - FLACFrameHeader.longest
        var index = header.byteCount
        // By chance a frame holds no header in ten thousand frames: many are an attempt to make us search for ever.
        var candidates = 0
        while candidates < 16, let (next, place) = firstHeader(in: bytes, from: index, to: last, info) {
            remainder = FLACChecksums.crc16(UnsafeRawBufferPointer(rebasing: bytes[checked..<place]), from: remainder)
            checked = place
            if remainder == 0 { return .frame(header, place, isIntact: true) }
            candidates += 1
            if damaged == nil, next.position > header.position { damaged = place }
            index = place + 1
        }
        if candidates == 16 { return damaged.map { .frame(header, $0, isIntact: false) } ?? .none }
        if !isAll { return .needsMore }
        if reachesEnd {
            remainder = FLACChecksums.crc16(UnsafeRawBufferPointer(rebasing: bytes[checked...]), from: remainder)
            if remainder == 0 { return .frame(header, bytes.count, isIntact: true) }
        }
        let rest = UnsafeRawBufferPointer(rebasing: bytes.prefix(damaged ?? bytes.count))
        if let place = endBeforeZeros(rest, from: header.byteCount) { return .frame(header, place, isIntact: true) }
        return damaged.map { .frame(header, $0, isIntact: false) } ?? .none
    }

    /// Where a frame ends of whose successor the head never came to the disk: the first zeros before which its checksum is
    /// right. Without the zeros every other frame would have a place where it is right by chance.
    private static func endBeforeZeros(_ bytes: UnsafeRawBufferPointer, from first: Int) -> Int? {
        var (checked, remainder) = (0, UInt16(0))
        var index = first
        while index + 1 < bytes.count, let base = bytes.baseAddress,
            let match = memchr(base + index, 0, bytes.count - 1 - index)
        {
            let place = UnsafeRawPointer(match) - base
            index = place + 1
            guard bytes[place + 1] == 0 else { continue }
            remainder = FLACChecksums.crc16(UnsafeRawBufferPointer(rebasing: bytes[checked..<place]), from: remainder)
            checked = place
            if remainder == 0 { return place }
        }
        return nil
    }

    /// The last whole frame of the file, and whether anything that is none lies behind it.
    mutating func lastFrame() throws(AudioFailure) -> (frame: Frame, isCut: Bool)? {
        var reach = Int64(64 << 10)
        while true {
            let from = max(end - reach, start)
            var offsets: [Int64] = []
            var place = from
            while let (_, offset) = try nextHeader(from: place, before: end) {
                offsets.append(offset)
                place = offset + 1
            }
            for offset in offsets.suffix(4_096).reversed() {
                if let frame = try frame(at: offset), frame.isIntact { return (frame, frame.end < end) }
            }
            if from == start || reach > 4 * Int64(largestFrame) { return nil }
            reach *= 4
        }
    }
}
