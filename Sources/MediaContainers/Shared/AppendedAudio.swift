import AudioCore

/// The audio behind a header, written in large pieces.
///
/// What could not be written stays and is written again at the same place by the next call.
struct AppendedAudio {
    private let file: any StoredFile
    /// Where the audio starts in the file.
    let start: Int64
    /// Bytes that are in the file.
    private(set) var written: Int64 = 0
    private var pending: [UInt8] = []

    private static let pieceBytes = 64 << 10

    init(file: any StoredFile, start: Int64) {
        self.file = file
        self.start = start
    }

    /// Bytes appended, written or not.
    var length: Int64 { written + Int64(pending.count) }

    mutating func append(_ bytes: [UInt8]) throws(AudioFailure) {
        pending += bytes
        if pending.count >= Self.pieceBytes { try flush() }
    }

    /// Appends a range of another file.
    mutating func append(_ count: Int64, from source: any StoredFile, at offset: Int64) throws(AudioFailure) {
        try flush()
        try file.copyRange(from: source, sourceOffset: offset, count: count, to: start + written)
        written += count
    }

    /// Takes back what was appended behind the first `length` bytes. What is in the file there is written over or cut off.
    mutating func cut(to length: Int64) {
        pending.removeAll(keepingCapacity: true)
        written = min(written, length)
    }

    /// Writes all that is pending.
    mutating func flush() throws(AudioFailure) {
        if pending.isEmpty { return }
        try file.write(pending, at: start + written)
        written += Int64(pending.count)
        pending.removeAll(keepingCapacity: true)
    }
}
