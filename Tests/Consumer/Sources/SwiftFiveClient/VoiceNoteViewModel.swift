import AVFoundation

/// A voice note screen's model as many apps have it: members made late, a timer that reads levels, delegates on self.
class VoiceNoteViewModel: NSObject, AVAudioRecorderDelegate, AVAudioPlayerDelegate {
    var recordingSession: AVAudioSession!
    var audioRecorder: AVAudioRecorder!
    var audioPlayer: AVAudioPlayer?
    var meterTimer: Timer?
    var soundSamples: [Float] = []
    var isRecording = false
    var onChange: (() -> Void)?

    override init() {
        super.init()
        recordingSession = AVAudioSession.sharedInstance()
        do {
            try recordingSession.setCategory(
                .playAndRecord,
                mode: .default,
                options: [.defaultToSpeaker, .allowBluetoothA2DP]
            )
            try recordingSession.setActive(true)
            recordingSession.requestRecordPermission { [unowned self] allowed in
                DispatchQueue.main.async {
                    if allowed { self.onChange?() } else { print("no permission") }
                }
            }
        } catch let error as NSError {
            print("audioSession error: \(error.domain) \(error.code) \(error.localizedDescription)")
        }
    }

    func getDocumentsDirectory() -> URL {
        let paths = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)
        return paths[0]
    }

    func startRecording() {
        let audioFilename = getDocumentsDirectory().appendingPathComponent("\(UUID().uuidString).m4a")
        let settings = [
            AVFormatIDKey: Int(kAudioFormatMPEG4AAC),
            AVSampleRateKey: 44100,
            AVNumberOfChannelsKey: 1,
            AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
        ]
        do {
            audioRecorder = try AVAudioRecorder(url: audioFilename, settings: settings)
            audioRecorder.delegate = self
            audioRecorder.isMeteringEnabled = true
            audioRecorder.prepareToRecord()
            isRecording = audioRecorder.record()
            meterTimer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { [weak self] _ in
                DispatchQueue.main.async { self?.sampleLevel() }
            }
        } catch {
            finishRecording(success: false)
        }
    }

    func sampleLevel() {
        guard let recorder = audioRecorder, recorder.isRecording else { return }
        recorder.updateMeters()
        let average = recorder.averagePower(forChannel: 0)
        let peak = recorder.peakPower(forChannel: 0)
        soundSamples.append(pow(10, 0.05 * max(average, peak - 6)))
        let seconds = Int(recorder.currentTime)
        print(String(format: "%02d:%02d", seconds / 60, seconds % 60))
    }

    func pauseRecording() { audioRecorder.pause() }

    func finishRecording(success: Bool) {
        audioRecorder.stop()
        if !success { audioRecorder.deleteRecording() }
        audioRecorder = nil
        meterTimer?.invalidate()
        isRecording = false
    }

    func play() {
        guard let url = audioRecorder?.url else { return }
        do {
            audioPlayer = try AVAudioPlayer(contentsOf: url, fileTypeHint: AVFileType.m4a.rawValue)
            audioPlayer?.delegate = self
            audioPlayer?.numberOfLoops = -1
            audioPlayer?.volume = 0.8
            audioPlayer?.pan = -0.5
            audioPlayer?.prepareToPlay()
            audioPlayer?.play()
            let progress = (audioPlayer?.currentTime ?? 0) / (audioPlayer?.duration ?? 1)
            print(progress)
        } catch { print(error) }
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        if !flag { finishRecording(success: false) }
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: Error?) {
        if let error = error { print(error.localizedDescription) }
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        player.currentTime = 0
        onChange?()
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: Error?) {
        print(error?.localizedDescription ?? "")
    }
}

/// No delegate method is required.
class SilentDelegate: NSObject, AVAudioRecorderDelegate, AVAudioPlayerDelegate {}
