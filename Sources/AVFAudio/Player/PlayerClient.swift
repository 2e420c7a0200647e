import AudioCore
import AudioRuntime
import Synchronization

/// A player as the audio session sees it: what `AVAudioPlayer` and the session share.
final class PlayerClient: SessionClient {
    let engine: PlayerEngine
    let session: SessionCore
    private let stream: SessionStream
    /// Says to the session that this player runs; nil while it does not.
    private let activity = Mutex<SessionActivity?>(nil)

    /// - Parameter stream: the one that `engine` tells where it plays.
    init(engine: PlayerEngine, session: SessionCore, stream: SessionStream) {
        self.engine = engine
        self.session = session
        self.stream = stream
    }

    var sessionUse: SessionUse { .playback }

    var sessionLatency: Double? { engine.latency.map { $0.seconds(at: engine.recording.format.sampleRate) } }

    func sessionStops(_ reason: AudioFailure) {
        engine.pause()
        endActivity()
    }

    func sessionInterrupts() {
        engine.pause()
        endActivity()
        engine.reports.tell(.interruptionBegan)
    }

    func sessionInterruptionEnds(shouldResume: Bool) {
        engine.reports.tell(.interruptionEnded(shouldResume: shouldResume))
    }

    func sessionLowers(_ isLowered: Bool) { engine.setLowered(isLowered) }

    func sessionMutes(_ isMuted: Bool) { engine.setMuted(isMuted) }

    /// Opens what `prepareToPlay` and `play` need as the session wants it.
    func configure() {
        let plan = session.streamPlan(for: .playback)
        engine.setLowered(session.isLowered)
        engine.setMuted(session.isOutputMuted)
        engine.applyPlan(deviceID: plan.deviceID, mediaRole: plan.mediaRole, processing: plan.processing)
    }

    func play(at moment: HostTime? = nil) throws(AudioFailure) {
        if engine.phase == .playing { return }
        configure()
        let begun = try session.begin(self)
        try engine.play(at: moment)
        activity.withLock { $0 = begun }
        // The sound may have been taken away while it began.
        if !begun.isRunning {
            engine.pause()
            endActivity()
            throw AudioFailure(.busy, "The audio session was interrupted or deactivated while playback began.")
        }
        // A player with a speaker of its own says nothing of the session's.
        if engine.deviceID == nil { stream.isOn(engine.device) }
    }

    func endActivity() {
        activity.withLock { $0 = nil }
        if engine.device == nil { stream.isOn(nil) }
    }
}
