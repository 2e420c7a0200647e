import AudioRuntime
import AudioSimulation
import Glibc
import PlatformLinux
import TestSupport

/// What the victim is to do, and when it is to die of it.
struct Order {
    enum Job: String { case record, join, convert, resume }

    private let values: [String: String]
    let job: Job
    let board: KillBoard

    init(_ arguments: some Sequence<String>) throws {
        values = Dictionary(
            arguments.map { argument in
                let parts = argument.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            },
            uniquingKeysWith: { $1 }
        )
        guard let job = values["job"].flatMap(Job.init) else { throw SetupFailure("There is no such job.") }
        self.job = job
        board = try KillBoard(values["board"] ?? "")
    }

    func text(_ key: String) throws -> String {
        guard let value = values[key] else { throw SetupFailure("'\(key)' is missing.") }
        return value
    }

    /// Nil where it is not there.
    func number(_ key: String) -> Int? { values[key].flatMap { Int($0) } }

    /// Dies by SIGKILL instead of making the call of the order's number, counted from now.
    func arm(_ disk: FaultingFileStore) {
        guard let call = number("die") else { return }
        disk.set(FileFault(.stallWhile { kill(getpid(), SIGKILL) == 0 }, first: call, times: 1))
    }
}
