import AudioCore
import Dispatch
import Synchronization

/// Delivers on the main queue, as Apple's frameworks do.
package struct MainQueueExecutor: CallbackExecutor {
    package init() {}

    package func enqueue(_ body: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: body) }
}

/// Delivers on a serial queue of its own: for programs and tests in which nothing runs the main queue.
package struct SerialQueueExecutor: CallbackExecutor {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}
