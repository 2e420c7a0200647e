import AudioCore

/// Texts (`info`) and places (`mark` with names in `strg`) of a CAF file.
enum CAFMetadata {
    /// Keys as the CAF specification names them.
    private static var keys: [(String, WritableKeyPath<MediaMetadata, String?>)] {
        [
            ("title", \.title), ("artist", \.artist), ("album", \.album), ("comments", \.comment),
            ("recorded date", \.date), ("encoding application", \.encoder),
        ]
    }

    private static let markerSize = 28
    private static let noSMPTETime: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

    /// The log of notes: a chunk of our own. Its chunks for others are `mark` and `strg`.
    static let notes = NoteRegion.Form(
        head: { CAFChunk("uuid", size: Int64($0 + noteID.count)).header + noteID },
        filler: { CAFChunk("free", size: Int64($0 - CAFChunk.headerSize)).header },
        chunks: { markerChunks($0) }
    )

    /// Says that a `uuid` chunk or box holds a log of notes. Random.
    static let noteID: [UInt8] = [
        0x8E, 0x4B, 0x1C, 0xF0, 0x5D, 0x27, 0x4A, 0x93, 0xB6, 0x0F, 0xD2, 0x71, 0xE8, 0x3A, 0x6C, 0x15,
    ]

    /// Empty where there are no texts.
    static func infoChunk(_ metadata: MediaMetadata) -> [UInt8] {
        var body = ByteWriter()
        var count: UInt32 = 0
        for (key, path) in keys {
            guard let value = metadata[keyPath: path] else { continue }
            body.raw(terminated(key))
            body.raw(terminated(value))
            count += 1
        }
        return count == 0 ? [] : CAFChunk.bytes("info", big(count) + body.bytes)
    }

    private static func markerChunks(_ markers: [MediaMetadata.Marker]) -> [UInt8] {
        if markers.isEmpty { return [] }
        let count = UInt32(clamping: markers.count)
        var marks = ByteWriter()
        marks.big(UInt32(0))  // SMPTE time is not used
        marks.big(count)
        var index = ByteWriter()
        var texts: [UInt8] = []
        index.big(count)
        for (id, marker) in markers.enumerated() {
            marks.big(UInt32(0))  // a generic marker
            marks.big(Double(marker.frame.value).bitPattern)
            marks.big(UInt32(clamping: id + 1))
            marks.raw(noSMPTETime)
            marks.big(UInt32(0))  // every channel
            index.big(UInt32(clamping: id + 1))
            index.big(Int64(texts.count))
            texts += terminated(marker.name)
        }
        return CAFChunk.bytes("mark", marks.bytes) + CAFChunk.bytes("strg", index.bytes + texts)
    }

    /// Zero ends a text in the file, so nothing behind one is written.
    private static func terminated(_ text: String) -> [UInt8] { text.utf8.prefix { $0 != 0 } + [0] }

    private static func big(_ value: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.big(value)
        return writer.bytes
    }

    // MARK: Reading

    /// Takes the texts that have a place in `MediaMetadata`; what is cut or unknown is passed over.
    static func readInfo(_ body: [UInt8], into metadata: inout MediaMetadata) {
        var pieces = body.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false).makeIterator()
        while let key = pieces.next(), let value = pieces.next() {
            let name = String(decoding: key, as: UTF8.self).lowercased()
            let text = String(decoding: value, as: UTF8.self)
            if let (_, path) = keys.first(where: { $0.0 == name }) {
                metadata[keyPath: path] = text
            } else if name == "year", metadata.date == nil {
                metadata.date = text
            }
        }
    }

    /// Markers by the identifier that names their text.
    static func readMarkers(_ body: [UInt8]) -> [(id: UInt32, frame: FrameCount)] {
        var reader = ByteReader(body)
        var markers: [(id: UInt32, frame: FrameCount)] = []
        do {
            try reader.skip(4)
            let count = Int(try reader.big(UInt32.self))
            guard count <= reader.remaining / markerSize else { return [] }
            for _ in 0..<count {
                try reader.skip(4)
                let position = Double(bitPattern: try reader.big(UInt64.self))
                let id = try reader.big(UInt32.self)
                try reader.skip(12)
                if position >= 0, position < 9e18 { markers.append((id, FrameCount(Int64(position)))) }
            }
        } catch {
            return markers
        }
        return markers
    }

    static func readStrings(_ body: [UInt8]) -> [UInt32: String] {
        var reader = ByteReader(body)
        var strings: [UInt32: String] = [:]
        do {
            let count = Int(try reader.big(UInt32.self))
            guard count <= reader.remaining / 12 else { return [:] }
            let texts = body.dropFirst(4 + 12 * count)
            for _ in 0..<count {
                let id = try reader.big(UInt32.self)
                let offset = try reader.big(Int64.self)
                guard offset >= 0, offset < Int64(texts.count) else { continue }
                strings[id] = String(decoding: texts.dropFirst(Int(offset)).prefix { $0 != 0 }, as: UTF8.self)
            }
        } catch {
            return strings
        }
        return strings
    }
}
