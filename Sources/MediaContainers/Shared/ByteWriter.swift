/// Builds headers in memory, in either byte order.
struct ByteWriter {
    private(set) var bytes: [UInt8]

    init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    var count: Int { bytes.count }

    mutating func big<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func little<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func code(_ code: FourCC) { big(code.rawValue) }

    mutating func raw(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func zeros(_ count: Int) {
        if count > 0 { bytes.append(contentsOf: repeatElement(0, count: count)) }
    }

    /// Writes `value` over what stands at `offset`; all of its bytes must exist.
    mutating func patchBig<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
        withUnsafeBytes(of: value.bigEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
    }

    mutating func patchLittle<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
    }
}
