package import AudioCore
import MediaContainers

/// Finds recordings that were never finished, and makes them complete.
///
/// What a file is, is told by its content and by locks alone: no flag of a clean exit, no time stamp. A file whose lock
/// somebody holds is left alone. A recording of this program is completed under its name, and what it was goes into the
/// trash; anything else gets a complete file beside it and stays as it is.
package struct FileRecovery: Sendable {
    package struct Options: Sendable {
        /// A whole file from the same recorder, for files that no longer say what their audio is.
        package var like: String?
        /// The folder of repaired files; nil for the one of their originals.
        package var folder: String?
        /// Looks, and changes nothing.
        package var isDryRun: Bool
        /// Leaves everything alone but recordings of this program.
        package var isOwnOnly: Bool

        package init(
            like: String? = nil,
            folder: String? = nil,
            isDryRun: Bool = false,
            isOwnOnly: Bool = false
        ) {
            self.like = like
            self.folder = folder
            self.isDryRun = isDryRun
            self.isOwnOnly = isOwnOnly
        }
    }

    let runtime: Runtime
    let options: Options
    let trash: Trash
    private let like: StreamDescription?

    /// - Throws: where `options.like` cannot be read.
    package init(_ options: Options = Options(), trash: Trash? = nil, in runtime: Runtime) throws(AudioFailure) {
        self.runtime = runtime
        self.options = options
        self.trash = trash ?? Trash(files: runtime.files)
        like = try options.like.map { (path) throws(AudioFailure) in
            let file = try runtime.files.open(path, .reading)
            defer { file.close() }
            return try runtime.media.openReader(file).stream
        }
    }

    /// Looks at one file and makes a complete one of it where it is none.
    /// - Returns: nil where there is no such file (any more).
    package func recover(file path: String) -> RecoveredFile? {
        do throws(AudioFailure) {
            guard let examination = try FileExamination(path, like: like, runtime: runtime) else { return nil }
            defer { examination.close() }
            var found = examination.found
            if options.isDryRun { return found }
            do throws(AudioFailure) {
                try act(on: examination, &found)
            } catch {
                // Moved or replaced in the meantime: it is no longer what was looked at.
                if let file = examination.file, (try? runtime.files.isStill(file, at: found.recording)) == false {
                    return nil
                }
                found.result = .failed(error)
            }
            return found
        } catch {
            var found = RecoveredFile(path, .unreadable(reason: error.message))
            found.result = .failed(error)
            return found
        }
    }

    private func act(on examination: FileExamination, _ found: inout RecoveredFile) throws(AudioFailure) {
        switch found.state {
        case .complete, .live, .unreadable, .job: break
        case .leftover:
            found.result = .trashed(try trash.discard(found.path))
        case .empty:
            // An empty file that people see may be a name that was taken for something.
            let isHidden = FilePath.isHidden(FilePath.lastComponent(found.path), .take)
            if isHidden { found.result = .trashed(try trash.discard(found.path)) }
        case .unnamed:
            // First it becomes visible, whatever happens next.
            guard let part = examination.part else { return }
            found.recording = try name(found.path, part.reader, examination.modified)
            try complete(part, examination, &found)
        case .unfinished:
            if let part = examination.part { try complete(part, examination, &found) }
        case .foreignUnfinished, .damaged:
            if let part = examination.part, !options.isOwnOnly { try repair(part, examination, &found) }
        }
    }

    // MARK: Recordings of ours

    /// Gives a recording the name that it never got.
    private func name(_ path: String, _ reader: any ContainerReader, _ modified: Double?) throws(AudioFailure) -> String
    {
        let date = modified.map { LocalTime(secondsSince1970: $0) } ?? .now
        let name = "\(FilePath.folder(of: path))/Recovered \(date.fileName).\(reader.container.name)"
        return try firstFree(name) { (target) throws(AudioFailure) in
            try runtime.files.rename(path, to: target, replacing: false)
        }
    }

    /// Puts a complete file in the place of the unfinished one, which stays in the trash under a second name: at no moment
    /// is there none.
    private func complete(_ part: PacketJoin.Part, _ examination: FileExamination, _ found: inout RecoveredFile)
        throws(AudioFailure)
    {
        let path = found.recording
        var kept: Trash.Item?
        do throws(AudioFailure) {
            let result = try FileRewrite(runtime: runtime).run(
                part,
                to: path,
                .replacing,
                modified: examination.modified
            ) { () throws(AudioFailure) in
                // A recording that was begun under this name in the meantime is somebody else's.
                if let file = examination.file, try !runtime.files.isStill(file, at: path) {
                    throw AudioFailure(.busy, "'\(path)' was replaced while it was recovered.", path: path)
                }
                kept = try trash.keep(path)
            }
            found.frames = result.frames
            if let kept { found.result = .completed(trashed: kept) }
        } catch {
            guard error.code == .unsupported, kept == nil, !options.isOwnOnly else { throw error }
            // No second names here: a file beside it does it, too.
            if part.reader.integrity == .complete { throw error }
            _ = try part.reader.seek(toDecodedFrame: 0, preroll: 0)
            try repair(part, examination, &found)
        }
    }

    // MARK: Other files

    /// Makes a complete file beside the original, or in the folder that was asked for.
    private func repair(_ part: PacketJoin.Part, _ examination: FileExamination, _ found: inout RecoveredFile)
        throws(AudioFailure)
    {
        if case .foreign(let name) = part.reader.container {
            throw AudioFailure(
                .unsupported,
                "'\(found.path)' plays as far as it goes; files of the kind \(name) are not written.",
                path: found.path
            )
        }
        let target = repairedPath(found.recording, part.reader.container)
        if let before = try madeBefore(target, part.reader) {
            found.result = .repairedBefore(path: before)
            found.recording = before
            return
        }
        var result: FileRewrite.Result?
        let path = try firstFree(target) { (target) throws(AudioFailure) in
            _ = try part.reader.seek(toDecodedFrame: 0, preroll: 0)
            result = try FileRewrite(runtime: runtime).run(part, to: target, .free, modified: examination.modified)
        }
        found.recording = path
        found.frames = result?.frames ?? found.frames
        found.result = .repaired(path: path)
    }

    /// "Talk (recovered).m4a", with the ending that fits to what it is.
    private func repairedPath(_ path: String, _ container: ContainerKind) -> String {
        let name = FilePath.lastComponent(path)
        let ending = FilePath.fileExtension(path)
        let folder = options.folder ?? FilePath.folder(of: path)
        let fits = ContainerKind(fileExtension: ending) == container
        let stem = ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
        return "\(folder)/\(stem) (recovered).\(fits ? ending : container.name)"
    }

    /// A file that an earlier recovery has made of the same audio.
    private func madeBefore(_ path: String, _ original: any ContainerReader) throws(AudioFailure) -> String? {
        guard let file = try? runtime.files.open(path, .reading) else { return nil }
        defer { file.close() }
        guard let reader = try? runtime.media.openReader(file), reader.integrity == .complete,
            reader.validFrames == original.validFrames, reader.audioByteCount == original.audioByteCount
        else { return nil }
        return path
    }

    private func firstFree(_ path: String, _ body: (String) throws(AudioFailure) -> Void) throws(AudioFailure) -> String
    {
        var target = path
        for number in 2...10_000 {
            do throws(AudioFailure) {
                if try runtime.files.status(target) == nil {
                    try body(target)
                    return target
                }
            } catch {
                guard error.code == .alreadyExists else { throw error }
            }
            target = FilePath.numbered(path, "\(number)")
        }
        throw AudioFailure(.limitReached, "All names for '\(path)' are taken.", path: path)
    }
}
