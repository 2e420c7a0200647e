import Foundation
import Synchronization

/// A number behind a lock that one of two threads does not take.
private final class Unguarded: @unchecked Sendable {
    // Unchecked: wrong on purpose.
    let lock = Mutex(())
    var number = 0
}

/// Shows that the sanitizer still sees what is wrong: with the locks that it is told of, and with one that is missing.
func raceOnPurpose() {
    let state = Unguarded()
    let group = DispatchGroup()
    for thread in 0..<4 {
        group.enter()
        Thread.detachNewThread {
            for _ in 0..<20_000 {
                if thread == 0 { state.number += 1 } else { state.lock.withLock { _ in state.number += 1 } }
            }
            group.leave()
        }
    }
    group.wait()
    print("\(state.number) of 80000")
}
