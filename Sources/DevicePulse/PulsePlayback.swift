import AudioCore
import CPulse

/// A speaker.
final class PulsePlayback: PulseStream, DeviceStream, @unchecked Sendable {
    // Unchecked: as in `PulseStream`, the loop lock guards every `var`.
    private let source: any PlaybackSource
    /// How far the source has come since the last start from the beginning.
    enum Progress {
        case rendering
        /// The last frame is written; the server plays it out.
        case draining
        /// It has been heard.
        case drained
    }
    var progress = Progress.rendering
    /// The silence before a moment at which the source is to be heard; nil once it is.
    var lead: PulseLead?
    private var drain: OpaquePointer?
    private var isStarving = false
    /// Frames that were written and not yet heard when frames were written last: those that a server took with it.
    private var unheard: FrameCount = 0

    init(
        _ request: StreamRequest,
        on connection: PulseConnection,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) {
        self.source = source
        try super.init(request, .output, on: connection, events: events)
    }

    func open(_ request: StreamRequest, devices: PulseDeviceList, deadline: Deadline) throws(AudioFailure) {
        // Two and a half deliveries: 50 ms with the default of 20 ms. One is heard, one waits, and half of one is slack.
        let target = byteCount(.nanoseconds(request.fragment.inNanoseconds / 2 * 5))
        let attributes = pa_buffer_attr(
            maxlength: .max,
            tlength: target,
            // Played as soon as one delivery is there, at the start and after a hole.
            prebuf: min(byteCount(request.fragment), target),
            minreq: byteCount(.nanoseconds(request.fragment.inNanoseconds / 2)),
            fragsize: .max
        )
        try open(request, devices: devices, buffers: attributes, deadline: deadline)
    }

    func start() throws(AudioFailure) {
        let wasRunning = try withStream { stream in
            if isRunning, progress == .rendering { return true }
            if progress == .drained { progress = .rendering }
            isRunning = true
            fill(stream, bytes: pa_stream_writable_size(stream))
            return false
        }
        if wasRunning { return }
        try uncork { isRunning = false }
    }

    func pause() throws(AudioFailure) {
        let (wasRunning, hasSilence) = try withStream { _ in
            defer {
                isRunning = false
                lead = nil
                connection.timeline.leave(self)
            }
            return (isRunning, lead != nil)
        }
        if wasRunning { try cork(true) }
        // The silence before a moment that does not count any more.
        if hasSilence { try flush() }
    }

    func flush() throws(AudioFailure) {
        try perform("drop what was not heard yet", .ofCall) { stream, confirmation in
            abandonDrain()
            progress = .rendering
            connection.timeline.leave(self)
            return pa_stream_flush(stream, PulseConfirmation.callback, confirmation.pointer)
        }
        try withStream { stream in
            if isRunning { fill(stream, bytes: pa_stream_writable_size(stream)) }
        }
    }

    func latency() -> FrameCount {
        do throws(AudioFailure) {
            return try withStream { latency(of: $0) }
        } catch {
            return connection.loop.withLock { progress == .drained ? 0 : unheard }
        }
    }

    private func latency(of stream: OpaquePointer) -> FrameCount {
        progress == .drained ? 0 : FrameCount(seconds: latencySeconds(stream) ?? 0, sampleRate: sampleRate)
    }

    // MARK: The loop's thread

    override func transfer(_ stream: OpaquePointer, bytes: Int) {
        if isRunning { fill(stream, bytes: bytes) }
    }

    override func serverRanDry() {
        connection.timeline.leave(self)
        // The end of the last frame is a dry server too.
        if isRunning, progress == .rendering { lane.post(.underflow) }
    }

    override func flowWasInterrupted() {
        connection.timeline.leave(self)
        lead?.forget()
    }

    override func willTearDown() {
        abandonDrain()
        lead = nil
        connection.timeline.leave(self)
    }

    /// Writes what the source gives, and silence before the moment at which it is to be heard.
    /// - Parameter offset: where the first frame goes, in bytes behind what was written last; 0 or less.
    func fill(_ stream: OpaquePointer, bytes: Int, offset: Int64 = 0) {
        var offset = offset
        // The writable size is the largest number there is where the stream has failed.
        var remaining = bytes == Int.max ? 0 : bytes / bytesPerFrame
        while remaining > 0, progress == .rendering {
            var memory: UnsafeMutableRawPointer?
            var length = remaining * bytesPerFrame
            guard pa_stream_begin_write(stream, &memory, &length) == 0, let memory else { return }
            let asked = min(length / bytesPerFrame, remaining, lead?.silence ?? .max)
            if asked <= 0 {
                pa_stream_cancel_write(stream)
                return
            }
            let isSilence = lead != nil
            let result = isSilence ? .nothing : source.render(into: memory, frames: asked)
            let rendered = min(max(result.frames, 0), asked)
            let written = result.isLast ? rendered : asked
            if written > rendered {
                clear(memory + rendered * bytesPerFrame, byteCount: (written - rendered) * bytesPerFrame)
            }
            tellStarving(written > rendered && !isSilence)
            if written == 0 {
                pa_stream_cancel_write(stream)
            } else if pa_stream_write(stream, memory, written * bytesPerFrame, nil, offset, PA_SEEK_RELATIVE) < 0 {
                return
            } else {
                offset = 0
            }
            if isSilence, lead?.passed(written) == true { lead = nil }
            if result.isLast { beginDrain(stream) }
            remaining -= written
        }
        unheard = latency(of: stream)
    }

    private func tellStarving(_ isStarving: Bool) {
        if isStarving, !self.isStarving { lane.post(.underflow) }
        self.isStarving = isStarving
    }

    private func beginDrain(_ stream: OpaquePointer) {
        progress = .draining
        drain = pa_stream_drain(
            stream,
            { _, success, user in
                guard let user, success != 0 else { return }
                Unmanaged<PulsePlayback>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.serverDrained() }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func serverDrained() {
        guard progress == .draining, let handle else { return }
        abandonDrain()
        progress = .drained
        isRunning = false
        // Corked, so that the next start is like the first.
        pa_stream_cork(handle, 1, nil, nil).map { pa_operation_unref($0) }
        lane.post(.drained)
    }

    private func abandonDrain() {
        if let drain { PulseConnection.abandon(drain) }
        drain = nil
    }
}

extension RenderResult {
    fileprivate static var nothing: Self { RenderResult(frames: 0, isLast: false) }
}
