package import AudioCore

/// Makes the one file that a recording in parts becomes, beside the folder of its parts. Can be started again from whatever
/// point it was killed at: everything that it needs lies in the folder.
///
///     parts → "joining" in the folder, verified → [publishing] → rename → [joined] → parts removed, session file, folder
///
/// What stands in brackets is a line of the session file, on the disk before the next step.
package struct PartsJoin: Sendable {
    package struct Result: Sendable, Equatable {
        /// Where the recording is now.
        package var path: String
        package var frames: FrameCount
        package var sampleRate: Double
        package var partCount: Int
    }

    private let folder: PartsFolder
    /// The session file with its lock, where the caller has it.
    private let log: PartsLog?
    /// Whether the parts stay; nil for what the recording was asked for.
    private let keepsParts: Bool?

    /// - Parameter folder: the folder of the parts.
    package init(folder: String, keepsParts: Bool? = nil) {
        self.init(folder: folder, log: nil, keepsParts: keepsParts)
    }

    init(folder: String, log: PartsLog?, keepsParts: Bool? = nil) {
        self.folder = PartsFolder(path: folder)
        self.log = log
        self.keepsParts = keepsParts
    }

    package var folderPath: String { folder.path }

    /// Blocks for about as long as it takes to copy the parts. Where it fails, all parts are where they were.
    /// - Throws: `busy` where the recording still runs or is being joined; `notFound`, `malformedMedia` or `unsupported`
    ///   where the parts are not all there; what `MediaJob` throws.
    /// - Parameter onProgress: hears how many parts are copied, of how many; on the calling thread. An answer of false leaves
    ///   the rest for another time.
    package func run(in runtime: Runtime, onProgress: (Int, Int) -> Bool = { _, _ in true }) throws(AudioFailure)
        -> Result
    {
        let log: PartsLog
        if let own = self.log { log = own } else { log = try PartsLog.open(in: folder.path, files: runtime.files) }
        defer { log.close() }
        let session = PartsSession(log.entries)
        if let result = try finishedBefore(session, log, runtime) { return result }
        let parts = try self.parts(session, runtime)
        let result = try publish(parts, session, log, runtime, onProgress)
        removeParts(parts.paths, session, runtime)
        return result
    }

    // MARK: What an earlier run has left

    /// Goes on behind the moment at which the joined file had its name; nil where there was no such moment.
    private func finishedBefore(_ session: PartsSession, _ log: PartsLog, _ runtime: Runtime) throws(AudioFailure)
        -> Result?
    {
        let files = runtime.files
        if let (target, frames) = session.joined {
            guard let found = Self.measure(sibling(target), runtime), found.frames == frames else { return nil }
            return finish(sibling(target), found, session, runtime)
        }
        // The file has left the folder and lies, the same, under the name that it was to get.
        if let (source, target, frames, mark) = session.publishing,
            try files.status("\(folder.path)/\(source)") == nil,
            try files.status(sibling(target)).map({ PartsLog.Entry.FileMark($0) }) == mark,
            let found = Self.measure(sibling(target), runtime), found.frames == frames
        {
            try log.append([.joined(target: target, frames: frames)])
            return finish(sibling(target), found, session, runtime)
        }
        return nil
    }

    private func finish(
        _ path: String,
        _ found: (frames: FrameCount, sampleRate: Double),
        _ session: PartsSession,
        _ runtime: Runtime
    ) -> Result {
        let parts = (try? folder.parts(of: session.container, files: runtime.files)) ?? []
        removeParts(parts.map(\.path), session, runtime)
        return Result(
            path: path,
            frames: found.frames,
            sampleRate: found.sampleRate,
            partCount: max(session.partCount, parts.count)
        )
    }

    /// The frames of a complete file; nil for any other.
    private static func measure(_ path: String, _ runtime: Runtime) -> (frames: FrameCount, sampleRate: Double)? {
        guard let file = try? runtime.files.open(path, .reading) else { return nil }
        defer { file.close() }
        guard let reader = try? runtime.media.openReader(file), reader.integrity == .complete,
            let frames = reader.validFrames
        else { return nil }
        return (frames, reader.stream.sampleRate)
    }

    // MARK: The parts

    private struct Parts {
        var paths: [String] = []
        var container: ContainerKind
        var frames = FrameCount.zero
        var sampleRate = 0.0
        /// Each ends as its recorder meant it to.
        var areComplete = true
    }

    private func parts(_ session: PartsSession, _ runtime: Runtime) throws(AudioFailure) -> Parts {
        let found = try folder.parts(of: session.container, files: runtime.files)
        if found.isEmpty, session.isEmpty, try runtime.files.contents(of: folder.path) == [PartsLog.name] {
            // All that is left of a recording that was joined.
            removeParts([], session, runtime)
        }
        guard let last = found.last, let container = session.container ?? FilePath.container(of: last.path) else {
            throw AudioFailure(.notFound, "There are no parts of a recording in '\(folder.path)'.", path: folder.path)
        }
        var parts = Parts(container: container)
        for (index, part) in found.enumerated() {
            guard part.number == index + 1 else {
                throw AudioFailure(
                    .notFound,
                    "Part \(index + 1) is missing in '\(folder.path)', so its recording cannot be joined exactly. The "
                        + "parts were left as they are.",
                    path: folder.path
                )
            }
            do throws(AudioFailure) {
                try add(part, to: &parts, session, runtime)
            } catch {
                // The machine ended before anything came into it. It stays, whatever it is.
                let isEmpty = part == last && index > 0 && session.finished[part.number] == nil
                guard isEmpty, error.code == .malformedMedia else { throw error }
            }
        }
        if let ended = session.ended, ended != parts.frames {
            throw AudioFailure(
                .malformedMedia,
                "The parts in '\(folder.path)' have \(parts.frames) together instead of \(ended). They were left as they "
                    + "are.",
                path: folder.path
            )
        }
        return parts
    }

    private func add(
        _ part: PartsFolder.Part,
        to parts: inout Parts,
        _ session: PartsSession,
        _ runtime: Runtime
    ) throws(AudioFailure) {
        let file = try runtime.files.open(part.path, .reading)
        defer { file.close() }
        let reader = try runtime.media.openReader(file, hint: parts.container)
        guard let frames = reader.validFrames else {
            throw AudioFailure(.malformedMedia, "'\(part.path)' does not say how long it is.", path: part.path)
        }
        if let stated = session.finished[part.number], stated != frames {
            throw AudioFailure(
                .malformedMedia,
                "'\(part.path)' has \(frames) instead of \(stated). The parts were left as they are.",
                path: part.path
            )
        }
        parts.paths.append(part.path)
        parts.frames += frames
        parts.sampleRate = reader.stream.sampleRate
        if reader.integrity != .complete { parts.areComplete = false }
    }

    // MARK: Publishing

    private func publish(
        _ parts: Parts,
        _ session: PartsSession,
        _ log: PartsLog,
        _ runtime: Runtime,
        _ onProgress: (Int, Int) -> Bool
    ) throws(AudioFailure) -> Result {
        let files = runtime.files
        guard let name = session.target ?? folder.targetName else {
            throw AudioFailure(
                .invalidArgument,
                "Neither the session file nor the name of '\(folder.path)' says what its parts become.",
                path: folder.path
            )
        }
        let temporary = "\(folder.path)/\(PartsFolder.joining)"
        if try files.status(temporary) != nil {
            // First: what was announced is not what comes to be published.
            try log.append([.joining])
            try files.remove(temporary)
        }
        // One part that is complete is what joining would make of it. There is nothing to join where nothing was heard.
        let isOnePart =
            parts.paths.count == 1 && (parts.areComplete || parts.frames == 0) && !keeps(session)
        let source = isOnePart ? parts.paths[0] : temporary
        if !isOnePart {
            try make(temporary, of: parts, sibling(name), runtime, onProgress)
            // When the recording ended, on file systems with such times.
            if let modified = try files.status(parts.paths[parts.paths.count - 1])?.modified, modified > 0 {
                try? files.setModified(temporary, modified)
            }
        }
        guard let status = try files.status(source) else {
            throw AudioFailure(.busy, "'\(source)' is gone: somebody else works on the parts.", path: source)
        }
        try files.synchronizeFolder(folder.path)
        for number in 1...PartsFolder.nameLimit {
            let target = number == 1 ? sibling(name) : FilePath.numbered(sibling(name), String(number))
            guard let replaces = try mayTake(target, session, runtime) else { continue }
            try log.append([
                .publishing(
                    source: FilePath.lastComponent(source),
                    target: FilePath.lastComponent(target),
                    frames: parts.frames,
                    mark: PartsLog.Entry.FileMark(status)
                )
            ])
            do throws(AudioFailure) {
                try files.rename(source, to: target, replacing: replaces)
            } catch {
                // Somebody has taken the name in the meantime.
                if error.code == .alreadyExists { continue }
                throw error
            }
            // Both: the file has left one folder and come into the other.
            try files.synchronizeFolder(FilePath.folder(of: folder.path))
            try files.synchronizeFolder(folder.path)
            try log.append([.joined(target: FilePath.lastComponent(target), frames: parts.frames)])
            return Result(
                path: target,
                frames: parts.frames,
                sampleRate: parts.sampleRate,
                partCount: parts.paths.count
            )
        }
        throw AudioFailure(.limitReached, "All names from '\(name)' on are taken.", path: folder.path)
    }

    /// Makes and verifies the joined file, on the disk.
    private func make(
        _ temporary: String,
        of parts: Parts,
        _ target: String,
        _ runtime: Runtime,
        _ onProgress: (Int, Int) -> Bool
    ) throws(AudioFailure) {
        let join = MediaJob(.join, of: parts.paths, to: target, parts.container)
        let count = parts.paths.count
        do throws(AudioFailure) {
            _ = try join.make(at: temporary, in: runtime) { done in
                onProgress(Int((done * Double(count)).rounded()), count)
            }
        } catch {
            // A disk that is full gets its room back.
            try? runtime.files.remove(temporary)
            throw error
        }
    }

    private func sibling(_ name: String) -> String { "\(FilePath.folder(of: folder.path))/\(name)" }

    /// Whether what lies at `target` is replaced; nil where it must stay: it came there after the recording had begun.
    private func mayTake(_ target: String, _ session: PartsSession, _ runtime: Runtime) throws(AudioFailure) -> Bool? {
        guard let status = try runtime.files.status(target) else { return false }
        if status.isFolder { return nil }
        // An empty file keeps the name free for the recording.
        if status.size == 0 { return true }
        return session.replaces == PartsLog.Entry.FileMark(status) ? true : nil
    }

    // MARK: Afterwards

    private func keeps(_ session: PartsSession) -> Bool { keepsParts ?? session.keepsParts }

    /// The joined file is safe. What cannot be removed stays, and the session file says that it is left over.
    private func removeParts(_ paths: [String], _ session: PartsSession, _ runtime: Runtime) {
        if keeps(session) { return }
        let files = runtime.files
        do throws(AudioFailure) {
            for path in paths where try files.status(path) != nil { try files.remove(path) }
            let left = try files.contents(of: folder.path)
            // Something that is not ours, or a part without a frame.
            for name in left where name != PartsLog.name {
                let path = "\(folder.path)/\(name)"
                if try files.status(path)?.size == 0 { try files.remove(path) } else { return }
            }
            try files.remove("\(folder.path)/\(PartsLog.name)")
            try files.removeFolder(folder.path)
            try files.synchronizeFolder(FilePath.folder(of: folder.path))
        } catch {
            RuntimeLog.note("removing the parts in '\(folder.path)'", error)
        }
    }
}
