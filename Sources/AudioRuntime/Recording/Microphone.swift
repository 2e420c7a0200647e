import AudioCore
import Dispatch
import Synchronization

/// Why a recording stood still.
enum Standstill: Equatable {
    case pause
    /// - Parameter filled: the time is silence in the file.
    case interruption(filled: Bool)
}

/// The microphone of a take: a capture stream that others may follow while the take goes on.
///
/// Control calls come from one thread at a time. What devices do by themselves, and the search for another one, is dealt
/// with on a queue of its own, so that a server which does not answer keeps nobody waiting.
final class Microphone: Sendable {
    enum Event: Sendable {
        case notice(TakeNotice)
        /// It is gone, and nothing takes its place: by the policy, or because nothing was recorded yet.
        case lost(AudioFailure)
    }

    struct State {
        var stream: (any DeviceStream)?
        /// The number of the stream whose events count.
        var number = 0
        /// The device that was heard last.
        var device: DeviceDescription?
        /// True once `start()` has been called.
        var hasStarted = false
        /// True between `start()` and the next `pause()`.
        var isFlowing = false
        /// True while a recording has no microphone and looks for one.
        var isAbsent = false
        /// True while a stream that was found is being started.
        var isStarting = false
        /// True while the server has put the device to sleep.
        var isSuspended = false
        var watch = DeliveryWatch()
        /// Counts starts: the watch of an earlier one ends.
        var watchNumber = 0
        /// Frames heard before there was nothing to hear, and why there was nothing: if no more have come, the gap has not
        /// been put either, for the next delivery brings it.
        var unheard: (frames: Int64, reason: RecordingGap.Reason)?
        /// Tries to find a microphone since the last one was lost.
        var tries = 0
        /// In stepped time, in which no timer runs: looks for a microphone when devices change.
        var observation: (any AnyObject & Sendable)?
    }

    let devices: any AudioDeviceHost
    let request: StreamRequest
    let filter: CaptureFilter
    let clock: any HostClock
    let policy: @Sendable () -> MicrophoneLossPolicy
    let onEvent: @Sendable (Event) -> Void
    /// Lock of the stream in use; never held while a stream is called.
    let state = Mutex(State())
    let queue = DispatchQueue(label: "kayit.microphone")

    /// Opens the device, stopped.
    /// - Parameters:
    ///   - policy: asked when the microphone goes away.
    ///   - onEvent: called on the microphone's queue; hears of the stream in use, never of one that was replaced.
    init(
        _ request: StreamRequest,
        devices: any AudioDeviceHost,
        filter: CaptureFilter,
        clock: any HostClock,
        policy: @escaping @Sendable () -> MicrophoneLossPolicy,
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws(AudioFailure) {
        self.request = request
        self.devices = devices
        self.filter = filter
        self.clock = clock
        self.policy = policy
        self.onEvent = onEvent
        let (stream, number) = try open(request.deviceID)
        _ = adopt(stream, number)
    }

    // MARK: Streams

    /// Opens a stream, stopped and not yet in use.
    /// - Returns: it and its number.
    func open(_ deviceID: String?) throws(AudioFailure) -> (stream: any DeviceStream, number: Int) {
        var request = request
        request.deviceID = deviceID
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let stream = try devices.openCapture(request, sink: filter) { [weak self] event in
            guard let self, self.state.withLock({ $0.number == number }) else { return }
            self.mark(event)
            let hold = self.clock.hold()
            self.queue.async { [weak self] in
                self?.receive(event, from: number)
                withExtendedLifetime(hold) {}
            }
        }
        guard stream.sampleRate == request.sampleRate, stream.channelCount == request.channelCount else {
            let given = "\(stream.sampleRate) Hz with \(stream.channelCount) channels"
            stream.close()
            throw AudioFailure(
                .unsupported,
                "The microphone gives \(given) instead of \(request.sampleRate) Hz with \(request.channelCount)."
            )
        }
        return (stream, number)
    }

    /// Takes a stream into use, unless another has been opened or everything was closed meanwhile.
    /// - Parameter isStarting: it follows one that was lost.
    func adopt(_ stream: any DeviceStream, _ number: Int, isStarting: Bool = false) -> Bool {
        let device = stream.device
        return state.withLock { state in
            guard state.number == number, !isStarting || state.isFlowing else { return false }
            state.stream = stream
            state.device = device ?? state.device
            state.isStarting = isStarting
            return true
        }
    }

    /// Takes the stream out of use and closes it; its events count no more.
    func discard() {
        let stream = state.withLock { state in
            defer { state.stream = nil }
            state.number += 1
            state.isStarting = false
            return state.stream
        }
        stream?.close()
    }

    // MARK: State

    /// True while a device is open.
    var isOpen: Bool { state.withLock { $0.stream != nil } }

    /// The device in use, or the last one.
    var device: DeviceDescription? {
        let (stream, device) = state.withLock { ($0.stream, $0.device) }
        return stream?.device ?? device
    }

    var latency: FrameCount { state.withLock { $0.stream }?.latency() ?? 0 }

    /// Parts per million that the device in use runs faster than the machine's clock; nil where that is not known (yet).
    var clockDrift: Double? { state.withLock { $0.stream }?.clockDrift }

    // MARK: Control

    /// Lets frames flow.
    /// - Parameter stop: whether the time that passed since the last `pause()` is part of the recording, as silence.
    func start(from stop: Standstill = .pause) throws(AudioFailure) {
        guard let stream = state.withLock({ $0.stream }) else {
            throw AudioFailure(.deviceUnavailable, "The microphone is gone.")
        }
        if stop == .interruption(filled: true) { filter.expectGap(.interrupted) } else { filter.startOver() }
        state.withLock { state in
            state.isFlowing = true
            state.hasStarted = true
            state.isSuspended = false
            state.unheard = nil
        }
        do throws(AudioFailure) {
            try stream.start()
        } catch {
            state.withLock { $0.isFlowing = false }
            throw error
        }
        watch()
    }

    /// Stops the flow; what was heard before the call is in the queue when it returns, and a gap for the time in which
    /// there was nothing to hear.
    func pause() throws(AudioFailure) {
        let ending = endFlow()
        defer { tellSignalChanges() }
        switch ending {
        case .none: break
        case .heard(let stream):
            try halt(stream)
            fillUnheard()
            fillIdleEnd()
        case .away(let reason, let stream):
            // One that is just being started is not waited for.
            if reason == .deviceLost { discard() } else { try halt(stream) }
            filter.endWithGap(reason)
        }
    }

    /// A stream that cannot be stopped any more is lost, which is no end where the recording may go on with another.
    private func halt(_ stream: (any DeviceStream)?) throws(AudioFailure) {
        do throws(AudioFailure) {
            try stream?.pause()
        } catch {
            let device = self.device
            discard()
            if policy() == .stop { throw error }
            onEvent(.notice(.microphoneLost(device)))
        }
    }

    /// Stops and closes; what was heard before the call is in the queue when it returns. A microphone that has gone leaves
    /// no gap at the end: nothing follows it.
    func end() {
        let ending = endFlow()
        // One that gives nothing is not asked for its last words: it would not answer.
        if case .heard(let stream) = ending, !state.withLock({ $0.watch.isStalled }) { try? stream?.pause() }
        discard()
        if case .heard = ending { fillIdleEnd() }
        tellSignalChanges()
    }

    /// A microphone that is back, but was stopped before it could give anything.
    private func fillUnheard() {
        guard let unheard = state.withLock({ $0.unheard }), unheard.frames == filter.heardFrames else { return }
        filter.endWithGap(unheard.reason)
    }

    /// An output that plays nothing may give nothing to hear, which is silence.
    private func fillIdleEnd() {
        if device?.isMonitor == true { filter.endWithGap(.suspended, beyond: .milliseconds(500)) }
    }

    private enum Ending {
        /// Nothing was flowing.
        case none
        case heard((any DeviceStream)?)
        case away(RecordingGap.Reason, (any DeviceStream)?)
    }

    private func endFlow() -> Ending {
        setObservation(nil)
        return state.withLock { state in
            defer {
                state.isFlowing = false
                state.isAbsent = false
                state.watchNumber += 1
            }
            if !state.isFlowing { return .none }
            if state.isAbsent || state.isStarting { return .away(.deviceLost, nil) }
            return state.isSuspended ? .away(.suspended, state.stream) : .heard(state.stream)
        }
    }

    func close() {
        _ = endFlow()
        discard()
    }

    /// Opens the device that the policy allows in the place of one that went away in a pause, stopped.
    /// - Throws: where there is none.
    func reopen() throws(AudioFailure) {
        discard()
        let (stream, number) = try open(try replacement())
        if !adopt(stream, number) { stream.close() }
    }
}
