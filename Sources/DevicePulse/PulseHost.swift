package import AudioCore
import CPulse
import Dispatch
import Glibc
import Synchronization

/// Microphones and speakers through libpulse: PulseAudio, and PipeWire's server of the same protocol.
///
/// One connection is shared by everything that comes from one host. It is made when it is first needed, and anew after it
/// was lost; streams of a lost connection are dead.
package final class PulseHost: AudioDeviceHost {
    package let name = "pulse"
    let core: PulseHostCore

    /// - Parameters:
    ///   - applicationName: shown by mixers.
    ///   - serverAddress: as `PULSE_SERVER` has it ("unix:/run/…"); nil looks where libpulse does by itself: that
    ///     variable, the client configuration, the socket of the user's session.
    package init(applicationName: String, serverAddress: String? = nil) {
        core = PulseHostCore(applicationName: applicationName, address: serverAddress)
    }

    package func devices() throws(AudioFailure) -> [DeviceDescription] {
        let deadline = Deadline.ofCall
        return try core.connection(deadline).devices(deadline).entries.map(\.device)
    }

    package func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        let deadline = Deadline.ofCall
        let connection = try core.connection(deadline)
        let devices = try usableDevices(request, .input, connection, deadline)
        // PulseAudio makes one channel of two by their mean, PipeWire by their sum less 3 dB, which clips: there it is done
        // here. Not in general, because the server's queue then holds half as long.
        let stream = try PulseCapture(
            request,
            on: connection,
            mixesDown: devices.isPipeWire && request.channelCount == 1,
            sink: sink,
            events: events
        )
        try stream.open(request, devices: devices, deadline: deadline)
        return stream
    }

    package func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        let deadline = Deadline.ofCall
        let connection = try core.connection(deadline)
        let devices = try usableDevices(request, .output, connection, deadline)
        let stream = try PulsePlayback(request, on: connection, source: source, events: events)
        try stream.open(request, devices: devices, deadline: deadline)
        return stream
    }

    package func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        PulseObservation(core, changed)
    }

    /// The devices, once it is sure that the one asked for is among them.
    private func usableDevices(
        _ request: StreamRequest,
        _ direction: DeviceDirection,
        _ connection: PulseConnection,
        _ deadline: Deadline
    ) throws(AudioFailure) -> PulseDeviceList {
        let list = try connection.devices(deadline)
        let devices = list.devices(direction)
        let kind = direction == .input ? "microphone or other input" : "speaker or other output"
        if devices.isEmpty {
            throw AudioFailure(
                .deviceUnavailable,
                "The sound server has no \(kind). Connect one, or check that its driver and profile are active."
            )
        }
        if let id = request.deviceID, list.device(named: id, direction) == nil {
            let names = devices.map { "'\($0.id)' (\($0.name))" }.joined(separator: ", ")
            throw AudioFailure(.deviceUnavailable, "There is no \(kind) '\(id)'. There are: \(names).")
        }
        return list
    }
}

/// What a host shares with its observations: the loop, the connection, who listens.
final class PulseHostCore: Sendable {
    private struct State {
        var loop: PulseLoop?
        var connection: PulseConnection?
        var observers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var isAnnouncing = false
        var isReconnecting = false
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
                devicesChanged: { [weak self, queue] in queue.async { [weak self] in self?.announce() } },
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
            return state.observers.isEmpty
        }
        if isFirst { reconnect(after: .zero, announcing: false) }
    }

    func remove(_ observer: ObjectIdentifier) {
        _ = state.withLock { $0.observers.removeValue(forKey: observer) }
    }

    /// One plug makes a dozen events: they are told as one.
    private func announce() {
        let isFirst = state.withLock { state in
            if state.isAnnouncing || state.observers.isEmpty { return false }
            state.isAnnouncing = true
            return true
        }
        if !isFirst { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
            guard let self else { return }
            let observers = state.withLock { state in
                state.isAnnouncing = false
                return Array(state.observers.values)
            }
            for changed in observers { changed() }
        }
    }

    private func connectionLost() {
        announce()
        reconnect(after: .milliseconds(100), announcing: true)
    }

    /// Tries until a connection stands or nobody listens any more, at intervals that grow to two seconds.
    private func reconnect(after pause: Duration, announcing: Bool) {
        let isNeeded = state.withLock { state in
            if state.observers.isEmpty || state.isReconnecting { return false }
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
            if announcing { announce() }
        } catch {
            reconnect(after: min(max(pause * 2, .milliseconds(100)), .seconds(2)), announcing: true)
        }
    }
}

/// Listens to device changes for as long as it lives.
private final class PulseObservation: Sendable {
    private let core: PulseHostCore

    init(_ core: PulseHostCore, _ changed: @escaping @Sendable () -> Void) {
        self.core = core
        core.add(ObjectIdentifier(self), changed)
    }

    deinit { core.remove(ObjectIdentifier(self)) }
}
