/// Integers of any size, the slow and obvious way: the model that time arithmetic is held against.
struct BigInteger: Equatable {
    var isNegative = false
    /// Little endian, without leading zeros.
    var limbs: [UInt32] = []

    init(_ value: Int64) {
        isNegative = value < 0
        var rest = value.magnitude
        while rest != 0 {
            limbs.append(UInt32(truncatingIfNeeded: rest))
            rest >>= 32
        }
    }

    init(isNegative: Bool, limbs: [UInt32]) {
        self.limbs = limbs
        while self.limbs.last == 0 { self.limbs.removeLast() }
        self.isNegative = isNegative && !self.limbs.isEmpty
    }

    static func power(ofTwo exponent: Int) -> Self {
        var limbs = [UInt32](repeating: 0, count: exponent / 32 + 1)
        limbs[exponent / 32] = 1 << UInt32(exponent % 32)
        return Self(isNegative: false, limbs: limbs)
    }

    var isZero: Bool { limbs.isEmpty }
    var magnitude: Self { Self(isNegative: false, limbs: limbs) }

    static func compareMagnitudes(_ a: [UInt32], _ b: [UInt32]) -> Int {
        if a.count != b.count { return a.count < b.count ? -1 : 1 }
        for (x, y) in zip(a.reversed(), b.reversed()) where x != y { return x < y ? -1 : 1 }
        return 0
    }

    private static func sum(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(a.count, b.count) {
            let total = carry + UInt64(index < a.count ? a[index] : 0) + UInt64(index < b.count ? b[index] : 0)
            result.append(UInt32(truncatingIfNeeded: total))
            carry = total >> 32
        }
        if carry != 0 { result.append(UInt32(carry)) }
        return result
    }

    /// For a ≥ b.
    private static func difference(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        var borrow: Int64 = 0
        for index in a.indices {
            var part = Int64(a[index]) - borrow - Int64(index < b.count ? b[index] : 0)
            borrow = part < 0 ? 1 : 0
            if part < 0 { part += 1 << 32 }
            result.append(UInt32(part))
        }
        return result
    }

    static func + (a: Self, b: Self) -> Self {
        if a.isNegative == b.isNegative { return Self(isNegative: a.isNegative, limbs: sum(a.limbs, b.limbs)) }
        if compareMagnitudes(a.limbs, b.limbs) >= 0 {
            return Self(isNegative: a.isNegative, limbs: difference(a.limbs, b.limbs))
        }
        return Self(isNegative: b.isNegative, limbs: difference(b.limbs, a.limbs))
    }

    static prefix func - (a: Self) -> Self { Self(isNegative: !a.isNegative, limbs: a.limbs) }
    static func - (a: Self, b: Self) -> Self { a + -b }

    static func * (a: Self, b: Self) -> Self {
        var result = [UInt32](repeating: 0, count: a.limbs.count + b.limbs.count)
        for (i, x) in a.limbs.enumerated() {
            var carry: UInt64 = 0
            for (j, y) in b.limbs.enumerated() {
                let total = UInt64(x) * UInt64(y) + UInt64(result[i + j]) + carry
                result[i + j] = UInt32(truncatingIfNeeded: total)
                carry = total >> 32
            }
            result[i + b.limbs.count] = UInt32(carry)
        }
        return Self(isNegative: a.isNegative != b.isNegative, limbs: result)
    }

    /// Towards zero; the remainder has the sign of the dividend.
    func dividing(by divisor: Self) -> (quotient: Self, remainder: Self) {
        var quotient = [UInt32](repeating: 0, count: limbs.count)
        var rest = Self(0)
        for bit in stride(from: limbs.count * 32 - 1, through: 0, by: -1) {
            rest = rest + rest
            if limbs[bit / 32] >> UInt32(bit % 32) & 1 == 1 { rest = rest + Self(1) }
            if Self.compareMagnitudes(rest.limbs, divisor.limbs) >= 0 {
                rest = rest - divisor.magnitude
                quotient[bit / 32] |= 1 << UInt32(bit % 32)
            }
        }
        return (
            Self(isNegative: isNegative != divisor.isNegative, limbs: quotient),
            Self(isNegative: isNegative, limbs: rest.limbs)
        )
    }

    /// The value, where it has 64 bits.
    var int64: Int64? {
        guard limbs.count <= 2 else { return nil }
        let magnitude = limbs.reversed().reduce(UInt64(0)) { $0 << 32 | UInt64($1) }
        if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }
}

/// Fractions of any size; the denominator is above 0.
struct BigRational {
    var numerator: BigInteger
    var denominator: BigInteger

    init(_ numerator: BigInteger, _ denominator: BigInteger) {
        self.numerator = denominator.isNegative ? -numerator : numerator
        self.denominator = denominator.magnitude
    }

    init(_ value: Int64, _ timescale: Int64) { self.init(BigInteger(value), BigInteger(timescale)) }

    /// A floating-point number, exactly.
    init(_ value: Double) {
        guard value != 0 else {
            self.init(0, 1)
            return
        }
        let exponent = Int(value.ulp.exponent)
        let significand = Int64((value / value.ulp).rounded())
        if exponent >= 0 {
            self.init(BigInteger(significand) * .power(ofTwo: exponent), BigInteger(1))
        } else {
            self.init(BigInteger(significand), .power(ofTwo: -exponent))
        }
    }

    static func + (a: Self, b: Self) -> Self {
        Self(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
    }
    static func - (a: Self, b: Self) -> Self { a + Self(-b.numerator, b.denominator) }
    static func * (a: Self, b: Self) -> Self { Self(a.numerator * b.numerator, a.denominator * b.denominator) }
    static func / (a: Self, b: Self) -> Self { Self(a.numerator * b.denominator, a.denominator * b.numerator) }

    /// −1, 0 or 1.
    static func compare(_ a: Self, _ b: Self) -> Int {
        let difference = (a - b).numerator
        return difference.isZero ? 0 : difference.isNegative ? -1 : 1
    }

    enum Rounding: CaseIterable {
        case halfAway, towardZero, away, up, down
    }

    func rounded(_ rounding: Rounding) -> (value: BigInteger, isExact: Bool) {
        let (quotient, remainder) = numerator.dividing(by: denominator)
        if remainder.isZero { return (quotient, true) }
        let away = numerator.isNegative ? quotient - BigInteger(1) : quotient + BigInteger(1)
        switch rounding {
        case .towardZero: return (quotient, false)
        case .away: return (away, false)
        case .up: return (numerator.isNegative ? quotient : away, false)
        case .down: return (numerator.isNegative ? away : quotient, false)
        case .halfAway:
            let twice = (remainder + remainder).magnitude
            return (BigInteger.compareMagnitudes(twice.limbs, denominator.limbs) >= 0 ? away : quotient, false)
        }
    }
}
