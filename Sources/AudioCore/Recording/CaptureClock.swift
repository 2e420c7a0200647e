/// How far a capture stream is behind the time that passed.
///
/// Deliveries are late by varying amounts and never early, so the earliest ones of the last seconds say where the stream
/// stands. Looking back only so far keeps the drift of the device's clock out of it. A value without a clock: times are
/// nanoseconds of any clock that never goes back.
package struct CaptureClock: BitwiseCopyable, Sendable {
    private let sampleRate: Double
    private let start: Int64?
    private var origin: Int64?
    /// Frames delivered or known to be lost since `origin`.
    private var frames: Int64 = 0
    /// The greatest lead of the frames over the time, in frames, in the window under way and in the one before.
    private var best = 0.0
    private var bestBefore = 0.0
    private var windowEnd: Int64 = 0

    /// A window of this length always has a delivery that is hardly late.
    private let window: Int64 = 2_000_000_000

    /// - Parameters:
    ///   - sampleRate: frames per second, above zero.
    ///   - start: when the stream was started; nil where nothing is missing before its first delivery.
    package init(sampleRate: Double, start: Int64? = nil) {
        self.sampleRate = sampleRate
        self.start = start
    }

    /// Notes that `count` frames came, the last of which was captured at `time` or before.
    @_noLocks @_noAllocation
    package mutating func delivered(_ count: Int, at time: Int64) {
        guard let origin else {
            self.origin = time
            frames = Int64(count)
            best = Double(count)
            bestBefore = best
            windowEnd = time &+ window
            return
        }
        frames &+= Int64(count)
        let lead = Double(frames) - elapsed(since: origin, at: time)
        if time >= windowEnd {
            bestBefore = best
            best = lead
            windowEnd = time &+ window
        } else if lead > best {
            best = lead
        }
    }

    /// Frames that are known to be gone count as if they had come.
    @_noLocks @_noAllocation
    package mutating func lost(_ count: Int) { if origin != nil { frames &+= Int64(count) } }

    /// The frames that should have come by `time` and did not, when `count` more come at this moment; never below zero.
    @_noLocks @_noAllocation
    package func missing(_ count: Int = 0, at time: Int64) -> Int {
        guard let origin else {
            guard let start else { return 0 }
            let missing = elapsed(since: start, at: time) - Double(count)
            return Self.nearest(missing)
        }
        let lead = Double(frames &+ Int64(count)) - elapsed(since: origin, at: time)
        let missing = (bestBefore > best ? bestBefore : best) - lead
        return Self.nearest(missing)
    }

    /// The nearest whole number of frames; none for less than half of one.
    @_noLocks @_noAllocation
    private static func nearest(_ missing: Double) -> Int { missing > 0 && missing < 1e15 ? Int(missing + 0.5) : 0 }

    /// In frames. From a clock that went back: none.
    @_noLocks @_noAllocation
    private func elapsed(since origin: Int64, at time: Int64) -> Double {
        time > origin ? Double(time &- origin) / 1e9 * sampleRate : 0
    }
}
