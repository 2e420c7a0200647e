package import AudioCore
import Synchronization

/// The session file of a recording in parts: what belongs together, what is finished, and how far joining has come.
///
/// Text that only grows, one entry a line, each with a checksum of its own. A line that is torn or damaged is passed over,
/// and without the whole file the parts are found by their names: nothing depends on it but what it alone can know, that
/// parts are left over from a recording that was joined already.
package final class PartsLog: Sendable {
    package static let name = "recording.log"
    /// A day in parts of half a second takes 12 MB; nothing longer is read.
    private static let limit: Int64 = 64 << 20

    private struct State {
        var end: Int64
        /// What was written last may have been torn.
        var needsNewLine: Bool
    }

    private let file: any StoredFile
    private let state: Mutex<State>

    private init(_ file: any StoredFile, _ state: State) {
        self.file = file
        self.state = Mutex(state)
    }

    /// Makes the file and takes its lock, which says that somebody works on the parts.
    package static func create(in folder: String, files: any FileStore) throws(AudioFailure) -> PartsLog {
        let file = try files.makeLocked("\(folder)/\(name)")
        return PartsLog(file, State(end: 0, needsNewLine: false))
    }

    /// Opens the file, or makes it where it is missing, and takes its lock.
    /// - Throws: `busy` where somebody else has it.
    package static func open(in folder: String, files: any FileStore) throws(AudioFailure) -> PartsLog {
        let path = "\(folder)/\(name)"
        let file: any StoredFile
        if try files.status(path) == nil {
            file = try files.open(path, .creatingExclusively)
        } else {
            file = try files.open(path, .updating)
        }
        // Gone in the meantime: joined by another process while this one waited to look.
        guard try file.tryLock(), try files.isStill(file, at: path) else {
            file.close()
            throw AudioFailure(
                .busy,
                "The recording in '\(folder)' is in use: it is still being recorded or joined.",
                path: folder
            )
        }
        let size = try file.size()
        let last = size > 0 ? try file.bytes(at: size - 1, count: 1) : nil
        return PartsLog(file, State(end: size, needsNewLine: last.map { $0 != [UInt8(ascii: "\n")] } ?? false))
    }

    /// What the file of a folder says; empty where there is none, or nothing of it can be read.
    package static func entries(in folder: String, files: any FileStore) -> [Entry] {
        guard let file = try? files.open("\(folder)/\(name)", .reading) else { return [] }
        defer { file.close() }
        return entries(file)
    }

    package var entries: [Entry] { Self.entries(file) }

    private static func entries(_ file: any StoredFile) -> [Entry] {
        guard let size = try? file.size(), let bytes = try? file.bytes(at: 0, count: Int(min(size, limit))) else {
            return []
        }
        return CheckedLine.all(in: bytes).compactMap { Entry($0) }
    }

    /// Adds entries and waits until the disk has them.
    package func append(_ entries: [Entry]) throws(AudioFailure) {
        let bytes = entries.flatMap(\.line.bytes)
        let (position, text) = state.withLock { state in
            let text = (state.needsNewLine ? [UInt8(ascii: "\n")] : []) + bytes
            defer {
                state.end += Int64(text.count)
                // Until it is there.
                state.needsNewLine = true
            }
            return (state.end, text)
        }
        try file.write(text, at: position)
        state.withLock { $0.needsNewLine = false }
        try file.synchronize()
    }

    /// Lets go of the lock.
    package func close() { file.close() }
}
