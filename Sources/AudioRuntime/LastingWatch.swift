import AudioCore
import Synchronization

/// Has the machine's conditions watched from the first question on, for those who ask again and again.
package enum LastingWatch {
    private static let observation = Mutex<(SystemConditions, any AnyObject & Sendable)?>(nil)

    /// Begins to watch the conditions of the runtime in force, unless that is done. `changed` is told by those whom this
    /// call begins.
    package static func begin() {
        let conditions = Runtime.current.conditions
        let isWatched = observation.withLock { $0?.0 === conditions }
        if isWatched { return }
        let begun = conditions.observe { _ in }
        // The one before goes outside of the lock.
        let before = observation.withLock { observation in
            defer { observation = (conditions, begun) }
            return observation
        }
        withExtendedLifetime(before) {}
    }
}
