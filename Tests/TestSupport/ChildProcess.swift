import Foundation
import Glibc
import Synchronization

/// A program that runs beside the test.
///
/// Foundation's `Process` waits on a run loop, which hangs on the threads of Swift Testing; this one waits by system call.
package final class ChildProcess: Sendable {
    private let state: Mutex<pid_t?>

    /// - Parameters:
    ///   - arguments: the program, found by the search path, and what it is given.
    ///   - environment: replaces variables of this process.
    ///   - input, output, errors: files; /dev/null where left out.
    ///   - leadsSession: begins a session of its own: a terminal that it opens as its input becomes its terminal.
    package init(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "/dev/null",
        output: String = "/dev/null",
        errors: String = "/dev/null",
        leadsSession: Bool = false
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // At least a group of its own, so that its children can be ended with it. The number is POSIX_SPAWN_SETSID, which the
        // headers show to GNU sources only.
        let group = leadsSession ? 0x80 : Int16(POSIX_SPAWN_SETPGROUP)
        // The threads of Swift Testing block every signal, and a child inherits that: it could not be ended, nor end itself
        // by an alarm.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // What runs the tests may ignore signals, as shells have it for programs behind `&`.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, group | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, arguments[0], &actions, &attributes, &argv, &envp)
        if code != 0 { throw SetupFailure("\(arguments[0]) cannot be run: \(String(cString: strerror(code)))") }
        state = Mutex(pid)
    }

    deinit { kill() }

    /// Seconds that its threads have waited for a processor so far, all together; 0 where the kernel does not say.
    package var processorWait: Double {
        let pid = state.withLock { $0 } ?? 0
        let tasks = "/proc/\(pid)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        // Nanoseconds on a processor, nanoseconds in the queue for one, turns (proc(5), schedstat).
        let waits = threads.compactMap { thread in
            (try? String(contentsOfFile: "\(tasks)/\(thread)/schedstat", encoding: .utf8))?
                .split(separator: " ").dropFirst().first.flatMap { Double($0) }
        }
        return waits.reduce(0, +) / 1e9
    }

    /// Sends a signal to the program and its children.
    package func signal(_ number: Int32) {
        state.withLock { pid in
            if let pid { _ = Glibc.kill(-pid, number) }
        }
    }

    /// Ends it as a crash would, and waits until it is gone.
    package func kill() {
        signal(SIGKILL)
        _ = wait()
    }

    /// Waits for the end, at most for so many seconds; a process that goes on is killed then.
    ///
    /// - Returns: as `wait()`, so 137 for one that had to be killed.
    package func wait(within seconds: Double) -> Int32 {
        let hasEnded = eventually(within: seconds) {
            state.withLock { pid in
                var information = siginfo_t()
                guard let pid else { return true }
                return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) != 0
                    || information.si_signo == SIGCHLD
            }
        }
        if !hasEnded { signal(SIGKILL) }
        return wait()
    }

    /// Waits for the end.
    ///
    /// - Returns: its exit status, or 128 + the signal that ended it; −1 where that was asked before.
    package func wait() -> Int32 {
        let pid = state.withLock { pid in
            defer { pid = nil }
            return pid
        }
        guard let pid else { return -1 }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }
}

/// A failure of the test's own set-up.
package struct SetupFailure: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}

/// Asks every 5 ms until it is so.
///
/// - Returns: false when the limit passed before it was.
@discardableResult
package func eventually(within seconds: Double = 5, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
        if try condition() { return true }
        Thread.sleep(forTimeInterval: 0.005)
    }
    return try condition()
}
