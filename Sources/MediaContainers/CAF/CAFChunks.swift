import AudioCore

/// Where everything of a CAF file is: one pass over its chunk headers.
struct CAFChunks {
    struct Span {
        var offset: Int64
        var size: Int64
    }

    struct PacketTable {
        var counts: CAFPacketTableHeader
        var entries: Span
    }

    private(set) var format: CAFFormat
    /// The audio behind the edit count.
    private(set) var data: Span?
    private(set) var packetTable: PacketTable?
    private(set) var cookie: [UInt8] = []
    private(set) var metadata = MediaMetadata()
    /// Why the file is not as it should be; nil where nothing is wrong.
    private(set) var damage: String?

    /// Chunks that are kept whole: set-up and texts. A longer one is passed over.
    private static let keptSize: Int64 = 1 << 20
    /// A file of ours has under ten chunks, and none has thousands; the limit bounds the time spent on hostile ones.
    private static let chunkLimit = 100_000

    init(_ window: inout SourceWindow) throws(AudioFailure) {
        guard var head = try window.reader(at: 0, count: 8 + CAFChunk.headerSize + CAFFormat.size) else {
            throw AudioFailure(.malformedMedia, "The CAF file ends within its first chunk.")
        }
        try head.skip(8)
        let first = try CAFChunk(&head)
        guard first.name == "desc", first.size >= CAFFormat.size else {
            throw AudioFailure(.malformedMedia, "The CAF file does not start with its description.")
        }
        format = try CAFFormat(&head)
        try walk(&window, from: 8)
    }

    private mutating func walk(_ window: inout SourceWindow, from start: Int64) throws(AudioFailure) {
        var log = MediaMetadata()
        var marks: [UInt8] = []
        var strings: [UInt8] = []
        var offset = start
        for _ in 0..<Self.chunkLimit {
            guard var reader = try window.reader(at: offset, count: CAFChunk.headerSize) else { break }
            let chunk = try CAFChunk(&reader)
            // Zeros are a hole in the file, not a chunk.
            if chunk.name.rawValue == 0 { break }
            let body = offset + Int64(CAFChunk.headerSize)
            let room = window.size - body
            if chunk.name == "data", data == nil {
                takeData(chunk, body: body, room: room)
                if chunk.size < 0 { break }
            }
            guard chunk.size >= 0, chunk.size <= room else {
                // A table that is cut has entries all the same. Anything else behind the audio does not matter.
                if chunk.name == "pakt", chunk.size > 0 { try takeTable(&window, body: body, size: room) }
                break
            }
            switch chunk.name {
            case "pakt": try takeTable(&window, body: body, size: chunk.size)
            case "kuki": cookie = try Self.kept(&window, body, chunk.size)
            case "info": CAFMetadata.readInfo(try Self.kept(&window, body, chunk.size), into: &metadata)
            case "free" where damage == nil && data == nil:
                let start = try window.bytes(at: body, count: Int(min(chunk.size, Int64(CAFHead.recordingMark.count))))
                if start == CAFHead.recordingMark { damage = "The recording was never finished." }
            case "uuid": log = try Self.noteLog(&window, body: body, size: chunk.size) ?? log
            case "mark": marks = try Self.kept(&window, body, chunk.size)
            case "strg": strings = try Self.kept(&window, body, chunk.size)
            default: break
            }
            offset = body + chunk.size
        }
        let names = CAFMetadata.readStrings(strings)
        metadata.markers = CAFMetadata.readMarkers(marks).map { id, frame in
            MediaMetadata.Marker(frame: frame, name: names[id] ?? "")
        }
        metadata.markers.sort { $0.frame < $1.frame }
        metadata.replaceNotes(with: log)
    }

    /// Nil for the chunk of another application.
    private static func noteLog(_ window: inout SourceWindow, body: Int64, size: Int64) throws(AudioFailure)
        -> MediaMetadata?
    {
        let id = CAFMetadata.noteID
        guard size >= id.count, try window.bytes(at: body, count: id.count) == id else { return nil }
        let count = min(Int(clamping: size) - id.count, NoteLog.longest)
        return try window.bytes(at: body + Int64(id.count), count: count).map { NoteLog.read($0) }
    }

    private mutating func takeData(_ chunk: CAFChunk, body: Int64, room: Int64) {
        // Four bytes of edit count come first; a chunk too short for them has no audio.
        let size = chunk.size >= 0 ? min(chunk.size, room) : room
        if chunk.size < 0 {
            damage = "The length of the audio was never written; it is taken to the end of the file."
        } else if chunk.size > room {
            damage = "The file ends \(chunk.size - room) bytes before its audio should."
        }
        data = Span(offset: body + 4, size: max(0, size - 4))
    }

    private mutating func takeTable(_ window: inout SourceWindow, body: Int64, size: Int64) throws(AudioFailure) {
        // The first one counts: a second is on its way to replace it.
        guard packetTable == nil, size >= CAFPacketTableHeader.size,
            var reader = try window.reader(at: body, count: CAFPacketTableHeader.size)
        else { return }
        let entries = Span(
            offset: body + Int64(CAFPacketTableHeader.size),
            size: size - Int64(CAFPacketTableHeader.size)
        )
        packetTable = PacketTable(counts: try CAFPacketTableHeader(&reader), entries: entries)
    }

    private static func kept(_ window: inout SourceWindow, _ body: Int64, _ size: Int64) throws(AudioFailure)
        -> [UInt8]
    {
        guard size <= keptSize else { return [] }
        return try window.bytes(at: body, count: Int(size)) ?? []
    }
}
