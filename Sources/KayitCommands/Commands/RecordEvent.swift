import AVFoundation
import RecordingKit

/// What a running recording answers.
enum RecordEvent: Sendable {
    case program(ProgramEvent)
    case finished(successfully: Bool)
    case failed(RecordingError?)
    case recording(RecordingEvent)
}

/// Passes the recorder's messages on.
final class RecorderDelegate: NSObject, AVAudioRecorderDelegate {
    private let events: AsyncStream<RecordEvent>.Continuation

    init(_ events: AsyncStream<RecordEvent>.Continuation) {
        self.events = events
        super.init()
    }

    /// Sends what happens while it records, until the task is cancelled.
    func passOn(_ notices: AsyncStream<RecordingEvent>) -> Task<Void, Never> {
        Task { [events] in
            for await notice in notices { events.yield(.recording(notice)) }
        }
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        events.yield(.finished(successfully: flag))
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        events.yield(.failed(error.map { RecordingError($0) }))
    }
}
