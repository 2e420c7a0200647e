import AVFoundation

/// A screen with a record and a play button, less the drawing.
///
/// Each button starts its work and turns into Stop; both go back by themselves when the work ends or fails.
@MainActor
final class RecordAndPlayScreen: NSObject {
    /// What the person can choose: better quality makes bigger files.
    enum Quality: CaseIterable {
        case small, good, lossless

        var settings: [String: Any] {
            switch self {
            case .small:
                [
                    AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 22050.0, AVNumberOfChannelsKey: 1,
                    AVEncoderBitRateKey: 32000, AVEncoderAudioQualityKey: AVAudioQuality.low.rawValue,
                ]
            case .good:
                [
                    AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44100.0, AVNumberOfChannelsKey: 1,
                    AVEncoderBitRateKey: 96000, AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
                ]
            case .lossless:
                [
                    AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: Float(44100), AVNumberOfChannelsKey: 1,
                    AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue,
                ]
            }
        }
    }

    private(set) var recordTitle = "Record"
    private(set) var playTitle = "Play"
    /// What the person is told; nil when all is well.
    private(set) var message: String?
    private(set) var soundFile: URL?
    /// What the recorder's delegate calls said, in order.
    private(set) var recordingsEnded: [Bool] = []
    private(set) var playingsEnded: [Bool] = []
    var quality = Quality.lossless

    private var recorder: AVAudioRecorder?
    private var player: AVAudioPlayer?

    /// The session is activated once, when the screen comes up. The system may refuse.
    func viewDidLoad() {
        do {
            try AVAudioSession.sharedInstance().setActive(true)
        } catch {
            message = "The microphone and speaker are not ours: \(error.localizedDescription)"
        }
    }

    func recordPressed() {
        message = nil
        if recorder != nil {
            recorder?.stop()
            return
        }
        let folder = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
        let file = folder.appendingPathComponent("sound\(Int.random(in: 0..<100_000)).caf")
        do {
            try AVAudioSession.sharedInstance().setCategory(.record)
            let recorder = try AVAudioRecorder(url: file, settings: quality.settings)
            recorder.delegate = self
            recorder.prepareToRecord()
            guard recorder.record() else {
                message = "Recording did not start."
                return
            }
            self.recorder = recorder
            soundFile = file
            recordTitle = "Stop"
        } catch {
            message = "Cannot record: \(error.localizedDescription)"
        }
    }

    func playPressed() {
        message = nil
        if let player {
            player.stop()
            playingEnded()
            return
        }
        guard let soundFile else { return }
        play(soundFile)
    }

    /// Plays any file, as when the person picks one.
    func play(_ file: URL) {
        do {
            try AVAudioSession.sharedInstance().setCategory(.playback)
            let player = try AVAudioPlayer(contentsOf: file)
            player.delegate = self
            player.volume = 1
            player.prepareToPlay()
            guard player.play() else {
                message = "Playing did not start."
                return
            }
            self.player = player
            playTitle = "Stop"
        } catch {
            message = "Cannot play \(file.lastPathComponent): \(error.localizedDescription)"
        }
    }

    var isRecording: Bool { recorder?.isRecording ?? false }
    var isPlaying: Bool { player?.isPlaying ?? false }

    private func recordingEnded() {
        recorder = nil
        recordTitle = "Record"
    }

    private func playingEnded() {
        player = nil
        playTitle = "Play"
    }
}

extension RecordAndPlayScreen: AVAudioRecorderDelegate {
    nonisolated func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        Task { @MainActor in
            recordingsEnded.append(flag)
            if !flag { message = message ?? "The recording was cut short." }
            recordingEnded()
        }
    }

    nonisolated func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        Task { @MainActor in
            message = "Recording failed: \(error?.localizedDescription ?? "no reason given")"
            recordingEnded()
        }
    }
}

extension RecordAndPlayScreen: AVAudioPlayerDelegate {
    nonisolated func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        Task { @MainActor in
            playingsEnded.append(flag)
            playingEnded()
        }
    }

    nonisolated func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        Task { @MainActor in
            message = "Playing failed: \(error?.localizedDescription ?? "no reason given")"
            playingEnded()
        }
    }
}
