import AudioCore

/// Names and markers in an AIFF file, and what our own writer says of itself.
enum AIFFMetadata {
    private static var texts: [(id: FourCC, field: WritableKeyPath<MediaMetadata, String?>)] {
        [("NAME", \.title), ("AUTH", \.artist), ("ANNO", \.comment)]
    }

    private static let longestText = 64 << 10
    private static let mostMarkers = 10_000

    /// The log of notes: an application chunk. The chunk for others is `MARK`.
    static let notes = NoteRegion.Form(
        head: { chunkHead("APPL", $0 + 4) + bytes(of: NoteRegion.signature) },
        filler: { chunkHead("JUNK", $0 - 8) },
        chunks: { marks($0) }
    )

    private static func chunkHead(_ id: FourCC, _ size: Int) -> [UInt8] {
        var head = ByteWriter(capacity: 8)
        head.code(id)
        head.big(UInt32(clamping: size))
        return head.bytes
    }

    private static func bytes(of code: FourCC) -> [UInt8] {
        var writer = ByteWriter(capacity: 4)
        writer.code(code)
        return writer.bytes
    }

    /// Whole chunks, or nothing.
    static func texts(of metadata: MediaMetadata) -> [UInt8] {
        var result = ByteWriter()
        for (id, field) in texts {
            guard let text = metadata[keyPath: field], !text.isEmpty else { continue }
            append(id, LegacyText.bytes(of: text, limit: longestText), to: &result)
        }
        return result.bytes
    }

    private static func marks(_ places: [MediaMetadata.Marker]) -> [UInt8] {
        var result = ByteWriter()
        let markers = places.filter { UInt32(exactly: $0.frame.value) != nil }.prefix(mostMarkers)
        if markers.isEmpty { return [] }
        var body = ByteWriter()
        body.big(UInt16(markers.count))
        for (index, marker) in markers.enumerated() {
            body.big(UInt16(index + 1))
            body.big(UInt32(clamping: marker.frame.value))
            let name = LegacyText.bytes(of: marker.name, limit: 255)
            body.raw([UInt8(name.count)] + name)
            body.zeros((name.count + 1) % 2)
        }
        append("MARK", body.bytes, to: &result)
        return result.bytes
    }

    static func append(_ id: FourCC, _ body: [UInt8], to writer: inout ByteWriter) {
        writer.code(id)
        writer.big(UInt32(body.count))
        writer.raw(body)
        writer.zeros(body.count % 2)
    }

    static func read(
        _ chunk: IFFChunks.Chunk,
        in chunks: inout IFFChunks,
        into metadata: inout MediaMetadata
    ) throws(AudioFailure) {
        if chunk.id == "MARK" {
            metadata.markers += markers(try chunks.body(of: chunk, limit: 1 << 20))
        } else if let field = texts.first(where: { $0.id == chunk.id })?.field, metadata[keyPath: field] == nil {
            var body = try chunks.body(of: chunk, limit: longestText)
            let text = LegacyText.read(&body, limit: longestText)
            if !text.isEmpty { metadata[keyPath: field] = text }
        }
    }

    private static func markers(_ body: ByteReader) -> [MediaMetadata.Marker] {
        var body = body
        var result: [MediaMetadata.Marker] = []
        guard (try? body.skip(2)) != nil else { return [] }
        while result.count < mostMarkers, (try? body.skip(2)) != nil, let frame = try? body.big(UInt32.self),
            let length = try? body.big(UInt8.self), var name = try? body.sub(min(Int(length), body.remaining))
        {
            if length % 2 == 0, body.remaining > 0 { try? body.skip(1) }
            let text = LegacyText.read(&name, limit: 255)
            result.append(MediaMetadata.Marker(frame: FrameCount(Int64(frame)), name: text))
        }
        return result.sorted { $0.frame < $1.frame }
    }
}

/// The application chunk in which our writer says whether a file is finished, and how many frames of it are valid: AIFC has
/// no other place for the remainder of IMA4.
struct AIFFState {
    static let signature: FourCC = "kayt"
    private static let live: FourCC = "live"
    private static let done: FourCC = "done"

    var isLive: Bool
    var validFrames: Int64

    init(isLive: Bool, validFrames: Int64) {
        self.isLive = isLive
        self.validFrames = validFrames
    }

    /// Nil for the chunk of another application.
    init?(reading reader: ByteReader) {
        var reader = reader
        guard (try? reader.code()) == Self.signature, let state = try? reader.code(),
            let frames = try? reader.big(Int64.self)
        else { return nil }
        isLive = state == Self.live
        validFrames = frames
    }

    var chunkBody: [UInt8] {
        var body = ByteWriter(capacity: 16)
        body.code(Self.signature)
        body.code(isLive ? Self.live : Self.done)
        body.big(validFrames)
        return body.bytes
    }
}
