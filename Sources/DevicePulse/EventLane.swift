import AudioCore
import Dispatch
import Synchronization

/// Carries the events of one stream outward, one at a time, on a thread on which no lock is held.
final class EventLane: Sendable {
    private let queue = DispatchQueue(label: "kayit-pulse-events")
    private let isOpen = Atomic<Bool>(true)
    private let handler: @Sendable (StreamEvent) -> Void
    private static let current = DispatchSpecificKey<ObjectIdentifier>()

    init(_ handler: @escaping @Sendable (StreamEvent) -> Void) {
        self.handler = handler
        queue.setSpecific(key: Self.current, value: ObjectIdentifier(self))
    }

    /// Never blocks; allowed on the loop's thread.
    func post(_ event: StreamEvent) {
        queue.async { [self] in
            if isOpen.load(ordering: .acquiring) { handler(event) }
        }
    }

    /// Lets nothing more out, and waits for the call that is under way, unless it is that call which asks.
    func close() {
        isOpen.store(false, ordering: .releasing)
        if DispatchQueue.getSpecific(key: Self.current) == ObjectIdentifier(self) { return }
        queue.sync {}
    }

    /// Like `close`, without waiting.
    func silence() { isOpen.store(false, ordering: .releasing) }
}
