import Glibc
import Synchronization

/// Signals as bytes in a pipe, from the moment at which `watch` returns: none is lost on its way to whoever reads it, and
/// none is handled anywhere but there.
///
/// A dispatch source takes a signal over some time after it was activated. Whatever the program says of that signal in
/// between either loses one, or takes it away from the source for good.
enum SignalPipe {
    /// The end that the handler writes to; −1 where there is none.
    private static let writeEnd = Atomic<Int32>(-1)
    private static let readEnd: Int32? = {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writeEnd.store(ends[1], ordering: .releasing)
        return ends[0]
    }()

    /// From now on these signals do nothing but come out of the pipe.
    ///
    /// SIGHUP stays ignored where the program was started so: that is what `nohup` is for.
    /// - Returns: the end to read from, where each byte is the number of a signal; nil where no pipe can be made, and the
    ///   signals do what they always do.
    static func watch(_ numbers: [Int32]) -> Int32? {
        guard let readEnd else { return nil }
        for number in numbers {
            var before = sigaction()
            sigaction(number, nil, &before)
            let isIgnored = before.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
            if number == SIGHUP, isIgnored { continue }
            var action = sigaction()
            sigemptyset(&action.sa_mask)
            action.sa_flags = SA_RESTART
            action.__sigaction_handler.sa_handler = { number in
                // Async-signal-safe: one write, and the error number of the code that was interrupted stays.
                let error = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(SignalPipe.writeEnd.load(ordering: .relaxed), &byte, 1)
                errno = error
            }
            sigaction(number, &action, nil)
        }
        return readEnd
    }

    /// Takes out what has come, in order.
    static func take() -> [Int32] {
        guard let readEnd else { return [] }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(readEnd, &bytes, bytes.count)
        return count > 0 ? bytes.prefix(count).map { Int32($0) } : []
    }
}
