// The functions of CMTime.h, with its rules for rounding, overflow, epochs and times that are no numbers.

/// How `CMTimeConvertScale` rounds.
public enum CMTimeRoundingMethod: UInt32, Sendable {
    /// To the nearest; halves away from zero.
    case roundHalfAwayFromZero = 1
    /// Towards zero.
    case roundTowardZero = 2
    /// Away from zero.
    case roundAwayFromZero = 3
    /// Towards zero where the new timescale is smaller, away from zero where it is larger; negative times never become 0.
    case quickTime = 4
    /// Towards +∞.
    case roundTowardPositiveInfinity = 5
    /// Towards −∞.
    case roundTowardNegativeInfinity = 6

    /// `roundHalfAwayFromZero`.
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}

// MARK: Making

/// `value` ÷ `timescale` seconds in epoch 0; invalid where `timescale` is not above 0.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: 0)
}

/// `value` ÷ `timescale` seconds in `epoch`; invalid where `timescale` is not above 0.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
    guard timescale > 0 else { return .invalid }
    return CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

/// The parts of `preferredTimescale` that lie whole in `seconds`: what is left is cut off, as on Apple's systems.
///
/// Where the value overflows, the timescale is halved until it does not; where it still overflows with timescale 1, the
/// time is infinite. The time is marked as rounded where its `seconds` are not `seconds`.
/// - Returns: invalid for a timescale not above 0 and for NaN.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
    guard preferredTimescale > 0, !seconds.isNaN else { return .invalid }
    var timescale = preferredTimescale
    while true {
        let parts = seconds * Float64(timescale)
        if let value = Int64(exactly: parts.rounded(.towardZero)) {
            let isExact = Float64(value) / Float64(timescale) == seconds
            return CMTime(
                value: value,
                timescale: timescale,
                flags: isExact ? .valid : [.valid, .hasBeenRounded],
                epoch: 0
            )
        }
        if timescale == 1 { return seconds < 0 ? .negativeInfinity : .positiveInfinity }
        timescale /= 2
    }
}

/// `value` ÷ `timescale`; NaN for invalid and indefinite times, ±∞ for infinite ones. The epoch does not count.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
    if let number = time.exact { return Float64(number.value) / Float64(number.timescale) }
    if time.isPositiveInfinity { return .infinity }
    if time.isNegativeInfinity { return -.infinity }
    return .nan
}

// MARK: Converting

/// The time in another timescale, rounded by `method`; marked where it was rounded.
///
/// Times that are no numbers stay what they are. A value that overflows becomes infinite; a timescale not above 0 gives an
/// invalid time.
public func CMTimeConvertScale(_ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    guard time.isNumeric else { return time }
    guard let number = time.exact, newTimescale > 0 else { return .invalid }
    if time.timescale == newTimescale { return time }
    guard
        let (value, isRounded) = number.fraction.value(
            at: UInt32(newTimescale),
            method: method,
            sourceTimescale: number.timescale
        )
    else { return time.value < 0 ? .negativeInfinity : .positiveInfinity }
    var flags = time.flags
    if isRounded { flags.insert(.hasBeenRounded) }
    return CMTime(value: value, timescale: newTimescale, flags: flags, epoch: time.epoch)
}

// MARK: Sums

/// The sum, in the operands' timescale where it is the same, else in its least common multiple, but at most
/// `kCMTimeMaxTimescale`.
///
/// Where the value overflows, the timescale is halved until it does not; where it still overflows with timescale 1, the
/// sum is infinite. Anything with an invalid time is invalid, and so is +∞ + −∞; infinite beats indefinite, and indefinite
/// beats numbers. Different epochs other than 0 give an invalid time, equal ones a duration in epoch 0.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { sum(lhs, rhs, sign: 1) }

/// The difference, by the rules of `CMTimeAdd`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { sum(lhs, rhs, sign: -1) }

private func sum(_ lhs: CMTime, _ rhs: CMTime, sign: Int128) -> CMTime {
    guard lhs.isValid, rhs.isValid else { return .invalid }
    switch (infinity(lhs), infinity(rhs) * sign) {
    case (0, 0): break
    case (1, 0), (0, 1), (1, 1): return .positiveInfinity
    case (-1, 0), (0, -1), (-1, -1): return .negativeInfinity
    default: return .invalid
    }
    if lhs.isIndefinite || rhs.isIndefinite { return .indefinite }
    guard
        let first = lhs.exact, let second = rhs.exact,
        lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0
    else { return .invalid }
    let (firstScale, secondScale) = (Int128(first.timescale), Int128(second.timescale))
    // At most 95 bits.
    let sum = Int128(first.value) * secondScale + sign * Int128(second.value) * firstScale
    let fraction = ExactFraction(
        isNegative: sum < 0,
        numerator: sum.magnitude,
        denominator: (firstScale * secondScale).magnitude
    )
    let multiple = firstScale / Int128(greatestCommonDivisor(first.timescale, second.timescale)) * secondScale
    return fraction.time(
        timescale: UInt32(min(multiple, Int128(kCMTimeMaxTimescale))),
        isRounded: lhs.hasBeenRounded || rhs.hasBeenRounded,
        epoch: lhs.epoch == rhs.epoch ? 0 : lhs.epoch + rhs.epoch
    )
}

/// 1 for +∞, −1 for −∞, else 0.
private func infinity(_ time: CMTime) -> Int128 { time.isPositiveInfinity ? 1 : time.isNegativeInfinity ? -1 : 0 }

private func infinite(negative: Bool) -> CMTime { negative ? .negativeInfinity : .positiveInfinity }

// MARK: Products

/// The product, in the timescale of `time`, with the overflow rule of `CMTimeAdd`. ∞ × 0 is infinite, with the sign of
/// `time`.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    guard time.isNumeric else { return scaledNonNumber(time, negative: multiplier < 0) }
    guard let number = time.exact else { return .invalid }
    let fraction = ExactFraction(
        isNegative: (number.value < 0) != (multiplier < 0),
        numerator: UInt128(number.value.magnitude) * UInt128(multiplier.magnitude),
        denominator: UInt128(number.timescale)
    )
    return fraction.time(timescale: number.timescale, isRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// The product with a floating-point number, taken exactly and rounded once.
///
/// The timescale of `time` is doubled until it is at least 65 536; then the overflow rule of `CMTimeAdd` holds.
/// - Returns: invalid for NaN and for 0 × ∞.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    guard time.isValid, !multiplier.isNaN else { return .invalid }
    guard time.isNumeric else { return scaledNonNumber(time, negative: multiplier < 0) }
    guard let number = time.exact else { return .invalid }
    let isNegative = (number.value < 0) != (multiplier < 0)
    if multiplier.isInfinite { return number.value == 0 ? .invalid : infinite(negative: isNegative) }
    var timescale = number.timescale
    while timescale < 65_536 { timescale *= 2 }
    // The multiplier is mantissa × 2^exponent with a mantissa of at most 53 bits, odd where it is not 0.
    var mantissa = UInt128(0)
    var exponent = 0
    if multiplier != 0 {
        let ulps = multiplier.magnitude.significandBitPattern | (multiplier.isNormal ? 1 << 52 : 0)
        let zeros = ulps.trailingZeroBitCount
        mantissa = UInt128(ulps >> UInt64(zeros))
        exponent = Int(multiplier.ulp.exponent) + zeros
    }
    let numerator = UInt128(number.value.magnitude) * mantissa
    // Past 2^95 nothing but 0 stays below 2^63 with any timescale.
    if exponent > 95 { return numerator == 0 ? zero(of: time, timescale) : infinite(negative: isNegative) }
    let fraction = ExactFraction(
        isNegative: isNegative && numerator != 0,
        numerator: numerator,
        factor: exponent > 0 ? 1 << UInt128(exponent) : 1,
        denominator: UInt128(number.timescale),
        shift: max(-exponent, 0)
    )
    return fraction.time(timescale: timescale, isRounded: time.hasBeenRounded, epoch: time.epoch)
}

private func zero(of time: CMTime, _ timescale: UInt32) -> CMTime {
    CMTime(value: 0, timescale: CMTimeScale(timescale), flags: time.flags, epoch: time.epoch)
}

/// `time` × `multiplier` ÷ `divisor`, exact where value and timescale have room for it: in the timescale of `time` where
/// that is enough, else in the smallest multiple that is. Where there is no room, it is rounded in the largest timescale
/// that has.
/// - Returns: for a divisor of 0 invalid where the product is 0, else ±∞.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    guard time.isValid else { return .invalid }
    let isNegative = (multiplier < 0) != (divisor < 0)
    guard time.isNumeric else {
        if divisor == 0, multiplier == 0, !time.isIndefinite { return .invalid }
        return scaledNonNumber(time, negative: isNegative)
    }
    guard let number = time.exact else { return .invalid }
    if divisor == 0 {
        if multiplier == 0 || number.value == 0 { return .invalid }
        return infinite(negative: (number.value < 0) != isNegative)
    }
    let product = UInt128(number.value.magnitude) * UInt128(multiplier.magnitude)
    let quotient = UInt128(divisor.magnitude)
    let fraction = ExactFraction(
        isNegative: (number.value < 0) != isNegative,
        numerator: product,
        denominator: UInt128(number.timescale) * quotient
    )
    let limit = UInt128(kCMTimeMaxTimescale)
    let smallest = UInt128(number.timescale) * (quotient / greatestCommonDivisor(product, quotient))
    let reduced = fraction.denominator / greatestCommonDivisor(product, fraction.denominator)
    for scale in [smallest, reduced] where scale <= limit {
        guard let (value, isRounded) = fraction.value(at: UInt32(scale), method: .default, sourceTimescale: 1) else {
            continue
        }
        if isRounded { continue }
        return CMTime(value: value, timescale: CMTimeScale(scale), flags: time.flags, epoch: time.epoch)
    }
    return fraction.time(timescale: UInt32(limit), isRounded: time.hasBeenRounded, epoch: time.epoch)
}

/// What becomes of an invalid, indefinite or infinite time in a product.
private func scaledNonNumber(_ time: CMTime, negative: Bool) -> CMTime {
    if time.isPositiveInfinity { return infinite(negative: negative) }
    if time.isNegativeInfinity { return infinite(negative: !negative) }
    return time.isIndefinite ? .indefinite : .invalid
}

// MARK: Comparing

/// −1 where `time1` is less than `time2`, 0 where they are equal, 1 where it is greater.
///
/// −∞ < all numbers < indefinite < +∞ < invalid; of numbers, those of a smaller epoch are less.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 {
    if time1.order != time2.order { return time1.order < time2.order ? -1 : 1 }
    guard let first = time1.exact, let second = time2.exact else { return 0 }
    if time1.epoch != time2.epoch { return time1.epoch < time2.epoch ? -1 : 1 }
    let left = Int128(first.value) * Int128(second.timescale)
    let right = Int128(second.value) * Int128(first.timescale)
    return left < right ? -1 : left > right ? 1 : 0
}

/// The lesser of two times in the order of `CMTimeCompare`.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
    CMTimeCompare(time1, time2) <= 0 ? time1 : time2
}

/// The greater of two times in the order of `CMTimeCompare`.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime {
    CMTimeCompare(time1, time2) >= 0 ? time1 : time2
}

/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
    if time.isNegativeInfinity { return .positiveInfinity }
    guard let number = time.exact, number.value < 0 else { return time }
    var fraction = number.fraction
    fraction.isNegative = false
    return fraction.time(timescale: number.timescale, isRounded: time.hasBeenRounded, epoch: time.epoch)
}
