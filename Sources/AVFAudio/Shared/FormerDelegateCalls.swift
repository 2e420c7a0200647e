/// Calls the delegates' methods that Apple has deprecated and still calls.
///
/// A call from code that is not deprecated itself is warned of. So it goes through a protocol whose requirements are not,
/// and whose only witness is.
enum FormerDelegateCalls {
    private static let calls: any InterruptionCalls = DeprecatedCalls()

    static func began(_ recorder: AVAudioRecorder, _ delegate: any AVAudioRecorderDelegate) {
        calls.began(recorder, delegate)
    }

    static func ended(_ recorder: AVAudioRecorder, _ delegate: any AVAudioRecorderDelegate, _ shouldResume: Bool) {
        calls.ended(recorder, delegate, options(shouldResume))
    }

    @MainActor
    static func began(_ player: AVAudioPlayer, _ delegate: any AVAudioPlayerDelegate) { calls.began(player, delegate) }

    @MainActor
    static func ended(_ player: AVAudioPlayer, _ delegate: any AVAudioPlayerDelegate, _ shouldResume: Bool) {
        calls.ended(player, delegate, options(shouldResume))
    }

    private static func options(_ shouldResume: Bool) -> Int {
        Int(shouldResume ? AVAudioSession.InterruptionOptions.shouldResume.rawValue : 0)
    }
}

private protocol InterruptionCalls: Sendable {
    func began(_ recorder: AVAudioRecorder, _ delegate: any AVAudioRecorderDelegate)
    func ended(_ recorder: AVAudioRecorder, _ delegate: any AVAudioRecorderDelegate, _ flags: Int)
    @MainActor func began(_ player: AVAudioPlayer, _ delegate: any AVAudioPlayerDelegate)
    @MainActor func ended(_ player: AVAudioPlayer, _ delegate: any AVAudioPlayerDelegate, _ flags: Int)
}

private struct DeprecatedCalls: InterruptionCalls {
    @available(*, deprecated)
    func began(_ recorder: AVAudioRecorder, _ delegate: any AVAudioRecorderDelegate) {
        delegate.audioRecorderBeginInterruption(recorder)
    }

    @available(*, deprecated)
    func ended(_ recorder: AVAudioRecorder, _ delegate: any AVAudioRecorderDelegate, _ flags: Int) {
        delegate.audioRecorderEndInterruption(recorder, withOptions: flags)
    }

    @available(*, deprecated)
    @MainActor
    func began(_ player: AVAudioPlayer, _ delegate: any AVAudioPlayerDelegate) {
        delegate.audioPlayerBeginInterruption(player)
    }

    @available(*, deprecated)
    @MainActor
    func ended(_ player: AVAudioPlayer, _ delegate: any AVAudioPlayerDelegate, _ flags: Int) {
        delegate.audioPlayerEndInterruption(player, withOptions: flags)
    }
}
