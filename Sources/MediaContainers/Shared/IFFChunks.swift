import AudioCore

/// The chunks of a RIFF or IFF file: an id, a size of 32 bits and a body, padded to an even length.
///
/// Real files break each of these rules, so the walk is forgiving: see `next(after:)` and `audioLength`.
struct IFFChunks {
    struct Chunk {
        var id: FourCC
        /// Where the body starts.
        var body: Int64
        /// As the file says, which may be anything.
        var size: UInt32
        var end: Int64 { body + Int64(size) }
    }

    var window: SourceWindow
    let isBigEndian: Bool

    var fileSize: Int64 { window.size }

    mutating func chunk(at offset: Int64) throws(AudioFailure) -> Chunk? {
        guard var reader = try window.reader(at: offset, count: 8) else { return nil }
        let id = try reader.code()
        let size = isBigEndian ? try reader.big(UInt32.self) : try reader.little(UInt32.self)
        return Chunk(id: id, body: offset + 8, size: size)
    }

    /// The chunk behind `chunk`: behind its padding, or where writers forgot it right behind its body.
    mutating func next(after chunk: Chunk, length: Int64? = nil) throws(AudioFailure) -> Chunk? {
        let end = chunk.body + (length ?? Int64(chunk.size))
        if end % 2 == chunk.body % 2 { return try self.chunk(at: end) }
        let padded = try self.chunk(at: end + 1)
        if let padded, padded.id.isText { return padded }
        let unpadded = try self.chunk(at: end)
        if let unpadded, unpadded.id.isText { return unpadded }
        return padded
    }

    /// The body of a chunk, up to `limit` bytes and to the end of the file.
    mutating func body(of chunk: Chunk, limit: Int) throws(AudioFailure) -> ByteReader {
        let count = min(Int64(chunk.size), Int64(limit), max(fileSize - chunk.body, 0))
        return try window.reader(at: chunk.body, count: Int(count)) ?? ByteReader([])
    }

    /// How long the audio from `start` really is, and why the file counts as unfinished where it does.
    ///
    /// The size in the file is 0 or the largest number where it was never written, too large where the file was cut, too
    /// small where the writer died between two refreshes, and wrapped where it does not fit into 32 bits. In all these
    /// cases the length of the file tells.
    /// - Parameters:
    ///   - declared: the size that the file states for the audio.
    ///   - isLive: the file says by itself that it was never finished.
    mutating func audioLength(from start: Int64, declared: Int64, isLive: Bool)
        throws(AudioFailure) -> (length: Int64, unfinished: String?)
    {
        let available = max(fileSize - start, 0)
        if isLive { return (available, "The recording was not finished.") }
        if declared <= 0 {
            if try endsOrContinues(at: start) { return (0, nil) }
            return (available, "The length of the audio was never written.")
        }
        if declared > available {
            // Placeholders of writers that cannot seek: the largest number, signed or not, less some header bytes.
            let isPlaceholder = declared > 0xFFFF_0000 || (0x7FFF_0000...0x7FFF_FFFF).contains(declared)
            let reason =
                isPlaceholder
                ? "The length of the audio was never written."
                : "The file is cut: \(declared - available) bytes of audio are missing."
            return (available, reason)
        }
        let rest = available - declared
        if try endsOrContinues(at: start + declared) { return (declared, nil) }
        let wraps = rest >> 32
        if wraps > 0 {
            let whole = declared + wraps << 32
            return (try endsOrContinues(at: start + whole) ? whole : available, nil)
        }
        // Less than this is something appended by another program; more is audio behind a header that was not refreshed.
        if rest >= 4096 { return (available, "The header is older than the audio.") }
        return (declared, nil)
    }

    /// True where the file ends at `offset`, but for a few stray bytes, or where chunks follow each other from there (or
    /// from the byte behind it) to its end.
    private mutating func endsOrContinues(at offset: Int64) throws(AudioFailure) -> Bool {
        if fileSize - offset < 8 { return true }
        for start in [offset, offset + 1] {
            guard var chunk = try chunk(at: start) else { continue }
            for _ in 0..<64 {
                guard chunk.id.isText, chunk.end <= fileSize + 1 else { break }
                if fileSize - chunk.end < 8 { return true }
                guard let next = try next(after: chunk) else { return true }
                chunk = next
            }
        }
        return false
    }
}

extension FourCC {
    /// True where all four bytes are printable ASCII.
    var isText: Bool {
        [24, 16, 8, 0].allSatisfy { (0x20..<0x7F).contains(UInt8(truncatingIfNeeded: rawValue >> UInt32($0))) }
    }
}
