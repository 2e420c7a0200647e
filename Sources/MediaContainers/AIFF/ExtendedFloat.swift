/// The 80-bit extended floating-point numbers of the 68881 in which AIFF states its sample rate: sign and exponent
/// (biased by 16383) in two bytes, then a mantissa of 64 bits with its leading one; big-endian.
enum ExtendedFloat {
    static let byteCount = 10

    /// For finite numbers above zero.
    static func bytes(of value: Double) -> [UInt8] {
        var writer = ByteWriter(capacity: byteCount)
        let exponent = value.exponent
        // Between 2^63 and 2^64: exact, for a mantissa of 53 bits.
        let mantissa = UInt64(Double(sign: .plus, exponent: 63, significand: value.significand))
        writer.big(UInt16(16383 + exponent))
        writer.big(mantissa)
        return writer.bytes
    }

    /// Nil for what is not a finite number above zero.
    static func value(exponentField: UInt16, mantissa: UInt64) -> Double? {
        guard exponentField < 0x7FFF, mantissa > 0 else { return nil }
        let value = Double(sign: .plus, exponent: Int(exponentField) - 16383 - 63, significand: Double(mantissa))
        return value.isFinite && value > 0 ? value : nil
    }
}
