import AVFAudio
import Foundation
import Synchronization

/// What a session tells of its route and its inputs.
final class RouteChangeLog: Sendable {
    /// What one notification said, by value: reason, ports before, and the forms that client code casts to.
    struct Note: Equatable, Sendable {
        var reason: AVAudioSession.RouteChangeReason?
        var previousOutputs: [String] = []
        var previousInputs: [String] = []
        var castsToUInt = false
        var castsToInt = false
        var castsToNumber = false
        var name = ""
    }

    let notes = Mutex<[Note]>([])
    private let tokens = Mutex<[ObjectIdentifier: Token]>([:])

    private struct Token: @unchecked Sendable {
        // Unchecked: the token is only kept and given back to the notification centre, under the lock `tokens`.
        let value: any NSObjectProtocol
    }

    init(_ session: AVAudioSession) {
        for name in [AVAudioSession.routeChangeNotification, AVAudioSession.availableInputsChangeNotification] {
            let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                [weak self] notification in
                let note = RouteChangeLog.note(of: notification)
                self?.notes.withLock { $0.append(note) }
            }
            tokens.withLock { $0[ObjectIdentifier(token)] = Token(value: token) }
        }
    }

    deinit {
        for token in tokens.withLock({ $0.values.map(\.value) }) {
            NotificationCenter.default.removeObserver(token)
        }
    }

    var reasons: [AVAudioSession.RouteChangeReason] { notes.withLock { $0.compactMap(\.reason) } }

    private static func note(of notification: Notification) -> Note {
        var note = Note(name: notification.name.rawValue)
        guard let info = notification.userInfo else { return note }
        let value = info[AVAudioSessionRouteChangeReasonKey]
        note.reason = (value as? UInt).flatMap { AVAudioSession.RouteChangeReason(rawValue: $0) }
        note.castsToUInt = value as? UInt != nil
        note.castsToInt = value as? Int != nil
        note.castsToNumber = value as? NSNumber != nil
        let previous = info[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
        note.previousOutputs = previous?.outputs.map(\.uid) ?? ["missing"]
        note.previousInputs = previous?.inputs.map(\.uid) ?? ["missing"]
        return note
    }
}
