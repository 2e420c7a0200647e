package import AudioCore
import PlatformLinux
import Synchronization

/// The joining of one recording, on a thread of low priority that depends on nobody: the recorder may go away meanwhile.
package final class JoinJob: Sendable {
    package typealias Outcome = Result<PartsJoin.Result, AudioFailure>

    /// A join that may begin when the parts are closed.
    struct Start: Sendable {
        var join: PartsJoin
        /// Nothing has to be copied or waited for: it is done before the job is made.
        var isQuick: Bool
        /// Blocks until the parts are closed.
        var waitForParts: @Sendable () -> Void
    }

    private struct State {
        var outcome: Outcome?
        var waiting: [@Sendable (Outcome) -> Void] = []
    }

    /// The folder of the parts.
    package let folder: String
    private let state = Mutex(State())

    /// Starts at once.
    /// - Parameter notify: hears how it goes, on the thread of the job or the caller's.
    init(_ start: Start, in runtime: Runtime, notify: @escaping @Sendable (TakeNotice) -> Void) {
        folder = start.join.folderPath
        if start.isQuick {
            run(start.join, runtime, notify)
        } else {
            _ = NamedThread(name: "kayit-join", priority: .background) { [self] in
                start.waitForParts()
                run(start.join, runtime, notify)
            }
        }
    }

    private func run(_ join: PartsJoin, _ runtime: Runtime, _ notify: @Sendable (TakeNotice) -> Void) {
        let outcome: Outcome
        do throws(AudioFailure) {
            let result = try join.run(in: runtime) { parts, count in
                notify(.joining(parts: parts, of: count))
                return true
            }
            outcome = .success(result)
            notify(.joined(path: result.path, frames: result.frames))
        } catch {
            outcome = .failure(error)
            RuntimeLog.note("joining '\(folder)'", error)
            notify(.joinFailed(error, folder: folder))
        }
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.outcome = outcome
            return state.waiting
        }
        for body in waiting { body(outcome) }
    }

    /// Nil while it goes on.
    package var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Calls `body` with the outcome, at once where there is one.
    package func whenDone(_ body: @escaping @Sendable (Outcome) -> Void) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiting.append(body) }
            return state.outcome
        }
        if let outcome { body(outcome) }
    }

    /// Blocks until it is done.
    package func wait() -> Outcome {
        let wake = Wakeup()
        whenDone { _ in wake.signal() }
        while true {
            if let outcome { return outcome }
            wake.wait(atMost: .seconds(1))
        }
    }
}
