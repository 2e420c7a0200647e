import AVFoundation

/// What the session says of somebody else who has the sound.
enum Interruption: Sendable, Equatable {
    case began
    case ended(shouldResume: Bool)

    /// Has `body` hear of the session's interruptions, on any thread, until the token is given back to the notification
    /// center.
    static func observe(_ body: @escaping @Sendable (Interruption) -> Void) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification,
            object: AVAudioSession.sharedInstance(),
            queue: nil
        ) { notification in
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
            if type == AVAudioSession.InterruptionType.began.rawValue { return body(.began) }
            let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
            body(.ended(shouldResume: AVAudioSession.InterruptionOptions(rawValue: options).contains(.shouldResume)))
        }
    }
}
