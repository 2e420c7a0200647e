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
        let descriptor = try check(opening == .creatingExclusively ? "Cannot create" : "Cannot open", path) {
            Glibc.open(path, flags | O_CLOEXEC, 0o644)
        }
        // A folder opens for reading, a pipe would block for ever: neither is a file that can be read at a position.
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
            modified: Double(information.st_mtim.tv_sec) + Double(information.st_mtim.tv_nsec) / 1e9
        )
    }

    package func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        let result = systemCall {
            replacing ? Glibc.rename(path, target) : kayit_rename_noreplace(path, target)
        }
        guard case .failure(let error) = result else { return }
        // A file system without RENAME_NOREPLACE: a hard link fails on an existing target just as atomically.
        if !replacing, error.code == EINVAL {
            _ = try check("Cannot name", target) { link(path, target) }
            _ = try check("Cannot remove", path) { unlink(path) }
            return
        }
        throw error.failure("Cannot move '\(path)' to", path: target)
    }

    package func remove(_ path: String) throws(AudioFailure) {
        _ = try check("Cannot remove", path) { unlink(path) }
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
        return Int64(clamping: information.f_bavail.multipliedReportingOverflow(by: information.f_frsize).partialValue)
    }

    private func check<Result: SignedInteger>(_ what: String, _ path: String, _ body: () -> Result)
        throws(AudioFailure) -> Result
    {
        switch systemCall(body) {
        case .success(let value): return value
        case .failure(let error): throw error.failure(what, path: path)
        }
    }
}
