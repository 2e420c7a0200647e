package import AudioCore
import Glibc
import Synchronization

/// Files and folders in memory that remember what has not reached the disk, so that a power cut can be tried at any
/// moment.
///
/// It is a disk of the unkindest kind that the promises of POSIX allow: contents become durable by `synchronize` alone,
/// names by `synchronizeFolder` of their folder alone.
package final class MemoryFileStore: FileStore {
    /// Lock of the disk.
    private let disk: Mutex<MemoryDisk>

    /// An empty disk.
    ///
    /// - Parameter folders: what is there besides `/`, with all above it.
    package convenience init(folders: [String] = ["/takes"]) { self.init(MemoryDisk(folders: folders)) }

    init(_ disk: MemoryDisk) { self.disk = Mutex(disk) }

    /// Bytes that fit, over all files; writes beyond fail with `noSpace` after writing what fits. Nil for no limit.
    package func setCapacity(_ bytes: Int64?) { disk.withLock { $0.capacity = bytes } }

    /// Bytes that one file may have, as `ulimit -f` has it; nil for no limit. Writes beyond fail with EFBIG after writing what
    /// fits. Room can be reserved behind it, as on ext4.
    package func setLargestFile(_ bytes: Int64?) { disk.withLock { $0.largestFile = bytes } }

    package var largestFile: Int64? { disk.withLock { $0.largestFile } }

    /// What a machine finds after its power failed now. The store itself goes on unharmed.
    ///
    /// - Parameters:
    ///   - seed: decides what became of everything that was not synchronised.
    ///   - fate: nil lets the seed choose for every write by itself.
    package func afterPowerCut(seed: UInt64, fate: PowerCut.Fate? = nil) -> MemoryFileStore {
        let cut = PowerCut(seed: seed, fate: fate)
        return MemoryFileStore(disk.withLock { cut.disk(after: $0) })
    }

    /// The names in a folder, in order.
    package func names(in folder: String) -> [String] {
        disk.withLock { $0.names.names(in: folder) }
    }

    /// The content of a file as programs see it.
    package func content(of path: String) -> [UInt8]? {
        disk.withLock { disk in disk.names.files[path].flatMap { disk.files[$0]?.bytes } }
    }

    package func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        let result: Result<Int, AudioFailure> = disk.withLock { disk in
            let folders = disk.names.folders
            guard folders.contains(MemoryDisk.folder(of: path)) else { return .failure(.on(path, .open, ENOENT)) }
            if folders.contains(path) { return .failure(.on(path, .open, EISDIR)) }
            switch (opening, disk.names.files[path]) {
            case (.creatingExclusively, .some): return .failure(.on(path, .open, EEXIST))
            case (.creatingExclusively, nil): return .success(disk.create(path))
            case (_, let file?): return .success(file)
            case (_, nil): return .failure(.on(path, .open, ENOENT))
            }
        }
        return MemoryStoreFile(path: path, number: try result.get(), store: self, isWritable: opening != .reading)
    }

    package func status(_ path: String) throws(AudioFailure) -> FileStatus? {
        disk.withLock { disk in
            if disk.names.folders.contains(path) {
                return FileStatus(size: 0, isFolder: true, modified: disk.folderTimes[path] ?? 0)
            }
            guard let number = disk.names.files[path], let file = disk.files[number] else { return nil }
            return FileStatus(
                size: Int64(file.bytes.count),
                isFolder: false,
                modified: file.modified,
                identity: Self.identity(number)
            )
        }
    }

    fileprivate static func identity(_ number: Int) -> FileIdentity {
        FileIdentity(device: 0, number: UInt64(number))
    }

    package func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        let failure: AudioFailure? = disk.withLock { disk in
            if disk.names.folders.contains(path) { return .on(path, .rename, EISDIR) }
            guard let number = disk.names.files[path] else { return .on(path, .rename, ENOENT) }
            if disk.names.folders.contains(target) { return .on(target, .rename, EISDIR) }
            if !replacing, disk.names.files[target] != nil { return .on(target, .rename, EEXIST) }
            guard disk.names.folders.contains(MemoryDisk.folder(of: target)) else {
                return .on(target, .rename, ENOENT)
            }
            disk.change(.move(number, from: path, to: target))
            return nil
        }
        if let failure { throw failure }
    }

    package func remove(_ path: String) throws(AudioFailure) {
        let isThere = disk.withLock { disk in
            guard disk.names.files[path] != nil else { return false }
            disk.change(.unlink(path))
            return true
        }
        if !isThere { throw .on(path, .remove, ENOENT) }
    }

    package func link(_ path: String, to target: String) throws(AudioFailure) {
        let failure: AudioFailure? = disk.withLock { disk in
            guard let number = disk.names.files[path] else { return .on(path, .link, ENOENT) }
            guard disk.names.folders.contains(MemoryDisk.folder(of: target)) else { return .on(target, .link, ENOENT) }
            if disk.names.files[target] != nil || disk.names.folders.contains(target) {
                return .on(target, .link, EEXIST)
            }
            disk.change(.link(number, target))
            return nil
        }
        if let failure { throw failure }
    }

    package func makeFolder(_ path: String) throws(AudioFailure) {
        let failure: AudioFailure? = disk.withLock { disk in
            if disk.names.folders.contains(path) || disk.names.files[path] != nil {
                return .on(path, .makeFolder, EEXIST)
            }
            guard disk.names.folders.contains(MemoryDisk.folder(of: path)) else {
                return .on(path, .makeFolder, ENOENT)
            }
            disk.change(.makeFolder(path))
            return nil
        }
        if let failure { throw failure }
    }

    package func removeFolder(_ path: String) throws(AudioFailure) {
        let failure: AudioFailure? = disk.withLock { disk in
            if disk.names.files[path] != nil { return .on(path, .removeFolder, ENOTDIR) }
            guard disk.names.folders.contains(path) else { return .on(path, .removeFolder, ENOENT) }
            guard path != "/", disk.names.names(in: path).isEmpty else { return .on(path, .removeFolder, ENOTEMPTY) }
            disk.change(.removeFolder(path))
            disk.folderTimes[path] = nil
            return nil
        }
        if let failure { throw failure }
    }

    package func contents(of path: String) throws(AudioFailure) -> [String] {
        let names = disk.withLock { $0.names.folders.contains(path) ? $0.names.names(in: path) : nil }
        guard let names else { throw .on(path, .contents, ENOENT) }
        return names
    }

    /// The disk has it at once: no promise of ours depends on a date.
    package func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) {
        guard seconds.isFinite else { throw .on(path, .setModified, EINVAL) }
        let isThere = disk.withLock { disk in
            if disk.names.folders.contains(path) {
                disk.folderTimes[path] = seconds
                return true
            }
            guard let number = disk.names.files[path] else { return false }
            disk.files[number]?.modified = seconds
            return true
        }
        if !isThere { throw .on(path, .setModified, ENOENT) }
    }

    package func synchronizeFolder(_ path: String) throws(AudioFailure) {
        let isThere = disk.withLock { disk in
            disk.synchronize(folder: path)
            return disk.names.folders.contains(path)
        }
        if !isThere { throw .on(path, .synchronizeFolder, ENOENT) }
    }

    package func freeSpace(at path: String) throws(AudioFailure) -> Int64 {
        disk.withLock { disk in
            min(disk.capacity.map { max($0 - disk.usedBytes, 0) } ?? .max, disk.largestFile ?? .max)
        }
    }

    // MARK: For open files

    fileprivate func read<Result: Sendable>(_ number: Int, _ body: (MemoryDisk.File) -> Result?) -> Result? {
        disk.withLock { disk in disk.files[number].flatMap(body) }
    }

    fileprivate func write(_ number: Int, _ bytes: [UInt8], at offset: Int64, path: String) throws(AudioFailure) {
        let refusal: Int32? = disk.withLock { disk in
            let end = Int(offset) + bytes.count
            let allowed = min(end, disk.largestFile.map { Int($0) } ?? end)
            let fitting = disk.fitting(number, upTo: allowed)
            let part = bytes.prefix(max(0, fitting - Int(offset)))
            if !part.isEmpty { disk.change(.write(Array(part), at: Int(offset)), of: number) }
            if part.count == bytes.count { return nil }
            return fitting < allowed ? ENOSPC : EFBIG
        }
        if let refusal { throw .on(path, .write, refusal) }
    }

    fileprivate func truncate(_ number: Int, to size: Int64) {
        disk.withLock { $0.change(.truncate(Int(size)), of: number) }
    }

    fileprivate func reserve(_ number: Int, upTo size: Int64, path: String) throws(AudioFailure) {
        let isFull = disk.withLock { disk in
            if disk.fitting(number, upTo: Int(size)) < Int(size) { return true }
            disk.files[number]?.reserve(upTo: Int(size))
            return false
        }
        if isFull { throw .on(path, .reserve, ENOSPC) }
    }

    fileprivate func forgetUnsynchronized(_ number: Int) { disk.withLock { $0.files[number]?.changes = [] } }

    fileprivate func place(of number: Int) -> String? {
        disk.withLock { disk in disk.names.files.filter { $0.value == number }.keys.min() }
    }

    fileprivate func synchronize(_ number: Int) { disk.withLock { $0.synchronize(file: number) } }

    fileprivate func lock(_ number: Int, _ owner: ObjectIdentifier) -> Bool {
        disk.withLock { disk in
            if let holder = disk.locks[number] { return holder == owner }
            disk.locks[number] = owner
            return true
        }
    }

    fileprivate func unlock(_ number: Int, _ owner: ObjectIdentifier) {
        disk.withLock { if $0.locks[number] == owner { $0.locks[number] = nil } }
    }
}

extension AudioFailure {
    fileprivate static func on(_ path: String, _ call: FileCall, _ number: Int32) -> AudioFailure {
        .injected(number, call, path: path)
    }
}

/// An open file of a `MemoryFileStore`; the file itself outlives its name.
private final class MemoryStoreFile: ForgettingFile {
    let path: String
    private let number: Int
    private let store: MemoryFileStore
    private let isWritable: Bool

    init(path: String, number: Int, store: MemoryFileStore, isWritable: Bool) {
        self.path = path
        self.number = number
        self.store = store
        self.isWritable = isWritable
    }

    deinit { close() }

    func size() throws(AudioFailure) -> Int64 { Int64(store.read(number) { $0.bytes.count } ?? 0) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        guard offset >= 0 else { throw .on(path, .read, EINVAL) }
        let wanted = buffer.count
        let part = store.read(number) { file -> [UInt8] in
            let start = min(Int(offset), file.bytes.count)
            return Array(file.bytes[start..<min(start + wanted, file.bytes.count)])
        }
        guard let part else { return 0 }
        buffer.copyBytes(from: part)
        return part.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        guard isWritable else { throw .on(path, .write, EBADF) }
        guard (0...MemoryDisk.sizeLimit).contains(offset + Int64(bytes.count)), offset >= 0 else {
            throw .on(path, .write, EFBIG)
        }
        try store.write(number, Array(bytes), at: offset, path: path)
    }

    func synchronize() throws(AudioFailure) { store.synchronize(number) }

    func forgetUnsynchronized() { store.forgetUnsynchronized(number) }

    func truncate(to size: Int64) throws(AudioFailure) {
        guard (0...MemoryDisk.sizeLimit).contains(size) else { throw .on(path, .truncate, EFBIG) }
        store.truncate(number, to: size)
    }

    func reserve(upTo size: Int64) throws(AudioFailure) {
        guard (0...MemoryDisk.sizeLimit).contains(size) else { throw .on(path, .reserve, EFBIG) }
        try store.reserve(number, upTo: size, path: path)
    }

    func identity() throws(AudioFailure) -> FileIdentity? { MemoryFileStore.identity(number) }

    func place() throws(AudioFailure) -> String? { store.place(of: number) }

    func tryLock() throws(AudioFailure) -> Bool { store.lock(number, ObjectIdentifier(self)) }

    func close() { store.unlock(number, ObjectIdentifier(self)) }
}
