/// A moment on a monotonic clock that also counts while the machine sleeps, in nanoseconds from an arbitrary origin.
package struct HostTime: Sendable, Hashable, Comparable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package var seconds: Double { Double(nanoseconds) / 1e9 }

    package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }

    package static func - (a: Self, b: Self) -> Duration { .nanoseconds(a.nanoseconds - b.nanoseconds) }

    package static func + (a: Self, b: Duration) -> Self {
        HostTime(nanoseconds: a.nanoseconds + b.inNanoseconds)
    }
}

extension Duration {
    /// Whole nanoseconds, towards zero.
    package var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Seconds as a floating-point number.
    package var inSeconds: Double { Double(inNanoseconds) / 1e9 }
}
