import Foundation
import RecordingKit

/// What a crash has left in the folder of recordings is completed while a new recording goes on.
@MainActor
enum QuietRecovery {
    /// Begins in the background, and tells only of what was done. Touches recordings of this program alone, and nothing
    /// outside of its own folder.
    static func start(beside recording: URL, environment: [String: String], _ console: Console) -> BackgroundRecovery? {
        let folder = RecordTarget.notesFolder(environment)
        guard recording.deletingLastPathComponent().standardizedFileURL.path == folder.standardizedFileURL.path else {
            return nil
        }
        var recovery = RecordingRecovery()
        recovery.isOwnOnly = true
        return try? BackgroundRecovery(recovery, in: folder) { found in
            guard found.outcome != .untouched else { return }
            Task { @MainActor in
                // A failure is told where somebody asks for recovery: the recording is as it was.
                if case .failed = found.outcome { return }
                console.record(RecoveryLine(found))
                if let text = RecoveryText.line(found, isDryRun: false) { console.remark(text) }
            }
        }
    }
}
