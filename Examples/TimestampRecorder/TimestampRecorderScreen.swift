import AVFoundation

/// A screen that records into files named by the time and plays the last one, less the drawing.
@MainActor
final class TimestampRecorderScreen: NSObject, AVAudioRecorderDelegate {
    private(set) var startStopTitle = "Start Recording"
    private(set) var failure: String?
    private(set) var file: URL?

    private var isRecording = false
    private var recorder: AVAudioRecorder?
    private var player: AVAudioPlayer?

    func startStopPressed() {
        let session = AVAudioSession.sharedInstance()
        failure = nil
        do {
            if isRecording {
                recorder?.stop()
                isRecording = false
                startStopTitle = "Start Recording"
                try session.setActive(false)
                return
            }
            try session.setCategory(.record)
            try session.setActive(true)
            let milliseconds = String(format: "%.0f", Date.timeIntervalSinceReferenceDate * 1000)
            let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("\(milliseconds).caf")
            // As numbers of whatever type the program had at hand.
            let settings: [String: Any] = [
                AVFormatIDKey: NSNumber(value: kAudioFormatAppleIMA4),
                AVSampleRateKey: NSNumber(value: Float(44100)),
                AVNumberOfChannelsKey: NSNumber(value: 2),
            ]
            let recorder = try AVAudioRecorder(url: file, settings: settings)
            recorder.delegate = self
            recorder.prepareToRecord()
            guard recorder.record() else {
                failure = "Recording did not start."
                return
            }
            self.recorder = recorder
            self.file = file
            isRecording = true
            startStopTitle = "Stop Recording"
        } catch {
            failure = error.localizedDescription
        }
    }

    func playPressed() {
        guard let file else { return }
        do {
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.playback)
            try session.setActive(true)
            player = try AVAudioPlayer(contentsOf: file)
            if player?.play() != true { failure = "Playing did not start." }
        } catch {
            failure = error.localizedDescription
        }
    }

    var isPlaying: Bool { player?.isPlaying ?? false }

    /// The inputs that there are: devices differ in their microphones.
    var inputs: [AVAudioSessionPortDescription] { AVAudioSession.sharedInstance().availableInputs ?? [] }

    func choose(_ input: AVAudioSessionPortDescription) {
        do {
            try AVAudioSession.sharedInstance().setPreferredInput(input)
        } catch {
            failure = error.localizedDescription
        }
    }
}
