package import Foundation
import Glibc
package import RecordingKit

/// Where a command's words go: results to standard output, everything else to standard error, or both into memory.
///
/// Writing never blocks a recording: a reader that does not read loses progress lines at once and other lines after two
/// seconds.
@MainActor
package final class Console {
    /// Which of the two streams.
    package enum Stream: Int32, Sendable {
        case output = 1
        case error = 2
    }

    /// True where results are JSON objects, one a line, and people's words are left out.
    package var isJSON = false
    /// True where a line can be drawn again and again and keys be read.
    package let isInteractive: Bool
    /// True where the terminal shows more than ASCII.
    package let isUnicode: Bool

    /// Between two ticks of a command that shows how things go. Meters look back over 80 ms: where their peaks are shown or
    /// printed, none must be missed. Where nobody looks, a sleeping processor sleeps on.
    package var tick: Duration { isInteractive || isJSON ? .milliseconds(50) : .milliseconds(500) }

    private let write: @Sendable (Stream, [UInt8], _ patience: Duration) -> Void
    private var progressLines = 0
    private let encoder: JSONEncoder

    package init(
        isInteractive: Bool,
        isUnicode: Bool,
        write: @escaping @Sendable (Stream, [UInt8], _ patience: Duration) -> Void
    ) {
        self.isInteractive = isInteractive
        self.isUnicode = isUnicode
        self.write = write
        encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// The console of the process.
    package static func standard() -> Console {
        Console(
            // Behind a shell's `&`, the terminal is somebody else's.
            isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
                && tcgetpgrp(STDIN_FILENO) == getpgrp(),
            isUnicode: Locale.isUnicode(ProcessInfo.processInfo.environment),
            write: { stream, bytes, patience in writeAll(bytes, to: stream.rawValue, patience: patience) }
        )
    }

    /// Columns of the terminal, 80 where there is none.
    package var columns: Int {
        var size = winsize()
        for descriptor in [STDERR_FILENO, STDOUT_FILENO] where isatty(descriptor) == 1 {
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        }
        return 80
    }

    /// A result for people; nothing in JSON mode.
    package func result(_ text: String) { if !isJSON { line(text, .output) } }

    /// A remark for people while something goes on; nothing in JSON mode.
    package func remark(_ text: String) { if !isJSON { line(text, .error) } }

    /// A failure: for people in every mode, and for scripts as an object with its code.
    package func fail(_ error: RecordingError) {
        record(ErrorLine(code: error.code.description, message: error.message, path: error.path))
        line("kayit: \(error.message)", .error)
    }

    /// A command line that cannot be followed.
    package func fail(_ usage: UsageError) {
        record(ErrorLine(code: "usage", message: usage.message))
        line("kayit: \(usage.message)", .error)
    }

    /// Text of our own that is laid out in lines (help, drawings).
    package func layout(_ text: String) {
        clearProgress()
        write(.output, Array(text.utf8), .seconds(2))
    }

    /// A result for scripts; nothing in the other mode.
    package func record(_ value: some Encodable, isProgress: Bool = false) {
        guard isJSON, var bytes = try? Array(encoder.encode(value)) else { return }
        bytes.append(UInt8(ascii: "\n"))
        write(.output, bytes, isProgress ? .zero : .seconds(2))
    }

    /// Draws the lines that show how things go, over those before. Only on a terminal.
    package func progress(_ lines: String...) { progress(lines) }

    /// The same for any number of lines, which stays as it is until the drawing ends.
    package func progress(_ lines: [String]) {
        guard isInteractive, !isJSON, !lines.isEmpty else { return }
        // To the first column of the first line; each line erases what a longer one before has left of itself.
        let drawing = lines.map { $0.printable + "\u{1B}[K" }.joined(separator: "\r\n")
        write(.error, Array((home + drawing).utf8), .zero)
        progressLines = lines.count
    }

    /// Ends the drawing of `progress`, so that it stays to be read.
    package func keepProgress() {
        guard progressLines > 0 else { return }
        progressLines = 0
        write(.error, Array("\n".utf8), .seconds(2))
    }

    private func clearProgress() {
        guard progressLines > 0 else { return }
        // Erases everything below, too.
        write(.error, Array((home + "\u{1B}[J").utf8), .seconds(2))
        progressLines = 0
    }

    /// Takes the cursor from the last line of the drawing to its beginning.
    private var home: String { progressLines > 1 ? "\r\u{1B}[\(progressLines - 1)A" : "\r" }

    private func line(_ text: String, _ stream: Stream) {
        clearProgress()
        write(stream, Array((text.printable + "\n").utf8), .seconds(2))
    }
}

/// What `--json` prints for a failure.
private struct ErrorLine: Encodable {
    var event = "error"
    var code: String
    var message: String
    var path: String?
}

extension Locale {
    /// Whether the environment's character set is UTF-8, by POSIX's order of variables.
    package static func isUnicode(_ environment: [String: String]) -> Bool {
        let value = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (value ?? "").uppercased()
        return name.hasSuffix("UTF-8") || name.hasSuffix("UTF8") || name.contains("UTF-8@")
    }
}

/// Writes all bytes that the descriptor takes within `patience`; the rest is dropped.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32, patience: Duration) {
    var rest = bytes[...]
    while !rest.isEmpty {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let milliseconds = Int32(patience.components.seconds * 1000)
        let ready = Glibc.poll(&poll, 1, milliseconds)
        if ready < 0, errno == EINTR { continue }
        guard ready > 0 else { return }
        // A pipe that is ready takes PIPE_BUF bytes without blocking, not more.
        let count = rest.prefix(4096).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}
