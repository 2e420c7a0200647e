import AVFoundation
import RecordingKit

/// Players that sound together, from the same frame on: one file of a list, or all files of `--at-once`.
@MainActor
final class PlayGroup {
    /// One file.
    struct Voice {
        let file: String
        let url: URL
        let player: AVAudioPlayer
        let duration: Double
        /// What its messages bear.
        let number: Int
        /// Held here: the player holds it weakly.
        let delegate: PlayerDelegate
        var isFinished = false
    }

    private(set) var voices: [Voice]
    /// Its place in the list of files.
    let index: Int
    /// What went wrong first.
    var failure: RecordingError?
    /// Told to play, and not stopped since.
    private(set) var isStarted = false
    /// Where the sound is at a moment of the players' clock, as long as nothing has come between.
    private var anchor: (moment: Double, position: Double)?
    private let loops: Int

    init(_ voices: [Voice], index: Int, loops: Int) {
        self.voices = voices
        self.index = index
        self.loops = loops
    }

    /// Of the longest.
    var duration: Double { voices.map(\.duration).max() ?? 0 }

    /// Where the sound is, in seconds. A player that has come to its end stands at its beginning again.
    var position: Double {
        isFinished ? duration : voices.filter { !$0.isFinished }.map(\.player.currentTime).max() ?? 0
    }

    var isFinished: Bool { voices.allSatisfy(\.isFinished) }
    var isPlaying: Bool { voices.contains { $0.player.isPlaying } }
    var rate: Double { Double(voices.first?.player.rate ?? 1) }

    /// Seconds of the clock that all players share.
    var now: Double { voices.first?.player.deviceCurrentTime ?? 0 }

    /// When its last frame will have been heard; nil where nobody knows.
    var end: Double? {
        guard loops == 0, let anchor else { return nil }
        return anchor.moment + (duration - anchor.position) / rate
    }

    /// Opens the speaker, so that it can begin to the frame. A failure shows when it begins.
    func prepare() { for voice in voices { voice.player.prepareToPlay() } }

    /// - Parameter moment: in seconds of the players' clock; nil for at once, each as soon as it can.
    /// - Returns: false where one cannot; the reason comes as a message.
    func start(at moment: Double?) -> Bool {
        failure = nil
        let position = position
        // Each was paused at a moment of its own.
        if voices.count > 1 { seek(to: position) }
        let isOn = voices.filter { !$0.isFinished }.allSatisfy { voice in
            moment.map { voice.player.play(atTime: $0) } ?? voice.player.play()
        }
        isStarted = isOn
        if isOn { anchor = moment.map { (moment: $0, position: position) } } else { stop() }
        return isOn
    }

    func pause() {
        anchor = nil
        for voice in voices { voice.player.pause() }
    }

    /// Stops for good, or until it is started again where it stands.
    func stop() {
        anchor = nil
        isStarted = false
        for voice in voices { voice.player.stop() }
    }

    /// Goes to a place, clamped to the length of each. While it plays, its end is not known any more.
    func seek(to seconds: Double) {
        anchor = nil
        for index in voices.indices {
            // One that had ended is heard again from there on.
            if voices.count > 1, seconds < voices[index].duration { voices[index].isFinished = false }
            if !voices[index].isFinished {
                voices[index].player.currentTime = min(max(seconds, 0), voices[index].duration)
            }
        }
    }

    func setRate(_ rate: Double) {
        anchor = nil
        for voice in voices {
            voice.player.enableRate = true
            voice.player.rate = Float(rate)
        }
    }

    /// - Returns: whether the number is that of a player of this group.
    func finished(_ number: Int) -> Bool {
        guard let index = voices.firstIndex(where: { $0.number == number }) else { return false }
        voices[index].isFinished = true
        return true
    }

    func contains(_ number: Int) -> Bool { voices.contains { $0.number == number } }
}
