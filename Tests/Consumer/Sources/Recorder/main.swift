import AVFoundation

// Records half a second with Apple's calls alone, reads it back and plays it; exits with 1 when anything is not as Apple
// documents it. KAYIT_AUDIO=simulated gives it a microphone where there is none.

@MainActor final class Delegate: NSObject, AVAudioRecorderDelegate, AVAudioPlayerDelegate {
    var ended = 0
    nonisolated func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        Task { @MainActor in ended += flag ? 1 : 100 }
    }
    nonisolated func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        Task { @MainActor in ended += flag ? 1 : 100 }
    }

    func wait(for count: Int) -> Bool {
        let end = Date(timeIntervalSinceNow: 5)
        while ended < count, Date() < end { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01)) }
        return ended == count
    }
}

let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("consumer-\(UUID().uuidString).m4a")
defer { try? FileManager.default.removeItem(at: file) }
let delegate = Delegate()
try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
try AVAudioSession.sharedInstance().setActive(true)

let recorder = try AVAudioRecorder(
    url: file,
    settings: [AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 44100, AVNumberOfChannelsKey: 1]
)
recorder.delegate = delegate
guard recorder.record(forDuration: 0.5), delegate.wait(for: 1) else { fatalError("not recorded") }

let take = try AVAudioFile(forReading: file)
guard take.length == 22050 else { fatalError("\(take.length) frames, not 22050") }

let player = try AVAudioPlayer(contentsOf: file)
player.delegate = delegate
guard player.play(), delegate.wait(for: 2) else { fatalError("not played") }
print("recorded, read and played \(CMTime(value: take.length, timescale: 44100).seconds) s")
