import AudioCore
import Synchronization

/// Files whose head is damaged and whose audio needs little of it: a head is made, and the readers read on.
enum HeadSalvage {
    private static let reason = "The head of the file is damaged; its audio was found without it."

    // MARK: WAV and AIFF

    /// The audio of a WAV or AIFF file of ours, by a file with the same settings.
    static func pcm(_ source: any ByteSource, _ container: ContainerKind, like: StreamDescription?)
        throws(AudioFailure) -> any ContainerReader
    {
        let window = try SourceWindow(source)
        guard let like, like.bytesPerPacket > 0 else {
            throw AudioFailure(
                .malformedMedia,
                "The head of the file is damaged, and with it what its audio is. A file that the same recorder made with"
                    + " the same settings tells (--like)."
            )
        }
        let start = try headLength(container, of: like)
        let extent = FixedSizeUnits.Extent(start: start, length: max(0, window.size - start))
        return try SalvagedUnitsReader(window, container: container, stream: like, extent: extent, reason: reason)
    }

    /// Bytes in front of the audio in a file of our writer.
    static func headLength(_ container: ContainerKind, of stream: StreamDescription) throws(AudioFailure) -> Int64 {
        let head = HeadFile()
        let writer = try ContainerProvider().makeWriter(container, stream: stream, file: head, options: WriterOptions())
        try writer?.checkpoint(synchronize: false)
        return try head.size()
    }

    // MARK: FLAC

    /// Frames say themselves nearly all that the stream information does.
    static func flac(_ source: any ByteSource, like: StreamDescription?) throws(AudioFailure) -> any ContainerReader {
        var bytes = try SlidingBytes(source)
        let stated = like.flatMap { try? FLACStreamInfo(reading: $0.configuration) }
        guard let (info, start) = try firstFrame(&bytes, like: stated) else {
            throw AudioFailure(.malformedMedia, "No FLAC frame was found in the file.")
        }
        var head = ByteWriter()
        head.code("fLaC")
        head.raw(FLACBlock.streamInfo.header(byteCount: FLACStreamInfo.byteCount, isLast: true))
        head.raw(info.bytes)
        return try FLACReader(SplicedSource(head: head.bytes, source, from: start))
    }

    /// The first place at which two frames of one kind follow each other.
    private static func firstFrame(_ bytes: inout SlidingBytes, like: FLACStreamInfo?)
        throws(AudioFailure) -> (FLACStreamInfo, Int64)?
    {
        var place: Int64 = 0
        let limit = min(bytes.size, 8 << 20)
        while place < limit {
            let count = Int(min(64 << 10, limit - place))
            let piece = try bytes.copy(at: place, count: count + FLACFrameHeader.longest)
            for index in 0..<min(count, max(0, piece.count - 6))
            where piece[index] == 0xFF && piece[index + 1] & 0xFE == 0xF8 {
                let head = Array(piece[index..<min(piece.count, index + FLACFrameHeader.longest)])
                guard let info = FLACStreamInfo(statedBy: head, like: like) else { continue }
                let start = place + Int64(index)
                var frames = try FLACFrames(bytes, info: info, start: start)
                guard let first = try frames.frame(at: start), first.isIntact,
                    let second = try frames.frame(at: first.end), second.isIntact
                else { continue }
                return (info, start)
            }
            place += Int64(count)
        }
        return nil
    }

    // MARK: Ogg Opus

    /// Pages are whole by themselves; what is made anew is the head, with the delay that encoders usually have.
    static func opus(_ source: any ByteSource, like: StreamDescription?) throws(AudioFailure) -> any ContainerReader {
        var bytes = try SlidingBytes(source)
        var place: Int64 = 0
        while let found = try OggPages.next(in: &bytes, from: place, before: bytes.size) {
            place = found.end
            let body = found.page.body
            if body.isEmpty || body.starts(with: "OpusHead".utf8) || body.starts(with: "OpusTags".utf8) { continue }
            var configuration = like?.codec == .opus ? like?.configuration ?? [] : []
            if configuration.count < 19 {
                // RFC 6716, 3.1: the third bit of a packet says that it has two channels.
                let isStereo = body[0] & 4 != 0
                configuration = OpusHead.synthesized(
                    channelCount: isStereo ? 2 : 1,
                    preSkip: 312,
                    sampleRate: OpusPacket.rate
                )
            }
            var head = OggPage(flags: OggPage.first, granule: 0, serial: found.page.serial, sequence: 0)
            head.append(configuration)
            var tags = OggPage(flags: 0, granule: 0, serial: found.page.serial, sequence: 1)
            tags.append(
                Array("OpusTags".utf8) + VorbisComments.bytes(for: MediaMetadata(), sampleRate: OpusPacket.rate)
            )
            let spliced = SplicedSource(head: head.bytes + tags.bytes, source, from: found.offset)
            guard let reader = try OggOpusReader(spliced) else { break }
            return reader
        }
        throw AudioFailure(.malformedMedia, "No page of Opus was found in the file.")
    }
}

extension FLACStreamInfo {
    /// What the head of a frame says of its stream; nil for what is no head, or says less than is needed.
    fileprivate init?(statedBy head: [UInt8], like: FLACStreamInfo?) {
        guard head.count >= 6 else { return nil }
        let rates = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]
        let bits = [0, 8, 12, 0, 16, 20, 24, 32]
        let (blockCode, rateCode) = (Int(head[2] >> 4), Int(head[2] & 15))
        let (channelCode, bitsCode) = (Int(head[3] >> 4), Int(head[3] >> 1 & 7))
        guard channelCode <= 10, let rate = rateCode < rates.count && rateCode > 0 ? rates[rateCode] : like?.sampleRate,
            let depth = bitsCode > 0 ? bits[bitsCode] : like?.bitsPerSample, depth > 0
        else { return nil }
        let block: Int
        switch blockCode {
        case 1: block = 192
        case 2...5: block = 576 << (blockCode - 2)
        case 8...15: block = 256 << (blockCode - 8)
        default:
            guard let like else { return nil }
            block = like.largestBlock
        }
        var writer = ByteWriter()
        writer.big(UInt16(clamping: block))
        writer.big(UInt16(clamping: block))
        writer.zeros(6)
        var fields = UInt64(rate) << 44 | UInt64(channelCode < 8 ? channelCode : 1) << 41
        fields |= UInt64(depth - 1) << 36
        writer.big(fields)
        writer.zeros(16)
        guard let info = try? FLACStreamInfo(reading: writer.bytes) else { return nil }
        self = info
    }
}

/// A head in memory and the rest of a source as one.
private final class SplicedSource: ByteSource {
    private let head: [UInt8]
    private let source: any ByteSource
    private let offset: Int64

    init(head: [UInt8], _ source: any ByteSource, from offset: Int64) {
        self.head = head
        self.source = source
        self.offset = offset
    }

    func size() throws(AudioFailure) -> Int64 { Int64(head.count) + max(0, try source.size() - offset) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws(AudioFailure) -> Int {
        guard place >= 0, place < Int64.max / 2 else { return 0 }
        var done = 0
        if place < Int64(head.count) {
            done = min(buffer.count, head.count - Int(place))
            head.withUnsafeBytes { bytes in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Int(place)..<Int(place) + done]))
            }
        }
        guard done < buffer.count else { return done }
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        return done + (try source.read(into: rest, at: place + Int64(done) - Int64(head.count) + offset))
    }
}

/// Takes what a writer writes and keeps its length only.
private final class HeadFile: StoredFile {
    private let length = Mutex<Int64>(0)
    let path = ""

    func size() throws(AudioFailure) -> Int64 { length.withLock { $0 } }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int { 0 }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        let end = offset + Int64(bytes.count)
        length.withLock { $0 = max($0, end) }
    }
    func synchronize() throws(AudioFailure) {}
    func truncate(to size: Int64) throws(AudioFailure) { length.withLock { $0 = size } }
    func reserve(upTo size: Int64) throws(AudioFailure) {}
    func tryLock() throws(AudioFailure) -> Bool { true }
    func close() {}
}
