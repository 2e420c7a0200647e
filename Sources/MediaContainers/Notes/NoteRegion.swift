import AudioCore

/// The chunk of a file that holds its log of notes, with room for more, and in the end the chunks by which other programs
/// know them.
///
/// While recording, the region is one chunk and only the log inside it grows. `finish` writes the chunks for others into the
/// room that the log did not use, and publishes them by one write of the log's length: there is no moment in which a reader
/// could lose its way. The audio behind never moves.
struct NoteRegion {
    /// How a container writes chunks.
    struct Form {
        /// The head of a log of so many bytes, always of the same length.
        var head: @Sendable (_ logBytes: Int) -> [UInt8]
        /// The head of a chunk that readers pass over and that has so many bytes with its head.
        var filler: @Sendable (_ byteCount: Int) -> [UInt8]
        /// Whole chunks for named places.
        var chunks: @Sendable (_ places: [MediaMetadata.Marker]) -> [UInt8]
    }

    private let form: Form
    private let sampleRate: Double
    private let headBytes: Int
    private let fillerBytes: Int
    /// Bytes in front of the log's head, so that a sector holds all of it.
    private let lead: Int
    private let position: Int64
    /// Bytes of the region, `lead` among them.
    let byteCount: Int
    /// Bytes behind the region that the chunks in the end must cover as well.
    private let covered: Int
    private var log: NoteLog

    private static let sector = 512
    private static let page = 4_096
    /// The chunk of the log in WAV files.
    static let riffChunk: FourCC = "kayt"
    /// What stands in front of the log where a chunk may belong to any application: AIFF and FLAC.
    static let signature: FourCC = "kynt"

    /// Nil where there are no notes, and none are to come.
    /// - Parameters:
    ///   - position: where the region starts in the file.
    ///   - trailer: bytes between the region and the audio, which starts on a page.
    ///   - covered: bytes behind the region that the filler in the end must cover.
    init?(
        _ options: WriterOptions,
        form: Form,
        sampleRate: Double,
        at position: Int,
        trailer: Int,
        covered: Int = 0
    ) {
        let metadata = options.metadata
        let room = max(options.noteRoom, 0)
        if metadata.notes.isEmpty, metadata.omittedNotes == 0, room == 0 { return nil }
        self.form = form
        self.sampleRate = sampleRate
        self.covered = covered
        headBytes = form.head(0).count
        fillerBytes = form.filler(0).count
        let inSector = position % Self.sector
        lead =
            inSector + headBytes <= Self.sector
            ? 0 : Self.sector - inSector + (Self.sector - inSector < fillerBytes ? Self.sector : 0)
        self.position = Int64(position)
        let places = metadata.places(at: sampleRate)
        log = NoteLog(options)
        let known = log.used + 1 + (places.isEmpty ? 0 : form.chunks(places).count)
        let least = lead + headBytes + known + fillerBytes + room
        byteCount = (position + least + trailer + Self.page - 1) / Self.page * Self.page - trailer - position
    }

    private var logStart: Int64 { position + Int64(lead + headBytes) }

    /// The region as it is at first.
    var bytes: [UInt8] {
        let before = lead == 0 ? [] : form.filler(lead) + [UInt8](repeating: 0, count: lead - fillerBytes)
        let bytes = before + form.head(byteCount - lead - headBytes) + log.body
        return bytes + [UInt8](repeating: 0, count: byteCount - bytes.count)
    }

    mutating func add(_ note: RecordingNote) { log.add(note) }

    /// Brings new notes to the file.
    /// - Returns: false where there were none.
    mutating func write(to file: any StoredFile) throws(AudioFailure) -> Bool {
        try log.write(to: file, at: logStart)
    }

    /// Adds the chunks for other programs, as many as there is room for, and synchronises.
    mutating func finish(in file: any StoredFile) throws(AudioFailure) {
        _ = try write(to: file)
        if log.notes.isEmpty { return }
        let used = log.used + log.used % 2
        let room = byteCount + covered - lead - headBytes - used
        guard let chunks = fitting(log.metadata.places(at: sampleRate), room: room) else { return }
        let rest = room - chunks.count
        try file.write(chunks + (rest > 0 ? form.filler(rest) : []), at: logStart + Int64(used))
        try file.synchronize()
        try file.write(form.head(used), at: logStart - Int64(headBytes))
        try file.synchronize()
    }

    /// The chunks for the first places, as many as fit; nil where not even one does.
    private func fitting(_ places: [MediaMetadata.Marker], room: Int) -> [UInt8]? {
        var (fitting, tooMany) = (0, places.count + 1)
        var best: [UInt8]?
        while tooMany - fitting > 1 {
            // All of them is the usual case.
            let count = tooMany == places.count + 1 ? places.count : (fitting + tooMany) / 2
            let chunks = form.chunks(Array(places.prefix(count)))
            if chunks.count == room || chunks.count + fillerBytes <= room {
                (fitting, best) = (count, chunks)
            } else {
                tooMany = count
            }
        }
        return best
    }
}
