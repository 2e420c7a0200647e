import AudioCore

/// The elementary stream descriptor of ISO/IEC 14496-1, which carries the AAC set-up in M4A (`esds`) and CAF (`kuki`).
enum ESDescriptor {
    struct Content {
        /// 0x40 is MPEG-4 audio.
        var objectType: UInt8
        var bitRate: Int
        var audioSpecificConfig: [UInt8]
    }

    static let mpeg4Audio: UInt8 = 0x40

    private enum Tag {
        static let elementaryStream: UInt8 = 3
        static let decoderConfig: UInt8 = 4
        static let decoderSpecific: UInt8 = 5
        static let syncLayer: UInt8 = 6
    }

    static func bytes(audioSpecificConfig: [UInt8], bitRate: Int) -> [UInt8] {
        var config = ByteWriter()
        config.big(mpeg4Audio)
        config.big(UInt8(0x15))  // audio stream, not upstream, reserved bit set
        config.zeros(3)  // decoder buffer size: not stated
        config.big(UInt32(clamping: bitRate))
        config.big(UInt32(clamping: bitRate))
        config.raw(descriptor(Tag.decoderSpecific, audioSpecificConfig))
        var stream = ByteWriter()
        stream.big(UInt16(0))  // stream id: the track says it
        stream.big(UInt8(0))
        stream.raw(descriptor(Tag.decoderConfig, config.bytes))
        stream.raw(descriptor(Tag.syncLayer, [2]))  // 2: as MP4 files predefine it
        return descriptor(Tag.elementaryStream, stream.bytes)
    }

    /// Reads a descriptor, with or without the version and flags of an `esds` box in front.
    static func parse(_ bytes: [UInt8]) throws(AudioFailure) -> Content {
        var reader = ByteReader(bytes)
        if bytes.starts(with: [0, 0, 0, 0]) { try reader.skip(4) }
        var (tag, body) = try next(&reader)
        if tag == Tag.elementaryStream {
            try body.skip(2)
            let flags = try body.big(UInt8.self)
            if flags & 0x80 != 0 { try body.skip(2) }
            if flags & 0x40 != 0 { try body.skip(Int(try body.big(UInt8.self))) }
            if flags & 0x20 != 0 { try body.skip(2) }
            (tag, body) = try next(&body)
        }
        guard tag == Tag.decoderConfig else { throw malformed() }
        let objectType = try body.big(UInt8.self)
        try body.skip(8)
        let bitRate = try body.big(UInt32.self)
        guard body.remaining > 0 else { return Content(objectType: objectType, bitRate: 0, audioSpecificConfig: []) }
        var (inner, specific) = try next(&body)
        guard inner == Tag.decoderSpecific else { throw malformed() }
        let config = try specific.raw(specific.remaining)
        return Content(objectType: objectType, bitRate: Int(bitRate), audioSpecificConfig: config)
    }

    /// Four length bytes, as Apple writes them: the size does not depend on the value.
    private static func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
        let count = body.count
        let length = [21, 14, 7].map { UInt8(0x80 | (count >> $0 & 0x7F)) } + [UInt8(count & 0x7F)]
        return [tag] + length + body
    }

    /// The next descriptor; one that claims more than there is ends where the bytes end.
    private static func next(_ reader: inout ByteReader) throws(AudioFailure) -> (UInt8, ByteReader) {
        let tag = try reader.big(UInt8.self)
        var length = 0
        for _ in 0..<4 {
            let byte = try reader.big(UInt8.self)
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return (tag, try reader.sub(min(length, reader.remaining)))
    }

    private static func malformed() -> AudioFailure {
        AudioFailure(.malformedMedia, "The AAC set-up is not an elementary stream descriptor.")
    }
}
