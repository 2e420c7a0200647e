import AVFoundation

/// A recorder's model as it is written now: on the main actor, with async permission and notification sequences.
@MainActor
final class RecorderModel: NSObject {
    enum State: Equatable { case idle, recording(since: Date), failed(String) }

    private(set) var state = State.idle
    private var recorder: AVAudioRecorder?
    private var observation: Task<Void, Never>?

    func start(to url: URL) async {
        guard await Self.mayRecord() else {
            state = .failed("not permitted")
            return
        }
        do {
            try AVAudioSession.sharedInstance().setCategory(
                .playAndRecord,
                mode: .default,
                options: [.defaultToSpeaker]
            )
            try AVAudioSession.sharedInstance().setActive(true)
            let recorder = try AVAudioRecorder(
                url: url,
                settings: [
                    AVFormatIDKey: kAudioFormatMPEG4AAC,
                    AVSampleRateKey: 44_100,
                    AVNumberOfChannelsKey: 1,
                    AVEncoderBitRateKey: 96_000,
                ]
            )
            recorder.delegate = self
            guard recorder.record(forDuration: 60) else { throw CocoaError(.fileWriteUnknown) }
            self.recorder = recorder
            state = .recording(since: .now)
        } catch {
            state = .failed(error.localizedDescription)
        }
    }

    func stop() {
        recorder?.stop()
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }

    private static func mayRecord() async -> Bool {
        await withCheckedContinuation { continuation in
            AVAudioSession.sharedInstance().requestRecordPermission { continuation.resume(returning: $0) }
        }
    }

    /// Follows interruptions for as long as the model lives.
    func observe() {
        observation = Task { [weak self] in
            for await type in Self.interruptions() {
                guard let self else { return }
                if type == .began { recorder?.pause() } else { recorder?.record() }
            }
        }
    }

    private static func interruptions() -> AsyncStream<AVAudioSession.InterruptionType> {
        AsyncStream { continuation in
            let token = NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification,
                object: nil,
                queue: nil
            ) { note in
                guard let value = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
                    let type = AVAudioSession.InterruptionType(rawValue: value)
                else { return }
                continuation.yield(type)
            }
            nonisolated(unsafe) let kept = token
            continuation.onTermination = { _ in NotificationCenter.default.removeObserver(kept) }
        }
    }
}

extension RecorderModel: AVAudioRecorderDelegate {
    nonisolated func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        let url = recorder.url
        Task { @MainActor in
            state = flag ? .idle : .failed("cut short: \(url.lastPathComponent)")
        }
    }
}

/// The recorder crosses actors: Apple marks it as safe to.
actor Archive {
    private var recorders: [AVAudioRecorder] = []
    func keep(_ recorder: AVAudioRecorder) { recorders.append(recorder) }
    nonisolated func start(_ recorder: AVAudioRecorder) -> Task<Bool, Never> { Task.detached { recorder.record() } }
}
