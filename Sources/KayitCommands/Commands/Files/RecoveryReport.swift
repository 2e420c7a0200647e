import Foundation
import RecordingKit

/// What people read about a file that recovery has looked at.
enum RecoveryText {
    /// Nil where there is nothing to say.
    static func line(_ found: RecoveredRecording, isDryRun: Bool) -> String? {
        let name = found.url.path.printable
        let length = found.duration.map { ", " + TimeText.clock($0) } ?? ""
        let target = found.recording.path.printable
        let lost = found.skippedBytes > 0 ? "; \(found.skippedBytes) bytes of it could not be read" : ""
        switch found.outcome {
        case .completed:
            return found.recording == found.url ? "\(name): completed\(length)" : "\(name): is now '\(target)'\(length)"
        case .repaired: return "\(name): repaired as '\(target)'\(length)\(lost)"
        case .made: return "\(name): made\(length)"
        case .repairedBefore: return "\(name): was repaired before, as '\(target)'\(length)"
        case .trashed: return "\(name): had no sound, and is in the trash"
        case .failed(let error): return "\(name): \(error.message)"
        case .untouched: return untouched(found, name, length, isDryRun)
        }
    }

    private static func untouched(_ found: RecoveredRecording, _ name: String, _ length: String, _ isDryRun: Bool)
        -> String?
    {
        switch found.state {
        case .complete: "\(name): fine\(length)"
        case .live: "\(name): is being recorded right now"
        case .empty: "\(name): has no sound"
        case .unreadable(let reason): "\(name): \(reason)"
        case .unfinished(let reason): "\(name): can be completed\(length) (\(reason))"
        case .unnamed: "\(name): can be kept under a name\(length)"
        case .foreignUnfinished(let reason), .damaged(let reason): "\(name): can be repaired\(length) (\(reason))"
        case .job: "\(name): a join or conversion that was not ended"
        case .leftover: "\(name): half of a file, made out of others that are there"
        }
    }
}

/// What `recover --json` prints for each file.
struct RecoveryLine: Encodable {
    var event = "recovery"
    var path: String
    var state: String
    var reason: String?
    var outcome: String
    var recording: String
    var frames: Int64?
    var seconds: Double?
    var skippedBytes: Int64?
    var trash: String?
    var error: String?

    init(_ found: RecoveredRecording) {
        path = found.url.path
        recording = found.recording.path
        frames = found.frames
        seconds = found.duration
        skippedBytes = found.skippedBytes > 0 ? found.skippedBytes : nil
        trash = found.trashed?.url.path
        switch found.state {
        case .complete: state = "complete"
        case .live: state = "live"
        case .unfinished(let why): (state, reason) = ("unfinished", why)
        case .unnamed: state = "unnamed"
        case .foreignUnfinished(let why): (state, reason) = ("foreignUnfinished", why)
        case .damaged(let why): (state, reason) = ("damaged", why)
        case .job: state = "job"
        case .leftover: state = "leftover"
        case .empty: state = "empty"
        case .unreadable(let why): (state, reason) = ("unreadable", why)
        }
        switch found.outcome {
        case .untouched: outcome = "untouched"
        case .completed: outcome = "completed"
        case .made: outcome = "made"
        case .repaired: outcome = "repaired"
        case .repairedBefore: outcome = "repairedBefore"
        case .trashed: outcome = "trashed"
        case .failed(let failure): (outcome, error) = ("failed", failure.message)
        }
    }
}

/// What `recover --restore --json` prints for each file.
struct RestoreLine: Encodable {
    var event = "trash"
    var original: String
    var date: String
    var restored: String?

    init(_ item: TrashedRecording, restored: URL?) {
        original = item.original.path
        date = item.date
        self.restored = restored?.path
    }
}
