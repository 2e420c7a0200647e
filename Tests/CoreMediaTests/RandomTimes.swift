import CoreMedia

/// Times from a fixed seed: small and large, round and odd, at the edges of what fits.
struct RandomTimes {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func value() -> Int64 {
        switch next() % 8 {
        case 0: return [0, 1, -1, .max, .min, .max - 1, .min + 1, 1 << 62][Int(next() % 8)]
        case 1, 2: return Int64(next() % 2000) - 1000
        default:
            let bits = next() % 64
            let magnitude = Int64(truncatingIfNeeded: (next() >> (63 - bits)) >> 1)
            return next() % 2 == 0 ? magnitude : -magnitude
        }
    }

    mutating func timescale() -> Int32 {
        switch next() % 4 {
        case 0: return [1, 2, 3, 600, 44_100, 48_000, 90_000, 1_000_000_000, .max, .max - 1][Int(next() % 10)]
        case 1: return Int32(next() % 1000) + 1
        default: return Int32(truncatingIfNeeded: max(next() >> (33 + next() % 31), 1))
        }
    }

    mutating func time() -> CMTime { CMTime(value: value(), timescale: timescale()) }
}

extension CMTime {
    var rational: BigRational { BigRational(value, Int64(timescale)) }
}

/// What the header of Apple's functions prescribes for an exact result that starts with `timescale`.
func expectedTime(_ exact: BigRational, timescale: Int64) -> CMTime {
    var scale = timescale
    while true {
        let (value, isExact) = (exact * BigRational(scale, 1)).rounded(.halfAway)
        if let value = value.int64 {
            return CMTime(
                value: value,
                timescale: Int32(scale),
                flags: isExact ? .valid : [.valid, .hasBeenRounded],
                epoch: 0
            )
        }
        if scale == 1 { return exact.numerator.isNegative ? .negativeInfinity : .positiveInfinity }
        scale /= 2
    }
}

func isIdentical(_ a: CMTime, _ b: CMTime) -> Bool {
    a.value == b.value && a.timescale == b.timescale && a.flags == b.flags && a.epoch == b.epoch
}
