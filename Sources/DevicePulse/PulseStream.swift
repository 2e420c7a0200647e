import AudioCore
import CPulse
import Dispatch

/// What capture and playback have in common: the life of a `pa_stream`, its device, its events.
///
/// Subclasses move the frames. Every callback of libpulse comes on the loop's thread with its lock held, so it may touch
/// all state, must not wait, and posts what concerns others to the event lane.
class PulseStream: @unchecked Sendable {
    // Unchecked: every `var` here and in the subclasses is guarded by the loop lock.
    let connection: PulseConnection
    let lane: EventLane
    let direction: DeviceDirection
    /// Channels as the owner of the stream sees them.
    let channelCount: Int
    /// Bytes of a frame as the server sends or takes it.
    let bytesPerFrame: Int
    private let specification: pa_sample_spec
    private let opened = DispatchSemaphore(value: 0)

    /// Nil before the connection and after the end.
    private(set) var handle: OpaquePointer?
    /// Why the stream is dead.
    private var failure: AudioFailure?
    private var currentDevice: DeviceDescription?
    private var move: PulseMove?
    private var toldSuspended = false
    /// True once the owner has it.
    private var isOpen = false
    /// True between a confirmed `start` and the next `pause`.
    var isRunning = false

    /// True while it is not known whether the device that the server moved the stream to may be used.
    var isMoving: Bool { move != nil }

    var sampleRate: Double { Double(specification.rate) }
    var device: DeviceDescription? { connection.loop.withLock { currentDevice } }

    /// The sound server keeps its time by this clock, which also runs while the stream is paused.
    var deviceTime: Double { Double(pa_rtclock_now()) / 1e6 }

    init(
        _ request: StreamRequest,
        _ direction: DeviceDirection,
        on connection: PulseConnection,
        wireChannels: Int? = nil,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) {
        // Ranges before the conversions, which would trap.
        guard request.sampleRate >= 1, request.sampleRate <= Double(PA_RATE_MAX),
            request.channelCount >= 1, request.channelCount <= Int(PA_CHANNELS_MAX)
        else {
            throw AudioFailure(
                .invalidArgument,
                "The sound server takes rates of 1 to \(PA_RATE_MAX) Hz and 1 to \(PA_CHANNELS_MAX) channels, "
                    + "not \(request.sampleRate) Hz and \(request.channelCount) channels."
            )
        }
        specification = pa_sample_spec(
            format: kayit_pulse_float32(),
            rate: UInt32(request.sampleRate.rounded()),
            channels: UInt8(wireChannels ?? request.channelCount)
        )
        channelCount = request.channelCount
        bytesPerFrame = Int(specification.channels) * MemoryLayout<Float>.stride
        self.connection = connection
        self.direction = direction
        lane = EventLane(events)
    }

    /// Callbacks hold no reference: they are cleared under the lock before the object goes.
    deinit {
        connection.loop.withLock { tearDown() }
        lane.silence()
    }

    // MARK: For subclasses

    /// Moves what is there (capture) or wanted (playback). Called on the loop's thread.
    func transfer(_ stream: OpaquePointer, bytes: Int) {}

    /// The device slept or changed: no frames are missing for the time without them.
    func flowWasInterrupted() {}

    /// The server played out what it had.
    func serverRanDry() {}

    /// Whole frames in `duration`, in bytes, at least one frame.
    final func byteCount(_ duration: Duration) -> UInt32 {
        let seconds = min(max(duration.inSeconds, 0), 10)
        let frames = max(Int(seconds * sampleRate), 1)
        return UInt32(clamping: frames * bytesPerFrame)
    }

    // MARK: Opening

    /// Connects the stream, stopped, and waits for the server's word.
    ///
    /// - Parameter buffers: what the server is asked to keep, by the rules of `pa_buffer_attr`.
    final func open(
        _ request: StreamRequest,
        devices: PulseDeviceList,
        buffers: pa_buffer_attr,
        deadline: Deadline
    ) throws(AudioFailure) {
        try connection.withContext { (context) throws(AudioFailure) in
            let stream = try makeStream(request, devices, on: context)
            handle = stream
            setCallbacks(stream)
            var flags =
                PA_STREAM_START_CORKED.rawValue | PA_STREAM_ADJUST_LATENCY.rawValue
                | PA_STREAM_AUTO_TIMING_UPDATE.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue
            // Pinned means this device or none. One that follows is moved by the server, and its owner is told.
            if request.deviceID != nil { flags |= PA_STREAM_DONT_MOVE.rawValue }
            if request.channelPlaces != nil { flags |= PA_STREAM_NO_REMIX_CHANNELS.rawValue }
            var buffers = buffers
            let code =
                switch direction {
                case .input:
                    pa_stream_connect_record(stream, request.deviceID, &buffers, pa_stream_flags_t(rawValue: flags))
                case .output:
                    pa_stream_connect_playback(
                        stream,
                        request.deviceID,
                        &buffers,
                        pa_stream_flags_t(rawValue: flags),
                        nil,
                        nil
                    )
                }
            if code < 0 { throw PulseFailure.refused(opening(request), pa_context_errno(context)) }
        }
        if opened.wait(timeout: deadline.time) == .timedOut { throw PulseFailure.silent(address: nil) }
        let name = try withStream { stream in
            isOpen = true
            return String(pulse: pa_stream_get_device_name(stream))
        }
        guard let name else { return }
        // A filter that the server has put in for this stream is newer than the list.
        let device = devices.device(named: name, direction) ?? connection.device(named: name, direction, deadline)
        connection.loop.withLock { if currentDevice == nil { currentDevice = device } }
    }

    private func opening(_ request: StreamRequest) -> String {
        let device = request.deviceID.map { "the device '\($0)'" } ?? "the default device"
        return "open \(device) for \(direction == .input ? "recording" : "playback")"
    }

    private func makeStream(
        _ request: StreamRequest,
        _ devices: PulseDeviceList,
        on context: OpaquePointer
    ) throws(AudioFailure) -> OpaquePointer {
        var specification = specification
        var map = pa_channel_map()
        pa_channel_map_init_extend(&map, UInt32(specification.channels), PA_CHANNEL_MAP_WAVEEX)
        if let places = request.channelPlaces, let id = request.deviceID,
            let device = devices.device(named: id, direction)
        {
            try request.checkPlaces(on: device)
            if let chosen = devices.map(of: places, on: id, direction) { map = chosen }
        }
        let properties = pa_proplist_new()
        defer { if let properties { pa_proplist_free(properties) } }
        if let properties {
            if let role = request.mediaRole { pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, role) }
            for (key, value) in request.processing.properties { pa_proplist_sets(properties, key, value) }
        }
        guard let stream = pa_stream_new_with_proplist(context, request.title, &specification, &map, properties) else {
            throw PulseFailure.refused(opening(request), pa_context_errno(context))
        }
        return stream
    }

    private static func borrow(_ user: UnsafeMutableRawPointer?, _ body: (PulseStream) -> Void) {
        guard let user else { return }
        Unmanaged<PulseStream>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
    }

    private func setCallbacks(_ stream: OpaquePointer) {
        let user = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, { _, user in PulseStream.borrow(user) { $0.stateChanged() } }, user)
        pa_stream_set_moved_callback(stream, { _, user in PulseStream.borrow(user) { $0.serverMoved() } }, user)
        pa_stream_set_suspended_callback(
            stream,
            { _, user in PulseStream.borrow(user) { $0.tellSuspension() } },
            user
        )
        pa_stream_set_event_callback(
            stream,
            { _, name, _, user in
                guard let name = String(pulse: name) else { return }
                PulseStream.borrow(user) { $0.serverAsked(name) }
            },
            user
        )
        pa_stream_set_overflow_callback(
            stream,
            { _, user in PulseStream.borrow(user) { $0.lane.post(.overflow(frames: nil)) } },
            user
        )
        switch direction {
        case .input:
            pa_stream_set_read_callback(
                stream,
                { stream, bytes, user in
                    guard let stream else { return }
                    PulseStream.borrow(user) { $0.transfer(stream, bytes: bytes) }
                },
                user
            )
        case .output:
            pa_stream_set_write_callback(
                stream,
                { stream, bytes, user in
                    guard let stream else { return }
                    PulseStream.borrow(user) { $0.transfer(stream, bytes: bytes) }
                },
                user
            )
            pa_stream_set_underflow_callback(
                stream,
                { _, user in PulseStream.borrow(user) { $0.serverRanDry() } },
                user
            )
        }
    }

    // MARK: Use

    /// Gives the live stream to `body` under the lock.
    ///
    /// - Throws: why the stream is dead, if it is.
    final func withStream<Result>(
        _ body: (OpaquePointer) throws(AudioFailure) -> Result
    ) throws(AudioFailure) -> Result {
        try connection.loop.withLock { () throws(AudioFailure) -> Result in
            if let failure { throw failure }
            guard let handle, pa_stream_get_state(handle) == PA_STREAM_READY else {
                throw AudioFailure(.deviceUnavailable, "The stream is closed.")
            }
            return try body(handle)
        }
    }

    /// Starts an operation of the stream and waits until the server confirmed it.
    final func perform(
        _ what: String,
        _ deadline: Deadline,
        start: (OpaquePointer, PulseConfirmation) -> OpaquePointer?
    ) throws(AudioFailure) {
        let confirmation = PulseConfirmation()
        try withStream { _ in }
        try withExtendedLifetime(confirmation) { () throws(AudioFailure) in
            try connection.perform(what, deadline) { _ in
                guard let handle, failure == nil else { return [nil] }
                return [start(handle, confirmation)]
            }
        }
        try withStream { _ in }
        if !confirmation.isGiven {
            let code = try connection.withContext { pa_context_errno($0) }
            throw PulseFailure.refused(what, code)
        }
    }

    /// Stops or lets go the stream in the server.
    final func cork(_ isCorked: Bool, _ deadline: Deadline = .ofCall) throws(AudioFailure) {
        try perform(isCorked ? "pause the stream" : "start the stream", deadline) { stream, confirmation in
            pa_stream_cork(stream, isCorked ? 1 : 0, PulseConfirmation.callback, confirmation.pointer)
        }
    }

    /// The stream's latency as the server last said it, carried forward; nil where it said nothing yet.
    final func latencySeconds(_ stream: OpaquePointer) -> Double? {
        var microseconds: pa_usec_t = 0
        var isNegative: Int32 = 0
        guard pa_stream_get_latency(stream, &microseconds, &isNegative) == 0 else { return nil }
        return isNegative != 0 ? 0 : Double(microseconds) / 1e6
    }

    // MARK: What the server says

    private func stateChanged() {
        guard let handle else { return }
        switch pa_stream_get_state(handle) {
        case PA_STREAM_READY: opened.signal()
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            let code = pa_stream_get_context(handle).map { pa_context_errno($0) } ?? PA_ERR_UNKNOWN.code
            let serverIsGone = pa_stream_get_context(handle).map { pa_context_get_state($0) } != PA_CONTEXT_READY
            let name = currentDevice.map { "'\($0.name)'" } ?? "the device"
            die(
                serverIsGone
                    ? AudioFailure(
                        .serverUnavailable,
                        "The sound server ended the connection while \(name) was in use."
                    )
                    : isOpen
                        ? AudioFailure(.deviceUnavailable, "The sound server took \(name) away.")
                        : PulseFailure.refused("open \(name)", code)
            )
            opened.signal()
        default: break
        }
    }

    private func die(_ reason: AudioFailure) {
        if failure != nil { return }
        failure = reason
        isRunning = false
        // Who opens it hears of it by the error of that call.
        if isOpen { lane.post(.lost(reason)) }
    }

    final func tellSuspension() {
        guard let handle else { return }
        let isSuspended = pa_stream_is_suspended(handle) == 1
        if isSuspended != toldSuspended { flowWasInterrupted() }
        // A device that sleeps because nothing flows is no news.
        if isSuspended == toldSuspended || (isSuspended && !isRunning) { return }
        toldSuspended = isSuspended
        lane.post(.suspended(isSuspended))
    }

    private func serverAsked(_ name: String) {
        switch name {
        case PA_STREAM_EVENT_REQUEST_CORK: lane.post(.corked(true))
        case PA_STREAM_EVENT_REQUEST_UNCORK: lane.post(.corked(false))
        default: break
        }
    }

    private func serverMoved() {
        guard let handle, let context = pa_stream_get_context(handle) else { return }
        move?.abandon()
        move = PulseMove(
            to: pa_stream_get_device_index(handle),
            direction,
            asking: context
        ) { [unowned self] device in moveResolved(device) }
    }

    private func moveResolved(_ device: DeviceDescription?) {
        move?.abandon()
        move = nil
        guard let handle, let device else { return }
        let previous = currentDevice
        if device.isMonitor, previous?.isMonitor != true {
            pa_stream_cork(handle, 1, nil, nil).map { pa_operation_unref($0) }
            let name = previous.map { "'\($0.name)'" } ?? "The device"
            return die(
                AudioFailure(
                    .deviceUnavailable,
                    "\(name) went away, and what is left ('\(device.name)') only hears what an output plays."
                )
            )
        }
        currentDevice = device
        flowWasInterrupted()
        if previous?.id != device.id { lane.post(.moved(from: previous, to: device)) }
        let ready = direction == .input ? pa_stream_readable_size(handle) : pa_stream_writable_size(handle)
        if ready > 0, ready != Int.max { transfer(handle, bytes: ready) }
    }

    // MARK: The end

    final func close() {
        connection.loop.withLock { tearDown() }
        lane.close()
    }

    /// Under the lock: afterwards no callback comes.
    private func tearDown() {
        move?.abandon()
        move = nil
        isRunning = false
        guard let handle else { return }
        self.handle = nil
        willTearDown()
        pa_stream_set_state_callback(handle, nil, nil)
        pa_stream_set_moved_callback(handle, nil, nil)
        pa_stream_set_suspended_callback(handle, nil, nil)
        pa_stream_set_event_callback(handle, nil, nil)
        pa_stream_set_overflow_callback(handle, nil, nil)
        pa_stream_set_read_callback(handle, nil, nil)
        pa_stream_set_write_callback(handle, nil, nil)
        pa_stream_set_underflow_callback(handle, nil, nil)
        pa_stream_disconnect(handle)
        pa_stream_unref(handle)
    }

    /// Operations that a subclass left running are abandoned here, under the lock.
    func willTearDown() {}
}
