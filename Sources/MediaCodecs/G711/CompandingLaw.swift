import AudioCore

/// The two logarithmic laws of ITU-T G.711, on samples of 16 bits.
enum CompandingLaw {
    case mu, a

    var title: String { self == .mu ? "µ-law" : "A-law" }
    var codec: CodecID { self == .mu ? .muLaw : .aLaw }

    @inline(__always)
    static func muLawCode(_ sample: Int16) -> UInt8 {
        // The bias puts the start of every segment at a power of two; the clip keeps the sum in 15 bits.
        let magnitude = min(abs(Int32(sample)), 32635) &+ 132
        let segment = Int32(24 &- magnitude.leadingZeroBitCount)
        let mantissa = (magnitude &>> (segment &+ 3)) & 0x0F
        let sign: Int32 = sample < 0 ? 0x80 : 0
        return ~UInt8(truncatingIfNeeded: sign | segment &<< 4 | mantissa)
    }

    @inline(__always)
    static func aLawCode(_ sample: Int16) -> UInt8 {
        let value = Int32(sample)
        let magnitude = value < 0 ? ~value : value
        let segment = max(Int32(24 &- magnitude.leadingZeroBitCount), 0)
        let mantissa = (magnitude &>> (max(segment, 1) &+ 3)) & 0x0F
        // Every second bit is inverted on the line; the sign bit of positive samples is set.
        let sign: Int32 = value < 0 ? 0 : 0x80
        return UInt8(truncatingIfNeeded: sign | segment &<< 4 | mantissa) ^ 0x55
    }

    /// The sample of every code, which is the middle of the range that has this code.
    var samples: [Int16] { self == .mu ? Self.muLawSamples : Self.aLawSamples }

    private static let muLawSamples: [Int16] = (0...255).map { code in
        let bits = ~UInt8(code)
        let magnitude = ((Int(bits & 0x0F) << 3) + 132) << Int((bits >> 4) & 7) - 132
        return Int16(bits & 0x80 != 0 ? -magnitude : magnitude)
    }

    private static let aLawSamples: [Int16] = (0...255).map { code in
        let bits = UInt8(code) ^ 0x55
        let segment = Int((bits >> 4) & 7)
        let mantissa = Int(bits & 0x0F) << 4
        let magnitude = segment == 0 ? mantissa + 8 : (mantissa + 0x108) << (segment - 1)
        return Int16(bits & 0x80 != 0 ? magnitude : -magnitude)
    }
}
