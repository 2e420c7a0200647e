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

    package struct Result: Sendable, Equatable {
        package var frames: FrameCount
        package var sampleRate: Double
    }

    package init(parts: [String], target: String, container: ContainerKind) {
        self.parts = parts
        self.target = target
        self.container = container
    }

    /// Nothing lies under the target's name before the file is complete, verified and on the disk; a failure leaves
    /// everything as it was. Blocks meanwhile. Memory does not grow with the number of parts.
    /// - Throws: `unsupported` with the reason where the parts cannot be joined exactly; `busy` where one is still being
    ///   recorded; `alreadyExists`.
    package func run(in runtime: Runtime) throws(AudioFailure) -> Result {
        let files = runtime.files
        guard !parts.isEmpty else { throw AudioFailure(.invalidArgument, "There are no parts to join.") }
        if try files.status(target) != nil, !replaces || removesParts {
            throw AudioFailure(
                .alreadyExists,
                replaces
                    ? "'\(target)' is there already, and could be one of the parts that are to be removed."
                    : "'\(target)' is there already.",
                path: target
            )
        }
        let setUp = try setUp(in: runtime)
        let temporary = FilePath.sibling(of: target)
        let file = try files.open(temporary, .creatingExclusively)
        do throws(AudioFailure) {
            defer { file.close() }
            let content = try copy(setUp, into: file, in: runtime)
            try verify(file, setUp, content, in: runtime)
            try files.rename(temporary, to: target, replacing: replaces)
        } catch {
            try? files.remove(temporary)
            throw error
        }
        try files.synchronizeFolder(FilePath.folder(of: target))
        if removesParts { for part in parts { try files.remove(part) } }
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
        in runtime: Runtime
    ) throws(AudioFailure) -> PacketJoin.Content {
        let writer = try runtime.media.makeWriter(
            container,
            stream: setUp.stream,
            file: file,
            options: WriterOptions(expectedFrames: FrameCount(setUp.frames), metadata: setUp.metadata)
        )
        var join = try PacketJoin(writer: writer, stream: setUp.stream)
        var before: (any StoredFile)?
        defer { before?.close() }
        for path in parts {
            let part = try open(path, in: runtime)
            do throws(AudioFailure) {
                try join.append(part)
            } catch {
                part.file.close()
                throw error
            }
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

    /// Opens the result as any other file and counts what is in it.
    private func verify(
        _ file: any StoredFile,
        _ setUp: JoinSetUp,
        _ content: PacketJoin.Content,
        in runtime: Runtime
    ) throws(AudioFailure) {
        let reader = try runtime.media.openReader(file, hint: container)
        let found = try PacketJoin.Content(of: reader)
        guard reader.integrity == .complete, reader.validFrames?.value == setUp.frames, found == content,
            reader.stream.primingFrames == setUp.stream.primingFrames
        else {
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
            let hint = FilePath.lastComponent(path).split(separator: ".").last.flatMap {
                ContainerKind(fileExtension: String($0))
            }
            return PacketJoin.Part(name: path, reader: try runtime.media.openReader(file, hint: hint), file: file)
        } catch {
            file.close()
            var failure = error
            failure.path = path
            throw failure
        }
    }
}
