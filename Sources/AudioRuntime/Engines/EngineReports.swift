package import AudioCore

/// What the owner of an engine is told.
package enum EngineReport: Sendable {
    case finished(successfully: Bool)
    case failed(AudioFailure)
    /// Somebody else has taken the sound; the work stands still.
    case interruptionBegan
    case interruptionEnded(shouldResume: Bool)
}

/// Brings reports to the owner of an engine, in order, on the runtime's callback executor: never from inside a call.
package struct EngineReports: Sendable {
    private let callbacks: any CallbackExecutor
    private let deliver: @Sendable (EngineReport) -> Void

    init(_ callbacks: any CallbackExecutor, deliver: @escaping @Sendable (EngineReport) -> Void) {
        self.callbacks = callbacks
        self.deliver = deliver
    }

    package func tell(_ report: EngineReport) {
        let deliver = self.deliver
        callbacks.enqueue { deliver(report) }
    }

    /// Runs `body` after every report so far has been given to the owner.
    package func afterAll(_ body: @escaping @Sendable () -> Void) { callbacks.enqueue(body) }
}
