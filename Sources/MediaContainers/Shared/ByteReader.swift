import AudioCore

/// Reads fields one after the other out of bytes that nobody vouches for: a field that is not wholly there throws, none
/// traps.
struct ByteReader {
    let bytes: [UInt8]
    /// Where the next field starts, 0 … `end`.
    private(set) var position: Int
    /// Where the last field must end.
    let end: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], from start: Int, to end: Int) {
        self.bytes = bytes
        position = start
        self.end = end
    }

    var remaining: Int { end - position }

    mutating func big<Value: FixedWidthInteger>(_ type: Value.Type) throws(AudioFailure) -> Value {
        Value(bigEndian: try load(type))
    }

    mutating func little<Value: FixedWidthInteger>(_ type: Value.Type) throws(AudioFailure) -> Value {
        Value(littleEndian: try load(type))
    }

    mutating func code() throws(AudioFailure) -> FourCC { FourCC(rawValue: try big(UInt32.self)) }

    mutating func raw(_ count: Int) throws(AudioFailure) -> [UInt8] {
        try need(count)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func skip(_ count: Int) throws(AudioFailure) {
        try need(count)
        position += count
    }

    /// The next `count` bytes as a reader of their own; this one goes on behind them.
    mutating func sub(_ count: Int) throws(AudioFailure) -> ByteReader {
        try need(count)
        defer { position += count }
        return ByteReader(bytes, from: position, to: position + count)
    }

    /// The next `count` bytes as text; broken UTF-8 is replaced.
    mutating func text(_ count: Int) throws(AudioFailure) -> String {
        String(decoding: try raw(count), as: UTF8.self)
    }

    private func need(_ count: Int) throws(AudioFailure) {
        if count < 0 || count > remaining {
            throw AudioFailure(.malformedMedia, "The file's header ends within a field.")
        }
    }

    private mutating func load<Value: FixedWidthInteger>(_ type: Value.Type) throws(AudioFailure) -> Value {
        let size = MemoryLayout<Value>.size
        try need(size)
        defer { position += size }
        return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: type) }
    }
}
