import AudioCore
import Synchronization

/// When a take ends by itself: at a number of frames, and at a moment.
///
/// While frames come, a moment is a number of frames, too, so that the file ends there whatever the threads do. In a pause,
/// without a microphone and after a sleep no frames come: then the clock decides, a little later.
final class TakeLimit: Sendable {
    private struct State {
        /// Asked for by the number of frames.
        var frames: FrameCount?
        var moment: HostTime?
        /// Frames that the take will have at `moment`, while they come.
        var framesAtMoment: FrameCount?
        var isTold = false
    }

    /// How long after the moment the clock decides: what was heard until then has been delivered.
    private static let grace = Duration.milliseconds(500)

    private let state = Mutex(State())
    private let clock: any HostClock
    private let sampleRate: Double
    private let onMoment: @Sendable () -> Void

    /// - Parameter onMoment: called once for each moment that has come. Must not block.
    init(clock: any HostClock, sampleRate: Double, onMoment: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.sampleRate = sampleRate
        self.onMoment = onMoment
    }

    /// The length at which it ends; nil for none.
    var frames: FrameCount? {
        state.withLock { state in
            [state.frames, state.framesAtMoment].compactMap { $0 }.min()
        }
    }

    /// True where its length at the moment is the shortest that was asked for.
    var isMoment: Bool {
        state.withLock { state in
            guard let atMoment = state.framesAtMoment else { return false }
            return state.frames.map { atMoment < $0 } ?? true
        }
    }

    func set(frames: FrameCount?) { state.withLock { $0.frames = frames } }

    /// - Parameters:
    ///   - moment: when it ends; nil for never.
    ///   - first: when the next frame is heard.
    ///   - kept: the frames before it.
    func set(moment: HostTime?, first: HostTime, after kept: FrameCount) {
        let isNew = state.withLock { state in
            defer { state.moment = moment }
            if state.moment != moment { state.isTold = false }
            state.framesAtMoment = moment.map { moment in
                kept + FrameCount(seconds: max((moment - first).inSeconds, 0), sampleRate: sampleRate)
            }
            return state.moment != moment
        }
        if isNew, let moment { clock.call(at: moment + Self.grace) { [weak self] in self?.check() } }
    }

    /// Asks the clock. Any thread, often.
    func check() {
        let hasCome = state.withLock { state in
            guard let moment = state.moment, !state.isTold, clock.now >= moment + Self.grace else { return false }
            state.isTold = true
            return true
        }
        if hasCome { onMoment() }
    }
}
