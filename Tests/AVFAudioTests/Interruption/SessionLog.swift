import AVFAudio
import Foundation
import Synchronization
import TestSupport

/// What a session's notifications said, in order and in words.
final class SessionLog: Sendable {
    let heard = Recorded<String>()
    private let tokens = Mutex<[Token]>([])

    private struct Token: @unchecked Sendable {
        // Unchecked: only kept and given back to the notification centre, under the lock `tokens`.
        let value: any NSObjectProtocol
    }

    private static let names: [NSNotification.Name] = [
        AVAudioSession.interruptionNotification, AVAudioSession.routeChangeNotification,
        AVAudioSession.mediaServicesWereLostNotification, AVAudioSession.mediaServicesWereResetNotification,
        AVAudioSession.silenceSecondaryAudioHintNotification,
    ]

    init(_ session: AVAudioSession) {
        for name in Self.names {
            let heard = self.heard
            let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                heard.append(Self.words($0))
            }
            let kept = Token(value: token)
            tokens.withLock { $0.append(kept) }
        }
    }

    deinit { for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token.value) } }

    private static func words(_ notification: Notification) -> String {
        func value(_ key: String) -> UInt? { notification.userInfo?[key] as? UInt }
        switch notification.name {
        case AVAudioSession.interruptionNotification:
            guard let raw = value(AVAudioSessionInterruptionTypeKey) else { return "interruption without a type" }
            if AVAudioSession.InterruptionType(rawValue: raw) == .ended {
                let options = value(AVAudioSessionInterruptionOptionKey).map { "\($0)" } ?? "none"
                return "ended, options \(options)"
            }
            return "began, reason \(value(AVAudioSessionInterruptionReasonKey).map { "\($0)" } ?? "none")"
        case AVAudioSession.routeChangeNotification:
            return "route, reason \(value(AVAudioSessionRouteChangeReasonKey).map { "\($0)" } ?? "none")"
        case AVAudioSession.mediaServicesWereLostNotification: return "services lost"
        case AVAudioSession.mediaServicesWereResetNotification: return "services reset"
        default:
            return "hint \(value(AVAudioSessionSilenceSecondaryAudioHintTypeKey).map { "\($0)" } ?? "none")"
        }
    }
}
