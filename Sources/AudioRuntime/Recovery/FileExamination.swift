import AudioCore
import MediaContainers

/// One file, opened and looked at. The lock is held until `close`, so that nobody else works on it meanwhile.
struct FileExamination {
    var found: RecoveredFile
    /// At the first packet; nil where there is nothing to read.
    var part: PacketJoin.Part?
    let file: (any StoredFile)?
    let modified: Double?

    func close() { file?.close() }

    /// Nil where the file has vanished.
    init?(_ path: String, like: StreamDescription?, runtime: Runtime) throws(AudioFailure) {
        let status: FileStatus?
        let file: any StoredFile
        do throws(AudioFailure) {
            status = try runtime.files.status(path)
            file = try runtime.files.open(path, .reading)
        } catch {
            if error.code == .notFound { return nil }
            self.init(RecoveredFile(path, .unreadable(reason: error.message)))
            return
        }
        do throws(AudioFailure) {
            try self.init(path, file, status?.modified, like, runtime)
        } catch {
            file.close()
            throw error
        }
    }

    private init(
        _ found: RecoveredFile,
        _ reader: (any ContainerReader)? = nil,
        _ file: (any StoredFile)? = nil,
        _ modified: Double? = nil
    ) {
        var found = found
        if let reader {
            found.frames = reader.validFrames
            found.sampleRate = reader.stream.sampleRate
            found.skippedBytes = (reader as? SalvagedReader)?.skippedBytes ?? 0
        }
        self.found = found
        self.file = file
        self.modified = modified
        part = reader.flatMap { reader in file.map { PacketJoin.Part(name: found.path, reader: reader, file: $0) } }
    }

    private init(
        _ path: String,
        _ file: any StoredFile,
        _ modified: Double?,
        _ like: StreamDescription?,
        _ runtime: Runtime
    ) throws(AudioFailure) {
        let name = FilePath.lastComponent(path)
        guard try file.tryLock() else {
            self.init(RecoveredFile(path, .live), nil, file, modified)
            return
        }
        if FilePath.isHidden(name, .half) {
            self.init(RecoveredFile(path, .leftover), nil, file, modified)
            return
        }
        if try file.size() == 0 {
            self.init(RecoveredFile(path, .empty), nil, file, modified)
            return
        }
        let hint = ContainerKind(fileExtension: FilePath.fileExtension(path))
        let isUnnamed = FilePath.isHidden(name, .take)
        var isWithoutFrames = false
        // What a reader of another format makes of it, where it is nothing that can be salvaged.
        var other: (any ContainerReader)?
        do throws(AudioFailure) {
            let reader = try runtime.media.openReader(file, hint: hint)
            if try Self.isTrustworthy(reader, file, hint, runtime) {
                let state = try Self.state(of: reader, file, isUnnamed: isUnnamed)
                self.init(RecoveredFile(path, state), reader, file, modified)
                return
            }
            isWithoutFrames = reader.validFrames == 0
            if case .foreign = reader.container { other = reader }
        } catch {
            guard error.code == .malformedMedia || error.code == .unsupported else { throw error }
        }
        do throws(AudioFailure) {
            guard let reader = try Self.salvage(file, hint, like, runtime) else {
                let reason = "It is not of any audio format that can be read."
                self.init(RecoveredFile(path, .unreadable(reason: reason)), nil, file, modified)
                return
            }
            var reason = "Its header is damaged."
            if case .unfinished(let why) = reader.integrity { reason = why }
            // A packet or two that are all priming.
            let isEmpty = (reader.validFrames?.value ?? 1) <= 0
            let state: RecoveredFile.State = isEmpty ? .empty : isUnnamed ? .unnamed : .damaged(reason: reason)
            self.init(RecoveredFile(path, state), reader, file, modified)
        } catch {
            guard error.code == .malformedMedia || error.code == .unsupported else { throw error }
            if let other {
                let state = try Self.state(of: other, file, isUnnamed: isUnnamed)
                self.init(RecoveredFile(path, state), other, file, modified)
                return
            }
            let state = isWithoutFrames ? RecoveredFile.State.empty : .unreadable(reason: error.message)
            self.init(RecoveredFile(path, state), nil, file, modified)
        }
    }

    private static func state(of reader: any ContainerReader, _ file: any StoredFile, isUnnamed: Bool)
        throws(AudioFailure) -> RecoveredFile.State
    {
        if isUnnamed { return reader.validFrames == 0 ? .empty : .unnamed }
        guard case .unfinished(let reason) = reader.integrity else { return .complete }
        let isOurs = try MediaSalvage.isUnfinishedRecording(file)
        return isOurs ? .unfinished(reason: reason) : .foreignUnfinished(reason: reason)
    }

    /// False where a file does not say what is in it: one that was never finished and knows of no audio, or whose table is
    /// not that of its audio, or one that another format's reader takes for its own by chance.
    private static func isTrustworthy(
        _ reader: any ContainerReader,
        _ file: any StoredFile,
        _ hint: ContainerKind?,
        _ runtime: Runtime
    ) throws(AudioFailure) -> Bool {
        if case .foreign(let name) = reader.container {
            // libavformat names a format with all of its relatives ("mov,mp4,m4a").
            return hint.map { name.contains($0.familyName) } ?? true
        }
        guard reader.integrity != .complete else { return true }
        if reader.validFrames == 0 { return false }
        guard let table = reader as? any PacketRunReader, reader.stream.bytesPerPacket == 0,
            let finder = try runtime.media.makePacketFinder(reader.stream)
        else { return true }
        let isRight = try PacketTableCheck.isRight(table, of: file, finder)
        _ = try reader.seek(toDecodedFrame: 0, preroll: 0)
        return isRight
    }

    private static func salvage(
        _ file: any StoredFile,
        _ hint: ContainerKind?,
        _ like: StreamDescription?,
        _ runtime: Runtime
    ) throws(AudioFailure) -> (any ContainerReader)? {
        try MediaSalvage.open(file, hint: hint, like: like) { stream throws(AudioFailure) in
            try runtime.media.makePacketFinder(stream)
        }
    }
}

extension ContainerKind {
    /// What libavformat's names for the formats of the same family have in common.
    fileprivate var familyName: String {
        switch self {
        case .oggOpus: "ogg"
        case .aiff, .aifc: "aif"
        default: name
        }
    }
}
