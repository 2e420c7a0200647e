package import AudioCore
import CLinux
import Glibc

/// The machine's files, by system call.
package struct LinuxFileStore: FileStore {
    package init() {}

    package func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        let flags: Int32 =
            switch opening {
            case .reading: O_RDONLY
            case .creatingExclusively: O_RDWR | O_CREAT | O_EXCL
            case .updating: O_RDWR
            }
        // A pipe would wait for its other end, a device for its carrier; for files the flag means nothing.
        let descriptor = try check(opening == .creatingExclusively ? "Cannot create" : "Cannot open", path) {
            Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o644)
        }
        // A folder opens for reading, and so does a pipe: neither is a file that can be read at a position.
        var information = stat()
        let isRegular = fstat(descriptor, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
        guard isRegular else {
            Glibc.close(descriptor)
            throw AudioFailure(.accessDenied, "Cannot open '\(path)': it is not a regular file.", path: path)
        }
        return LinuxFile(path: path, descriptor: descriptor)
    }

    package func status(_ path: String) throws(AudioFailure) -> FileStatus? {
        var information = stat()
        if case .failure(let error) = systemCall({ stat(path, &information) }) {
            if error.failureCode == .notFound { return nil }
            throw error.failure("Cannot look at", path: path)
        }
        return FileStatus(
            size: Int64(information.st_size),
            isFolder: information.st_mode & S_IFMT == S_IFDIR,
            modified: Double(information.st_mtim.tv_sec) + Double(information.st_mtim.tv_nsec) / 1e9,
            identity: FileIdentity(device: UInt64(information.st_dev), number: UInt64(information.st_ino))
        )
    }

    package func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        let result = systemCall {
            replacing ? Glibc.rename(path, target) : kayit_rename_noreplace(path, target)
        }
        guard case .failure(let error) = result else { return }
        // A file system without RENAME_NOREPLACE: a hard link fails on an existing target just as atomically.
        if !replacing, error.code == EINVAL {
            _ = try check("Cannot name", target) { Glibc.link(path, target) }
            _ = try check("Cannot remove", path) { unlink(path) }
            return
        }
        throw error.failure("Cannot move '\(path)' to", path: target)
    }

    package func remove(_ path: String) throws(AudioFailure) {
        _ = try check("Cannot remove", path) { unlink(path) }
    }

    package func makeFolder(_ path: String) throws(AudioFailure) {
        _ = try check("Cannot make the folder", path) { mkdir(path, 0o755) }
    }

    package func removeFolder(_ path: String) throws(AudioFailure) {
        _ = try check("Cannot remove the folder", path) { rmdir(path) }
    }

    package func contents(of path: String) throws(AudioFailure) -> [String] {
        let descriptor = try check("Cannot open the folder", path) {
            Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard let stream = fdopendir(descriptor) else {
            let error = Errno(code: errno)
            Glibc.close(descriptor)
            throw error.failure("Cannot read the folder", path: path)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // Nil is the end or a failure: only errno tells.
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw Errno(code: errno).failure("Cannot read the folder", path: path) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    package func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) {
        guard let whole = Int(exactly: seconds.rounded(.down)) else {
            throw AudioFailure(.invalidArgument, "\(seconds) is no time for '\(path)'.", path: path)
        }
        let nanoseconds = min(Int((seconds - Double(whole)) * 1e9), 999_999_999)
        _ = try check("Cannot set the time of", path) { kayit_set_modified(path, whole, nanoseconds) }
    }

    package func synchronizeFolder(_ path: String) throws(AudioFailure) {
        let descriptor = try check("Cannot open the folder", path) {
            Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        defer { Glibc.close(descriptor) }
        // Some file systems cannot synchronise a folder and say EINVAL: there is nothing more to do there.
        if case .failure(let error) = systemCall({ fsync(descriptor) }), error.code != EINVAL {
            throw error.failure("Cannot synchronise the folder", path: path)
        }
    }

    package func freeSpace(at path: String) throws(AudioFailure) -> Int64 {
        var information = statvfs()
        _ = try check("Cannot ask for the free space at", path) { statvfs(path, &information) }
        let free = Int64(
            clamping: information.f_bavail.multipliedReportingOverflow(by: information.f_frsize).partialValue
        )
        return min(free, largestFile ?? .max)
    }

    package var largestFile: Int64? { largestFileOfProcess }

    private func check<Result: SignedInteger>(_ what: String, _ path: String, _ body: () -> Result)
        throws(AudioFailure) -> Result
    {
        switch systemCall(body) {
        case .success(let value): return value
        case .failure(let error): throw error.failure(what, path: path)
        }
    }
}
