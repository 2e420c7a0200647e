import AudioCore
import Foundation
import Synchronization

/// Steps the time of all simulated streams on one thread, so that everything has an order.
///
/// One lock guards everything, also the streams' state. Sinks and sources are called with it held, as a sound server's
/// client library does, and so they never overlap with a call that stops them. Events go out from the same thread, in the
/// order of time, with no lock held; time stands still meanwhile.
final class SimulationCore: @unchecked Sendable {
    // Unchecked: every `var` is guarded by `condition`.
    private let condition = NSCondition()
    /// Threads that want the lock: the simulation's thread would take it again before they wake.
    private let contenders = Atomic<Int>(0)
    let pace: SimulatedConfiguration.Time

    private(set) var time: Int64 { didSet { reached.store(time, ordering: .releasing) } }
    /// The time as sinks and sources see it, who are called with the lock held: the end of the step under way.
    private let reached = Atomic<Int64>(0)
    private var flows: [SimulatedFlow] = []
    private var sleepers: [Int64] = []
    private var target: Int64
    private var scheduled: [(time: Int64, action: () -> Void)] = []
    private var outgoing: [(flow: SimulatedFlow?, call: @Sendable () -> Void)] = []
    private var delivering: SimulatedFlow?
    private var isDelivering = false
    /// Who keeps the time from going on.
    private var holds = 0
    private var isStopped = false
    private var thread: Thread?
    private let bursts: [Int64]
    private var burst = 0

    init(pace: SimulatedConfiguration.Time, bursts: [Duration]) {
        self.pace = pace
        let lengths = bursts.map { min(max($0.inNanoseconds, 100_000), 10_000_000_000) }
        self.bursts = lengths.isEmpty ? [10_000_000] : lengths
        time = pace == .real ? Self.machineTime() : 0
        target = time
        reached.store(time, ordering: .releasing)
        let thread = Thread { [self] in run() }
        thread.name = "kayit-simulate"
        self.thread = thread
        thread.start()
    }

    /// The machine's clock that also counts while it sleeps.
    private static func machineTime() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    // MARK: Calls from outside

    /// Runs `body` between two steps.
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        contenders.add(1, ordering: .relaxed)
        condition.lock()
        contenders.subtract(1, ordering: .relaxed)
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body()
    }

    /// Waits for nobody.
    func now() -> Int64 { pace == .real ? Self.machineTime() : reached.load(ordering: .acquiring) }

    /// The time for a call that is made now. Under the lock.
    var timeOfCall: Int64 { pace == .real ? max(Self.machineTime(), time) : time }

    /// In real time, moves everything up to this moment: the burst under way is not complete. In virtual time the flows are
    /// always where the time is. Under the lock.
    func catchUp() { if pace == .real { step(to: timeOfCall) } }

    func add(_ flow: SimulatedFlow) { flows.append(flow) }

    /// Takes the stream out, and waits until no event of it is being delivered. Outside of the lock.
    func remove(_ flow: SimulatedFlow) {
        withLock {
            flows.removeAll { $0 === flow }
            outgoing.removeAll { $0.flow === flow }
            while delivering === flow, Thread.current !== thread { condition.wait() }
        }
    }

    /// Has `call` made by the simulation's thread without the lock. Under the lock.
    func post(from flow: SimulatedFlow?, _ call: @escaping @Sendable () -> Void) { outgoing.append((flow, call)) }

    /// Has `action` run under the lock when the time comes. Under the lock.
    func schedule(at time: Int64, _ action: @escaping () -> Void) {
        let index = scheduled.firstIndex { $0.time > time } ?? scheduled.count
        scheduled.insert((time, action), at: index)
    }

    /// Outside of the lock.
    func hold(_ change: Int) { withLock { holds += change } }

    /// True while something that belongs to this moment is still to be done. Under the lock.
    private var isUnsettled: Bool { isDelivering || !outgoing.isEmpty || holds > 0 }

    func sleep(until end: Int64) {
        if pace == .real {
            while !withLock({ isStopped }) {
                let remaining = end - Self.machineTime()
                if remaining <= 0 { return }
                Thread.sleep(forTimeInterval: Double(min(remaining, 100_000_000)) / 1e9)
            }
            return
        }
        withLock {
            sleepers.append(end)
            while time < end, !isStopped {
                condition.broadcast()
                condition.wait()
            }
            if let index = sleepers.firstIndex(of: end) { sleepers.remove(at: index) }
        }
    }

    func advance(by duration: Int64, limit: Duration) -> Bool {
        if pace == .real {
            sleep(until: Self.machineTime() + duration)
            return true
        }
        let giveUp = Date().addingTimeInterval(limit.inSeconds)
        return withLock {
            let end = time + duration
            if pace == .stepped { target = max(target, end) } else { sleepers.append(end) }
            defer { if let index = sleepers.firstIndex(of: end), pace == .free { sleepers.remove(at: index) } }
            condition.broadcast()
            while time < end || isUnsettled, !isStopped {
                if !condition.wait(until: giveUp) { return time >= end && !isUnsettled }
            }
            return true
        }
    }

    func stop() { withLock { isStopped = true } }

    // MARK: The simulation's thread

    private func run() {
        condition.lock()
        while !isStopped {
            // One after the other: what follows from an event is done before the next is told.
            if holds == 0, deliver() { continue }
            guard let end = nextStep() else {
                waitForWork()
                continue
            }
            step(to: end)
            yieldToContenders()
        }
        condition.unlock()
    }

    /// Makes one outward call. Under the lock, which is released meanwhile.
    private func deliver() -> Bool {
        if outgoing.isEmpty { return false }
        let (flow, call) = outgoing.removeFirst()
        delivering = flow
        isDelivering = true
        condition.unlock()
        call()
        condition.lock()
        delivering = nil
        isDelivering = false
        condition.broadcast()
        return true
    }

    /// Where the next step ends; nil where time must not move now.
    private func nextStep() -> Int64? {
        if holds > 0 { return nil }
        // Whoever slept until now goes first.
        if sleepers.contains(where: { $0 <= time }) { return nil }
        var horizon: Int64
        let isFlowing = flows.contains { $0.isRunning }
        switch pace {
        case .real:
            horizon = Self.machineTime()
            // Short of a whole burst nothing is due, nor while no stream runs: to step on then would never leave the lock.
            if !isFlowing || horizon < time + bursts[burst] {
                let due = scheduled.first.flatMap { $0.time <= horizon ? $0.time : nil }
                if due == nil, !isFlowing { time = max(time, horizon) }
                return due
            }
        case .stepped: horizon = target
        case .free: horizon = sleepers.min() ?? (isFlowing ? .max : time)
        }
        if horizon <= time { return nil }
        if isFlowing {
            horizon = min(horizon, time + bursts[burst])
            burst = (burst + 1) % bursts.count
        }
        for sleeper in sleepers { horizon = min(horizon, sleeper) }
        if let first = scheduled.first { horizon = min(horizon, max(first.time, time)) }
        return horizon
    }

    private func step(to end: Int64) {
        while let first = scheduled.first, first.time <= time {
            scheduled.removeFirst()
            first.action()
        }
        reached.store(max(time, end), ordering: .releasing)
        // Outputs first: monitors hear what they play.
        for isOutput in [true, false] {
            for flow in flows where (flow.direction == .output) == isOutput {
                while !isStopped, flow.isRunning, !flow.advance(to: end) {
                    // The other side is not ready: time waits for it, and calls from outside come through.
                    condition.broadcast()
                    _ = condition.wait(until: Date().addingTimeInterval(0.000_1))
                }
            }
        }
        time = max(time, end)
        while let first = scheduled.first, first.time <= time {
            scheduled.removeFirst()
            first.action()
        }
        if !sleepers.isEmpty || time >= target { condition.broadcast() }
    }

    private func waitForWork() {
        if pace != .real {
            condition.wait()
            return
        }
        let next = flows.contains { $0.isRunning } ? time + bursts[burst] : scheduled.first?.time
        let pause = next.map { Double(max($0 - Self.machineTime(), 0)) / 1e9 } ?? 0.1
        if pause > 0 { _ = condition.wait(until: Date().addingTimeInterval(min(pause, 0.1))) }
    }

    private func yieldToContenders() {
        if contenders.load(ordering: .relaxed) == 0 { return }
        condition.unlock()
        while contenders.load(ordering: .relaxed) > 0, sched_yield() == 0 {}
        condition.lock()
    }
}

/// Keeps a simulation's thread running for as long as a host, a clock or a stream is there.
final class SimulationLifetime: Sendable {
    let core: SimulationCore

    init(_ core: SimulationCore) { self.core = core }

    deinit { core.stop() }
}
