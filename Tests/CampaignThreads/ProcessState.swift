import Foundation
import Glibc

/// What a process holds: what must be back after everything is over.
struct ProcessState: CustomStringConvertible {
    var descriptors: Int
    var threads: Int
    /// Bytes of memory that are resident.
    var memory: Int

    static var now: ProcessState {
        trimMemory()
        func count(_ path: String) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
            .split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return ProcessState(
            descriptors: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
            memory: (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        )
    }

    var description: String { "\(descriptors) descriptors, \(threads) threads, \(memory >> 10) KiB" }

    /// Gives back to the system what is free. Swift does not see the header of `malloc_trim`.
    private static func trimMemory() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }
}
