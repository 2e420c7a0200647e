import AudioCore

/// A part of a source in memory, for formats in which the next unit must be searched for.
struct SlidingBytes {
    let source: any ByteSource
    /// The source's length when it was opened; later growth is not seen.
    let size: Int64
    private var bytes: [UInt8] = []
    private var start: Int64 = 0

    private static let leastBytes: Int64 = 128 << 10

    init(_ source: any ByteSource) throws(AudioFailure) {
        self.source = source
        size = max(0, try source.size())
    }

    /// Calls `body` with the bytes from `offset` on: `count` of them, fewer only at the end of the source, perhaps more.
    mutating func withBytes<Result>(
        at offset: Int64,
        count: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(AudioFailure) -> Result {
        let wanted = min(Int64(count), max(size - offset, 0))
        if offset < start || offset + wanted > start + Int64(bytes.count) {
            let load = Int(min(max(wanted, Self.leastBytes), max(size - offset, 0)))
            try fill(from: offset, count: load)
        }
        return bytes.withUnsafeBytes { bytes in
            let from = Int(min(offset - start, Int64(bytes.count)))
            return body(UnsafeRawBufferPointer(rebasing: bytes[from...]))
        }
    }

    /// A copy of up to `count` bytes.
    mutating func copy(at offset: Int64, count: Int) throws(AudioFailure) -> [UInt8] {
        try withBytes(at: offset, count: count) { Array($0.prefix(count)) }
    }

    private mutating func fill(from offset: Int64, count: Int) throws(AudioFailure) {
        var failure: AudioFailure?
        let source = source
        bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(AudioFailure) {
                initialized = try source.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        start = offset
        if let failure { throw failure }
    }
}
