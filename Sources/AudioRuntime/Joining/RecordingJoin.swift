package import AudioCore
import MediaContainers

/// Makes one file of the parts of a recording, without decoding.
package struct RecordingJoin: Sendable {
    /// In the order of time.
    package var parts: [String]
    package var target: String
    package var container: ContainerKind
    /// An existing target is replaced, at the very end.
    package var replaces = false
    /// The parts go away once the verified target has its name on the disk.
    package var removesParts = false
    /// As `MediaJob.waitsForDisk`.
    var waitsForDisk = true

    package typealias Result = MediaJob.Result

    package init(parts: [String], target: String, container: ContainerKind) {
        self.parts = parts
        self.target = target
        self.container = container
    }

    /// As `MediaJob.run`, without a record beside the target.
    /// - Throws: `unsupported` with the reason where the parts cannot be joined exactly; `busy` where one is still being
    ///   recorded; `alreadyExists`.
    package func run(in runtime: Runtime, progress: MediaJob.Progress = { _ in true }) throws(AudioFailure) -> Result {
        var job = MediaJob(.join, of: parts, to: target, container)
        job.replaces = replaces
        job.removesSources = removesParts
        job.waitsForDisk = waitsForDisk
        job.keepsRecord = false
        return try job.run(in: runtime, progress: progress)
    }

    /// Writes the joined file into an empty one and verifies it. Memory does not grow with the number of parts.
    func make(_ file: any StoredFile, in runtime: Runtime, _ progress: MediaJob.Progress) throws(AudioFailure) -> Result
    {
        let setUp = try setUp(in: runtime)
        let content = try copy(setUp, into: UnorderedFile(file, beginsToWrite: waitsForDisk), in: runtime, progress)
        try verify(file, setUp, content, in: runtime)
        return Result(frames: FrameCount(setUp.frames), sampleRate: setUp.stream.sampleRate)
    }

    private func setUp(in runtime: Runtime) throws(AudioFailure) -> JoinSetUp {
        var setUp: JoinSetUp?
        for path in parts {
            let part = try open(path, in: runtime)
            defer { part.file.close() }
            guard try part.file.tryLock() else {
                throw AudioFailure(.busy, "'\(path)' is in use: it is still being recorded.", path: path)
            }
            if setUp == nil {
                setUp = try JoinSetUp(part.reader, name: path)
            } else {
                try setUp?.add(part.reader, name: path)
            }
        }
        guard let setUp, setUp.frames > 0 else {
            throw AudioFailure(.malformedMedia, "There is no audio in the parts.", path: parts.first)
        }
        return setUp
    }

    private func copy(
        _ setUp: JoinSetUp,
        into file: any StoredFile,
        in runtime: Runtime,
        _ progress: MediaJob.Progress
    ) throws(AudioFailure) -> PacketJoin.Content {
        let writer = try setUp.makeWriter(container, file: file, media: runtime.media)
        var join = try PacketJoin(writer: writer, stream: setUp.stream)
        var before: (any StoredFile)?
        defer { before?.close() }
        for (index, path) in parts.enumerated() {
            try MediaJob.report(Double(index) / Double(parts.count), to: progress)
            let part = try open(path, in: runtime)
            do throws(AudioFailure) {
                try join.append(part)
            } catch {
                part.file.close()
                throw error
            }
            file.startWriteback()
            // One without frames is not what the next one follows.
            if (part.reader.validFrames?.value ?? 0) == 0 {
                part.file.close()
                continue
            }
            before?.close()
            before = part.file
        }
        try join.finish()
        guard join.frames == setUp.frames else {
            throw AudioFailure(.busy, "The parts have changed while they were joined.", path: parts.first)
        }
        return join.content
    }

    private func verify(
        _ file: any StoredFile,
        _ setUp: JoinSetUp,
        _ content: PacketJoin.Content,
        in runtime: Runtime
    ) throws(AudioFailure) {
        guard try setUp.isWhole(file, container, content, media: runtime.media) else {
            throw AudioFailure(
                .internal,
                "The joined file is not what its parts are; it was discarded, and the parts were kept.",
                path: target
            )
        }
    }

    private func open(_ path: String, in runtime: Runtime) throws(AudioFailure) -> PacketJoin.Part {
        let file = try runtime.files.open(path, .reading)
        do throws(AudioFailure) {
            let reader = try runtime.media.openReader(file, hint: FilePath.container(of: path))
            return PacketJoin.Part(name: path, reader: reader, file: file)
        } catch {
            file.close()
            var failure = error
            failure.path = path
            throw failure
        }
    }
}
