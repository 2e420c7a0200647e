import AudioCore

/// What a track's sample description says about the codec.
struct MP4SampleEntry {
    var codec: CodecID
    var configuration: [UInt8]
    var channelCount: Int
    /// Rates in which the track may count, the first being the codec's own.
    var sampleRates: [Double]
    /// Where every packet has the same; 0 where only the time table tells.
    var framesPerPacket: Int
    var bitsPerChannel = 0
    var bitRate = 0

    /// The first entry of `stsd`; nil where it is a codec that another adapter reads.
    static func read(_ stsd: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) -> MP4SampleEntry? {
        guard let entry = try stsd.children(&window, skipping: 8).first,
            var fields = try entry.content(&window), fields.remaining >= 28
        else { return nil }
        try fields.skip(16)
        let channels = Int(try fields.big(UInt16.self))
        // QuickTime's versions 1 and 2 have 16 and 36 bytes more; the version field alone does not tell from ISO's.
        for extra: Int64 in [28, 44, 64] {
            var boxes = try entry.children(&window, skipping: extra)
            if let wave = boxes.first("wave") { boxes += try wave.children(&window) }
            if let found = try read(entry.type, boxes, channels, &window) { return found }
        }
        return nil
    }

    private static func read(_ type: FourCC, _ boxes: [MP4Box], _ channels: Int, _ window: inout SourceWindow)
        throws(AudioFailure) -> MP4SampleEntry?
    {
        switch type {
        case "mp4a":
            guard let content = try boxes.first("esds")?.content(&window) else { return nil }
            return try aac(content, channels)
        case "alac":
            guard let content = try boxes.first("alac")?.content(&window) else { return nil }
            var body = content
            try body.skip(4)
            return try alac(try body.raw(body.remaining))
        case "Opus":
            guard let content = try boxes.first("dOps")?.content(&window) else { return nil }
            return MP4SampleEntry(
                codec: .opus,
                configuration: try OpusHead.head(fromBox: content.bytes),
                channelCount: content.bytes.count > 1 ? Int(content.bytes[1]) : channels,
                sampleRates: [48000],
                framesPerPacket: 0
            )
        case "fLaC":
            guard var content = try boxes.first("dfLa")?.content(&window) else { return nil }
            try content.skip(4)
            let block = try content.big(UInt32.self)
            guard block & 0x7F00_0000 == 0, block & 0xFF_FFFF == 34 else { return nil }
            return flac(try content.raw(34))
        default:
            return nil
        }
    }

    private static func aac(_ content: ByteReader, _ channels: Int) throws(AudioFailure) -> MP4SampleEntry? {
        let descriptor = try ESDescriptor.parse(content.bytes)
        guard descriptor.objectType == ESDescriptor.mpeg4Audio,
            let config = AudioSpecificConfig(descriptor.audioSpecificConfig), config.isPlainAAC
        else { return nil }
        return MP4SampleEntry(
            codec: .aac,
            configuration: descriptor.audioSpecificConfig,
            channelCount: config.channelCount > 0 ? config.channelCount : channels,
            sampleRates: [config.sampleRate] + (config.extensionSampleRate.map { [$0] } ?? [config.sampleRate * 2]),
            framesPerPacket: config.framesPerPacket,
            bitRate: descriptor.bitRate
        )
    }

    private static func alac(_ cookie: [UInt8]) throws(AudioFailure) -> MP4SampleEntry {
        let plain = try ALACCookie.plain(from: cookie)
        let rate = plain[20...23].reduce(0) { $0 << 8 | UInt32($1) }
        return MP4SampleEntry(
            codec: .alac,
            configuration: plain,
            channelCount: Int(plain[9]),
            sampleRates: [Double(rate)],
            framesPerPacket: ALACCookie.framesPerPacket(plain),
            bitsPerChannel: ALACCookie.bitDepth(plain)
        )
    }

    private static func flac(_ info: [UInt8]) -> MP4SampleEntry? {
        // 20 bits of rate, 3 of channels less one, 5 of bits less one, from byte 10 on.
        let fields = info[10..<14].reduce(0) { $0 << 8 | UInt32($1) }
        let rate = fields >> 12
        guard rate > 0 else { return nil }
        return MP4SampleEntry(
            codec: .flac,
            configuration: info,
            channelCount: Int(fields >> 9 & 7) + 1,
            sampleRates: [Double(rate)],
            framesPerPacket: 0,
            bitsPerChannel: Int(fields >> 4 & 31) + 1
        )
    }
}
