package import AudioCore
import CLinux
import Glibc
import Synchronization

/// One open file of the machine.
package final class LinuxFile: StoredFile {
    package let path: String
    /// −1 when closed. Calls hold the lock only to read it: a close while another thread is inside a call is a mistake of
    /// the caller, which the closing order (writer thread ended first) rules out.
    private let descriptor: Mutex<Int32>
    /// The end of the room that is reserved: what lies in front of it need not be looked at again.
    private let reserved = Mutex<Int64>(0)

    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = Mutex(descriptor)
    }

    deinit { close() }

    package func close() {
        let open = descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if open >= 0 { Glibc.close(open) }
    }

    package func size() throws(AudioFailure) -> Int64 {
        let descriptor = try current()
        var information = stat()
        _ = try check("Cannot look at") { fstat(descriptor, &information) }
        return Int64(information.st_size)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        guard offset >= 0 else { throw AudioFailure(.invalidArgument, "A file offset is negative.", path: path) }
        let descriptor = try current()
        var total = 0
        while total < buffer.count {
            guard let base = buffer.baseAddress else { break }
            let count = try check("Cannot read") {
                pread(descriptor, base + total, buffer.count - total, off_t(offset) + off_t(total))
            }
            if count == 0 { break }
            total += count
        }
        return total
    }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        guard offset >= 0 else { throw AudioFailure(.invalidArgument, "A file offset is negative.", path: path) }
        let descriptor = try current()
        var total = 0
        while total < bytes.count {
            guard let base = bytes.baseAddress else { break }
            let count = try check("Cannot write to") {
                withoutSizeSignal {
                    pwrite(descriptor, base + total, bytes.count - total, off_t(offset) + off_t(total))
                }
            }
            total += count
        }
    }

    package func synchronize() throws(AudioFailure) {
        let descriptor = try current()
        _ = try check("Cannot bring to the disk") { fdatasync(descriptor) }
    }

    package func startWriteback() {
        guard let descriptor = try? current() else { return }
        // A file system that cannot has nothing to begin with.
        _ = kayit_start_writeback(descriptor)
    }

    package func truncate(to size: Int64) throws(AudioFailure) {
        let descriptor = try current()
        _ = try check("Cannot cut") { withoutSizeSignal { ftruncate(descriptor, off_t(size)) } }
        reserved.withLock { $0 = min($0, size) }
    }

    package func reserve(upTo size: Int64) throws(AudioFailure) {
        let descriptor = try current()
        let start = reserved.withLock { $0 }
        if size <= start { return }
        let result = systemCall {
            withoutSizeSignal { kayit_reserve_keeping_size(descriptor, off_t(start), off_t(size - start)) }
        }
        if case .failure(let error) = result {
            if error.code == EOPNOTSUPP || error.code == ENOSYS { return }
            throw error.failure("Cannot reserve room for", path: path)
        }
        reserved.withLock { $0 = max($0, size) }
    }

    package func identity() throws(AudioFailure) -> FileIdentity? {
        let descriptor = try current()
        var information = stat()
        _ = try check("Cannot look at") { fstat(descriptor, &information) }
        return FileIdentity(device: UInt64(information.st_dev), number: UInt64(information.st_ino))
    }

    package func place() throws(AudioFailure) -> String? {
        let descriptor = try current()
        var information = stat()
        _ = try check("Cannot look at") { fstat(descriptor, &information) }
        if information.st_nlink == 0 { return nil }
        var name = [CChar](repeating: 0, count: 8 << 10)
        let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
        // Without /proc, and with a name longer than any.
        guard count > 0, count < name.count else { return path }
        return String(decoding: name[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package func copyRange(from source: any StoredFile, sourceOffset: Int64, count: Int64, to offset: Int64)
        throws(AudioFailure)
    {
        guard sourceOffset >= 0, offset >= 0 else {
            throw AudioFailure(.invalidArgument, "A file offset is negative.", path: path)
        }
        var done: Int64 = 0
        if let source = source as? LinuxFile {
            let (from, target) = (try source.current(), try current())
            copying: while done < count {
                let size = Int(min(count - done, Self.largestCopy))
                let result = systemCall {
                    withoutSizeSignal {
                        kayit_copy_range(from, off_t(sourceOffset + done), target, off_t(offset + done), size)
                    }
                }
                switch result {
                case .success(let copied) where copied > 0: done += Int64(copied)
                // The source's end, or a file system that pretends: reading tells which.
                case .success: break copying
                // Between file systems, on those without it, within overlapping ranges.
                case .failure(let error) where [EXDEV, EOPNOTSUPP, ENOSYS, EINVAL, EPERM].contains(error.code):
                    break copying
                case .failure(let error): throw error.failure("Cannot copy '\(source.path)' to", path: path)
                }
            }
        }
        try copyPieces(from: source, sourceOffset: sourceOffset + done, count: count - done, to: offset + done)
    }

    /// Bytes that one call of the kernel copies: it cannot be interrupted meanwhile.
    private static let largestCopy: Int64 = 64 << 20

    package func tryLock() throws(AudioFailure) -> Bool {
        let descriptor = try current()
        switch systemCall({ flock(descriptor, LOCK_EX | LOCK_NB) }) {
        case .success: return true
        case .failure(let error) where error.code == EWOULDBLOCK: return false
        case .failure(let error): throw error.failure("Cannot lock", path: path)
        }
    }

    private func current() throws(AudioFailure) -> Int32 {
        let value = descriptor.withLock { $0 }
        if value < 0 { throw AudioFailure(.internal, "'\(path)' is closed.", path: path) }
        return value
    }

    private func check<Result: SignedInteger>(_ what: String, _ body: () -> Result) throws(AudioFailure) -> Result {
        switch systemCall(body) {
        case .success(let value): return value
        case .failure(let error): throw error.failure(what, path: path)
        }
    }
}
