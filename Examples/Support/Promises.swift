package import Foundation

/// What an example promises, point by point: prints each promise, and makes the program fail when one is not kept.
@MainActor
package final class Promises {
    private var kept = 0
    private var broken = 0

    package init() {}

    /// Prints whether a promise of `point` holds.
    package func keep(_ point: String, _ promise: String, _ holds: Bool) {
        print("\(point) \(holds ? "kept" : "BROKEN"): \(promise)")
        if holds { kept += 1 } else { broken += 1 }
    }

    /// Prints what happened, which is no promise.
    package func note(_ point: String, _ text: String) { print("\(point) note: \(text)") }

    /// Prints the sum and ends the program: 0 when everything was kept, 1 otherwise.
    package func finish() -> Never {
        print("\(kept) promises kept, \(broken) broken")
        exit(broken == 0 && kept > 0 ? 0 : 1)
    }
}

/// Lets the main queue work for `seconds`, as an app's run loop does while the person waits.
@MainActor
package func letTimePass(_ seconds: TimeInterval) {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end { RunLoop.main.run(until: min(end, Date(timeIntervalSinceNow: 0.01))) }
}

/// Lets the main queue work until `condition` holds, for `limit` seconds at most.
/// - Returns: whether it came to hold.
@MainActor
package func wait(upTo limit: TimeInterval, until condition: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: limit)
    while !condition() {
        guard Date() < end else { return false }
        RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
    }
    return true
}
