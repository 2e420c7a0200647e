import AudioCore
import Dispatch
import Glibc
import Synchronization

/// What a host shares with its observations: the loop, the connection, who listens.
final class PulseHostCore: Sendable {
    private struct State {
        var loop: PulseLoop?
        var connection: PulseConnection?
        var observers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var streamObservers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var announced: Set<PulseConnection.Change> = []
        var isReconnecting = false

        var isObserved: Bool { !observers.isEmpty || !streamObservers.isEmpty }
    }

    private let state = Mutex(State())
    private let applicationName: String
    private let address: String?
    /// Reconnects and tells observers.
    private let queue = DispatchQueue(label: "kayit-pulse-devices")

    init(applicationName: String, address: String?) {
        self.applicationName = applicationName
        self.address = address
    }

    /// A server's socket holds few connections that wait to be taken (5 in PulseAudio 16): when many programs start at
    /// once, it refuses one for a moment. The sum of the pauses is what a missing server costs.
    private static let retryPauses: [Duration] = [.milliseconds(20), .milliseconds(60), .milliseconds(150)]

    /// The live connection, or a new one, ready for requests.
    func connection(_ deadline: Deadline) throws(AudioFailure) -> PulseConnection {
        for pause in Self.retryPauses {
            do throws(AudioFailure) { return try readyConnection(deadline) } catch {
                guard error.code == .serverUnavailable, deadline.time > .now() else { throw error }
                usleep(UInt32(pause.inNanoseconds / 1_000))
            }
        }
        return try readyConnection(deadline)
    }

    private func readyConnection(_ deadline: Deadline) throws(AudioFailure) -> PulseConnection {
        let connection = try current()
        try connection.waitUntilReady(deadline)
        return connection
    }

    /// The live connection, or a new one that may still be connecting, so that two callers share one attempt.
    private func current() throws(AudioFailure) -> PulseConnection {
        // Freed after the state's lock is released: the end of a connection takes the loop's lock.
        var replaced: PulseConnection?
        defer { withExtendedLifetime(replaced) {} }
        return try state.withLock { (state) throws(AudioFailure) -> PulseConnection in
            if let connection = state.connection, connection.isAlive { return connection }
            replaced = state.connection
            let loop: PulseLoop
            if let present = state.loop { loop = present } else { loop = try PulseLoop() }
            state.loop = loop
            let connection = PulseConnection(
                loop: loop,
                applicationName: applicationName,
                address: address,
                watchesStreams: !state.streamObservers.isEmpty,
                changed: { [weak self, queue] change in queue.async { [weak self] in self?.announce(change) } },
                lost: { [weak self, queue] in queue.async { [weak self] in self?.connectionLost() } }
            )
            state.connection = connection
            return connection
        }
    }

    // MARK: Observation

    func add(_ observer: ObjectIdentifier, _ changed: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            defer { state.observers[observer] = changed }
            return !state.isObserved
        }
        if isFirst { reconnect(after: .zero, announcing: false) }
    }

    func remove(_ observer: ObjectIdentifier) {
        _ = state.withLock { $0.observers.removeValue(forKey: observer) }
    }

    /// `changed` is called at once and then whenever a stream changes, on the queue of this host.
    func addStreams(_ observer: ObjectIdentifier, _ changed: @escaping @Sendable () -> Void) {
        let (isFirst, connection) = state.withLock { state in
            defer { state.streamObservers[observer] = changed }
            return (!state.isObserved, state.connection)
        }
        connection?.watchStreams()
        queue.async(execute: changed)
        if isFirst { reconnect(after: .zero, announcing: false) }
    }

    func removeStreams(_ observer: ObjectIdentifier) {
        _ = state.withLock { $0.streamObservers.removeValue(forKey: observer) }
    }

    /// The streams of other programs now; none where the server does not answer.
    func otherStreams() -> [OtherStream] {
        do throws(AudioFailure) {
            let deadline = Deadline.ofCall
            return try connection(deadline).otherStreams(deadline)
        } catch {
            return []
        }
    }

    /// One plug makes a dozen events: they are told as one.
    private func announce(_ change: PulseConnection.Change) {
        let isFirst = state.withLock { state in
            let concerned = change == .devices ? state.observers : state.streamObservers
            return !concerned.isEmpty && state.announced.insert(change).inserted
        }
        if !isFirst { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
            guard let self else { return }
            let observers = state.withLock { state in
                state.announced.remove(change)
                return Array((change == .devices ? state.observers : state.streamObservers).values)
            }
            for changed in observers { changed() }
        }
    }

    private func announceAll() {
        announce(.devices)
        announce(.streams)
    }

    private func connectionLost() {
        announceAll()
        reconnect(after: .milliseconds(100), announcing: true)
    }

    /// Tries until a connection stands or nobody listens any more, at intervals that grow to two seconds.
    private func reconnect(after pause: Duration, announcing: Bool) {
        let isNeeded = state.withLock { state in
            if !state.isObserved || state.isReconnecting { return false }
            state.isReconnecting = true
            return true
        }
        if !isNeeded { return }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause.inNanoseconds))) { [weak self] in
            self?.attempt(pause, announcing)
        }
    }

    private func attempt(_ pause: Duration, _ announcing: Bool) {
        state.withLock { $0.isReconnecting = false }
        do throws(AudioFailure) {
            _ = try connection(.ofCall)
            if announcing { announceAll() }
        } catch {
            reconnect(after: min(max(pause * 2, .milliseconds(100)), .seconds(2)), announcing: true)
        }
    }
}
