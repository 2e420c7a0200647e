import AudioCore
import Synchronization

/// Lets the pump be made before the engine that hears of its failures.
final class FailureRelay: Sendable {
    private let receiver = Mutex<(@Sendable (AudioFailure) -> Void)?>(nil)

    func connect(_ receiver: @escaping @Sendable (AudioFailure) -> Void) {
        self.receiver.withLock { $0 = receiver }
    }

    func send(_ failure: AudioFailure) { receiver.withLock { $0 }?(failure) }
}
