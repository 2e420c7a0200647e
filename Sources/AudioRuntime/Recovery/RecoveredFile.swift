package import AudioCore

/// What recovery found under one path, and what it made of it.
package struct RecoveredFile: Sendable {
    /// What lies there, told by its content and by locks alone.
    package enum State: Sendable, Hashable {
        /// Finished; stays byte for byte.
        case complete
        /// Somebody holds its lock: it is being recorded or made right now.
        case live
        /// A recording of this program that was never finished.
        case unfinished(reason: String)
        /// A recording of this program that never got its name.
        case unnamed
        /// A file of another recorder that was never finished, or any file that is cut.
        case foreignUnfinished(reason: String)
        /// What says where the audio is was never written or is damaged.
        case damaged(reason: String)
        /// What is to be made of other files, by a process that ended before it.
        case job
        /// Made half out of other files, which have everything that it has.
        case leftover
        /// Without any sound.
        case empty
        /// Nothing that recovery knows or can read; the reason is for people.
        case unreadable(reason: String)
    }

    package enum Result: Sendable, Hashable {
        /// Nothing was done, and nothing need be.
        case untouched
        /// A complete file has taken the place of the unfinished one, which is in the trash.
        case completed(trashed: Trash.Item)
        /// The job was done.
        case made
        /// A complete file was made beside the original, which is as it was.
        case repaired(path: String)
        /// A complete file is there from an earlier recovery.
        case repairedBefore(path: String)
        /// It was put into the trash, having nothing of its own.
        case trashed(Trash.Item)
        /// Nothing could be done; everything is as it was.
        case failed(AudioFailure)

        package static func == (a: Result, b: Result) -> Bool { String(describing: a) == String(describing: b) }

        package func hash(into hasher: inout Hasher) { hasher.combine(String(describing: self)) }
    }

    /// As it was given or found.
    package var path: String
    package var state: State
    package var result: Result = .untouched
    /// Where the recording is now: `path`, or the name that it got.
    package var recording: String
    /// Frames that can be read, where that is known.
    package var frames: FrameCount?
    package var sampleRate: Double?
    /// Bytes of audio in which nothing could be found.
    package var skippedBytes: Int64 = 0

    init(_ path: String, _ state: State) {
        self.path = path
        self.state = state
        recording = path
    }
}
