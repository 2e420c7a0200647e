package import AudioCore
import Dispatch
import Synchronization

/// Where the control calls of an engine take turns, and the state that only they see.
package final class ControlQueue<State: Sendable>: Sendable {
    private let queue: DispatchQueue
    /// Taken on `queue` only, so the lock is never waited for; it says to the compiler what the queue guarantees.
    private let state: Mutex<State>

    /// - Parameter label: shown by debuggers.
    package init(label: String, _ state: State) {
        queue = DispatchQueue(label: label)
        self.state = Mutex(state)
    }

    /// Runs `body` in its turn and waits for it. Never called from a body.
    package func sync<Result: Sendable>(
        _ body: (inout State) throws(AudioFailure) -> Result
    ) throws(AudioFailure) -> Result {
        let result: Swift.Result<Result, AudioFailure> = queue.sync {
            state.withLock { state in
                do throws(AudioFailure) { return .success(try body(&state)) } catch { return .failure(error) }
            }
        }
        return try result.get()
    }

    /// Runs `body` in its turn, after `delay` at the earliest. What `body` captures is released after its turn has ended: an
    /// engine that goes with it may use the queue's state in its `deinit`.
    package func async(after delay: Duration = .zero, _ body: @escaping @Sendable (inout State) -> Void) {
        let turn: @Sendable () -> Void = { [self] in state.withLock { body(&$0) } }
        if delay <= .zero { return queue.async(execute: turn) }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay.inNanoseconds)), execute: turn)
    }

    /// The last use, by an owner that nobody else has any more: in its `deinit`, where no call can be under way.
    package func last(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
}
