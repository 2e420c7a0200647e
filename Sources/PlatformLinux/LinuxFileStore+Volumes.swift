package import AudioCore
import Glibc

/// Second names, private folders and file systems.
extension LinuxFileStore {
    package func link(_ path: String, to target: String) throws(AudioFailure) {
        guard case .failure(let error) = systemCall({ Glibc.link(path, target) }) else { return }
        var failure = error.failure("Cannot link '\(path)' to", path: target)
        // FAT and many network file systems say EPERM, the others that the call is unknown.
        if [EXDEV, EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) { failure.code = .unsupported }
        throw failure
    }

    package func makePrivateFolder(_ path: String) throws(AudioFailure) {
        if case .failure(let error) = systemCall({ mkdir(path, 0o700) }) {
            throw error.failure("Cannot make the folder", path: path)
        }
    }

    package func volume(of path: String) throws(AudioFailure) -> UInt64? {
        var information = stat()
        if case .failure(let error) = systemCall({ stat(path, &information) }) {
            if error.failureCode == .notFound { return nil }
            throw error.failure("Cannot look at", path: path)
        }
        return UInt64(information.st_dev)
    }
}
