import CLinux
import Glibc
import Synchronization

/// A thread of our own with a name, for work that blocks. Never Swift's cooperative pool, never a dispatch queue.
package final class NamedThread: Sendable {
    private let handle: Mutex<pthread_t?>

    /// How urgent the work is to the machine.
    package enum Priority: Sendable {
        case normal
        /// Behind everything that somebody waits for: processor and disk serve others first.
        case background
    }

    private final class Start {
        let name: String
        let priority: Priority
        let body: @Sendable () -> Void
        init(name: String, priority: Priority, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.priority = priority
            self.body = body
        }
    }

    /// Starts at once.
    ///
    /// - Parameters:
    ///   - name: shown by debuggers and `top`; cut to 15 bytes by the kernel.
    ///   - body: what it does; the thread ends when it returns.
    package init(name: String, priority: Priority = .normal, _ body: @escaping @Sendable () -> Void) {
        let start = Unmanaged.passRetained(Start(name: name, priority: priority, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
                _ = kayit_set_thread_name(start.name)
                if start.priority == .background { kayit_lower_thread_priority() }
                start.body()
                return nil
            },
            start.toOpaque()
        )
        // No thread can be made only when the machine is out of memory or of threads; the work is then done here, so that
        // nothing waits for ever.
        if code != 0 {
            start.release()
            handle = Mutex(nil)
            body()
        } else {
            handle = Mutex(thread)
        }
    }

    /// Waits until the body has returned. May be called once, by another thread.
    package func join() {
        let thread = handle.withLock { handle in
            defer { handle = nil }
            return handle
        }
        if let thread { pthread_join(thread, nil) }
    }

    deinit {
        if let thread = handle.withLock({ $0 }) { pthread_detach(thread) }
    }
}

/// A counting signal between threads that never blocks the signaller: usable from a device thread.
package final class Wakeup: @unchecked Sendable {
    // Unchecked: `sem_t` is made for use by many threads at once; the pointer never changes.
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    package func signal() { sem_post(semaphore) }

    /// Waits for a signal, at most for `limit`; swallows further signals that are already there.
    ///
    /// - Returns: false when the limit passed without one.
    @discardableResult
    package func wait(atMost limit: Duration) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let (seconds, attoseconds) = limit.components
        deadline.tv_sec += Int(seconds)
        deadline.tv_nsec += Int(attoseconds / 1_000_000_000)
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        while kayit_semaphore_wait(semaphore, CLOCK_MONOTONIC, &deadline) != 0 {
            if errno != EINTR { return false }
        }
        while sem_trywait(semaphore) == 0 {}
        return true
    }
}
