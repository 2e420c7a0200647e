/// Seconds as an exact fraction, wide enough for every product that time arithmetic makes: numerators of 188 bits.
///
/// The value is `numerator` × `factor` ÷ (`denominator` × 2^`shift`).
struct ExactFraction {
    var isNegative: Bool
    var numerator: UInt128
    /// Together with a timescale at most 2^127.
    var factor: UInt128 = 1
    /// 1 … 2^126.
    var denominator: UInt128
    /// Of the denominator, 0 or more.
    var shift = 0

    /// What the division leaves.
    enum Tail {
        case nothing, belowHalf, halfOrMore
    }

    /// Whole parts of `timescale` towards zero, and what is left. Nil where the whole parts pass 128 bits.
    func wholeParts(of timescale: UInt32) -> (count: UInt128, tail: Tail)? {
        let (high, low) = numerator.multipliedFullWidth(by: factor * UInt128(timescale))
        let quotientHigh = high / denominator
        let (quotientLow, remainder) = denominator.dividingFullWidth((high % denominator, low))
        if shift == 0 {
            guard quotientHigh == 0 else { return nil }
            if remainder == 0 { return (quotientLow, .nothing) }
            return (quotientLow, remainder * 2 >= denominator ? .halfOrMore : .belowHalf)
        }
        guard shift < 256 else { return (0, numerator == 0 ? .nothing : .belowHalf) }
        // The quotient is a 256-bit number: take its upper bits, look at the first that falls off and at the rest.
        let wide = shift >= 128
        let inner = shift % 128
        let count: UInt128
        if wide {
            count = quotientHigh >> UInt128(inner)
        } else {
            guard quotientHigh >> UInt128(inner) == 0 else { return nil }
            count = quotientHigh << UInt128(128 - inner) | quotientLow >> UInt128(inner)
        }
        let first = shift - 1
        let half = first >= 128 ? quotientHigh >> UInt128(first - 128) & 1 : quotientLow >> UInt128(first) & 1
        if half == 1 { return (count, .halfOrMore) }
        let fallen =
            wide
            ? quotientLow != 0 || quotientHigh & ((1 << UInt128(inner)) - 1) != 0
            : quotientLow & ((1 << UInt128(inner)) - 1) != 0
        return (count, fallen || remainder != 0 ? .belowHalf : .nothing)
    }

    /// The value of a time of `timescale`, and whether it was rounded; nil where it passes 64 bits.
    ///
    /// - Parameter sourceTimescale: what the QuickTime method compares `timescale` with.
    func value(at timescale: UInt32, method: CMTimeRoundingMethod, sourceTimescale: UInt32)
        -> (value: Int64, isRounded: Bool)?
    {
        guard let (whole, tail) = wholeParts(of: timescale) else { return nil }
        var count = whole
        if tail != .nothing, roundsAway(method, tail, whole, from: sourceTimescale, to: timescale) { count += 1 }
        guard count <= (isNegative ? 1 << 63 : UInt128(Int64.max)) else { return nil }
        let value = isNegative ? Int64(truncatingIfNeeded: 0 &- count) : Int64(count)
        return (value, tail != .nothing)
    }

    private func roundsAway(
        _ method: CMTimeRoundingMethod,
        _ tail: Tail,
        _ whole: UInt128,
        from source: UInt32,
        to target: UInt32
    ) -> Bool {
        switch method {
        case .roundHalfAwayFromZero: tail == .halfOrMore
        case .roundTowardZero: false
        case .roundAwayFromZero: true
        case .quickTime: target > source || (isNegative && whole == 0)
        case .roundTowardPositiveInfinity: !isNegative
        case .roundTowardNegativeInfinity: isNegative
        }
    }

    /// The fraction as a time of `timescale`, with default rounding. Where the value overflows the timescale is halved
    /// until it does not; where it still overflows with timescale 1, the time is infinite.
    func time(timescale: UInt32, isRounded: Bool, epoch: CMTimeEpoch) -> CMTime {
        var scale = timescale
        while true {
            if let (value, rounded) = value(at: scale, method: .default, sourceTimescale: scale) {
                return CMTime(
                    value: value,
                    timescale: CMTimeScale(scale),
                    flags: rounded || isRounded ? [.valid, .hasBeenRounded] : .valid,
                    epoch: epoch
                )
            }
            if scale <= 1 { return isNegative ? .negativeInfinity : .positiveInfinity }
            scale /= 2
        }
    }
}

/// The number of a numeric time with a timescale above 0.
struct ExactTime {
    var value: Int64
    var timescale: UInt32

    /// In lowest terms.
    var reduced: ExactTime {
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        return ExactTime(value: value / Int64(divisor), timescale: timescale / UInt32(divisor))
    }

    var fraction: ExactFraction {
        ExactFraction(
            isNegative: value < 0,
            numerator: UInt128(value.magnitude),
            denominator: UInt128(timescale)
        )
    }
}

/// Nonzero where one argument is.
func greatestCommonDivisor<Number: UnsignedInteger>(_ first: Number, _ second: Number) -> Number {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
}

extension CMTime {
    /// The number of this time; nil where it is not numeric, or where its timescale is not above 0.
    var exact: ExactTime? {
        guard isNumeric, timescale > 0 else { return nil }
        return ExactTime(value: value, timescale: UInt32(timescale))
    }

    /// −∞ < numbers < indefinite < +∞ < invalid, as CMTime.h orders times. Times without a usable number are invalid.
    var order: Int {
        if !isValid { return 4 }
        if isNegativeInfinity { return 0 }
        if isPositiveInfinity { return 3 }
        if isIndefinite { return 2 }
        return timescale > 0 ? 1 : 4
    }
}
