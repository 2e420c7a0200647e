import AudioCore

/// The Opus identification header (RFC 7845, 5.1), made for containers that state its content in other ways.
enum OpusHead {
    /// For one or two channels; `preSkip` is counted at `sampleRate`.
    static func synthesized(channelCount: Int, preSkip: Int, sampleRate: Double) -> [UInt8] {
        let preSkipAt48000 = Double(preSkip) * 48000 / max(1, sampleRate)
        var head = ByteWriter()
        head.text("OpusHead")
        head.big(UInt8(1))
        head.big(UInt8(clamping: channelCount))
        head.little(UInt16(min(65535, max(0, preSkipAt48000.rounded()))))
        head.little(UInt32(min(4e9, max(0, sampleRate))))
        head.little(UInt16(0))  // gain
        head.big(UInt8(0))  // mapping family: mono or stereo
        return head.bytes
    }
}

extension OpusHead {
    /// The same values as `dOps` of MP4 holds them: without the name, big-endian, version 0.
    static func boxContent(_ head: [UInt8]) throws(AudioFailure) -> [UInt8] {
        var reader = ByteReader(head)
        guard head.starts(with: "OpusHead".utf8) else {
            throw AudioFailure(.invalidArgument, "Opus cannot be written without its OpusHead packet.")
        }
        try reader.skip(9)
        var box = ByteWriter()
        box.big(UInt8(0))
        box.big(try reader.big(UInt8.self))
        box.big(try reader.little(UInt16.self))
        box.big(try reader.little(UInt32.self))
        box.big(try reader.little(UInt16.self))
        box.raw(try reader.raw(reader.remaining))
        return box.bytes
    }

    /// The other way round.
    static func head(fromBox content: [UInt8]) throws(AudioFailure) -> [UInt8] {
        var reader = ByteReader(content)
        try reader.skip(1)
        var head = ByteWriter()
        head.text("OpusHead")
        head.big(UInt8(1))
        head.big(try reader.big(UInt8.self))
        head.little(try reader.big(UInt16.self))
        head.little(try reader.big(UInt32.self))
        head.little(try reader.big(UInt16.self))
        head.raw(try reader.raw(reader.remaining))
        return head.bytes
    }
}
