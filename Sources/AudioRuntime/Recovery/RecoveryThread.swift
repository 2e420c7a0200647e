package import AudioCore
import Glibc
import PlatformLinux
import Synchronization

/// Recovers a folder on a thread of its own, while the program goes about its business.
///
/// Nobody waits for it: what it makes is hidden until it is complete, so that the end of the process in the middle of it
/// costs nothing but the work.
package final class RecoveryThread: Sendable {
    private let isStopped = Atomic(false)

    /// - Parameters:
    ///   - each: called on the thread for every file that was looked at.
    ///   - end: called on the thread when there is no more, with the failure where the folder cannot be read.
    package init(
        _ recovery: FileRecovery,
        folder: String,
        each: @escaping @Sendable (RecoveredFile) -> Void,
        end: @escaping @Sendable (AudioFailure?) -> Void = { _ in }
    ) {
        _ = NamedThread(name: "kayit-recovery") { [self] in
            // For this thread only, as Linux counts: whatever else there is to do comes first.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            do throws(AudioFailure) {
                let isGoingOn = { !self.isStopped.load(ordering: .relaxed) }
                try recovery.recover(folder: folder, shouldGoOn: isGoingOn) { found in
                    each(found)
                    return isGoingOn()
                }
                end(nil)
            } catch {
                end(error)
            }
        }
    }

    /// No further file is begun.
    package func stop() { isStopped.store(true, ordering: .relaxed) }
}
