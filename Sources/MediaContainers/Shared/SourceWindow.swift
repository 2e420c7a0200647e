import AudioCore

/// Reads small pieces of a source through one buffer, so that a packet does not cost a system call.
struct SourceWindow {
    let source: any ByteSource
    /// The source's length when it was opened; later growth is not seen.
    let size: Int64
    private var window: [UInt8] = []
    private var start: Int64 = 0
    private let windowBytes: Int

    init(_ source: any ByteSource, windowBytes: Int = 64 << 10) throws(AudioFailure) {
        self.source = source
        self.windowBytes = windowBytes
        size = max(0, try source.size())
    }

    /// Exactly `count` bytes at `offset`; nil where the source does not have them. Nothing is allocated before that is
    /// known.
    mutating func bytes(at offset: Int64, count: Int) throws(AudioFailure) -> [UInt8]? {
        guard offset >= 0, count >= 0, offset <= size, Int64(count) <= size - offset else { return nil }
        if count > windowBytes { return try source.bytes(at: offset, count: count) }
        if offset < start || offset + Int64(count) > start + Int64(window.count) {
            let wanted = Int(min(Int64(windowBytes), size - offset))
            guard let fresh = try source.bytes(at: offset, count: wanted) else { return nil }
            window = fresh
            start = offset
        }
        let from = Int(offset - start)
        return Array(window[from..<from + count])
    }

    /// As `bytes(at:count:)`, as a reader of fields.
    mutating func reader(at offset: Int64, count: Int) throws(AudioFailure) -> ByteReader? {
        try bytes(at: offset, count: count).map { ByteReader($0) }
    }
}
