package import AudioCore

/// The clock of a simulation: virtual, or the machine's own where the simulation runs in real time.
package struct VirtualClock: HostClock {
    private let lifetime: SimulationLifetime

    init(_ lifetime: SimulationLifetime) { self.lifetime = lifetime }

    package var now: HostTime { HostTime(nanoseconds: lifetime.core.now()) }

    /// Takes part in the time: it does not run past `time` before this call could return.
    package func sleep(until time: HostTime) { lifetime.core.sleep(until: time.nanoseconds) }

    package func call(at time: HostTime, _ body: @escaping @Sendable () -> Void) {
        guard lifetime.core.pace != .real else { return }
        let core = lifetime.core
        core.withLock { core.schedule(at: time.nanoseconds) { [unowned core] in core.post(from: nil, body) } }
    }

    package func hold() -> (any AnyObject & Sendable)? {
        lifetime.core.pace == .stepped ? SimulationHold(lifetime) : nil
    }

    /// Lets time pass and waits until everything up to then has happened: frames taken and given, events delivered.
    ///
    /// - Parameters:
    ///   - duration: 0 or more. In real time the call sleeps.
    ///   - limit: the longest wait by the machine's clock.
    /// - Returns: false where a stream's other side neither took nor gave frames, so that time could not go on within
    ///   `limit`.
    @discardableResult
    package func advance(by duration: Duration, limit: Duration = .seconds(30)) -> Bool {
        lifetime.core.advance(by: max(duration.inNanoseconds, 0), limit: limit)
    }
}

/// Keeps the time of a simulation where it is for as long as it lives.
private final class SimulationHold: Sendable {
    private let lifetime: SimulationLifetime

    init(_ lifetime: SimulationLifetime) {
        self.lifetime = lifetime
        lifetime.core.hold(1)
    }

    deinit { lifetime.core.hold(-1) }
}
