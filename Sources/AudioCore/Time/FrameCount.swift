/// A number of frames, or a position counted in frames from the start. The truth of every length and position.
///
/// A frame is one sample of every channel.
package struct FrameCount: Sendable, Hashable, Comparable, AdditiveArithmetic, ExpressibleByIntegerLiteral,
    CustomStringConvertible
{
    package var value: Int64

    package init(_ value: Int64) { self.value = value }
    package init(_ value: Int) { self.value = Int64(value) }
    package init(integerLiteral value: Int64) { self.value = value }

    /// The frames nearest to `seconds` at `sampleRate`; clamped to the range of `Int64`, zero for values that are not
    /// numbers.
    package init(seconds: Double, sampleRate: Double) {
        let exact = (seconds * sampleRate).rounded(.toNearestOrAwayFromZero)
        if exact.isNaN {
            value = 0
        } else if exact >= 9.2e18 {
            value = .max
        } else if exact <= -9.2e18 {
            value = .min
        } else {
            value = Int64(exact)
        }
    }

    package static let zero = FrameCount(0 as Int64)

    /// Seconds at `sampleRate` (frames per second, above zero).
    package func seconds(at sampleRate: Double) -> Double { Double(value) / sampleRate }

    package static func + (a: Self, b: Self) -> Self { Self(a.value + b.value) }
    package static func - (a: Self, b: Self) -> Self { Self(a.value - b.value) }
    package static func < (a: Self, b: Self) -> Bool { a.value < b.value }

    package var description: String { "\(value) frames" }
}
