package import AudioCore
import Synchronization

/// Microphones and speakers that exist in memory only: for tests, for developers without the hardware, and for what
/// hardware does once a year.
package final class SimulatedHost: AudioDeviceHost {
    package let name = "simulated"
    /// The time of the devices.
    package let clock: VirtualClock
    /// Who else wants the sound.
    package let arbiter: SimulatedArbiter
    private let lifetime: SimulationLifetime
    private let devicesInUse: SimulatedDevices
    private let configuration: SimulatedConfiguration
    private let playedTracks = Mutex<[SimulatedTrack]>([])

    package init(_ configuration: SimulatedConfiguration = SimulatedConfiguration()) {
        self.configuration = configuration
        let core = SimulationCore(pace: configuration.time, bursts: configuration.bursts)
        lifetime = SimulationLifetime(core)
        clock = VirtualClock(lifetime)
        arbiter = SimulatedArbiter(lifetime)
        devicesInUse = SimulatedDevices(configuration, core)
    }

    private var core: SimulationCore { lifetime.core }

    package func devices() throws(AudioFailure) -> [DeviceDescription] {
        try core.withLock { () throws(AudioFailure) -> [DeviceDescription] in
            try devicesInUse.reachable()
            try devicesInUse.allowed()
            return devicesInUse.descriptions
        }
    }

    package func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        try check(request)
        let flow = try core.withLock { () throws(AudioFailure) -> SimulatedFlow in
            let device = try devicesInUse.deviceToOpen(request, .input)
            let reader = try SignalReader.make(
                device.signal,
                sampleRate: Int(request.sampleRate.rounded()),
                channelCount: request.channelCount
            )
            let flow = SimulatedCaptureFlow(
                request,
                device,
                reader: reader,
                sink: sink,
                dropsRefused: core.pace == .real,
                devices: devicesInUse,
                events: events
            )
            devicesInUse.add(flow)
            return flow
        }
        return SimulatedStream(flow, devicesInUse, lifetime)
    }

    package func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        try check(request)
        let flow = try core.withLock { () throws(AudioFailure) -> SimulatedFlow in
            let device = try devicesInUse.deviceToOpen(request, .output)
            try request.checkPlaces(on: device.description(isDefault: false))
            let track = SimulatedTrack(
                output: device.id,
                sampleRate: request.sampleRate.rounded(),
                channelCount: request.channelCount,
                keptFrames: configuration.keptFrames
            )
            let flow = SimulatedPlaybackFlow(
                request,
                device,
                source: source,
                waitsForSource: core.pace != .real,
                track: track,
                devices: devicesInUse,
                events: events
            )
            devicesInUse.add(flow)
            playedTracks.withLock { $0.append(track) }
            return flow
        }
        return SimulatedStream(flow, devicesInUse, lifetime)
    }

    package func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        SimulatedObservation(lifetime, devicesInUse, changed)
    }

    package func setVolume(_ volume: Double, ofInput id: String) throws(AudioFailure) {
        guard volume >= 0, volume <= 1 else {
            throw AudioFailure(.invalidArgument, "The level of an input is 0 to 1, not \(volume).")
        }
        try core.withLock { () throws(AudioFailure) in try devicesInUse.setVolume(volume, ofInput: id) }
    }

    /// What was played, one entry for each stream, in the order in which they were opened.
    package var tracks: [SimulatedTrack] { playedTracks.withLock { $0 } }

    /// Forgets what was played by streams so far.
    package func forgetTracks() { playedTracks.withLock { $0 = [] } }

    // MARK: Doing things to the devices

    /// Does it now, between two steps of time. Events have been delivered when `VirtualClock.advance` returns next.
    package func inject(_ fault: SimulatedFault) { inject([fault]) }

    /// Does all of it at once: nobody sees a part.
    package func inject(_ faults: [SimulatedFault]) {
        core.withLock { for fault in faults { devicesInUse.apply(fault) } }
    }

    /// Does it when `time` of the devices comes, to the nanosecond in virtual time.
    package func schedule(_ fault: SimulatedFault, at time: HostTime) {
        core.withLock { core.schedule(at: time.nanoseconds) { [devicesInUse] in devicesInUse.apply(fault) } }
    }

    /// Changes what a microphone hears, for streams that are opened from now on.
    package func setSignal(_ signal: SimulatedSignal, of microphone: String) {
        core.withLock { devicesInUse.device(microphone)?.signal = signal }
    }

    private func check(_ request: StreamRequest) throws(AudioFailure) {
        guard request.sampleRate >= 1, request.sampleRate <= 384_000, (1...32).contains(request.channelCount) else {
            throw AudioFailure(
                .invalidArgument,
                "The simulated device takes rates of 1 to 384000 Hz and 1 to 32 channels, "
                    + "not \(request.sampleRate) Hz and \(request.channelCount) channels."
            )
        }
        if !configuration.acceptedRates.isEmpty, !configuration.acceptedRates.contains(request.sampleRate) {
            let rates = configuration.acceptedRates.sorted().map { "\($0)" }.joined(separator: ", ")
            throw AudioFailure(
                .unsupported,
                "The simulated device refuses \(request.sampleRate) Hz. It takes: \(rates)."
            )
        }
    }
}

/// Listens to device changes for as long as it lives.
private final class SimulatedObservation: Sendable {
    private let lifetime: SimulationLifetime
    private let devices: SimulatedDevices

    init(_ lifetime: SimulationLifetime, _ devices: SimulatedDevices, _ changed: @escaping @Sendable () -> Void) {
        self.lifetime = lifetime
        self.devices = devices
        lifetime.core.withLock { devices.observe(ObjectIdentifier(self), changed) }
    }

    deinit { lifetime.core.withLock { devices.observe(ObjectIdentifier(self), nil) } }
}
