import Dispatch
import Foundation
import Glibc
import Synchronization

/// `kayit` on a terminal of its own, as a person uses it.
package final class KayitOnTerminal: Sendable {
    package let process: ChildProcess
    private let controller: Int32
    private let terminal: Int32
    private let window = Window()

    /// What is shared with the thread that reads what is drawn.
    private final class Window: Sendable {
        let bytes = Mutex<[UInt8]>([])
        let isClosed = Atomic<Bool>(false)
        let readerEnded = DispatchSemaphore(value: 0)
    }

    package init(
        _ arguments: [String],
        in folder: TemporaryFolder,
        environment: [String: String] = Kayit.simulated,
        columns: Int = 80
    ) throws {
        // What openpty does, whose header Swift does not see: TIOCSPTLCK unlocks the other end, TIOCGPTN tells its number
        // (ioctl_tty(2)).
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard controller >= 0, ioctl(controller, 0x4004_5431, &isLocked) == 0,
            ioctl(controller, 0x8004_5430, &number) == 0
        else {
            throw SetupFailure("There is no terminal to be had.")
        }
        let path = "/dev/pts/\(number)"
        // Held open, so that its settings can be asked for after the program has gone.
        terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
        process = try ChildProcess(
            Kayit.command(arguments, in: folder),
            environment: environment,
            input: path,
            output: path,
            errors: path,
            leadsSession: true
        )
        let reader = Thread { [window, controller] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            // Not in `read` while the terminal is closed: the call would keep it open.
            while !window.isClosed.load(ordering: .acquiring) {
                var poll = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
                guard Glibc.poll(&poll, 1, 20) > 0 else { continue }
                let count = read(controller, &bytes, bytes.count)
                guard count > 0 else { break }
                window.bytes.withLock { $0 += bytes.prefix(count) }
            }
            window.readerEnded.signal()
        }
        reader.start()
    }

    deinit {
        process.kill()
        hangUp()
    }

    /// Closes the window: the kernel sends SIGHUP, and reading from the terminal and writing to it fail from then on.
    package func hangUp() {
        guard !window.isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        window.readerEnded.wait()
        close(terminal)
        close(controller)
    }

    package func type(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(controller, $0.baseAddress, $0.count) }
    }

    package func signal(_ number: Int32) { process.signal(number) }

    package func wait() -> Int32 { process.wait(within: 30) }

    /// Everything that was written to the terminal.
    package var screen: String { String(decoding: window.bytes.withLock { $0 }, as: UTF8.self) }

    /// The last state of the line that is drawn again and again.
    package var progressLine: String { screen.components(separatedBy: "\r").last { $0.contains("\u{1B}[K") } ?? "" }

    package func shows(_ text: String, within seconds: Double = 10) -> Bool {
        eventually(within: seconds) { screen.contains(text) }
    }

    /// Whether the terminal echoes and waits for whole lines, as shells leave it.
    package var isInLineMode: Bool {
        var settings = termios()
        tcgetattr(terminal, &settings)
        return settings.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
    }
}
