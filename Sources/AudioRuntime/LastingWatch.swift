package import AudioCore
import Synchronization

/// Has the machine's conditions watched from the first question on, for those who ask again and again.
package final class LastingWatch: Sendable {
    private let observation = Mutex<(SystemConditions, any AnyObject & Sendable)?>(nil)
    private let changed: @Sendable (_ from: SystemState, _ to: SystemState) -> Void

    /// - Parameter changed: called with each change once somebody has asked, in order.
    package init(_ changed: @escaping @Sendable (SystemState, SystemState) -> Void = { _, _ in }) {
        self.changed = changed
    }

    /// As it is known now. Waits for nobody.
    package var now: SystemState {
        let conditions = Runtime.current.conditions
        if observation.withLock({ $0?.0 !== conditions }) {
            let before = Mutex(conditions.now)
            let begun = conditions.observe { [changed] now in
                changed(
                    before.withLock { before in
                        defer { before = now }
                        return before
                    },
                    now
                )
            }
            // The one before goes outside of the lock.
            let last = observation.withLock { observation in
                defer { observation = (conditions, begun) }
                return observation
            }
            withExtendedLifetime(last) {}
        }
        return conditions.now
    }
}
