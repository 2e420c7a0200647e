import AudioCore

/// Markers and gaps in the tags of an Ogg stream that is being recorded.
///
/// Tags are one packet in front of the audio, whose pages have checksums: a page that was torn by a power cut would take the
/// whole file with it. So everything that changes lies in small pages of 255 bytes of content, each inside one sector, which
/// a disk writes as a whole: the first page of the tags, which has the count of comments, and a row of slots for notes. The
/// pages between them only bring the next slot into one sector. What lies behind the count is padding, as RFC 7845 (5.2)
/// allows it.
///
/// Every slot and every page between is a row of whole comments, from the beginning. So whatever of a checkpoint reaches the
/// disk, the comments can be read: the slot goes first, then the count that covers it.
struct OggNotePages {
    private static let sector = 512
    private static let content = 255
    private static let pageBytes = OggPage.headerBytes + 1 + content
    /// Notes need about as much room in the pages between as in their slots.
    private static let slotBytes = 2 * pageBytes
    /// The shortest comment that fills room: its length, a name of one character, and "=".
    private static let shortestFiller = 6
    /// A longer name of a marker is cut, so that the note fits into a slot.
    static let longestName = 160

    private struct Slot {
        var page: Int
        var comments: [[UInt8]] = []

        var byteCount: Int { comments.reduce(0) { $0 + $1.count } }
    }

    private let sampleRate: Double
    /// The pages of the tags and where each lies.
    private var pages: [(page: OggPage, offset: Int)] = []
    /// Where the count of comments lies in the first page.
    private let countPosition: Int
    /// Comments of the texts, and what is between them and the first slot.
    private let textComments: Int
    private let fillersBeforeSlots: Int
    private let textPages: Int
    private var slots: [Slot] = []
    private var usedSlots = 0
    private var noteCount: Int
    private var omitted = 0
    private let omittedBefore: Int
    private var stale: Set<Int> = []

    /// Nil where no notes are to come, or the head leaves no sector for the tags.
    /// - Parameters:
    ///   - tags: the packet with everything that is known.
    ///   - offset: where it starts in the file.
    init?(_ options: WriterOptions, tags: [UInt8], serial: UInt32, sampleRate: Double, at offset: Int) {
        guard options.noteRoom > 0, offset % Self.sector + Self.pageBytes <= Self.sector else { return nil }
        self.sampleRate = sampleRate
        countPosition = 8 + 4 + VorbisComments.vendor.utf8.count
        textComments = tags[countPosition..<countPosition + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        noteCount = min(options.metadata.notes.count, VorbisComments.mostMarkers)

        omittedBefore = options.metadata.omittedNotes

        var packet = tags
        let misfit = packet.count % Self.content
        fillersBeforeSlots = misfit == 0 ? 0 : 1
        if misfit > 0 {
            let room = Self.content - misfit
            packet += Self.filler(room < Self.shortestFiller ? room + Self.content : room)
        }
        var place = offset
        func add(_ body: [UInt8]) {
            let page = OggPage(
                flags: pages.isEmpty ? 0 : OggPage.continued,
                granule: -1,
                serial: serial,
                sequence: UInt32(pages.count + 1),
                lacing: [UInt8(Self.content)],
                body: body
            )
            pages.append((page, place))
            place += page.byteCount
        }
        textPages = packet.count / Self.content
        for start in stride(from: 0, to: packet.count, by: Self.content) {
            add(Array(packet[start..<start + Self.content]))
        }
        // In slots the notes take about half as much again as in the logs of other containers.
        while slots.count < max(options.noteRoom / 2 * 3 / Self.slotBytes, 1) {
            if place % Self.sector + Self.pageBytes <= Self.sector { slots.append(Slot(page: pages.count)) }
            add(Self.filler(Self.content))
        }
        // The packet ends with a segment that is not full.
        let last = OggPage(
            flags: OggPage.continued,
            granule: 0,
            serial: serial,
            sequence: UInt32(pages.count + 1),
            lacing: [0]
        )
        pages.append((last, place))
    }

    var bytes: [UInt8] { pages.flatMap { $0.page.bytes } }

    var pageCount: Int { pages.count }

    /// Takes a note; `write` brings it to the file.
    mutating func add(_ note: RecordingNote) {
        guard noteCount < VorbisComments.mostMarkers else { return omit() }
        let comments = VorbisComments.chapter(noteCount + 1, scaled(note), sampleRate: OpusPacket.rate).map(
            Self.comment
        )
        if take(comments) { noteCount += 1 } else { omit() }
    }

    private mutating func omit() {
        omitted += 1
        let comment = Self.comment("\(VorbisComments.omittedField)=\(omittedBefore + omitted)")
        // The last slot is kept for this, and its one comment is replaced.
        let last = slots.count - 1
        slots[last].comments = [comment]
        usedSlots = slots.count
        stale.insert(last)
    }

    private mutating func take(_ comments: [[UInt8]]) -> Bool {
        let size = comments.reduce(0) { $0 + $1.count }
        guard size <= Self.content, omitted == 0 else { return false }
        var slot = max(usedSlots - 1, 0)
        let left = Self.content - slots[slot].byteCount - size
        if left != 0, left < Self.shortestFiller { slot += 1 }
        guard slot < slots.count - 1 else { return false }
        slots[slot].comments += comments
        usedSlots = slot + 1
        stale.insert(slot)
        return true
    }

    private func scaled(_ note: RecordingNote) -> RecordingNote {
        guard case .marker(var marker) = note.atOpusRate(from: sampleRate) else {
            return note.atOpusRate(from: sampleRate)
        }
        marker.name = String(decoding: LegacyText.bytes(of: marker.name, limit: Self.longestName), as: UTF8.self)
        return .marker(marker)
    }

    /// Writes what came since the last call: the slots, and then the count that makes them part of the tags.
    /// - Returns: false where there was nothing to write.
    mutating func write(to file: any StoredFile) throws(AudioFailure) -> Bool {
        if stale.isEmpty { return false }
        for index in stale.sorted() {
            let slot = slots[index]
            var body = slot.comments.flatMap { $0 }
            if body.count < Self.content { body += Self.filler(Self.content - body.count) }
            pages[slot.page].page.body = body
            try write(slot.page, to: file)
        }
        let count = UInt32(clamping: commentCount)
        for index in 0..<4 {
            pages[0].page.body[countPosition + index] = UInt8(truncatingIfNeeded: count >> (8 * UInt32(index)))
        }
        try write(0, to: file)
        stale = []
        return true
    }

    private func write(_ page: Int, to file: any StoredFile) throws(AudioFailure) {
        try file.write(pages[page].page.bytes, at: Int64(pages[page].offset))
    }

    /// All comments up to the last of the last slot in use.
    private var commentCount: Int {
        guard usedSlots > 0, let first = slots.first else { return textComments }
        let last = slots[usedSlots - 1]
        var count = textComments + fillersBeforeSlots + (last.page - first.page - (usedSlots - 1))
        // Pages between the texts and the first slot.
        count += first.page - textPages
        for slot in slots[..<usedSlots] {
            count += slot.comments.count
            if slot.page != last.page, slot.byteCount < Self.content { count += 1 }
        }
        return count
    }

    // MARK: Comments

    private static func comment(_ text: String) -> [UInt8] {
        var writer = ByteWriter()
        VorbisComments.append(text, to: &writer)
        return writer.bytes
    }

    /// One comment of exactly so many bytes, at least `shortestFiller`.
    private static func filler(_ byteCount: Int) -> [UInt8] {
        comment("_=" + String(repeating: " ", count: byteCount - shortestFiller))
    }
}

extension RecordingNote {
    /// Positions in Ogg are counted at 48 kHz.
    func atOpusRate(from sampleRate: Double) -> RecordingNote {
        func scaled(_ frame: FrameCount) -> FrameCount {
            FrameCount(seconds: frame.seconds(at: sampleRate), sampleRate: OpusPacket.rate)
        }
        if sampleRate == OpusPacket.rate { return self }
        switch self {
        case .marker(var marker):
            marker.frame = scaled(marker.frame)
            return .marker(marker)
        case .gap(var gap):
            let end = scaled(gap.start + gap.length)
            gap.start = scaled(gap.start)
            gap.length = end - gap.start
            return .gap(gap)
        }
    }
}

extension MediaMetadata {
    /// With its notes as Ogg counts them.
    func atOpusRate(from sampleRate: Double) -> MediaMetadata {
        var result = self
        (result.markers, result.gaps) = ([], [])
        for note in notes { result.append(note.atOpusRate(from: sampleRate)) }
        return result
    }
}
