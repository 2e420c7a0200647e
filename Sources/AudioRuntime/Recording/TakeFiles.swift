import AudioCore
import Synchronization

/// The files of a take, from the moment at which they are made. Control calls come from one thread at a time.
protocol TakeFiles: Sendable {
    /// The recording has started: what was made takes its place.
    func publish() throws(AudioFailure)

    /// Everything is written. Writer thread.
    func close()

    /// Removes everything: the recording never started. After `close`, where the disk answers.
    func discard()

    /// What makes one file of several; nil where there is nothing to join. Has the files from then on.
    func makeJoin() -> JoinJob.Start?
}

/// A take in one file, which lies under a name of its own beside the target until the recording starts.
final class SingleTakeFile: TakeFiles {
    private let target: String
    private let files: any FileStore
    private let file: TakeFile
    /// Where the file lies now.
    private let path: Mutex<String>

    /// Makes the file. An existing one at the target is not touched.
    static func make(
        _ configuration: TakeConfiguration,
        options: TakeOptions,
        stream: StreamDescription,
        runtime: Runtime,
        inUse: FileInUse
    ) throws(AudioFailure) -> (SingleTakeFile, any ContainerWriter) {
        let temporary = FilePath.sibling(of: configuration.path)
        let file = TakeFile(try runtime.files.makeLocked(temporary))
        do throws(AudioFailure) {
            let container = try Self.makeWriter(configuration, options, stream: stream, runtime: runtime, file: file)
            try file.checkLargestSize(for: configuration, in: runtime.files)
            try file.reserveStart(of: configuration.encoding)
            // Both before the new file takes the place of an old one: after a power cut there is one of the two, and a disk
            // that cannot do it is found out while the old one is untouched.
            try container.checkpoint(synchronize: true)
            try runtime.files.synchronizeFolder(FilePath.folder(of: configuration.path))
            inUse.file = file
            return (SingleTakeFile(configuration.path, file, temporary, runtime.files), container)
        } catch {
            file.close()
            try? runtime.files.remove(temporary)
            throw error
        }
    }

    /// A take that may have to go on elsewhere is one part, which becomes several only then.
    private static func makeWriter(
        _ configuration: TakeConfiguration,
        _ options: TakeOptions,
        stream: StreamDescription,
        runtime: Runtime,
        file: TakeFile
    ) throws(AudioFailure) -> any ContainerWriter {
        let writer = options.writerOptions(for: configuration, in: runtime.files)
        if options.rescueFolders.isEmpty {
            return try runtime.media.makeWriter(configuration.container, stream: stream, file: file, options: writer)
        }
        return try PartedWriter(
            PartedWriter.Plan(container: configuration.container, length: FrameCount(Int64.max), options: writer),
            stream: stream,
            media: runtime.media,
            place: OnlyPlace(file: file)
        )
    }

    private init(_ target: String, _ file: TakeFile, _ path: String, _ files: any FileStore) {
        self.target = target
        self.file = file
        self.path = Mutex(path)
        self.files = files
    }

    func publish() throws(AudioFailure) {
        try files.rename(path.withLock { $0 }, to: target, replacing: true)
        path.withLock { $0 = target }
    }

    func close() { file.close() }

    func discard() { try? files.remove(path.withLock { $0 }) }

    func makeJoin() -> JoinJob.Start? { nil }
}

extension TakeOptions {
    /// Bytes below which what lies in front of the sound takes room that the sound needs.
    private static let scarceRoom: Int64 = 1 << 20

    /// Of a file whose recording begins now. Tables are made for what the disk, or a largest size of files, has room for: on
    /// a small one they would take the room of the sound.
    func writerOptions(for configuration: TakeConfiguration, in files: any FileStore) -> WriterOptions {
        var options = WriterOptions(
            metadata: metadata(at: WallTime.now),
            noteRoom: WriterOptions.recordingNoteRoom
        )
        guard let free = try? files.freeSpace(at: FilePath.folder(of: configuration.path)) else { return options }
        let seconds = Double(free) / max(configuration.encoding.expectedByteRate, 1)
        // What writers expect by themselves is more than most recordings need.
        if seconds < 5_400 {
            options.expectedFrames = FrameCount(seconds: seconds, sampleRate: configuration.encoding.sampleRate)
        }
        if free < Self.scarceRoom {
            options.scarceRoom = free
            options.noteRoom = min(options.noteRoom, Int(free / 16))
        }
        return options
    }
}

/// The one file of a take that has not moved.
private struct OnlyPlace: PartedWriter.Place {
    let file: TakeFile

    func makePart(_ number: Int, start: FrameCount) throws(AudioFailure) -> any StoredFile { file }
    func partIsReady(_ number: Int) throws(AudioFailure) {}
    func partFailed(_ number: Int) {}
    func partIsFinished(_ number: Int, frames: FrameCount) {}
    func recordingIsFinished(frames: FrameCount) {}
}

extension TakeFile {
    /// Seconds of sound that a disk must have room for when a file is begun.
    private static let leastSeconds = 3.0

    /// Bytes that the start needs, behind what was written so far.
    private func least(of encoding: EncodingRequest) throws(AudioFailure) -> Int64 {
        try size() + Self.endingRoom + Int64(Self.leastSeconds * encoding.expectedByteRate)
    }

    /// - Throws: `noSpace`: a disk without room for a few seconds is full.
    func reserveStart(of encoding: EncodingRequest) throws(AudioFailure) { try reserve(upTo: try least(of: encoding)) }

    /// - Throws: `noSpace` where a file cannot become as large as one of a few seconds.
    func checkLargestSize(for configuration: TakeConfiguration, in files: any FileStore) throws(AudioFailure) {
        guard let largest = files.largestFile else { return }
        let least = try least(of: configuration.encoding)
        if largest >= least { return }
        throw AudioFailure(
            .noSpace,
            "Cannot record to '\(configuration.path)': files may have \(largest) bytes at most here (ulimit -f), and one "
                + "of \(Int(Self.leastSeconds)) seconds has \(least).",
            path: configuration.path
        )
    }
}
