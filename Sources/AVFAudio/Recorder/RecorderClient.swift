import AudioCore
import AudioRuntime
import Synchronization

/// A recorder as the audio session sees it: what `AVAudioRecorder` and the session share.
final class RecorderClient: SessionClient {
    let engine: RecorderEngine
    let session: SessionCore
    private let stream: SessionStream
    /// Says to the session that this recorder runs; nil while it does not.
    private let activity = Mutex<SessionActivity?>(nil)

    init(engine: RecorderEngine, session: SessionCore) {
        self.engine = engine
        self.session = session
        let stream = SessionStream(.recording, of: session)
        self.stream = stream
        _ = engine.observers.add { notice in
            switch notice {
            case .microphoneChanged(_, let device): stream.isOn(device)
            case .microphoneAsleep: stream.deviceFellAsleepOrAwoke()
            default: break
            }
        }
    }

    var sessionUse: SessionUse { .recording }

    var sessionLatency: Double? {
        engine.latency.map { $0.seconds(at: engine.configuration.encoding.sampleRate) }
    }

    func sessionStops(_ reason: AudioFailure) {
        engine.pause()
        endActivity()
    }

    func sessionInterrupts() {
        engine.interrupt()
        endActivity()
        engine.reports.tell(.interruptionBegan)
    }

    func sessionInterruptionEnds(shouldResume: Bool) {
        engine.reports.tell(.interruptionEnded(shouldResume: shouldResume))
    }

    func sessionMutes(_ isMuted: Bool) { engine.setMuted(isMuted) }

    func prepare() throws(AudioFailure) {
        if let refusal = session.refusal(of: .recording) { throw refusal }
        try engine.prepare()
    }

    func record(at time: HostTime?, limit: FrameCount?) throws(AudioFailure) {
        let begun = try session.begin(self)
        engine.setMuted(session.isInputMuted)
        do throws(AudioFailure) {
            try engine.record(at: time, limit: limit)
        } catch {
            if error.code == .permissionDenied { session.noteRecordingDenied() }
            throw error
        }
        activity.withLock { $0 = begun }
        // The sound may have been taken away while it began.
        if !begun.isRunning {
            engine.pause()
            endActivity()
            throw AudioFailure(.busy, "The audio session was interrupted or deactivated while the recording began.")
        }
        stream.isOn(engine.device)
    }

    func endActivity() {
        activity.withLock { $0 = nil }
        if engine.device == nil { stream.isOn(nil) }
    }
}
