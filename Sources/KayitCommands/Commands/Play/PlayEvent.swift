import AVFoundation
import RecordingKit

/// What a running playback answers.
enum PlayEvent: Sendable {
    case program(ProgramEvent)
    /// - Parameter player: the number that its delegate was given.
    case finished(player: Int, successfully: Bool)
    case failed(player: Int, RecordingError?)
    case interruption(Interruption)
}

/// Passes the messages of one player on.
final class PlayerDelegate: NSObject, AVAudioPlayerDelegate {
    private let number: Int
    private let events: AsyncStream<PlayEvent>.Continuation

    init(_ number: Int, _ events: AsyncStream<PlayEvent>.Continuation) {
        self.number = number
        self.events = events
        super.init()
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        events.yield(.finished(player: number, successfully: flag))
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        events.yield(.failed(player: number, error.map { RecordingError($0) }))
    }
}
