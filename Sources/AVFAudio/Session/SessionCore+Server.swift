import AudioCore
import Dispatch

/// What the sound server asks of a stream.
extension SessionCore {
    /// A stream of this program is to wait for somebody else's sound (true), or may go on. Returns at once: it is called
    /// where a stream's own work is done, which an interruption waits for.
    func serverAsksToWait(_ waits: Bool) {
        Self.requests.async { [self] in
            if waits { interrupt(.server) } else { endInterruption(.server, shouldResume: true) }
        }
    }

    private static let requests = DispatchQueue(label: "kayit.session.server")
}
