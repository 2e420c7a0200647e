import Glibc
import Synchronization

/// Keys one by one and unseen, for as long as a command wants them; the terminal's own ways come back on every way out.
package final class TerminalMode {
    /// The terminal's settings before ours; nil while they are in force. Also put back by `exit`.
    private static let saved = Mutex<termios?>(nil)
    private static let restoreAtExit: Void = { _ = atexit { TerminalMode.restore() } }()

    /// Nil where standard input is no terminal, or this process is not the one in its foreground.
    package init?() {
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(), Self.enter() else { return nil }
    }

    deinit { Self.restore() }

    /// Sets our mode again, after a shell has had the terminal in between.
    package func resume() {
        Self.restore()
        _ = Self.enter()
    }

    private static func enter() -> Bool {
        _ = restoreAtExit
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
        let before = settings
        // Signals stay keys of the terminal: Ctrl-C works as everywhere. Output keeps its line ends.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Ctrl-S would stop our output, and Ctrl-Z all of us: a stopped process hears nothing.
        settings.c_iflag &= ~tcflag_t(IXON)
        withUnsafeMutableBytes(of: &settings.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
            keys[Int(VSUSP)] = 0
        }
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) == 0 else { return false }
        saved.withLock { $0 = before }
        return true
    }

    private static func restore() {
        let before = saved.withLock { saved in
            defer { saved = nil }
            return saved
        }
        guard var before else { return }
        // A background process that touches the terminal is stopped by SIGTTOU: never at the end of a recording.
        let ignored = signal(SIGTTOU, SIG_IGN)
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
        signal(SIGTTOU, ignored)
    }
}
