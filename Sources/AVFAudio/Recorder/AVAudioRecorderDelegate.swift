public import protocol Foundation.NSObjectProtocol

/// Hears of the end of a recorder's work. Called on the main queue; every method is optional.
public protocol AVAudioRecorderDelegate: NSObjectProtocol, Sendable {
    /// The recording has ended: by `stop()`, by its time limit (`flag` true), or because it could not go on (false). What
    /// was recorded is complete in both cases. Not called when the recorder is stopped by an interruption.
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

    /// Encoding, the microphone or the disk failed, or `record()` or `prepareToRecord()` answered `false` for the reason
    /// given.
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)

    /// The audio session was interrupted, and the recorder is paused.
    @available(*, deprecated, message: "Observe AVAudioSession.interruptionNotification")
    func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder)

    /// The interruption is over. `record()` goes on in the same file.
    /// - Parameters:
    ///   - recorder: the one that was paused.
    ///   - flags: the raw value of `AVAudioSession.InterruptionOptions`.
    @available(*, deprecated, message: "Observe AVAudioSession.interruptionNotification")
    func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int)
}

extension AVAudioRecorderDelegate {
    /// Does nothing: the method is optional.
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}

    /// Does nothing: the method is optional.
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}

    /// Does nothing: the method is optional.
    public func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) {}

    /// Does nothing: the method is optional.
    public func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {}
}
