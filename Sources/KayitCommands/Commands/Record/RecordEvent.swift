import AVFoundation
import RecordingKit

/// What a running recording answers.
enum RecordEvent: Sendable {
    case program(ProgramEvent)
    case finished(successfully: Bool)
    case failed(RecordingError?)
    case recording(RecordingEvent)
    /// Others took the sound, or have given it back.
    case interruption(Interruption)
    /// What the parts have become; nil where there were none.
    case joined(Result<JoinedRecording?, RecordingError>)
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

    /// Sends what the session says of interruptions, until the token is given back.
    func passOnInterruptions() -> any NSObjectProtocol {
        Interruption.observe { [events] in events.yield(.interruption($0)) }
    }

    /// Passes on what the parts of the recording that has ended become.
    func awaitJoining(of recorder: AVAudioRecorder) {
        let events = events
        Task {
            do throws(RecordingError) {
                events.yield(.joined(.success(try await recorder.joinedRecording())))
            } catch {
                events.yield(.joined(.failure(error)))
            }
        }
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        events.yield(.finished(successfully: flag))
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        events.yield(.failed(error.map { RecordingError($0) }))
    }
}
