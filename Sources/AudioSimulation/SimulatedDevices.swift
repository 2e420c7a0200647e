import AudioCore

/// The devices of a simulation, and what happens to the streams when something happens to them.
///
/// Everything under the simulation's lock.
final class SimulatedDevices: @unchecked Sendable {
    // Unchecked: guarded by the lock of `core`.
    private unowned let core: SimulationCore
    private let devices: [SimulatedDevice]
    private var flows: [() -> SimulatedFlow?] = []
    private var chosenDefaults: [DeviceDirection: String] = [:]
    /// In the order in which they came, so that they are told in the same order every time.
    private var observers: [(id: ObjectIdentifier, changed: @Sendable () -> Void)] = []
    private(set) var serverIsThere = true
    private(set) var permissionIsDenied = false
    private(set) var latency: Duration
    private var startDelayDuration: Duration

    init(_ configuration: SimulatedConfiguration, _ core: SimulationCore) {
        self.core = core
        devices = configuration.devices.map(SimulatedDevice.init)
        latency = configuration.latency
        startDelayDuration = configuration.startDelay
    }

    var startDelay: Int64 { max(startDelayDuration.inNanoseconds, 0) }

    // MARK: What there is

    var descriptions: [DeviceDescription] { devices.filter(\.isPresent).map(description) }

    func description(of device: SimulatedDevice) -> DeviceDescription {
        device.description(isDefault: device === defaultDevice(device.configuration.direction))
    }

    func device(_ id: String) -> SimulatedDevice? { devices.first { $0.id == id } }

    /// A monitor is the default only where nothing else is left.
    func defaultDevice(_ direction: DeviceDirection) -> SimulatedDevice? {
        let present = devices.filter { $0.isPresent && $0.configuration.direction == direction }
        return present.first { $0.id == chosenDefaults[direction] } ?? present.first { !$0.isMonitor } ?? present.first
    }

    func reachable() throws(AudioFailure) {
        if !serverIsThere {
            throw AudioFailure(.serverUnavailable, "The simulated sound server is not running. Bring it back.")
        }
    }

    /// A server that lets a program in at all answers it, so that a refusal is seen by everything that is asked.
    func allowed() throws(AudioFailure) {
        if permissionIsDenied {
            throw AudioFailure(
                .permissionDenied,
                "Access to the simulated device is denied. Grant it in the simulation."
            )
        }
    }

    func deviceToOpen(_ request: StreamRequest, _ direction: DeviceDirection) throws(AudioFailure) -> SimulatedDevice {
        try reachable()
        try allowed()
        let kind = direction == .input ? "input" : "output"
        guard let id = request.deviceID else {
            if let device = defaultDevice(direction) { return device }
            throw AudioFailure(.deviceUnavailable, "There is no simulated \(kind). Plug one in.")
        }
        if let device = device(id), device.isPresent, device.configuration.direction == direction { return device }
        let names = descriptions.filter { $0.direction == direction }.map { "'\($0.id)'" }.joined(separator: ", ")
        throw AudioFailure(.deviceUnavailable, "There is no simulated \(kind) '\(id)'. There are: \(names).")
    }

    // MARK: Streams and observers

    func add(_ flow: SimulatedFlow) {
        flows.removeAll { $0() == nil }
        flows.append { [weak flow] in flow }
        core.add(flow)
    }

    private var live: [SimulatedFlow] { flows.compactMap { $0() }.filter { $0.failure == nil } }

    func played(on output: String) -> [SimulatedPlaybackFlow] {
        live.compactMap { $0 as? SimulatedPlaybackFlow }.filter { $0.device.id == output }
    }

    func post(_ event: StreamEvent, to flow: SimulatedFlow) {
        core.post(from: flow) { [events = flow.events] in events(event) }
    }

    func observe(_ observer: ObjectIdentifier, _ changed: (@Sendable () -> Void)?) {
        observers.removeAll { $0.id == observer }
        if let changed { observers.append((observer, changed)) }
    }

    private func announce() { for observer in observers { core.post(from: nil, observer.changed) } }

    // MARK: Levels

    func setVolume(_ volume: Double, ofInput id: String) throws(AudioFailure) {
        try reachable()
        try allowed()
        guard let device = device(id), device.isPresent, device.configuration.direction == .input else {
            throw AudioFailure(.deviceUnavailable, "There is no simulated input '\(id)' whose level could be set.")
        }
        guard device.hasVolumeControl else {
            throw AudioFailure(.unsupported, "The level of '\(device.configuration.name)' cannot be set.")
        }
        device.volume = volume
        announce()
    }

    // MARK: Faults

    func apply(_ fault: SimulatedFault) {
        switch fault {
        case .vanish(let id): vanish(id)
        case .return(let id):
            device(id)?.isPresent = true
            announce()
        case .setDefault(let id): setDefault(id)
        case .serverLoss: loseServer()
        case .serverReturn:
            serverIsThere = true
            announce()
        case .suspend(let id, let isSuspended): suspend(id, isSuspended)
        case .overflow(let id, let frames):
            for flow in live where flow.device.id == id { (flow as? SimulatedCaptureFlow)?.drop(max(frames, 0)) }
        case .sleep(let duration):
            for flow in live { (flow as? SimulatedCaptureFlow)?.drop(over: duration) }
        case .skip(let id, let frames):
            for flow in live where flow.device.id == id { (flow as? SimulatedCaptureFlow)?.skip(max(frames, 0)) }
        case .freeze(let id, let isFrozen): device(id)?.isFrozen = isFrozen
        case .format(let id, let sampleRate, let channelCount):
            device(id)?.sampleRate = min(max(sampleRate, 1), 384_000)
            device(id)?.channelCount = min(max(channelCount, 1), 32)
            announce()
        case .deadChannel(let id, let channel, let isDead):
            if isDead { device(id)?.deadChannels.insert(channel) } else { device(id)?.deadChannels.remove(channel) }
        case .move(let id, let target):
            guard let target = device(target), target.isPresent else { return }
            for flow in live where flow.device.id == id { move(flow, to: target) }
        case .mute(let id, let isMuted):
            device(id)?.isMuted = isMuted
            announce()
        case .volumeControl(let id, let isThere):
            device(id)?.hasVolumeControl = isThere
            announce()
        case .permissionDenied(let isDenied):
            permissionIsDenied = isDenied
            announce()
        case .cork(let id, let isCorked):
            for flow in live where flow.device.id == id { post(.corked(isCorked), to: flow) }
        case .latency(let duration): latency = duration
        case .startDelay(let duration): startDelayDuration = duration
        }
    }

    private func vanish(_ id: String) {
        guard let device = device(id), device.isPresent else { return }
        device.isPresent = false
        for flow in live where flow.device === device {
            if flow.isFollowing, let next = defaultDevice(flow.direction), !next.isMonitor || device.isMonitor {
                move(flow, to: next)
            } else {
                lose(flow, AudioFailure(.deviceUnavailable, "'\(device.configuration.name)' was unplugged."))
            }
        }
        // What monitors an output goes with it.
        for monitor in devices where monitor.configuration.monitored == id { vanish(monitor.id) }
        announce()
    }

    private func setDefault(_ id: String) {
        guard let device = device(id), device.isPresent else { return }
        let direction = device.configuration.direction
        let previous = defaultDevice(direction)
        chosenDefaults[direction] = id
        if previous !== device {
            for flow in live where flow.isFollowing && flow.device === previous { move(flow, to: device) }
        }
        announce()
    }

    private func loseServer() {
        serverIsThere = false
        for flow in live {
            lose(flow, AudioFailure(.serverUnavailable, "The simulated sound server ended the connection."))
        }
        announce()
    }

    private func suspend(_ id: String, _ isSuspended: Bool) {
        guard let device = device(id), device.isSuspended != isSuspended else { return }
        device.isSuspended = isSuspended
        for flow in live where flow.device === device && flow.isRunning {
            if !isSuspended { flow.wake(at: core.timeOfCall) }
            post(.suspended(isSuspended), to: flow)
        }
    }

    /// A monitor never takes the place of a microphone.
    private func move(_ flow: SimulatedFlow, to device: SimulatedDevice) {
        let previous = flow.device
        if previous === device { return }
        if device.isMonitor, !previous.isMonitor {
            let message =
                "'\(previous.configuration.name)' went away, and what is left only hears what an output plays."
            return lose(flow, AudioFailure(.deviceUnavailable, message))
        }
        if let capture = flow as? SimulatedCaptureFlow, !device.isMonitor {
            do throws(AudioFailure) {
                capture.hear(
                    try SignalReader.make(device.signal, sampleRate: flow.sampleRate, channelCount: flow.channelCount)
                )
            } catch { return lose(flow, error) }
        }
        flow.device = device
        post(.moved(from: description(of: previous), to: description(of: device)), to: flow)
        // Two devices sleep each for itself.
        guard flow.isRunning, device.isSuspended != previous.isSuspended else { return }
        if !device.isSuspended { flow.wake(at: core.timeOfCall) }
        post(.suspended(device.isSuspended), to: flow)
    }

    private func lose(_ flow: SimulatedFlow, _ failure: AudioFailure) {
        flow.failure = failure
        flow.stop()
        post(.lost(failure), to: flow)
    }
}
