import AudioCore
import Glibc

/// What a store of files is asked to do.
package enum FileCall: String, Sendable, Hashable, CaseIterable {
    case open, status, rename, link, remove, synchronizeFolder, freeSpace
    case makeFolder, removeFolder, contents, setModified
    case size, read, write, synchronize, truncate, reserve, lock

    /// Calls that change what is on the disk, or make sure of it.
    package static let changing: Set<FileCall> = [
        .open, .rename, .link, .remove, .makeFolder, .removeFolder, .setModified, .synchronizeFolder, .write,
        .synchronize,
        .truncate, .reserve,
    ]
}

/// What goes wrong, with which calls, and when.
package struct FileFault: Sendable {
    package enum Effect: Sendable {
        /// The call does nothing and fails with this errno.
        case fail(Int32)
        /// A write brings `fraction` of its bytes to the file, rounded down, and then fails; other calls only fail.
        case short(Int32, fraction: Double)
        /// A synchronisation fails with this errno, and what had not reached the disk never will, though the file still
        /// shows it: what Linux does. Other calls only fail.
        case forget(Int32)
        /// The call takes this much longer.
        case slow(Duration)
        /// The call waits until `FaultingFileStore.release()`, and then succeeds.
        case stall
        /// The call waits for as long as this holds, or until `FaultingFileStore.release()`, and then succeeds.
        case stallWhile(@Sendable () -> Bool)
    }

    package var effect: Effect
    /// The calls it concerns.
    package var calls: Set<FileCall>
    /// The first matching call that it strikes, from 1; counted from the moment at which the fault is set.
    package var first: Int
    /// How many matching calls it strikes from there; nil for all.
    package var times: Int?

    package init(
        _ effect: Effect,
        calls: Set<FileCall> = FileCall.changing,
        first: Int = 1,
        times: Int? = nil
    ) {
        self.effect = effect
        self.calls = calls
        self.first = first
        self.times = times
    }

    /// Whether the matching call of this number is struck.
    func strikes(_ number: Int) -> Bool {
        number >= first && times.map { number - first < $0 } ?? true
    }
}

extension AudioFailure {
    /// What a system call that failed with `number` gives.
    static func injected(_ number: Int32, _ call: FileCall, path: String) -> AudioFailure {
        AudioFailure(
            Code(fileError: number),
            "Cannot \(call.rawValue) '\(path)': \(String(cString: strerror(number))).",
            errno: number,
            path: path
        )
    }
}
