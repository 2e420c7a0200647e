/// Bytes that can be read at any position: a file, or memory.
package protocol ByteSource: AnyObject, Sendable {
    /// The length now, in bytes.
    func size() throws(AudioFailure) -> Int64

    /// Reads up to `buffer.count` bytes at `offset`; fewer only at the end of the source.
    /// - Returns: the bytes read, 0 at or behind the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int
}

extension ByteSource {
    /// Exactly `count` bytes at `offset`, or nil where the source ends before. `count` must already be bounded by the
    /// caller: it is allocated.
    package func bytes(at offset: Int64, count: Int) throws(AudioFailure) -> [UInt8]? {
        guard offset >= 0, count >= 0 else { return nil }
        var failure: AudioFailure?
        let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(AudioFailure) {
                initialized = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return result.count == count ? result : nil
    }
}

/// An open file. Every call may come from any thread; writes to different ranges may overlap in time.
package protocol StoredFile: ByteSource {
    var path: String { get }

    /// Writes all of `bytes` at `offset`, extending the file where needed.
    /// - Throws: `noSpace`, `inputOutput`, `accessDenied`. What was written before the failure may be on the disk.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure)

    /// Returns when what was written has reached the disk (fdatasync).
    func synchronize() throws(AudioFailure)

    /// Lets the disk begin with what was written so far, and does not wait for it (sync_file_range): a `synchronize` to come
    /// has less to do. Promises nothing.
    func startWriteback()

    func truncate(to size: Int64) throws(AudioFailure)

    /// Reserves room on the disk up to `size` without changing the length of the file (fallocate, keep size). Where the
    /// file system cannot, nothing happens and no error is thrown; no room is `noSpace`.
    func reserve(upTo size: Int64) throws(AudioFailure)

    /// Copies `count` bytes of `source` from `sourceOffset` on to `offset` here, as `write` would; inside the kernel where
    /// it can. Within one file the ranges must not overlap, unless the target lies before the source.
    /// - Throws: as `write`, and `inputOutput` where the source ends before.
    func copyRange(from source: any StoredFile, sourceOffset: Int64, count: Int64, to offset: Int64)
        throws(AudioFailure)

    /// Takes the file's exclusive lock without waiting; false where another process or open has it. Gone with `close()`
    /// and with the process.
    func tryLock() throws(AudioFailure) -> Bool

    /// What is written from now on completes the file: it may use room that was kept back for that.
    func beginEnding()

    /// The same for every name and every hold of this file; nil where the store does not tell.
    func identity() throws(AudioFailure) -> FileIdentity?

    /// Where the file is now, which changes when it or a folder above it is renamed; nil once its last name is gone: what is
    /// written then is lost with `close()`.
    func place() throws(AudioFailure) -> String?

    func close()
}

extension StoredFile {
    package func startWriteback() {}

    /// Most files keep nothing back.
    package func beginEnding() {}

    package func identity() throws(AudioFailure) -> FileIdentity? { nil }

    /// Where nobody renames.
    package func place() throws(AudioFailure) -> String? { path }

    package func write(_ bytes: [UInt8], at offset: Int64) throws(AudioFailure) {
        var failure: AudioFailure?
        bytes.withUnsafeBytes { buffer in
            do throws(AudioFailure) { try write(buffer, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    package func copyRange(from source: any StoredFile, sourceOffset: Int64, count: Int64, to offset: Int64)
        throws(AudioFailure)
    {
        try copyPieces(from: source, sourceOffset: sourceOffset, count: count, to: offset)
    }

    /// `copyRange` by reading and writing, in bounded memory.
    package func copyPieces(from source: any StoredFile, sourceOffset: Int64, count: Int64, to offset: Int64)
        throws(AudioFailure)
    {
        var done: Int64 = 0
        while done < count {
            let size = Int(min(count - done, 256 << 10))
            guard let piece = try source.bytes(at: sourceOffset + done, count: size) else {
                throw AudioFailure(.inputOutput, "'\(source.path)' is shorter than it was.", path: source.path)
            }
            try write(piece, at: offset + done)
            done += Int64(size)
        }
    }
}

/// How a file is opened.
package enum FileOpening: Sendable, Hashable {
    case reading
    /// For reading and writing; must not exist yet.
    case creatingExclusively
    /// For reading and writing; must exist, keeps its content.
    case updating
}

package struct FileStatus: Sendable, Hashable {
    package var size: Int64
    package var isFolder: Bool
    /// Seconds since 1970 of the last modification.
    package var modified: Double
    /// The same for two names of one file; nil where the file system does not tell.
    package var identity: FileIdentity?

    package init(size: Int64, isFolder: Bool, modified: Double, identity: FileIdentity? = nil) {
        self.size = size
        self.isFolder = isFolder
        self.modified = modified
        self.identity = identity
    }
}

/// What makes two names of one file the same.
package struct FileIdentity: Sendable, Hashable {
    private var device: UInt64
    private var number: UInt64

    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// Files by path. Paths are bytes: nothing in them is read as a protocol, an option or an encoding.
package protocol FileStore: Sendable {
    func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile

    /// Nil where nothing is there.
    func status(_ path: String) throws(AudioFailure) -> FileStatus?

    /// Moves a file; atomically. With `replacing` false an existing target is `alreadyExists` and both stay.
    func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure)

    func remove(_ path: String) throws(AudioFailure)

    /// Makes one folder; those above it must be there.
    /// - Throws: `alreadyExists` where the name is taken, by whatever.
    func makeFolder(_ path: String) throws(AudioFailure)

    /// Removes an empty folder.
    /// - Throws: `busy` where something is in it.
    func removeFolder(_ path: String) throws(AudioFailure)

    /// The names in a folder, without "." and "..", in any order. Bytes that are not UTF-8 come as U+FFFD: such a name can
    /// be shown, but opens nothing.
    func contents(of path: String) throws(AudioFailure) -> [String]

    /// Sets the time of the last modification of a file or folder, in seconds since 1970. A later write changes it again.
    /// - Throws: `invalidArgument` for what is no time.
    func setModified(_ path: String, _ seconds: Double) throws(AudioFailure)

    /// Gives a file one more name; atomically. Both names are the same file.
    /// - Throws: `alreadyExists`; `unsupported` where the file system knows no second names, or the name lies on another.
    func link(_ path: String, to target: String) throws(AudioFailure)

    /// Makes one folder that only its owner looks into; those above it must be there.
    /// - Throws: `alreadyExists` where the name is taken, by whatever.
    func makePrivateFolder(_ path: String) throws(AudioFailure)

    /// The file system on which something lies: files can be moved within one. Nil where nothing is there.
    func volume(of path: String) throws(AudioFailure) -> UInt64?

    /// Returns when the entries of a folder have reached the disk.
    func synchronizeFolder(_ path: String) throws(AudioFailure)

    /// Bytes that can still be written under `path` by this user, in one file.
    func freeSpace(at path: String) throws(AudioFailure) -> Int64

    /// Bytes that one file of this process may have; nil for as many as the disk takes. Where it is reached, writes fail
    /// with `noSpace` and EFBIG.
    var largestFile: Int64? { get }
}

/// For stores without users, links and other volumes.
extension FileStore {
    package var largestFile: Int64? { nil }

    package func link(_ path: String, to target: String) throws(AudioFailure) {
        throw AudioFailure(.unsupported, "Files have one name here.", path: path)
    }

    package func makePrivateFolder(_ path: String) throws(AudioFailure) { try makeFolder(path) }

    package func volume(of path: String) throws(AudioFailure) -> UInt64? { try status(path) == nil ? nil : 0 }
}
