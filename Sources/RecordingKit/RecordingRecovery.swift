import AudioCore
import AudioRuntime
public import Foundation

/// Finds recordings that were never finished, of this library and of other recorders, and makes complete files of them.
///
/// What a file is, is told by its content and by locks alone, never by a flag or a time stamp: what another process is
/// recording is left alone. A recording of this library is completed under its own name, and the unfinished file goes into
/// the trash. Any other file stays byte for byte as it is: the repaired one is new ("Talk (recovered).m4a"). Packets are
/// copied, never decoded; the new file is opened, counted and on the disk before it gets its name; dates are kept. Nothing
/// is ever deleted.
///
/// Joins and conversions that a process did not end are done, too (see `RecordingJobs`).
///
/// Recovering twice does no harm, nor does a kill in the middle of it. Every call may come from any thread and blocks it.
public struct RecordingRecovery: Sendable, Hashable {
    /// A whole file that the same recorder made with the same settings; nil by default. Needed only where a file has lost
    /// what says which audio it has, as an M4A file whose end was never written.
    public var example: URL?
    /// Where repaired files of other recorders go; nil, the default, for the folder of each original.
    public var repairFolder: URL?
    /// Looks, and changes nothing; false by default.
    public var isDryRun = false
    /// Touches recordings of this library only; false by default.
    public var isOwnOnly = false

    /// The defaults: everything that can be completed is.
    public init() {}

    /// Recovers a file, or the files that lie directly in a folder.
    /// - Parameters:
    ///   - url: a file or folder.
    ///   - each: called for every file that was looked at, on the calling thread, once it is done with; false ends it.
    ///     Files that vanish meanwhile are passed over.
    /// - Throws: `notFound`, `accessDenied`, `inputOutput` for what `url` names, and what reading `example` throws. What
    ///   fails for one file in a folder is told to `each`, and the others go on.
    public func recover(_ url: URL, each: (RecoveredRecording) -> Bool) throws(RecordingError) {
        let place = try path(of: url)
        let recovery = try make()
        try reporting { () throws(AudioFailure) in
            let runtime = Runtime.current
            guard let status = try runtime.files.status(place) else {
                throw AudioFailure(.notFound, "There is no '\(place)'.", path: place)
            }
            if status.isFolder {
                try recovery.recover(folder: place) { each(RecoveredRecording($0)) }
            } else if let found = recovery.recover(file: place) {
                _ = each(RecoveredRecording(found))
            }
        }
    }

    func make() throws(RecordingError) -> FileRecovery {
        var options = FileRecovery.Options(isDryRun: isDryRun, isOwnOnly: isOwnOnly)
        if let example { options.like = try path(of: example) }
        if let repairFolder { options.folder = try path(of: repairFolder) }
        return try reporting { () throws(AudioFailure) in try FileRecovery(options, in: .current) }
    }

    /// The same, as a list.
    /// - Throws: as `recover(_:each:)`.
    public func recover(_ url: URL) throws(RecordingError) -> [RecoveredRecording] {
        var all: [RecoveredRecording] = []
        try recover(url) { found in
            all.append(found)
            return true
        }
        return all
    }
}

/// What recovery found in one file, and what it made of it.
public struct RecoveredRecording: Sendable, Hashable {
    /// What the file was.
    public enum State: Sendable, Hashable {
        /// Finished.
        case complete
        /// Being recorded or made by a process that lives.
        case live
        /// A recording of this library that was never finished; the reason is a sentence for people.
        case unfinished(reason: String)
        /// A recording of this library that never got its name.
        case unnamed
        /// A file of another recorder that was never finished, or one that is cut.
        case foreignUnfinished(reason: String)
        /// A file in which the description of its audio is damaged or missing.
        case damaged(reason: String)
        /// A join or conversion whose process ended before it.
        case job
        /// Half of a file that was being made out of others, which have all that it has.
        case leftover
        /// Without any sound.
        case empty
        /// Not a sound file that can be read.
        case unreadable(reason: String)
    }

    /// What was done.
    public enum Outcome: Sendable, Hashable {
        /// Nothing: there was no need, or only a look was asked for.
        case untouched
        /// A complete file has taken the place of the unfinished one.
        case completed
        /// The join or conversion was done.
        case made
        /// A complete file was made beside the original.
        case repaired
        /// The complete file is there from an earlier recovery.
        case repairedBefore
        /// It had no sound of its own, and is in the trash.
        case trashed
        /// It could not be done, and everything is as it was.
        case failed(RecordingError)
    }

    /// The file that was looked at.
    public let url: URL
    /// What it was.
    public let state: State
    /// What was done.
    public let outcome: Outcome
    /// Where the recording is now: `url`, or the file that was made.
    public let recording: URL
    /// Frames of the recording; nil where that is not known.
    public let frames: Int64?
    /// Frames per second; nil where that is not known.
    public let sampleRate: Double?
    /// Bytes of audio in which no sound could be found.
    public let skippedBytes: Int64
    /// What went into the trash; nil where nothing did.
    public let trashed: TrashedRecording?

    init(_ found: RecoveredFile) {
        url = URL(fileURLWithPath: found.path, isDirectory: false)
        recording = URL(fileURLWithPath: found.recording, isDirectory: false)
        frames = found.frames?.value
        sampleRate = found.sampleRate
        skippedBytes = found.skippedBytes
        state =
            switch found.state {
            case .complete: .complete
            case .live: .live
            case .unfinished(let reason): .unfinished(reason: reason)
            case .unnamed: .unnamed
            case .foreignUnfinished(let reason): .foreignUnfinished(reason: reason)
            case .damaged(let reason): .damaged(reason: reason)
            case .job: .job
            case .leftover: .leftover
            case .empty: .empty
            case .unreadable(let reason): .unreadable(reason: reason)
            }
        switch found.result {
        case .untouched: (outcome, trashed) = (.untouched, nil)
        case .completed(let item): (outcome, trashed) = (.completed, TrashedRecording(item))
        case .made: (outcome, trashed) = (.made, nil)
        case .repaired: (outcome, trashed) = (.repaired, nil)
        case .repairedBefore: (outcome, trashed) = (.repairedBefore, nil)
        case .trashed(let item): (outcome, trashed) = (.trashed, TrashedRecording(item))
        case .failed(let failure): (outcome, trashed) = (.failed(RecordingError(failure)), nil)
        }
    }

    /// Seconds of the recording; nil where that is not known.
    public var duration: Double? {
        guard let frames, let sampleRate, sampleRate > 0 else { return nil }
        return Double(frames) / sampleRate
    }
}
