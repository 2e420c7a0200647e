import AudioCore

/// Names and markers in a WAV file: `LIST INFO`, `cue ` and `LIST adtl`.
enum WaveMetadata {
    private static var texts: [(id: FourCC, field: WritableKeyPath<MediaMetadata, String?>)] {
        [
            ("INAM", \.title), ("IART", \.artist), ("IPRD", \.album), ("ICMT", \.comment), ("ICRD", \.date),
            ("ISFT", \.encoder),
        ]
    }

    /// Bytes of a text, and markers, that are read or written at most.
    private static let longestText = 64 << 10
    private static let mostMarkers = 10_000

    // MARK: Writing

    /// The log of notes: a chunk of our own. Its chunks for others are `cue ` and `LIST adtl`.
    static let notes = NoteRegion.Form(
        head: { chunkHead(NoteRegion.riffChunk, $0) },
        filler: { chunkHead("JUNK", $0 - 8) },
        chunks: { cues($0) }
    )

    private static func chunkHead(_ id: FourCC, _ size: Int) -> [UInt8] {
        var head = ByteWriter(capacity: 8)
        head.code(id)
        head.little(UInt32(clamping: size))
        return head.bytes
    }

    /// `LIST INFO`, or nothing.
    static func texts(of metadata: MediaMetadata) -> [UInt8] {
        var result = ByteWriter()
        var info = ByteWriter()
        for (id, field) in texts {
            guard let text = metadata[keyPath: field], !text.isEmpty else { continue }
            append(id, Array(text.utf8.prefix(longestText)) + [0], to: &info)
        }
        if info.count > 0 { append("LIST", Array("INFO".utf8) + info.bytes, to: &result) }
        return result.bytes
    }

    private static func cues(_ places: [MediaMetadata.Marker]) -> [UInt8] {
        var result = ByteWriter()
        let markers = places.filter { UInt32(exactly: $0.frame.value) != nil }.prefix(mostMarkers)
        if markers.isEmpty { return [] }
        var cue = ByteWriter()
        var labels = ByteWriter()
        cue.little(UInt32(markers.count))
        for (index, marker) in markers.enumerated() {
            let id = UInt32(index + 1)
            let frame = UInt32(clamping: marker.frame.value)
            cue.little(id)
            cue.little(frame)
            cue.code("data")
            cue.zeros(8)
            cue.little(frame)
            var label = ByteWriter()
            label.little(id)
            label.raw(marker.name.utf8.prefix(longestText))
            label.zeros(1)
            append("labl", label.bytes, to: &labels)
        }
        append("cue ", cue.bytes, to: &result)
        append("LIST", Array("adtl".utf8) + labels.bytes, to: &result)
        return result.bytes
    }

    private static func append(_ id: FourCC, _ body: [UInt8], to writer: inout ByteWriter) {
        writer.code(id)
        writer.little(UInt32(body.count))
        writer.raw(body)
        writer.zeros(body.count % 2)
    }

    // MARK: Reading

    /// What the chunks of a file say, gathered in any order.
    struct Gathered {
        private var metadata = MediaMetadata()
        private var frames: [(id: UInt32, frame: UInt32)] = []
        private var names: [UInt32: String] = [:]
        private var log = MediaMetadata()

        /// The metadata, with the markers in the order of time.
        var result: MediaMetadata {
            var result = metadata
            result.markers = frames.map {
                MediaMetadata.Marker(frame: FrameCount(Int64($0.frame)), name: names[$0.id] ?? "")
            }
            .sorted { $0.frame < $1.frame }
            result.replaceNotes(with: log)
            return result
        }

        mutating func read(_ chunk: IFFChunks.Chunk, in chunks: inout IFFChunks) throws(AudioFailure) {
            switch chunk.id {
            case "LIST":
                var body = try chunks.body(of: chunk, limit: 1 << 20)
                guard body.remaining >= 4 else { return }
                let kind = try body.code()
                if kind == "INFO" { readItems(body) { metadata, id, item in Self.take(id, item, &metadata) } }
                if kind == "adtl" { readLabels(body) }
            case "cue ":
                var body = try chunks.body(of: chunk, limit: 4 + 24 * mostMarkers)
                guard body.remaining >= 4 else { return }
                try body.skip(4)
                while body.remaining >= 24 {
                    let id = try body.little(UInt32.self)
                    try body.skip(16)
                    frames.append((id, try body.little(UInt32.self)))
                }
            case NoteRegion.riffChunk:
                let body = try chunks.body(of: chunk, limit: NoteLog.longest)
                log = NoteLog.read(body.bytes)
            default:
                return
            }
        }

        private mutating func readItems(_ body: ByteReader, _ take: (inout MediaMetadata, FourCC, ByteReader) -> Void) {
            var body = body
            while let (id, item) = nextItem(&body) { take(&metadata, id, item) }
        }

        private mutating func readLabels(_ body: ByteReader) {
            var body = body
            while let (id, content) = nextItem(&body) {
                var item = content
                guard id == "labl", let marker = try? item.little(UInt32.self) else { continue }
                names[marker] = LegacyText.read(&item, limit: longestText)
            }
        }

        private static func take(_ id: FourCC, _ item: ByteReader, _ metadata: inout MediaMetadata) {
            var item = item
            guard let field = texts.first(where: { $0.id == id })?.field, metadata[keyPath: field] == nil else {
                return
            }
            let value = LegacyText.read(&item, limit: longestText)
            if !value.isEmpty { metadata[keyPath: field] = value }
        }
    }

    private static func nextItem(_ body: inout ByteReader) -> (FourCC, ByteReader)? {
        guard body.remaining >= 8, let id = try? body.code(), let size = try? body.little(UInt32.self) else {
            return nil
        }
        guard let item = try? body.sub(min(Int(size), body.remaining)) else { return nil }
        if size % 2 == 1, body.remaining > 0 { try? body.skip(1) }
        return (id, item)
    }
}
