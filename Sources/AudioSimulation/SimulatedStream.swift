import AudioCore

/// A stream as its owner holds it; the frames are moved by its flow.
final class SimulatedStream: DeviceStream {
    private let flow: SimulatedFlow
    private let devices: SimulatedDevices
    private let lifetime: SimulationLifetime

    init(_ flow: SimulatedFlow, _ devices: SimulatedDevices, _ lifetime: SimulationLifetime) {
        self.flow = flow
        self.devices = devices
        self.lifetime = lifetime
    }

    deinit { close() }

    private var core: SimulationCore { lifetime.core }

    var sampleRate: Double { Double(flow.sampleRate) }
    var channelCount: Int { flow.channelCount }
    var device: DeviceDescription? { core.withLock { devices.description(of: flow.device) } }
    var deviceTime: Double { Double(core.now()) / 1e9 }

    func start() throws(AudioFailure) { try start(notBefore: .min) }

    func start(at moment: HostTime) throws(AudioFailure) {
        if flow.direction == .input {
            throw AudioFailure(.unsupported, "Only playback can be started at a given moment.")
        }
        try start(notBefore: moment.nanoseconds)
    }

    private func start(notBefore moment: Int64) throws(AudioFailure) {
        try core.withLock { () throws(AudioFailure) in
            if let failure = flow.failure { throw failure }
            if flow.isRunning { return }
            (flow as? SimulatedPlaybackFlow)?.begin()
            flow.start(at: max(core.timeOfCall + devices.startDelay, moment))
            if flow.device.isSuspended { devices.post(.suspended(true), to: flow) }
        }
    }

    func pause() throws(AudioFailure) {
        try core.withLock { () throws(AudioFailure) in
            if let failure = flow.failure { throw failure }
            if !flow.isRunning { return }
            // What was heard up to the call belongs to the caller.
            if flow.direction == .input { core.catchUp() }
            flow.stop()
        }
    }

    func flush() throws(AudioFailure) {
        guard let playback = flow as? SimulatedPlaybackFlow else {
            throw AudioFailure(.unsupported, "Only playback can be flushed.")
        }
        try core.withLock { () throws(AudioFailure) in
            if let failure = flow.failure { throw failure }
            playback.dropEnd()
        }
    }

    func close() {
        core.withLock { flow.stop() }
        core.remove(flow)
    }

    func latency() -> FrameCount {
        core.withLock { flow.isRunning ? FrameCount(seconds: devices.latency.inSeconds, sampleRate: sampleRate) : 0 }
    }
}
