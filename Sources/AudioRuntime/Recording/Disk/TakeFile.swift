package import AudioCore
import Glibc
import Synchronization

/// The file of a recording: keeps room on the disk in front of what is written next, and writes again what a disk failed to
/// take.
///
/// The room is reserved in steps. The last of it is kept back for the ending, so that a disk that is full is found out
/// while the file can still be completed. What is left over is given back when the file is closed.
package final class TakeFile: StoredFile {
    private struct State {
        /// The end of what was written.
        var end: Int64 = 0
        /// The end of the room that is reserved.
        var reserved: Int64 = 0
        var isEnding = false
        var isClosed = false
        var writes = UnsynchronizedWrites()
    }

    /// Bytes in front of the last write, the first of these that there is room for.
    static let steps: [Int64] = [256 << 10, 64 << 10, 16 << 10, 4 << 10, 0]
    /// Bytes that only the ending may use.
    package static let endingRoom: Int64 = 16 << 10
    /// Bytes that are written at most without the disk having them for certain, as long as they are kept in memory.
    private static let unsynchronizedLimit = 8 << 20

    private let base: any StoredFile
    /// Lock of the numbers only: never held while the file is called.
    private let state = Mutex(State())

    package init(_ base: any StoredFile) { self.base = base }

    deinit { close() }

    package var path: String { base.path }

    /// Bytes that can be written without asking the disk for more, those for the ending left out.
    package var roomAhead: Int64 { state.withLock { max($0.reserved - $0.end - Self.endingRoom, 0) } }

    package func beginEnding() { state.withLock { $0.isEnding = true } }

    // MARK: Room

    /// - Throws: `noSpace` only. Whatever else goes wrong with reserving, and a largest size of files, which not every file
    ///   system looks at here, the write itself finds out.
    package func reserve(upTo size: Int64) throws(AudioFailure) {
        do throws(AudioFailure) {
            try base.reserve(upTo: size)
            state.withLock { $0.reserved = max($0.reserved, size) }
        } catch {
            if error.code == .noSpace, error.errno != EFBIG { throw error }
        }
    }

    /// - Throws: `noSpace` where what is left belongs to the ending.
    private func makeRoom(upTo end: Int64) throws(AudioFailure) {
        let isThere = state.withLock { $0.isEnding || end + Self.endingRoom <= $0.reserved || end <= $0.end }
        if isThere { return }
        var refusal: AudioFailure?
        for step in Self.steps {
            do throws(AudioFailure) {
                return try reserve(upTo: end + Self.endingRoom + step)
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
    }

    // MARK: Writing

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        let end = offset + Int64(bytes.count)
        try makeRoom(upTo: end)
        // A write that fails may leave a part.
        let keptBytes = state.withLock { state in
            state.end = max(state.end, end)
            state.writes.note(bytes, at: offset)
            return state.writes.byteCount
        }
        try base.write(bytes, at: offset)
        if keptBytes > Self.unsynchronizedLimit { try synchronize() }
    }

    package func copyRange(from source: any StoredFile, sourceOffset: Int64, count: Int64, to offset: Int64)
        throws(AudioFailure)
    {
        try makeRoom(upTo: offset + count)
        state.withLock { state in
            state.end = max(state.end, offset + count)
            state.writes.noteCopy(count, at: offset)
        }
        let source = (source as? TakeFile)?.base ?? source
        try base.copyRange(from: source, sourceOffset: sourceOffset, count: count, to: offset)
    }

    package func truncate(to size: Int64) throws(AudioFailure) {
        state.withLock { $0.writes.noteCut(size) }
        try base.truncate(to: size)
        state.withLock { state in
            state.end = size
            state.reserved = min(state.reserved, size)
        }
    }

    /// A disk that fails gets everything again that it has not confirmed, once.
    package func synchronize() throws(AudioFailure) {
        do throws(AudioFailure) {
            try base.synchronize()
        } catch {
            let writes = state.withLock { $0.writes }
            do {
                try writes.repeatAll(on: base)
                try base.synchronize()
            } catch _ {
                throw error
            }
        }
        state.withLock { $0.writes.removeAll() }
    }

    package func close() {
        let isOver: Bool? = state.withLock { state in
            if state.isClosed { return nil }
            state.isClosed = true
            state.writes.removeAll()
            return state.reserved > state.end
        }
        guard let isOver else { return }
        // Room behind the end of a file goes with a cut that changes nothing else.
        if isOver, let size = try? base.size() { try? base.truncate(to: size) }
        base.close()
    }

    // MARK: What the file does by itself

    package func size() throws(AudioFailure) -> Int64 { try base.size() }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        try base.read(into: buffer, at: offset)
    }

    package func startWriteback() { base.startWriteback() }

    package func tryLock() throws(AudioFailure) -> Bool { try base.tryLock() }

    package func identity() throws(AudioFailure) -> FileIdentity? { try base.identity() }

    package func place() throws(AudioFailure) -> String? { try base.place() }
}
