import AudioCore
import MediaContainers

/// A complete file out of one that was never finished or is damaged: the same packets, without decoding.
///
/// The source is only read. The new file is made under a hidden name, opened as any other file and counted, synchronised,
/// and only then given its name.
struct FileRewrite {
    struct Result {
        var frames: FrameCount
        var sampleRate: Double
    }

    /// What the new file does about its name.
    enum Naming {
        /// Fails where the name is taken.
        case free
        /// Takes the place of what has the name.
        case replacing
    }

    let runtime: Runtime

    /// - Parameters:
    ///   - source: its reader at the first packet, and the file.
    ///   - modified: the time that the new file gets, in seconds since 1970; nil for that of its making.
    ///   - beforeNaming: called when the new file is safe on the disk; where it throws, nothing has changed.
    func run(
        _ source: PacketJoin.Part,
        to target: String,
        _ naming: Naming,
        modified: Double?,
        beforeNaming: () throws(AudioFailure) -> Void = {}
    ) throws(AudioFailure) -> Result {
        let files = runtime.files
        let container = source.reader.container
        let setUp = try JoinSetUp(source.reader, name: source.name)
        guard setUp.frames > 0 else {
            throw AudioFailure(.malformedMedia, "There is no audio in '\(source.name)'.", path: source.name)
        }
        let temporary = FilePath.sibling(of: target, .half)
        // Others see by the lock that somebody works on it.
        let file = try files.makeLocked(temporary)
        do throws(AudioFailure) {
            defer { file.close() }
            let writer = try setUp.makeWriter(container, file: file, media: runtime.media)
            var join = try PacketJoin(writer: writer, stream: setUp.stream)
            try join.append(source)
            try join.finish()
            try verify(file, setUp, join, container)
            try file.synchronize()
            if let modified { try files.setModified(temporary, modified) }
            try beforeNaming()
            try files.rename(temporary, to: target, replacing: naming == .replacing)
        } catch {
            try? files.remove(temporary)
            throw error
        }
        try files.synchronizeFolder(FilePath.folder(of: target))
        return Result(frames: FrameCount(setUp.frames), sampleRate: setUp.stream.sampleRate)
    }

    private func verify(_ file: any StoredFile, _ setUp: JoinSetUp, _ join: PacketJoin, _ container: ContainerKind)
        throws(AudioFailure)
    {
        guard try setUp.isWhole(file, container, join.content, media: runtime.media) else {
            throw AudioFailure(
                .internal,
                "The completed file is not what the unfinished one was; it was discarded, and the unfinished one kept.",
                path: file.path
            )
        }
    }
}
