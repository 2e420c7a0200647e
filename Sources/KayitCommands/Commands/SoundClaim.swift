import AVFoundation

/// The sound of the desktop, taken for as long as a command records or plays.
@MainActor
enum SoundClaim {
    /// Takes the sound to record.
    /// - Parameter mixes: others play on. Otherwise the players of the desktop are paused.
    static func take(toRecordMixing mixes: Bool) throws {
        let session = AVAudioSession.sharedInstance()
        // `.record` silences all playback, whatever its options.
        if mixes {
            try session.setCategory(.playAndRecord, mode: .default, options: .mixWithOthers)
        } else {
            try session.setCategory(.record)
        }
        try session.setActive(true)
    }

    /// Takes the sound to play.
    static func takeToPlay() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback)
        try session.setActive(true)
    }

    /// Gives it back: who was paused for it is told to go on. One that was not taken, or that is somebody else's meanwhile,
    /// is no failure.
    static func giveBack() {
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }
}
