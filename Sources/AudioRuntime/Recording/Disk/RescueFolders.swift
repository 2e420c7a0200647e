import AudioCore
import Synchronization

/// Where a recording goes on when its disk takes no more of it: the first of some folders that takes a new file.
final class RescueFolders: Sendable {
    private struct State {
        /// Folders that were not tried yet, or took the last file.
        var folders: [String]
        /// The file that is written now, once there is one here.
        var path: String?
    }

    private let files: any FileStore
    private let name: String
    private let inUse: FileInUse
    /// Lock of the folders and the path only. Writer thread.
    private let state: Mutex<State>

    /// - Parameter path: the recording that may have to move.
    init(_ folders: [String], for path: String, files: any FileStore, inUse: FileInUse) {
        self.files = files
        self.inUse = inUse
        name = FilePath.lastComponent(path)
        let own = FilePath.folder(of: path)
        state = Mutex(State(folders: folders.filter { $0 != own }))
    }

    /// The file that is written here now; nil before the first move.
    var path: String? { state.withLock { $0.path } }

    /// Has `writer` leave its file and go on in the first folder that takes another.
    /// - Throws: what was in the way in the last of them; `failure` where there is none.
    func move(_ writer: PartedWriter, after failure: AudioFailure) throws(AudioFailure) {
        var failure = failure
        // A folder whose file fails now was taken before.
        state.withLock { state in
            if state.path != nil { state.folders.removeFirst() }
            state.path = nil
        }
        while let folder = state.withLock({ $0.folders.first }) {
            do throws(AudioFailure) {
                return try writer.moveOn(to: RescuePlace(self, folder: folder))
            } catch {
                failure = error
                // One that has failed is not tried again.
                _ = state.withLock { $0.folders.removeFirst() }
            }
        }
        throw failure
    }

    /// Makes a file in `folder` with a name that tells what it belongs to.
    fileprivate func make(in folder: String, suffix: String) throws(AudioFailure) -> (path: String, file: TakeFile) {
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        for number in 1...999 {
            let words = number == 1 ? suffix : "\(suffix) \(number)"
            let path = "\(folder)/\(name[..<dot]) (\(words))\(name[dot...])"
            do throws(AudioFailure) {
                return (path, TakeFile(try files.makeLocked(path)))
            } catch {
                if error.code != .alreadyExists { throw error }
            }
        }
        throw AudioFailure(.alreadyExists, "All names for the rest of '\(name)' are taken.", path: folder)
    }

    fileprivate func begin(in folder: String) throws(AudioFailure) -> TakeFile {
        let (path, file) = try make(in: folder, suffix: "continued")
        state.withLock { $0.path = path }
        inUse.file = file
        return file
    }

    fileprivate func synchronize(_ folder: String) throws(AudioFailure) { try files.synchronizeFolder(folder) }

    fileprivate func takeBack() {
        guard let path = path else { return }
        try? files.remove(path)
        state.withLock { $0.path = nil }
    }

    /// Copies a file whose last name is gone, while it is still held.
    fileprivate func keep(_ file: any StoredFile, in folder: String) throws(AudioFailure) {
        if try file.place() != nil { return }
        let size = try file.size()
        let (path, copy) = try make(in: folder, suffix: "removed")
        defer { copy.close() }
        do throws(AudioFailure) {
            try copy.reserve(upTo: size)
            copy.beginEnding()
            try copy.copyRange(from: file, sourceOffset: 0, count: size, to: 0)
            try copy.synchronize()
            try files.synchronizeFolder(folder)
        } catch {
            try? files.remove(path)
            throw error
        }
    }
}

/// One of the folders, for the writer.
private struct RescuePlace: PartedWriter.Place {
    private let rescue: RescueFolders
    private let folder: String

    init(_ rescue: RescueFolders, folder: String) {
        self.rescue = rescue
        self.folder = folder
    }

    func takeOver(_ file: any StoredFile) throws(AudioFailure) { try rescue.keep(file, in: folder) }

    func makePart(_ number: Int, start: FrameCount) throws(AudioFailure) -> any StoredFile {
        try rescue.begin(in: folder)
    }

    func partIsReady(_ number: Int) throws(AudioFailure) { try rescue.synchronize(folder) }

    func partFailed(_ number: Int) { rescue.takeBack() }

    func partIsFinished(_ number: Int, frames: FrameCount) {}

    func recordingIsFinished(frames: FrameCount) {}
}
