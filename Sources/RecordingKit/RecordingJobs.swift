import AudioCore
import AudioRuntime
public import Foundation

/// Conversions and joins that outlive their process.
///
/// Each keeps a record beside its target, under a hidden name, until the target is complete. A program calls
/// `resume(in:)` for the folders of its recordings when it starts.
public enum RecordingJobs {
    /// One job that an earlier process had not ended.
    public struct Resumed: Sendable, Hashable {
        /// What became of it.
        public enum Outcome: Sendable, Hashable {
            /// The target is complete, verified and has its name.
            case finished
            /// A process works on it; it was left alone.
            case live
            /// It could not be done now and stays for later: the sources may come back, or room on the disk.
            case postponed(RecordingError)
            /// It can never be done, and was given up. The sources are as they were.
            case failed(RecordingError)
            /// The record cannot be read: it was left as it is, and so is everything else.
            case damaged
        }

        /// The file that was to be made; nil where that is not known.
        public let url: URL?
        /// What became of it.
        public let outcome: Outcome
    }

    /// Ends every job whose target belongs into `folder` and on which no process works.
    ///
    /// Blocks the calling thread while it works: as long as the jobs would have taken. Can be interrupted at any moment and
    /// be called again. Subfolders are not looked into.
    /// - Parameters:
    ///   - folder: a folder of recordings.
    ///   - progress: called on this thread a few times a second with what is done of the job at work, 0 … 1. An answer of
    ///     false leaves it, and those to come, for later.
    /// - Returns: one result for each job, empty where there is none.
    /// - Throws: where the folder cannot be read. The failure of a job is in its result.
    @discardableResult
    public static func resume(in folder: URL, progress: (_ done: Double) -> Bool = { _ in true }) throws(RecordingError)
        -> [Resumed]
    {
        let path = try path(of: folder)
        return try reporting { () throws(AudioFailure) in
            try MediaJob.resume(in: path, runtime: .current, progress: progress).map { Resumed($0) }
        }
    }
}

extension RecordingJobs.Resumed {
    fileprivate init(_ resumption: MediaJob.Resumption) {
        switch resumption {
        case .finished(let job, _):
            url = URL(fileURLWithPath: job.target)
            outcome = .finished
        case .live:
            url = nil
            outcome = .live
        case .failed(let job, let failure, let staysForLater):
            url = URL(fileURLWithPath: job.target)
            outcome = staysForLater ? .postponed(RecordingError(failure)) : .failed(RecordingError(failure))
        case .damaged:
            url = nil
            outcome = .damaged
        }
    }
}
