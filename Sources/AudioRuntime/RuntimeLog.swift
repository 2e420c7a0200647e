package import AudioCore
import Glibc

/// Where the reason of a refusal goes that Apple's API can only answer with `false`.
///
/// Apple's frameworks write such things to the system log. Here they go to standard error, and only where
/// `KAYIT_LOG` is set: a library must not write into a program's terminal unasked.
package enum RuntimeLog {
    private static let isEnabled = HostSelection.environment("KAYIT_LOG") != nil

    package static func note(_ what: String, _ failure: AudioFailure) { note("\(what): \(failure.message)") }

    package static func note(_ text: String) {
        guard isEnabled else { return }
        let line = Array("kayit: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
