/// Four bytes that name a box, chunk or codec, as in the files (`moov`, `fmt `, `alac`).
struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The bytes in file order, first byte in the most significant place.
    var rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Exactly four ASCII characters; shorter literals are padded with spaces.
    init(stringLiteral value: StaticString) {
        var raw: UInt32 = 0
        value.withUTF8Buffer { utf8 in
            for index in 0..<4 { raw = raw << 8 | UInt32(index < utf8.count ? utf8[index] : 0x20) }
        }
        rawValue = raw
    }

    /// The four bytes in file order.
    var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) } }

    /// Printable form: bytes that are not ASCII text appear as `?`.
    var description: String {
        var text = ""
        for shift in [24, 16, 8, 0] as [UInt32] {
            let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
            text.unicodeScalars.append((0x20..<0x7F).contains(byte) ? Unicode.Scalar(byte) : "?")
        }
        return text
    }
}
