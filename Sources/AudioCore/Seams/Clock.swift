/// Time for everything above the devices. Production reads the machine's clock, tests step a virtual one.
package protocol HostClock: Sendable {
    /// Waits for nobody: device threads read it, too.
    var now: HostTime { get }

    /// Blocks the calling thread until `time`. Only threads of our own may call it.
    func sleep(until time: HostTime)

    /// Has `body` called at `time`, where time is virtual: no machine's timer says when that is. Clocks of the machine do
    /// nothing: who waits for their time looks at them.
    func call(at time: HostTime, _ body: @escaping @Sendable () -> Void)
}

extension HostClock {
    package func call(at time: HostTime, _ body: @escaping @Sendable () -> Void) {}
}

/// Where delegate and notification calls go. The main queue in production, as on Apple's systems.
package protocol CallbackExecutor: Sendable {
    /// Runs `body` later, in the order of the calls, never inside this call.
    func enqueue(_ body: @escaping @Sendable () -> Void)
}
