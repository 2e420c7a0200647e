/// A sample in memory that can be brought to and from the scale −1 … 1.
///
/// Integers are full scale in their own width: a 24-bit sample held as `Int32` is shifted left by 8. Full scale is 2^15
/// and 2^31 (−1.0 is the lowest integer; +1.0 is one step above the highest, and is clamped to it).
package protocol SampleValue: BitwiseCopyable {
    static var zero: Self { get }
    /// The exact value on the scale −1 … 1.
    var scaled: Double { get }
    /// The nearest sample to `scaled`; integers are clamped to their range, and what is not a number is silence.
    init(scaled: Double)
}

/// 1.5 × 2^52: in a sum with it, a smaller number is rounded to the nearest integer (ties to even), which then lies in
/// the low bits of the sum in two's complement. Unlike `rint` and the checked conversions this becomes vector code.
private let roundingBias = 6_755_399_441_055_744.0

@inline(__always)
private func nearestInteger(_ scaled: Double, fullScale: Double) -> Int32 {
    let value = scaled == scaled ? scaled * fullScale : 0
    let low = value < -fullScale ? -fullScale : value
    let clamped = low > fullScale - 1 ? fullScale - 1 : low
    return Int32(truncatingIfNeeded: (clamped + roundingBias).bitPattern)
}

extension Int16: SampleValue {
    @inline(__always)
    package var scaled: Double { Double(self) * 0x1p-15 }

    @inline(__always)
    package init(scaled: Double) {
        self = Int16(truncatingIfNeeded: nearestInteger(scaled, fullScale: 0x1p15))
    }
}

extension Int32: SampleValue {
    @inline(__always)
    package var scaled: Double { Double(self) * 0x1p-31 }

    @inline(__always)
    package init(scaled: Double) { self = nearestInteger(scaled, fullScale: 0x1p31) }
}

extension Float: SampleValue {
    @inline(__always)
    package var scaled: Double { Double(self) }

    @inline(__always)
    package init(scaled: Double) { self = Float(scaled) }
}

extension Double: SampleValue {
    @inline(__always)
    package var scaled: Double { self }

    @inline(__always)
    package init(scaled: Double) { self = scaled }
}
