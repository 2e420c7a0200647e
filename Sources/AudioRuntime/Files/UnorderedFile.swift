import AudioCore

/// A new file under a hidden name, of which nothing has to be on the disk before all of it is: what its writer wants to
/// wait for is only begun, so that the disk works while the rest is made; or not even that, where nobody will wait for it.
final class UnorderedFile: StoredFile {
    private let file: any StoredFile
    private let beginsToWrite: Bool

    /// - Parameter beginsToWrite: false where the disk may write it whenever it likes.
    init(_ file: any StoredFile, beginsToWrite: Bool = true) {
        self.file = file
        self.beginsToWrite = beginsToWrite
    }

    var path: String { file.path }

    func synchronize() throws(AudioFailure) { startWriteback() }
    func startWriteback() { if beginsToWrite { file.startWriteback() } }

    func size() throws(AudioFailure) -> Int64 { try file.size() }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        try file.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        try file.write(bytes, at: offset)
    }

    func truncate(to size: Int64) throws(AudioFailure) { try file.truncate(to: size) }
    func reserve(upTo size: Int64) throws(AudioFailure) { try file.reserve(upTo: size) }

    func copyRange(from source: any StoredFile, sourceOffset: Int64, count: Int64, to offset: Int64)
        throws(AudioFailure)
    {
        // The kernel copies only between files that it knows.
        let source = (source as? UnorderedFile)?.file ?? source
        try file.copyRange(from: source, sourceOffset: sourceOffset, count: count, to: offset)
    }

    func tryLock() throws(AudioFailure) -> Bool { try file.tryLock() }
    func identity() throws(AudioFailure) -> FileIdentity? { try file.identity() }
    func close() { file.close() }
}
