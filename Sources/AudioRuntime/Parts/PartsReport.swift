package import AudioCore

/// What lies in the folder of a recording in parts.
package struct PartsReport: Sendable, Equatable {
    package enum State: Sendable {
        /// It is still being recorded or joined, by this process or another.
        case inUse
        /// Its recorder ended before it could say so.
        case unfinished
        /// All parts are there; they can be joined.
        case complete
        /// The joined file is in its place, and the parts were kept.
        case joined
    }

    package struct Part: Sendable, Equatable {
        package var path: String
        package var frames: FrameCount
        package var integrity: MediaIntegrity
    }

    package var folder: String
    /// What the parts become, as it was asked for; nil where neither the session file nor the folder's name tells.
    package var target: String?
    package var parts: [Part]
    /// 0 where no part can be read.
    package var sampleRate: Double
    package var state: State
    /// Whether the parts were to be kept once they are joined.
    package var keepsParts: Bool

    package var frames: FrameCount { parts.reduce(.zero) { $0 + $1.frames } }

    /// Looks at the parts' heads. Nothing is changed, and no lock is kept.
    /// - Throws: `notFound` where nothing there is a recording in parts.
    package init(folder path: String, in runtime: Runtime) throws(AudioFailure) {
        let folder = PartsFolder(path: path)
        let files = runtime.files
        guard try files.status(folder.path)?.isFolder == true else {
            throw AudioFailure(.notFound, "'\(path)' is not a folder.", path: path)
        }
        let entries = PartsLog.entries(in: folder.path, files: files)
        let session = PartsSession(entries)
        let found = try folder.parts(of: session.container, files: files)
        if found.isEmpty, entries.isEmpty {
            throw AudioFailure(.notFound, "There are no parts of a recording in '\(path)'.", path: path)
        }
        self.folder = folder.path
        let name = session.joined?.target ?? session.target ?? folder.targetName
        target = name.map { "\(FilePath.folder(of: folder.path))/\($0)" }
        keepsParts = session.keepsParts
        sampleRate = session.stream?.sampleRate ?? 0
        parts = []
        for part in found {
            let (entry, rate) = Self.look(at: part.path, runtime)
            parts.append(entry)
            if rate > 0 { sampleRate = rate }
        }
        if Self.isInUse(folder.path, files) {
            state = .inUse
        } else if session.joined != nil {
            state = .joined
        } else {
            state = session.ended == nil ? .unfinished : .complete
        }
    }

    /// One that cannot be read has no frames, and the reason.
    private static func look(at path: String, _ runtime: Runtime) -> (part: Part, sampleRate: Double) {
        do throws(AudioFailure) {
            let file = try runtime.files.open(path, .reading)
            defer { file.close() }
            let reader = try runtime.media.openReader(file)
            let part = Part(path: path, frames: reader.validFrames ?? 0, integrity: reader.integrity)
            return (part, reader.stream.sampleRate)
        } catch {
            return (Part(path: path, frames: 0, integrity: .unfinished(reason: error.message)), 0)
        }
    }

    private static func isInUse(_ folder: String, _ files: any FileStore) -> Bool {
        guard let file = try? files.open("\(folder)/\(PartsLog.name)", .reading) else { return false }
        defer { file.close() }
        return (try? file.tryLock()) == false
    }
}
