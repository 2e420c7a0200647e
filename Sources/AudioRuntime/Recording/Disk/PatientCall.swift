import AudioCore
import PlatformLinux
import Synchronization

/// Work on a disk that somebody waits for, but not for ever: a disk that never answers would keep its caller, and a thread
/// inside a call of the kernel cannot be stopped. So the work has a thread of its own, which is left behind in the end.
enum PatientCall {
    /// Carries what was made from the thread that made it to the one that uses it.
    private struct Handed<Value>: @unchecked Sendable {
        // Unchecked: the maker lets go of it when it puts it into `Outcome.state`, and one of the two sides takes it out.
        let value: Value
    }

    private final class Outcome<Value>: Sendable {
        enum State {
            case awaited
            case there(Result<Handed<Value>, AudioFailure>)
            case givenUp
        }

        let state = Mutex(State.awaited)
        let answer = Wakeup()
    }

    /// Does `body` on another thread and waits for it until `deadline`.
    /// - Parameter late: hears, on that thread, what came of it after the deadline.
    /// - Returns: nil where the deadline has passed.
    static func run<Value>(
        until deadline: SuspendingClock.Instant,
        _ body: @escaping @Sendable () throws(AudioFailure) -> Value,
        late: @escaping @Sendable (Result<Value, AudioFailure>) -> Void = { _ in }
    ) throws(AudioFailure) -> Value? {
        let outcome = Outcome<Value>()
        _ = NamedThread(name: "kayit-disk") {
            let result: Result<Handed<Value>, AudioFailure>
            do throws(AudioFailure) { result = .success(Handed(value: try body())) } catch { result = .failure(error) }
            let isLate = outcome.state.withLock { state in
                if case .givenUp = state { return true }
                state = .there(result)
                return false
            }
            if isLate { late(result.map(\.value)) } else { outcome.answer.signal() }
        }
        while true {
            let left = SuspendingClock.now.duration(to: deadline)
            let result: Result<Handed<Value>, AudioFailure>? = outcome.state.withLock { state in
                if case .there(let result) = state { return result }
                if left <= .zero { state = .givenUp }
                return nil
            }
            if let result { return try result.get().value }
            if left <= .zero { return nil }
            outcome.answer.wait(atMost: left)
        }
    }
}
