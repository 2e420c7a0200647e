/// Finds frames that a source left out without a word, and tells them from the drift of its clock.
///
/// The frames are compared with the time in windows of a second. What is late because somebody was busy comes later: only a
/// deficit that stays for seconds is a loss. Drift moves by less than half a millisecond in a window, and the line that the
/// frames are compared with goes along. A value without a clock.
package struct DriftWatch: BitwiseCopyable, Sendable {
    /// A loss shows in both ways of looking at the flow, a change of the latency in the first alone, and a server that
    /// tells its latency wrongly for a while in the second alone.
    private struct Line: BitwiseCopyable {
        /// Where the frames stood against the time at the end of the last good window, in seconds.
        var base: Double?
        /// The best of the window under way.
        var best = -Double.infinity
        /// - Returns: how much the window lacks, in seconds.
        @_noLocks @_noAllocation
        mutating func close(drift: Double) -> Double {
            defer { best = -Double.infinity }
            guard let base else {
                self.base = best
                return 0
            }
            return base + drift - best
        }
    }

    private let sampleRate: Double
    private var origin: Int64?
    private var frames: Int64 = 0
    private var windowEnd: Int64 = 0
    private var delivered = Line()
    private var captured = Line()
    /// Windows in a row that lack something, and the least that the last of them lack, in seconds.
    private var suspicious = 0
    private var deficit = Double.infinity
    /// Seconds gained in a window, from what was seen so far.
    private var drift = 0.0

    /// For the figure that is reported: where the first window and the last one stood.
    private var first: (time: Int64, lead: Double)?
    private var latest: (time: Int64, lead: Double)?

    private let window: Int64 = 1_000_000_000
    /// Windows for which a deficit must stay.
    private let patience = 5
    /// Seconds; less is not told from jitter.
    private let tolerance = 0.010
    /// Seconds in a window: 500 parts per million, more than any clock of a sound device is off.
    private let greatestDrift = 0.000_5

    /// - Parameter sampleRate: frames per second, above zero.
    package init(sampleRate: Double) { self.sampleRate = sampleRate }

    /// How much faster than the clock the device runs, in parts per million; nil in the first ten seconds.
    package var partsPerMillion: Double? {
        guard let first, let latest, latest.time &- first.time >= 10 * window else { return nil }
        return (latest.lead - first.lead) / Double(latest.time &- first.time) * 1e15
    }

    /// Notes a delivery.
    ///
    /// - Parameters:
    ///   - count: its frames.
    ///   - pending: frames that are captured and not delivered, as the server says; nil where it does not say.
    ///   - time: nanoseconds of a clock that never jumps.
    /// - Returns: the frames that are missing, mostly 0. They count as told from now on.
    @_noLocks @_noAllocation
    package mutating func delivered(_ count: Int, pending: Double?, at time: Int64) -> Int {
        guard let origin else {
            self.origin = time
            windowEnd = time &+ window
            return 0
        }
        frames &+= Int64(count)
        let lead = Double(frames) / sampleRate - Double(time &- origin) / 1e9
        if lead > delivered.best { delivered.best = lead }
        let behind = lead + (pending ?? 0) / sampleRate
        if behind > captured.best { captured.best = behind }
        if time < windowEnd { return 0 }
        let length = Double(time &- windowEnd &+ window) / 1e9
        windowEnd = time &+ window
        return closeWindow(length, at: time)
    }

    /// Frames that are known to be gone count as if they had come.
    @_noLocks @_noAllocation
    package mutating func lost(_ count: Int) { if origin != nil { frames &+= Int64(count) } }

    @_noLocks @_noAllocation
    private mutating func closeWindow(_ length: Double, at time: Int64) -> Int {
        let leads = (delivered.best, captured.best)
        let lacking = (delivered.close(drift: drift * length), captured.close(drift: drift * length))
        if lacking.0 > tolerance || lacking.1 > tolerance {
            suspicious += 1
            // What a server says of its latency comes late: only the last windows count.
            if suspicious + 2 >= patience {
                let lesser = lacking.0 < lacking.1 ? lacking.0 : lacking.1
                deficit = lesser < deficit ? lesser : deficit
            }
            if suspicious < patience {
                // The lines that are compared with go on as they went.
                delivered.base = leads.0 + lacking.0
                captured.base = leads.1 + lacking.1
                return 0
            }
        }
        let missing = suspicious == patience && deficit > tolerance ? Int(deficit * sampleRate + 0.5) : 0
        let told = Double(missing) / sampleRate
        if missing == 0, suspicious == 0 { follow(-lacking.0 / length) }
        suspicious = 0
        deficit = .infinity
        frames &+= Int64(missing)
        delivered.base = leads.0 + told
        captured.base = leads.1 + told
        if first == nil { first = (time, leads.0) }
        latest = (time, leads.0 + told)
        return missing
    }

    /// The drift is what good windows gain, smoothed over some twenty of them.
    @_noLocks @_noAllocation
    private mutating func follow(_ gained: Double) {
        let bounded = gained > greatestDrift ? greatestDrift : gained < -greatestDrift ? -greatestDrift : gained
        drift += (bounded - drift) * 0.05
    }
}
