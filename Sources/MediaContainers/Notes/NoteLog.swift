import AudioCore

/// Markers and gaps of a recording in a form of our own, exact and safe at every moment: it only grows, inside room that
/// was there from the start, and every entry has a checksum. A damaged entry costs itself and no other.
///
///     omitted(32) checksum(32)  { 'kn' length(16) kind(8) fields checksum(32) } …  zeros
///
/// All numbers are big-endian, lengths count kind and fields. Kind 1 is a marker: frame(64) and a name in UTF-8. Kind 2 is a
/// gap: start(64) length(64) and the name of its reason.
struct NoteLog {
    static let headBytes = 8
    /// A longer name is cut.
    static let longestName = 4_096
    private static let entryMark: [UInt8] = [0x6B, 0x6E]
    private static let entryOverhead = 2 + 2 + 4

    /// What has found room, in the order in which it came.
    private(set) var notes: [RecordingNote] = []
    /// What has not.
    private(set) var omitted: Int
    /// Bytes that the log may have.
    let capacity: Int
    private(set) var used = NoteLog.headBytes
    private var gapBytes = 0
    private var pending: [UInt8] = []
    private var isHeadStale = false

    /// - Parameter capacity: what of the metadata does not fit is omitted. Their notes must reach the file by `body`.
    init(_ metadata: MediaMetadata, capacity: Int) {
        omitted = max(metadata.omittedNotes, 0)
        self.capacity = capacity
        // In the order of time, so that what finds no room is the end.
        for note in metadata.notes { append(note, gapLimit: capacity) }
        (pending, isHeadStale) = ([], false)
    }

    /// Room for the notes that are known and for some to come.
    init(_ options: WriterOptions) {
        let known = min(Self.byteCount(of: options.metadata), Self.longest)
        // The same notes take about half as much again in the structures for others.
        self.init(options.metadata, capacity: known + max(options.noteRoom, 0) / 8 * 3)
    }

    static func byteCount(of metadata: MediaMetadata) -> Int {
        metadata.notes.reduce(headBytes) { $0 + entry($1).count }
    }

    /// Whether there is anything to keep.
    var isEmpty: Bool { notes.isEmpty && omitted == 0 }

    /// What has found room, as metadata.
    var metadata: MediaMetadata {
        var metadata = MediaMetadata()
        for note in notes { metadata.append(note) }
        return metadata
    }

    /// Everything so far.
    var body: [UInt8] { head + notes.flatMap { Self.entry($0) } }

    /// Takes a note; `write` brings it to the file.
    mutating func add(_ note: RecordingNote) {
        // A microphone that stutters must not take the room of the user's own markers.
        append(note, gapLimit: capacity / 4 * 3)
    }

    private mutating func append(_ note: RecordingNote, gapLimit: Int) {
        let entry = Self.entry(note)
        var isOmitted = used + entry.count > capacity
        if case .gap = note {
            isOmitted = isOmitted || gapBytes + entry.count > gapLimit
            if !isOmitted { gapBytes += entry.count }
        }
        if isOmitted {
            omitted += 1
            isHeadStale = true
            return
        }
        notes.append(note)
        pending += entry
        used += entry.count
    }

    /// Writes what came since the last call. What could not be written is written by the next call.
    /// - Parameter start: where the log lies in the file.
    /// - Returns: false where there was nothing to write.
    mutating func write(to file: any StoredFile, at start: Int64) throws(AudioFailure) -> Bool {
        if pending.isEmpty, !isHeadStale { return false }
        if !pending.isEmpty { try file.write(pending, at: start + Int64(used - pending.count)) }
        pending = []
        if isHeadStale { try file.write(head, at: start) }
        isHeadStale = false
        return true
    }

    // MARK: Bytes

    private var head: [UInt8] {
        var writer = ByteWriter(capacity: Self.headBytes)
        writer.big(UInt32(clamping: omitted))
        writer.big(writer.bytes.withUnsafeBytes(OggChecksum.crc32))
        return writer.bytes
    }

    private static func entry(_ note: RecordingNote) -> [UInt8] {
        var fields = ByteWriter()
        switch note {
        case .marker(let marker):
            fields.big(1 as UInt8)
            fields.big(marker.frame.value)
            fields.raw(LegacyText.bytes(of: marker.name, limit: longestName))
        case .gap(let gap):
            fields.big(2 as UInt8)
            fields.big(gap.start.value)
            fields.big(gap.length.value)
            fields.text(gap.reason.rawValue)
        }
        var entry = ByteWriter(capacity: fields.count + entryOverhead)
        entry.raw(entryMark)
        entry.big(UInt16(clamping: fields.count))
        entry.raw(fields.bytes)
        entry.big(entry.bytes.withUnsafeBytes(OggChecksum.crc32))
        return entry.bytes
    }

    // MARK: Reading

    /// Larger logs are not read.
    static let longest = 4 << 20
    /// Starts of entries that were none, after which nothing more is looked for: bounds the time that hostile files take.
    private static let mostMisses = 2_000

    /// What a file says, in any state that a cut of the power may have left it in.
    static func read(_ bytes: [UInt8]) -> MediaMetadata {
        var result = MediaMetadata()
        var reader = ByteReader(bytes)
        if let omitted = try? reader.big(UInt32.self), let checksum = try? reader.big(UInt32.self),
            bytes.prefix(4).withUnsafeBytes(OggChecksum.crc32) == checksum
        {
            result.omittedNotes = Int(omitted)
        }
        var place = headBytes
        var misses = 0
        while misses < mostMisses, let start = nextMark(bytes, from: place) {
            if let end = endOfEntry(bytes, at: start) {
                take(ByteReader(Array(bytes[start + 4..<end - 4])), into: &result)
                place = end
            } else {
                misses += 1
                place = start + 1
            }
        }
        result.markers.sort { $0.frame < $1.frame }
        result.gaps.sort { $0.start < $1.start }
        return result
    }

    private static func nextMark(_ bytes: [UInt8], from place: Int) -> Int? {
        var index = place
        while index + entryOverhead < bytes.count {
            if bytes[index] == entryMark[0], bytes[index + 1] == entryMark[1] { return index }
            index += 1
        }
        return nil
    }

    /// Nil where no whole entry starts at `start`.
    private static func endOfEntry(_ bytes: [UInt8], at start: Int) -> Int? {
        let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        let end = start + entryOverhead + length
        guard length > 0, length <= longestName + 64, end <= bytes.count else { return nil }
        let checksum = bytes[end - 4..<end].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let covered = bytes[start..<end - 4].withUnsafeBytes(OggChecksum.crc32)
        return checksum == covered ? end : nil
    }

    /// An entry of a kind that only a later version knows is passed over.
    private static func take(_ fields: ByteReader, into result: inout MediaMetadata) {
        var fields = fields
        guard let kind = try? fields.big(UInt8.self), let start = try? fields.big(Int64.self), start >= 0 else {
            return
        }
        switch kind {
        case 1:
            guard let name = try? fields.text(fields.remaining) else { return }
            result.markers.append(MediaMetadata.Marker(frame: FrameCount(start), name: name))
        case 2:
            guard let length = try? fields.big(Int64.self), let reason = try? fields.text(fields.remaining) else {
                return
            }
            if let gap = RecordingGap(start: start, length: length, reason: reason) { result.gaps.append(gap) }
        default:
            return
        }
    }
}

extension RecordingGap {
    /// A gap as a file states it; nil where its numbers are impossible.
    init?(start: Int64, length: Int64, reason: String) {
        let isPlace = length == 0 && reason == Reason.interrupted.rawValue
        guard start >= 0, length > 0 || isPlace, !start.addingReportingOverflow(length).overflow else { return nil }
        self.init(
            start: FrameCount(start),
            length: FrameCount(length),
            reason: Reason(rawValue: reason) ?? .other
        )
    }
}

extension MediaMetadata {
    /// Puts the exact notes of a log in the place of those that the file has for other programs. An empty log says nothing.
    mutating func replaceNotes(with log: MediaMetadata) {
        omittedNotes = log.omittedNotes
        if log.markers.isEmpty, log.gaps.isEmpty { return }
        markers = log.markers
        gaps = log.gaps
    }

    /// All notes as named places, for structures that other programs read.
    func places(at sampleRate: Double) -> [Marker] {
        notes.map { note in
            switch note {
            case .marker(let marker): Marker(frame: marker.frame, name: marker.name.forOthers)
            case .gap(let gap): Marker(frame: gap.start, name: gap.summary(at: sampleRate))
            }
        }
    }
}

extension String {
    /// At most 255 bytes, without line breaks, zeros and the like, which many programs do not expect in a name.
    fileprivate var forOthers: String {
        let short = String(decoding: LegacyText.bytes(of: self, limit: 255), as: UTF8.self)
        if !short.unicodeScalars.contains(where: \.isControl) { return short }
        return String(String.UnicodeScalarView(short.unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}
