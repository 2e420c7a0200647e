import AudioCore

/// Files of which nothing has to reach the disk: in virtual time hours pass in seconds, and a disk that is waited for four
/// times in each of their seconds would take its time for all of them.
struct UnsynchronizedStore: FileStore {
    let base: any FileStore

    func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        UnsynchronizedFile(try base.open(path, opening))
    }

    func status(_ path: String) throws(AudioFailure) -> FileStatus? { try base.status(path) }

    func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        try base.rename(path, to: target, replacing: replacing)
    }

    func remove(_ path: String) throws(AudioFailure) { try base.remove(path) }
    func makeFolder(_ path: String) throws(AudioFailure) { try base.makeFolder(path) }
    func removeFolder(_ path: String) throws(AudioFailure) { try base.removeFolder(path) }
    func contents(of path: String) throws(AudioFailure) -> [String] { try base.contents(of: path) }

    func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) {
        try base.setModified(path, seconds)
    }

    func synchronizeFolder(_ path: String) {}
    func freeSpace(at path: String) throws(AudioFailure) -> Int64 { try base.freeSpace(at: path) }
}

private final class UnsynchronizedFile: StoredFile {
    private let file: any StoredFile

    init(_ file: any StoredFile) { self.file = file }

    var path: String { file.path }
    func size() throws(AudioFailure) -> Int64 { try file.size() }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        try file.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        try file.write(bytes, at: offset)
    }

    func truncate(to size: Int64) throws(AudioFailure) { try file.truncate(to: size) }
    func reserve(upTo size: Int64) throws(AudioFailure) { try file.reserve(upTo: size) }
    func synchronize() {}
    func beginEnding() { file.beginEnding() }
    func place() throws(AudioFailure) -> String? { try file.place() }
    func tryLock() throws(AudioFailure) -> Bool { try file.tryLock() }
    func close() { file.close() }
}
