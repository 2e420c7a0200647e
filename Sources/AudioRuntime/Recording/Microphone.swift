import AudioCore
import Synchronization

/// The capture stream of a take, which another can replace while the take goes on. Control calls come from one thread at a
/// time.
final class Microphone: Sendable {
    private struct State {
        var stream: (any DeviceStream)?
        /// The number of the stream whose events count.
        var number = 0
        /// The device that was heard last.
        var device: DeviceDescription?
    }

    private let devices: any AudioDeviceHost
    private let request: StreamRequest
    private let queue: CaptureQueue
    private let onEvent: @Sendable (StreamEvent) -> Void
    /// Lock of the stream in use; never held while a stream is called.
    private let state = Mutex(State())

    /// Opens the device, stopped.
    /// - Parameter onEvent: hears of the stream in use, never of one that was replaced.
    init(
        _ request: StreamRequest,
        devices: any AudioDeviceHost,
        queue: CaptureQueue,
        onEvent: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) {
        self.request = request
        self.devices = devices
        self.queue = queue
        self.onEvent = onEvent
        try open(deviceID: request.deviceID)
    }

    private func open(deviceID: String?) throws(AudioFailure) {
        var request = request
        request.deviceID = deviceID
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let stream = try devices.openCapture(request, sink: queue) { [weak self] event in
            guard let self, self.state.withLock({ $0.number == number }) else { return }
            self.onEvent(event)
        }
        guard stream.sampleRate == request.sampleRate, stream.channelCount == request.channelCount else {
            let given = "\(stream.sampleRate) Hz with \(stream.channelCount) channels"
            stream.close()
            throw AudioFailure(
                .unsupported,
                "The microphone gives \(given) instead of \(request.sampleRate) Hz with \(request.channelCount)."
            )
        }
        let device = stream.device
        state.withLock { state in
            state.stream = stream
            state.device = device ?? state.device
        }
    }

    private var stream: (any DeviceStream)? { state.withLock { $0.stream } }

    /// True while a device is open.
    var isOpen: Bool { stream != nil }

    /// The device in use, or the last one.
    var device: DeviceDescription? { stream?.device ?? state.withLock { $0.device } }

    var latency: FrameCount { stream?.latency() ?? 0 }

    /// Lets frames flow.
    func start() throws(AudioFailure) {
        guard let stream else { throw AudioFailure(.deviceUnavailable, "The microphone is gone.") }
        try stream.start()
    }

    /// Stops the flow; what was heard before the call is in the queue when it returns.
    func pause() throws(AudioFailure) { try stream?.pause() }

    /// Frames of this length passed unheard: they become silence at this place.
    func lose(_ duration: Duration) {
        queue.lost(frames: Int(clamping: FrameCount(seconds: duration.inSeconds, sampleRate: request.sampleRate).value))
    }

    func close() {
        let stream = state.withLock { state in
            defer { state.stream = nil }
            state.number += 1
            return state.stream
        }
        stream?.close()
    }

    /// Opens the device that the policy allows in the place of the one that is gone, stopped.
    /// - Throws: where there is none yet.
    func reopen(_ policy: MicrophoneLossPolicy) throws(AudioFailure) {
        close()
        do throws(AudioFailure) {
            try open(deviceID: try replacement(policy))
        } catch {
            close()
            throw error
        }
    }

    /// The device to open: nil for the default. An output's monitor is taken only where it was asked for by name.
    private func replacement(_ policy: MicrophoneLossPolicy) throws(AudioFailure) -> String? {
        let inputs = try devices.devices().filter { $0.direction == .input }
        if let wanted = request.deviceID {
            if inputs.contains(where: { $0.id == wanted }) { return wanted }
            if policy == .wait { throw AudioFailure(.deviceUnavailable, "The microphone '\(wanted)' is gone.") }
        }
        let wasMonitor = state.withLock { $0.device?.isMonitor ?? false }
        if policy == .wait, request.deviceID == nil, wasMonitor, inputs.contains(where: \.isDefault) { return nil }
        let microphones = inputs.filter { !$0.isMonitor }
        if microphones.contains(where: \.isDefault) { return nil }
        guard let other = microphones.first else {
            throw AudioFailure(.deviceUnavailable, "There is no microphone to go on with.")
        }
        return other.id
    }
}
