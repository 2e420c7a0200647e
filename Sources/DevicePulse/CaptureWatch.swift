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
    /// The last beat of a timer that beats whether frames come or not, and when it last came far too late.
    private var lastBeat: UInt64?
    private var stoodStill: UInt64?

    /// A queue of 4 MiB holds more than this of anything that a microphone gives.
    private static let stop: UInt64 = 500_000
    private static let window: UInt64 = 200_000
    /// Less than this is within the jitter of deliveries.
    private static let tolerance = 0.05

    /// Between two beats of the timer, in microseconds.
    static let beat: UInt64 = 250_000
    /// A beat that is later than this was not late for lack of processor time.
    private static let standstill: UInt64 = 1_000_000

    /// What is missing, and why.
    struct Loss: Equatable {
        var frames = 0
        /// True where this process itself stood still meanwhile: the machine slept, or somebody stopped the process.
        var isOwnStandstill = false
    }

    /// Called by the timer.
    mutating func beat(at now: UInt64) {
        if let lastBeat, now &- lastBeat > Self.beat + Self.standstill { stoodStill = now }
        lastBeat = now
    }

    /// Called after each delivery.
    ///
    /// - Parameters:
    ///   - now: microseconds of a clock that never jumps and goes on while the machine sleeps.
    ///   - frames: delivered since the stream was opened.
    /// - Returns: what is missing, mostly nothing.
    @_noLocks @_noAllocation
    mutating func delivered(_ frames: Int, at now: UInt64, sampleRate: Double) -> Loss {
        let pause = now &- last
        last = now
        guard let good else {
            self.good = (now, frames)
            return Loss()
        }
        if recovery == nil, pause < Self.stop {
            self.good = (now, frames)
            return Loss()
        }
        guard let begin = recovery, pause < Self.stop else {
            recovery = (now, frames)
            return Loss()
        }
        let elapsed = now &- begin.microseconds
        if elapsed < Self.window { return Loss() }
        let due = Double(elapsed) / 1e6 * sampleRate
        let got = Double(frames &- begin.frames)
        if got > due * 1.3 || got < due * 0.7 {
            recovery = (now, frames)
            return Loss()
        }
        let missing = Double(now &- good.microseconds) / 1e6 * sampleRate - Double(frames &- good.frames)
        let isOwnStandstill = stoodStill.map { $0 >= good.microseconds } ?? false
        self.good = (now, frames)
        recovery = nil
        guard missing > Self.tolerance * sampleRate, missing < 1e15 else { return Loss() }
        return Loss(frames: Int(missing), isOwnStandstill: isOwnStandstill)
    }
}
