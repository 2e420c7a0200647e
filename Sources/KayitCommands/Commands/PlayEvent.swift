import AVFoundation
import RecordingKit

/// What a running playback answers.
enum PlayEvent: Sendable {
    case program(ProgramEvent)
    case finished(successfully: Bool)
    case failed(RecordingError?)
}

/// Passes the player's messages on.
final class PlayerDelegate: NSObject, AVAudioPlayerDelegate {
    private let events: AsyncStream<PlayEvent>.Continuation

    init(_ events: AsyncStream<PlayEvent>.Continuation) { self.events = events }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        events.yield(.finished(successfully: flag))
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        events.yield(.failed(error.map { RecordingError($0) }))
    }
}
