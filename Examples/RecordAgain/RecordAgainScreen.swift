import AVFoundation

/// A screen that asks for the microphone, records one take over and over, and plays it, less the drawing.
@MainActor
final class RecordAgainScreen: NSObject {
    /// What a button shows.
    struct Button {
        var title: String
        var isEnabled = true
    }

    private(set) var recordButton = Button(title: "Asking for the microphone …", isEnabled: false)
    private(set) var playButton = Button(title: "Play", isEnabled: false)
    /// What went wrong last; nil when nothing did.
    private(set) var failure: String?
    /// The answer about the microphone, once it is there.
    private(set) var isAllowed: Bool?
    private(set) var recordingsEnded: [Bool] = []

    private var recordingSession: AVAudioSession?
    private var audioRecorder: AVAudioRecorder?
    private var audioPlayer: AVAudioPlayer?

    var path: URL {
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        return documents.appendingPathComponent("recording.m4a")
    }

    func viewDidLoad() {
        let session = AVAudioSession.sharedInstance()
        recordingSession = session
        do {
            try session.setCategory(.playAndRecord, mode: .default)
            try session.setActive(true)
        } catch {
            failure = error.localizedDescription
            recordButton.title = "No microphone"
            return
        }
        session.requestRecordPermission { [weak self] allowed in
            DispatchQueue.main.async { self?.permissionAnswered(allowed) }
        }
    }

    private func permissionAnswered(_ allowed: Bool) {
        isAllowed = allowed
        recordButton = Button(title: allowed ? "Record" : "No microphone", isEnabled: allowed)
    }

    func recordTapped() {
        guard recordButton.isEnabled else { return }
        if audioRecorder == nil { startRecording() } else { finishRecording(success: true) }
    }

    func playTapped() {
        guard playButton.isEnabled else { return }
        if let audioPlayer {
            audioPlayer.stop()
            playingEnded()
            return
        }
        do {
            let player = try AVAudioPlayer(contentsOf: path)
            player.delegate = self
            guard player.play() else { return }
            audioPlayer = player
            recordButton.isEnabled = false
        } catch {
            failure = error.localizedDescription
        }
    }

    func startRecording(to file: URL? = nil) {
        failure = nil
        playButton.isEnabled = false
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatMPEG4AAC),
            AVSampleRateKey: 12000,
            AVNumberOfChannelsKey: 1,
            AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
        ]
        do {
            let recorder = try AVAudioRecorder(url: file ?? path, settings: settings)
            recorder.delegate = self
            audioRecorder = recorder
            guard recorder.record() else { return finishRecording(success: false) }
            recordButton.title = "Stop"
        } catch {
            failure = error.localizedDescription
            finishRecording(success: false)
        }
    }

    private func finishRecording(success: Bool) {
        audioRecorder?.stop()
        audioRecorder = nil
        playButton.isEnabled = FileManager.default.fileExists(atPath: path.path)
        recordButton.title = success ? "Record again" : "Record"
        if !success { failure = failure ?? "Recording failed." }
    }

    private func playingEnded() {
        audioPlayer = nil
        recordButton.isEnabled = true
    }

    /// The system has ended a recording that nobody stopped: a call, a full disk, a microphone that went away.
    private func recordingEnded(successfully flag: Bool) {
        recordingsEnded.append(flag)
        if !flag { finishRecording(success: false) }
    }
}

extension RecordAgainScreen: AVAudioRecorderDelegate {
    nonisolated func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        Task { @MainActor in recordingEnded(successfully: flag) }
    }

    nonisolated func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        Task { @MainActor in failure = error?.localizedDescription ?? failure }
    }
}

extension RecordAgainScreen: AVAudioPlayerDelegate {
    nonisolated func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        Task { @MainActor in playingEnded() }
    }
}
