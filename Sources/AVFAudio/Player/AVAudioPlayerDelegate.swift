public import protocol Foundation.NSObjectProtocol

/// Hears of the end of a player's work. Called on the main queue; every method is optional.
@preconcurrency @MainActor
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// The sound has been played to its natural end, over all its loops (`flag` true), or could not be decoded any further
    /// (false). Not called by `pause()`, `stop()` or an interruption.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

    /// The sound could not be decoded, or `play()` or `prepareToPlay()` answered `false` for the reason given.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)

    /// The audio session was interrupted, and the player is paused.
    @available(*, deprecated, message: "Observe AVAudioSession.interruptionNotification")
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer)

    /// The interruption is over. `play()` goes on.
    /// - Parameters:
    ///   - player: the one that was paused.
    ///   - flags: the raw value of `AVAudioSession.InterruptionOptions`.
    @available(*, deprecated, message: "Observe AVAudioSession.interruptionNotification")
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
    /// Does nothing: the method is optional.
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}

    /// Does nothing: the method is optional.
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}

    /// Does nothing: the method is optional.
    public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}

    /// Does nothing: the method is optional.
    public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}
