import AudioCore

/// The STREAMINFO block of FLAC (RFC 9639, 8.2).
struct FLACStreamInfo {
    static let byteCount = 34

    var leastBlock: Int
    var largestBlock: Int
    /// Bytes of the smallest and the largest frame, 0 where unknown.
    var leastFrame: Int
    var largestFrame: Int
    var sampleRate: Int
    var channelCount: Int
    var bitsPerSample: Int
    /// Frames of the whole stream, 0 where unknown.
    var total: Int64
    /// Over all samples; zeros where unknown.
    var md5: [UInt8]

    /// More cannot be stated: 36 bits.
    static let largestTotal: Int64 = 1 << 36 - 1

    /// - Throws: `malformedMedia`.
    init(reading bytes: [UInt8]) throws(AudioFailure) {
        var reader = ByteReader(bytes)
        leastBlock = Int(try reader.big(UInt16.self))
        largestBlock = Int(try reader.big(UInt16.self))
        leastFrame = Int(try reader.big(UInt16.self)) << 8 | Int(try reader.big(UInt8.self))
        largestFrame = Int(try reader.big(UInt16.self)) << 8 | Int(try reader.big(UInt8.self))
        let fields = try reader.big(UInt64.self)
        md5 = try reader.raw(16)
        sampleRate = Int(fields >> 44)
        channelCount = Int(fields >> 41 & 0x7) + 1
        bitsPerSample = Int(fields >> 36 & 0x1F) + 1
        total = Int64(fields & 0xF_FFFF_FFFF)
        guard sampleRate > 0, bitsPerSample >= 4, largestBlock > 0 else {
            throw AudioFailure(.malformedMedia, "The FLAC stream states impossible values.")
        }
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.byteCount)
        writer.big(UInt16(clamping: leastBlock))
        writer.big(UInt16(clamping: largestBlock))
        for size in [leastFrame, largestFrame] {
            // What does not fit into 24 bits is unknown.
            let size = size < 1 << 24 ? size : 0
            writer.raw([UInt8(size >> 16 & 0xFF), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)])
        }
        var fields = UInt64(sampleRate) << 44 | UInt64(channelCount - 1) << 41
        fields |= UInt64(bitsPerSample - 1) << 36 | UInt64(total <= Self.largestTotal ? total : 0)
        writer.big(fields)
        writer.raw(md5)
        return writer.bytes
    }
}

/// The application block in which our writer says whether a file is finished.
enum FLACState {
    static let signature: FourCC = "kayt"
    static let live: FourCC = "live"
    static let done: FourCC = "done"
}

/// The types of metadata blocks.
enum FLACBlock: UInt8 {
    case streamInfo = 0
    case padding = 1
    case application = 2
    case seekTable = 3
    case comments = 4

    /// Type and length; the highest bit says that audio follows.
    func header(byteCount: Int, isLast: Bool = false) -> [UInt8] {
        [
            rawValue | (isLast ? 0x80 : 0), UInt8(byteCount >> 16 & 0xFF), UInt8(byteCount >> 8 & 0xFF),
            UInt8(byteCount & 0xFF),
        ]
    }
}
