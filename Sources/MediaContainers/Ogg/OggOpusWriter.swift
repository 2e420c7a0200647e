import AudioCore

/// Writes Opus in Ogg (RFC 7845) in pages of at most 200 ms; a checkpoint ends the open page.
///
/// A page is whole or, by its checksum, not there: nothing has to be refreshed. Only notes change pages in front, see
/// `OggNotePages`, and at the end the last page is written again, with the mark of the end and the granule position that
/// trims what the encoder padded.
final class OggOpusWriter: ContainerWriter {
    private let file: any StoredFile
    private let sampleRate: Double
    private let preSkip: Int64
    private let serial = UInt32.random(in: .min ... .max)
    private var length: RecordingLength
    private var audio: AppendedAudio
    private var notes: OggNotePages?
    private var open: OggPage
    /// Frames at 48 kHz of all packets, and of those in pages that are closed.
    private var granule: Int64 = 0
    private var closedGranule: Int64 = 0
    /// The last pages, whose end may have to be moved: the padding at the end is shorter than these.
    private var lastPages: [ClosedPage] = []
    private(set) var checkpointedFrames: FrameCount = 0
    private var mark = Mark()

    private typealias ClosedPage = (page: OggPage, offset: Int64, start: Int64)

    /// What a checkpoint has made part of the file.
    private struct Mark {
        var granule: Int64 = 0
        var decoded: Int64 = 0
        var bytes: Int64 = 0
        var sequence: UInt32 = 0
        var lastPages: [ClosedPage] = []
    }

    private static let longestPage: Int64 = 9_600
    private static let keptPages = 8
    /// The tags are one packet, which pages cut into pieces of 255 × 255 bytes.
    private static let pieceBytes = 255 * 255

    init(stream: StreamDescription, file: any StoredFile, options: WriterOptions) throws(AudioFailure) {
        guard stream.codec == .opus else {
            throw AudioFailure(.unsupported, "Ogg files are written with Opus only, not with \(stream.codec.name).")
        }
        let head = stream.configuration
        guard head.count >= 19, head.starts(with: "OpusHead".utf8), stream.sampleRate >= 1, stream.sampleRate <= 192_000
        else {
            throw AudioFailure(.invalidArgument, "An Opus stream needs its OpusHead packet as its configuration.")
        }
        try RecordingLength.checkPriming(stream)
        self.file = file
        sampleRate = stream.sampleRate
        preSkip = Int64(head[10]) | Int64(head[11]) << 8
        length = RecordingLength(priming: stream.primingFrames)
        audio = AppendedAudio(file: file, start: 0)
        open = OggPage(flags: OggPage.first, granule: 0, serial: serial, sequence: 0)
        open.append(head)
        try audio.append(open.bytes)
        let metadata = options.metadata.atOpusRate(from: sampleRate)
        let tags = Array("OpusTags".utf8) + VorbisComments.bytes(for: metadata, sampleRate: OpusPacket.rate)
        notes = OggNotePages(options, tags: tags, serial: serial, sampleRate: sampleRate, at: open.byteCount)
        if let notes {
            try audio.append(notes.bytes)
            open.sequence = UInt32(notes.pageCount)
            startPage()
        } else {
            try writeTags(tags)
        }
        try audio.flush()
        setMark()
    }

    func note(_ note: RecordingNote) throws(AudioFailure) { notes?.add(note) }

    private func writeTags(_ tags: [UInt8]) throws(AudioFailure) {
        var rest = tags[...]
        var flags: UInt8 = 0
        while true {
            let isEnd = rest.count < Self.pieceBytes
            let piece = Array(rest.prefix(Self.pieceBytes))
            startPage()
            open.flags = flags
            open.granule = isEnd ? 0 : -1
            if isEnd {
                open.append(piece)
            } else {
                open.lacing = [UInt8](repeating: 255, count: OggPage.mostSegments)
                open.body = piece
            }
            try audio.append(open.bytes)
            rest = rest.dropFirst(piece.count)
            flags = OggPage.continued
            if isEnd { break }
        }
        startPage()
    }

    private func startPage() {
        open = OggPage(flags: 0, granule: -1, serial: serial, sequence: open.sequence &+ 1)
    }

    func append(_ packet: EncodedPacket) throws(AudioFailure) {
        let frames = OpusPacket.frames(packet.bytes)
        let segments = OggPage.segments(of: packet.bytes.count)
        guard frames > 0, segments <= OggPage.mostSegments else {
            throw AudioFailure(.invalidArgument, "A packet of \(packet.bytes.count) bytes is no packet of Opus.")
        }
        let isFull = granule + Int64(frames) - closedGranule > Self.longestPage
        if !open.lacing.isEmpty, isFull || open.lacing.count + segments > OggPage.mostSegments { try closePage() }
        open.append(packet.bytes)
        granule += Int64(frames)
        length.decoded += Int64(packet.frames)
    }

    private func closePage() throws(AudioFailure) {
        if open.lacing.isEmpty { return }
        open.granule = granule
        lastPages.append((open, audio.length, closedGranule))
        if lastPages.count > Self.keptPages { lastPages.removeFirst() }
        closedGranule = granule
        let bytes = open.bytes
        startPage()
        try audio.append(bytes)
    }

    func checkpoint(synchronize: Bool) throws(AudioFailure) {
        try closePage()
        try audio.flush()
        _ = try notes?.write(to: file)
        if synchronize { try file.synchronize() }
        let decoded = FrameCount(seconds: Double(closedGranule - preSkip) / OpusPacket.rate, sampleRate: sampleRate)
        checkpointedFrames = max(decoded, 0)
        setMark()
    }

    /// The open page has no packets.
    private func setMark() {
        mark = Mark(
            granule: closedGranule,
            decoded: length.decoded,
            bytes: audio.written,
            sequence: open.sequence,
            lastPages: lastPages
        )
    }

    func abandonPending() {
        granule = mark.granule
        closedGranule = mark.granule
        length.decoded = mark.decoded
        lastPages = mark.lastPages
        audio.cut(to: mark.bytes)
        open = OggPage(flags: 0, granule: -1, serial: serial, sequence: mark.sequence)
    }

    func finish(validFrames: FrameCount) throws(AudioFailure) {
        file.beginEnding()
        try length.state(validFrames)
        try closePage()
        try audio.flush()
        _ = try notes?.write(to: file)
        let seconds = validFrames.seconds(at: sampleRate)
        let end = min(preSkip + FrameCount(seconds: seconds, sampleRate: OpusPacket.rate).value, closedGranule)
        // Pages that hold nothing but padding.
        while lastPages.count > 1, let last = lastPages.last, last.start >= end { lastPages.removeLast() }
        var size = audio.written
        if let (lastPage, offset, _) = lastPages.last {
            var page = lastPage
            page.flags |= OggPage.last
            page.granule = end
            try file.write(page.bytes, at: offset)
            size = offset + Int64(page.byteCount)
        } else {
            // No audio: a page without packets says that nothing more comes.
            let page = OggPage(flags: OggPage.last, granule: 0, serial: serial, sequence: open.sequence)
            try file.write(page.bytes, at: size)
            size += Int64(page.byteCount)
        }
        try file.truncate(to: size)
        try file.synchronize()
        checkpointedFrames = validFrames
    }
}
