package import AudioCore
import Glibc

extension FileStore {
    /// Makes an empty file and takes its lock, so that whoever looks for files that nobody works on any more finds either
    /// nothing or a lock.
    ///
    /// Between the two calls the file lies there empty and unlocked, and recovery may take it for what a killed recorder has
    /// left. Then this waits until recovery has decided, and makes the file again where it was moved away: what is given
    /// back has its lock and its name.
    /// - Throws: `busy` where somebody keeps the lock for seconds; what `open` throws.
    package func makeLocked(_ path: String) throws(AudioFailure) -> any StoredFile {
        for _ in 0..<Self.makingLimit {
            let file = try open(path, .creatingExclusively)
            do throws(AudioFailure) {
                try waitForLock(of: file)
                // Nobody can take it away from here on.
                if try isStill(file, at: path) { return file }
                file.close()
            } catch {
                file.close()
                // Who else has it decides what becomes of it.
                if error.code != .busy { try? remove(path) }
                throw error
            }
        }
        throw AudioFailure(.busy, "Something takes '\(path)' away whenever it is made.", path: path)
    }

    /// Whether `path` still names this open file; true where the store does not tell.
    func isStill(_ file: any StoredFile, at path: String) throws(AudioFailure) -> Bool {
        guard let own = try file.identity() else { return true }
        return try status(path)?.identity == own
    }

    private func waitForLock(of file: any StoredFile) throws(AudioFailure) {
        for _ in 0..<Self.lockLimit {
            if try file.tryLock() { return }
            usleep(1_000)
        }
        throw AudioFailure(.busy, "Another program holds the lock of the new file '\(file.path)'.", path: file.path)
    }

    private static var makingLimit: Int { 1_000 }
    /// Milliseconds. To look at an empty file takes less than one of them.
    private static var lockLimit: Int { 3_000 }
}
