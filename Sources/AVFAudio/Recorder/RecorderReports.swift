import AudioCore
import AudioRuntime
import Synchronization

/// Brings an engine's reports to the delegate of its recorder, if both are still there.
final class RecorderReports: Sendable {
    private let relay: DelegateRelay
    private let recorder = Mutex(WeakReference<AVAudioRecorder>())

    init(relay: DelegateRelay) { self.relay = relay }

    func connect(_ recorder: AVAudioRecorder) {
        let reference = WeakReference(object: recorder)
        self.recorder.withLock { $0 = reference }
    }

    /// On the runtime's callback executor, which is the main queue unless a program has put another in its place.
    func receive(_ report: RecorderEngine.Report) {
        guard let recorder = recorder.withLock({ $0.object }) else { return }
        if case .finished = report { recorder.recordingEnded() }
        guard let delegate = relay.object as? any AVAudioRecorderDelegate else { return }
        switch report {
        case .finished(let successfully):
            delegate.audioRecorderDidFinishRecording(recorder, successfully: successfully)
        case .failed(let failure):
            delegate.audioRecorderEncodeErrorDidOccur(recorder, error: failure.appleError)
        }
    }
}
