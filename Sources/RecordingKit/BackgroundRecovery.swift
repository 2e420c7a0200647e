import AudioCore
import AudioRuntime
public import Foundation

/// Recovery of a folder on a thread of its own with a low priority, so that a program can be used meanwhile.
///
/// Nobody needs to wait for it: what it makes is hidden until it is complete, and the next recovery goes on where the end of
/// the process has ended this one.
public final class BackgroundRecovery: Sendable {
    private let thread: RecoveryThread

    /// Begins at once.
    /// - Parameters:
    ///   - recovery: what is to be done.
    ///   - folder: where.
    ///   - each: called for every file that was looked at, on the recovery's thread.
    /// - Throws: what reading `recovery.example` throws. A folder that is not there, or cannot be read, has nothing that can
    ///   be recovered.
    public init(
        _ recovery: RecordingRecovery,
        in folder: URL,
        each: @escaping @Sendable (RecoveredRecording) -> Void
    ) throws(RecordingError) {
        let place = try path(of: folder)
        let made = try recovery.make()
        thread = RecoveryThread(made, folder: place) { each(RecoveredRecording($0)) }
    }

    /// Begins no further file.
    public func stop() { thread.stop() }
}
