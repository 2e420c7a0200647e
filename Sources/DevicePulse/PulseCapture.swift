import AudioCore
import CPulse
import Dispatch

/// A microphone, or the monitor of an output.
final class PulseCapture: PulseStream, DeviceStream, @unchecked Sendable {
    // Unchecked: as in `PulseStream`, the loop lock guards every `var`.
    private let sink: any CaptureSink
    /// Silence for holes of the server, or what is mixed down.
    private let scratchBuffer: PCMBuffer
    private let scratch: UnsafeMutableRawPointer
    private let mixesDown: Bool
    private var flow = CaptureFlow()
    private var watch = CaptureWatch()
    /// Beats while frames flow: when it comes late, this process stood still.
    private var beat: PulseTimer?
    private var drift: DriftWatch
    /// Frames delivered when the drift was last looked at.
    private var delivered = 0
    private let reached = DispatchSemaphore(value: 0)

    /// Frames of `scratch`.
    private static let scratchFrames = 1024

    /// - Parameter mixesDown: has the server send two channels and makes the one that is asked for here.
    init(
        _ request: StreamRequest,
        on connection: PulseConnection,
        mixesDown: Bool,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) {
        self.sink = sink
        drift = DriftWatch(sampleRate: request.sampleRate)
        self.mixesDown = mixesDown
        // The range of the request is checked below; a buffer has at least one channel.
        let format = PCMFormat(sampleRate: 1, channelCount: max(min(request.channelCount, Int(PA_CHANNELS_MAX)), 1))
        scratchBuffer = PCMBuffer(format: format, capacity: Self.scratchFrames)
        scratch = scratchBuffer.bytes
        try super.init(request, .input, on: connection, wireChannels: mixesDown ? 2 : nil, events: events)
    }

    func open(_ request: StreamRequest, devices: PulseDeviceList, deadline: Deadline) throws(AudioFailure) {
        let attributes = pa_buffer_attr(
            // The server's own queue: what it keeps while this process does not run. 4 MiB is the most that it grants.
            maxlength: UInt32(4 << 20) / UInt32(bytesPerFrame) * UInt32(bytesPerFrame),
            tlength: .max,
            prebuf: .max,
            minreq: .max,
            // Without it the server delivers about every two seconds.
            fragsize: byteCount(request.fragment)
        )
        try open(request, devices: devices, buffers: attributes, deadline: deadline)
    }

    func start() throws(AudioFailure) {
        let wasRunning = try withStream { _ in
            flow.limit = nil
            if !isRunning { flowWasInterrupted() }
            startBeat()
            defer { isRunning = true }
            return isRunning
        }
        if wasRunning { return }
        try uncork {
            isRunning = false
            beat = nil
        }
    }

    func pause() throws(AudioFailure) {
        let called = DispatchTime.now()
        // Short of the limit of a call: whoever stops has a file to complete within it.
        let deadline = Deadline(within: .milliseconds(1200))
        if try withStream({ _ in !isRunning }) { return }
        // What was heard up to the call is still on its way: its length is the latency at the moment of the call.
        let ask = Deadline(within: .milliseconds(150))
        try? perform("tell its timing", ask) { stream, confirmation in
            pa_stream_update_timing_info(stream, PulseConfirmation.callback, confirmation.pointer)
        }
        let limit = try withStream { (stream) -> Duration? in
            let elapsed = Double(DispatchTime.now().uptimeNanoseconds - called.uptimeNanoseconds) / 1e9
            let pending = max((latencySeconds(stream) ?? 0) - elapsed, 0) + Self.timingTolerance
            flow.limit = flow.delivered + Int(pending * sampleRate)
            if isMoving || pa_stream_is_suspended(stream) == 1 { return nil }
            return .milliseconds(Int(min(pending, 0.15) * 1000) + 100)
        }
        if let limit { _ = reached.wait(timeout: Deadline(within: limit).time) }
        try cork(true, deadline)
        // What came after the call must not be heard when the stream goes on.
        try perform("drop what came after the pause", deadline) { stream, confirmation in
            isRunning = false
            beat = nil
            return pa_stream_flush(stream, PulseConfirmation.callback, confirmation.pointer)
        }
        try withStream { stream in dropReadable(stream) }
        while reached.wait(timeout: .now()) == .success {}
    }

    /// The timing of the server is a little uncertain: better some milliseconds too many than a sound cut off.
    private static let timingTolerance = 0.010

    func flush() throws(AudioFailure) {
        throw AudioFailure(.unsupported, "Only playback can be flushed.")
    }

    var clockDrift: Double? { connection.loop.withLock { drift.partsPerMillion } }

    func latency() -> FrameCount {
        (try? withStream { stream in
            FrameCount(seconds: latencySeconds(stream) ?? 0, sampleRate: sampleRate)
        }) ?? 0
    }

    // MARK: The loop's thread

    override func transfer(_ stream: OpaquePointer, bytes: Int) {
        // Kept in the queue until it is known where they come from.
        if isMoving { return }
        if !isRunning { return dropReadable(stream) }
        while true {
            var data: UnsafeRawPointer?
            var length = 0
            guard pa_stream_peek(stream, &data, &length) == 0, length > 0 else { break }
            deliver(data, frames: length / bytesPerFrame)
            pa_stream_drop(stream)
        }
        if flow.limit == nil { tellMissing(stream) }
        if flow.isFull { reached.signal() }
    }

    override func flowWasInterrupted() {
        watch = CaptureWatch()
        drift = DriftWatch(sampleRate: sampleRate)
        delivered = flow.delivered
    }

    private func tellMissing(_ stream: OpaquePointer) {
        let now = MachineTime.microseconds
        let stopped = watch.delivered(flow.delivered, at: now, sampleRate: sampleRate)
        drift.lost(stopped.frames)
        let skipped = drift.delivered(
            flow.delivered - delivered,
            pending: latencySeconds(stream).map { $0 * sampleRate },
            at: Int64(clamping: now) * 1000
        )
        delivered = flow.delivered
        tell(stopped.frames, stopped.isOwnStandstill ? .asleep : .overrun)
        tell(skipped, .overrun)
    }

    private func tell(_ missing: Int, _ reason: RecordingGap.Reason) {
        if missing == 0 { return }
        sink.lost(frames: missing, reason)
        lane.post(.overflow(frames: FrameCount(missing)))
    }

    // MARK: Whether this process runs

    /// Under the lock.
    private func startBeat() {
        guard beat == nil else { return }
        beat = PulseTimer(on: connection.loop, every: CaptureWatch.beat) { [unowned self] in
            watch.beat(at: MachineTime.microseconds)
        }
    }

    override func willTearDown() { beat = nil }

    /// - Parameter data: nil for a hole.
    private func deliver(_ data: UnsafeRawPointer?, frames: Int) {
        let total = flow.take(frames)
        var done = 0
        while done < total {
            var count = total - done
            var samples = data.map { $0 + done * bytesPerFrame }
            if data == nil || mixesDown { count = min(count, Self.scratchFrames) }
            if let stereo = samples, mixesDown {
                mixDown(stereo, into: scratch, frames: count)
                samples = UnsafeRawPointer(scratch)
            } else if data == nil {
                clear(scratch, byteCount: count * channelCount * MemoryLayout<Float>.stride)
            }
            let accepted = min(max(sink.capture(samples ?? UnsafeRawPointer(scratch), frames: count), 0), count)
            if accepted < count { sink.lost(frames: count - accepted) }
            done += count
        }
    }

    private func dropReadable(_ stream: OpaquePointer) {
        while pa_stream_readable_size(stream) > 0 {
            var data: UnsafeRawPointer?
            var length = 0
            guard pa_stream_peek(stream, &data, &length) == 0, length > 0 else { break }
            pa_stream_drop(stream)
        }
    }
}

/// How far a capture stream has come.
private struct CaptureFlow {
    /// Frames given to the sink since the stream was opened.
    private(set) var delivered = 0
    /// Where to stop; nil while running.
    var limit: Int?

    var isFull: Bool { limit.map { delivered >= $0 } ?? false }

    /// Counts frames in and returns how many of them may still be given.
    @_noLocks @_noAllocation
    mutating func take(_ frames: Int) -> Int {
        var taken = frames
        if let limit {
            let room = limit - delivered
            taken = room < taken ? room : taken
        }
        if taken < 0 { return 0 }
        delivered += taken
        return taken
    }
}

/// The mean of two channels.
@_noLocks @_noAllocation
private func mixDown(_ stereo: UnsafeRawPointer, into mono: UnsafeMutableRawPointer, frames: Int) {
    var frame = 0
    while frame < frames {
        let left = stereo.loadUnaligned(fromByteOffset: frame * 8, as: Float.self)
        let right = stereo.loadUnaligned(fromByteOffset: frame * 8 + 4, as: Float.self)
        mono.storeBytes(of: (left + right) / 2, toByteOffset: frame * 4, as: Float.self)
        frame += 1
    }
}
