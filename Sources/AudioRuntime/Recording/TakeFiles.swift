import AudioCore
import Synchronization

/// The files of a take, from the moment at which they are made. Control calls come from one thread at a time.
protocol TakeFiles: Sendable {
    /// Bytes that can be written without asking the disk for more. Any thread.
    var roomAhead: Int64 { get }

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
        runtime: Runtime
    ) throws(AudioFailure) -> (SingleTakeFile, any ContainerWriter) {
        let temporary = FilePath.sibling(of: configuration.path)
        let file = TakeFile(try runtime.files.open(temporary, .creatingExclusively))
        do throws(AudioFailure) {
            _ = try file.tryLock()
            let container = try runtime.media.makeWriter(
                configuration.container,
                stream: stream,
                file: file,
                options: options.writerOptions
            )
            try file.reserveStart(of: configuration.encoding)
            // Both before the new file takes the place of an old one: after a power cut there is one of the two, and a disk
            // that cannot do it is found out while the old one is untouched.
            try container.checkpoint(synchronize: true)
            try runtime.files.synchronizeFolder(FilePath.folder(of: configuration.path))
            return (SingleTakeFile(configuration.path, file, temporary, runtime.files), container)
        } catch {
            file.close()
            try? runtime.files.remove(temporary)
            throw error
        }
    }

    private init(_ target: String, _ file: TakeFile, _ path: String, _ files: any FileStore) {
        self.target = target
        self.file = file
        self.path = Mutex(path)
        self.files = files
    }

    var roomAhead: Int64 { file.roomAhead }

    func publish() throws(AudioFailure) {
        try files.rename(path.withLock { $0 }, to: target, replacing: true)
        path.withLock { $0 = target }
    }

    func close() { file.close() }

    func discard() { try? files.remove(path.withLock { $0 }) }

    func makeJoin() -> JoinJob.Start? { nil }
}

extension TakeOptions {
    /// Of a file whose recording begins now.
    var writerOptions: WriterOptions {
        WriterOptions(metadata: metadata(at: WallTime.now), noteRoom: WriterOptions.recordingNoteRoom)
    }
}

extension TakeFile {
    /// Seconds of sound that a disk must have room for when a file is begun.
    private static let leastSeconds = 3.0

    /// - Throws: `noSpace`: a disk without room for a few seconds is full.
    func reserveStart(of encoding: EncodingRequest) throws(AudioFailure) {
        try reserve(upTo: try size() + Self.endingRoom + Int64(Self.leastSeconds * encoding.expectedByteRate))
    }
}
