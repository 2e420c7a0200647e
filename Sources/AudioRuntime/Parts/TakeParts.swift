import AudioCore
import PlatformLinux
import Synchronization

/// A take in parts: their folder, which is visible beside the target, and its session file.
final class TakeParts: TakeFiles {
    private let folder: PartsFolder
    private let log: PartsLog
    private let place: PartPlace
    private let keepsParts: Bool
    private let runtime: Runtime
    private let isClosed = Mutex(false)
    private let closing = Wakeup()

    /// Makes the folder and the first part. What lies at the target is not touched.
    static func make(
        _ configuration: TakeConfiguration,
        options: TakeOptions,
        stream: StreamDescription,
        runtime: Runtime,
        inUse: FileInUse
    ) throws(AudioFailure) -> (TakeParts, any ContainerWriter) {
        let (target, files) = (configuration.path, runtime.files)
        let old = try files.status(target)
        let (folder, log) = try begin(target, files)
        do throws(AudioFailure) {
            try log.append([
                .recording(
                    target: FilePath.lastComponent(target),
                    keepsParts: options.keepsParts,
                    replaces: old.map { PartsLog.Entry.FileMark($0) }
                ),
                .stream(configuration.container, stream),
            ])
            let place = PartPlace(folder, log, configuration, files, inUse)
            let plan = PartedWriter.Plan(
                container: configuration.container,
                length: FrameCount(
                    seconds: (options.partLength ?? .seconds(300)).inSeconds,
                    sampleRate: stream.sampleRate
                ),
                options: options.writerOptions(for: configuration, in: files)
            )
            let writer = try PartedWriter(plan, stream: stream, media: runtime.media, place: place)
            try files.synchronizeFolder(FilePath.folder(of: target))
            return (TakeParts(folder, log, place, options.keepsParts, runtime), writer)
        } catch {
            log.close()
            try? folder.remove(in: runtime)
            throw error
        }
    }

    /// The folder with its session file, locked. Recovery may come in between and take both for what is left of a recording
    /// that was joined: they are made again then.
    private static func begin(_ target: String, _ files: any FileStore) throws(AudioFailure) -> (PartsFolder, PartsLog)
    {
        for _ in 0..<PartsFolder.nameLimit {
            let folder = try PartsFolder.make(for: target, files: files)
            do throws(AudioFailure) {
                return (folder, try PartsLog.create(in: folder.path, files: files))
            } catch {
                if error.code == .notFound, (try? files.status(folder.path)) == .some(nil) { continue }
                try? files.removeFolder(folder.path)
                throw error
            }
        }
        throw AudioFailure(.busy, "Something takes the folder of parts away whenever it is made.", path: target)
    }

    private init(
        _ folder: PartsFolder,
        _ log: PartsLog,
        _ place: PartPlace,
        _ keepsParts: Bool,
        _ runtime: Runtime
    ) {
        self.folder = folder
        self.log = log
        self.place = place
        self.keepsParts = keepsParts
        self.runtime = runtime
    }

    /// The parts have been in their place from the start.
    func publish() throws(AudioFailure) {}

    func close() {
        place.close()
        isClosed.withLock { $0 = true }
        closing.signal()
    }

    func discard() {
        log.close()
        try? folder.remove(in: runtime)
    }

    func makeJoin() -> JoinJob.Start? {
        // One part becomes the file by its name.
        let isQuick = isClosed.withLock { $0 } && place.partCount <= 1 && !keepsParts
        return JoinJob.Start(join: PartsJoin(folder: folder.path, log: log), isQuick: isQuick) { [self] in
            while !isClosed.withLock({ $0 }) { closing.wait(atMost: .seconds(1)) }
        }
    }
}

/// Where the parts of a take are made. Writer thread, but for what says otherwise.
private final class PartPlace: PartedWriter.Place, Sendable {
    private let folder: PartsFolder
    private let log: PartsLog
    private let configuration: TakeConfiguration
    private let files: any FileStore
    private let inUse: FileInUse
    private let state = Mutex((file: TakeFile?.none, number: 0))

    init(
        _ folder: PartsFolder,
        _ log: PartsLog,
        _ configuration: TakeConfiguration,
        _ files: any FileStore,
        _ inUse: FileInUse
    ) {
        self.inUse = inUse
        self.folder = folder
        self.log = log
        self.configuration = configuration
        self.files = files
    }

    /// Parts begun so far. Any thread.
    var partCount: Int { state.withLock { $0.number } }

    func close() { state.withLock { $0.file }?.close() }

    func makePart(_ number: Int, start: FrameCount) throws(AudioFailure) -> any StoredFile {
        let file = TakeFile(try files.makeLocked(path(number)))
        state.withLock { $0 = (file, number) }
        inUse.file = file
        note(.begun(part: number, start: start))
        return file
    }

    func partIsReady(_ number: Int) throws(AudioFailure) {
        if let file = state.withLock({ $0.file }) {
            if number == 1 { try file.checkLargestSize(for: configuration, in: files) }
            try file.reserveStart(of: configuration.encoding)
        }
        try files.synchronizeFolder(folder.path)
    }

    func partFailed(_ number: Int) {
        try? files.remove(path(number))
        state.withLock { $0 = (nil, number - 1) }
    }

    func partIsFinished(_ number: Int, frames: FrameCount) { note(.finished(part: number, frames: frames)) }

    func recordingIsFinished(frames: FrameCount) { note(.ended(frames: frames)) }

    private func path(_ number: Int) -> String { folder.path(of: number, in: configuration.container) }

    /// The parts say the same of themselves: a session file that cannot be written is no reason to end a recording.
    private func note(_ entry: PartsLog.Entry) {
        do throws(AudioFailure) { try log.append([entry]) } catch { RuntimeLog.note("recording.log", error) }
    }
}
