import AudioCore
import AudioRuntime
import Synchronization

/// A recorder or a player, as the reports of its engine reach it.
protocol ReportedObject: AnyObject {
    /// Before the delegate, and also where there is none.
    func hear(_ report: EngineReport)

    /// Passes a report on to the delegate, which has the type that the object's own property gave it.
    func pass(_ report: EngineReport, to delegate: AnyObject)
}

/// Brings an engine's reports to the object that Apple's API shows, and to its delegate, if both are still there.
final class DelegateReports<Object: ReportedObject>: Sendable {
    private let relay: DelegateRelay
    private let object = Mutex(WeakReference<Object>())

    init(relay: DelegateRelay) { self.relay = relay }

    func connect(_ object: Object) {
        let reference = WeakReference(object: object)
        self.object.withLock { $0 = reference }
    }

    /// On the runtime's callback executor, which is the main queue unless a program has put another in its place.
    func receive(_ report: EngineReport) {
        withObject { object in
            object.hear(report)
            if let delegate = relay.object { object.pass(report, to: delegate) }
        }
    }

    /// Gives the object to `body`, if it is still there. On the callback executor.
    func withObject(_ body: (Object) -> Void) {
        if let object = object.withLock({ Carried(object: $0.object) }).object { body(object) }
    }
}

/// Calls what belongs to the main actor from the callback executor.
///
/// The executor is the main queue, or what a program without a running main queue has put in its place and vouches for. The
/// check of `MainActor.assumeIsolated` would stop such a program, so it is left out.
func onMainActor(_ body: @MainActor () -> Void) {
    withoutActuallyEscaping(body) { body in
        let plain = unsafeBitCast(body, to: (() -> Void).self)
        plain()
    }
}
