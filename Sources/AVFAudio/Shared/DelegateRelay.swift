import Synchronization

/// A weak reference that a lock may hold.
struct WeakReference<Object: AnyObject>: @unchecked Sendable {
    // Unchecked: lives inside the `Mutex` of `DelegateRelay` only.
    weak var object: Object?
}

/// The delegate of a recorder or player, which the client may set and release at any time and on any thread.
final class DelegateRelay: Sendable {
    private let delegate = Mutex(WeakReference<AnyObject>())

    var object: AnyObject? {
        get { delegate.withLock { $0.object } }
        set {
            let reference = WeakReference(object: newValue)
            delegate.withLock { $0 = reference }
        }
    }
}

/// Carries an object to the thread of the callbacks, which is the only one that uses it there.
struct Carried<Object>: @unchecked Sendable {
    // Unchecked: handed over once, by the callback executor.
    let object: Object
}
