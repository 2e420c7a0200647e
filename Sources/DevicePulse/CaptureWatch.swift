/// Finds frames that are gone after the flow stood still.
///
/// The servers do not tell: when a client or a device does not move for long, PulseAudio drops the newest frames behind a
/// full queue, PipeWire the oldest. So after a stop the frames are compared with the time that passed, as soon as what
/// had piled up is through. Without a stop nothing is compared, and so the drift of clocks is never taken for a loss.
struct CaptureWatch {
    private typealias Mark = (microseconds: UInt64, frames: Int)

    /// The last moment at which all was well.
    private var good: Mark?
    /// Where the flow is being watched for steadiness, after a stop.
    private var recovery: Mark?
    private var last: UInt64 = 0

    /// A queue of 4 MiB holds more than this of anything that a microphone gives.
    private static let stop: UInt64 = 500_000
    private static let window: UInt64 = 200_000
    /// Less than this is within the jitter of deliveries.
    private static let tolerance = 0.05

    /// Called after each delivery.
    ///
    /// - Parameters:
    ///   - now: microseconds of a clock that never jumps.
    ///   - frames: delivered since the stream was opened.
    /// - Returns: the frames that are missing, mostly 0.
    @_noLocks @_noAllocation
    mutating func delivered(_ frames: Int, at now: UInt64, sampleRate: Double) -> Int {
        let pause = now &- last
        last = now
        guard let good else {
            self.good = (now, frames)
            return 0
        }
        if recovery == nil, pause < Self.stop {
            self.good = (now, frames)
            return 0
        }
        guard let begin = recovery, pause < Self.stop else {
            recovery = (now, frames)
            return 0
        }
        let elapsed = now &- begin.microseconds
        if elapsed < Self.window { return 0 }
        let due = Double(elapsed) / 1e6 * sampleRate
        let got = Double(frames &- begin.frames)
        if got > due * 1.3 || got < due * 0.7 {
            recovery = (now, frames)
            return 0
        }
        let missing = Double(now &- good.microseconds) / 1e6 * sampleRate - Double(frames &- good.frames)
        self.good = (now, frames)
        recovery = nil
        return missing > Self.tolerance * sampleRate && missing < 1e15 ? Int(missing) : 0
    }
}
