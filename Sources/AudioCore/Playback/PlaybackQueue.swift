import Synchronization

/// Decoded frames on their way to the device thread, with volume and pan, without locks.
package final class PlaybackQueue: PlaybackSource, @unchecked Sendable {
    // Unchecked: `gains` belongs to the device thread; everything else that is shared is atomic, or inside the ring.

    private struct Gains: BitwiseCopyable {
        var left: Float
        var right: Float
        var stepLeft: Float = 0
        var stepRight: Float = 0
        var framesLeft: Int64 = 0
        /// The change of `requested` that was last taken over.
        var change: Int = 0
    }

    /// Frames over which a change of volume or pan is smoothed, so that it does not click: 5 ms at 48 kHz.
    private static let smoothing: Int64 = 240

    package let channelCount: Int
    package let ring: FrameRing
    private let ringReference: Unmanaged<FrameRing>
    private let meter: LevelMeter
    private let meterReference: Unmanaged<LevelMeter>
    private let wake: @Sendable () -> Void

    private let gains: UnsafeMutablePointer<Gains>
    /// Left gain (high half) and right gain (low half) as bit patterns of `Float`.
    private let requested: Atomic<UInt64>
    private let requestedFrames = Atomic<Int64>(0)
    private let requestedChange = Atomic<Int>(0)

    private let hasEnded = Atomic<Bool>(false)
    private let renderedFrames = Atomic<Int64>(0)
    private let isClosed = Atomic<Bool>(false)
    private let isRendering = Atomic<Bool>(false)

    /// - Parameter wake: called on the device thread after every render call: must not block.
    package init(
        channelCount: Int,
        capacity: Int,
        meter: LevelMeter,
        wake: @escaping @Sendable () -> Void
    ) {
        self.channelCount = channelCount
        self.meter = meter
        self.wake = wake
        ring = FrameRing(minimumCapacity: capacity, channelCount: channelCount)
        ringReference = .passUnretained(ring)
        meterReference = .passUnretained(meter)
        gains = .allocate(capacity: 1)
        gains.initialize(to: Gains(left: 1, right: 1))
        requested = Atomic(Self.pack(1, 1))
    }

    deinit { gains.deallocate() }

    private static func pack(_ left: Float, _ right: Float) -> UInt64 {
        UInt64(left.bitPattern) << 32 | UInt64(right.bitPattern)
    }

    // MARK: Control and decoder threads

    /// Gains of the left and the right channel (of all channels where there are more than two: the left one), reached in a
    /// straight line over `frames` frames, at least a few milliseconds. One control thread at a time.
    package func setGains(left: Float, right: Float, over frames: Int64 = 0) {
        requested.store(Self.pack(left, right), ordering: .relaxed)
        requestedFrames.store(max(frames, Self.smoothing), ordering: .relaxed)
        requestedChange.add(1, ordering: .releasing)
    }

    /// Gains that hold from the next frame on. Only while closed, or before the device flows.
    package func setGainsAtOnce(left: Float, right: Float) {
        requested.store(Self.pack(left, right), ordering: .relaxed)
        gains.pointee = Gains(left: left, right: right, change: requestedChange.load(ordering: .acquiring))
    }

    /// No frames follow those in the ring (true), or there may be more (false). Decoder thread.
    package func setEnded(_ ended: Bool) { hasEnded.store(ended, ordering: .releasing) }

    /// True once everything up to the end has been given to the device.
    package var isSpent: Bool { hasEnded.load(ordering: .acquiring) && ring.count == 0 }

    /// Frames given to the device since the last `reset`.
    package var rendered: Int64 { renderedFrames.load(ordering: .acquiring) }

    /// Keeps the device thread out: on return none is inside `render` and none will enter it until `open()`.
    package func close() {
        isClosed.store(true, ordering: .sequentiallyConsistent)
        while isRendering.load(ordering: .sequentiallyConsistent) {}
    }

    package func open() { isClosed.store(false, ordering: .sequentiallyConsistent) }

    /// Empties the ring and starts counting anew. Only while closed, by the one thread that also fills the ring.
    package func reset() {
        let stride = channelCount * MemoryLayout<Float>.stride
        let frames = 1024
        let scratch = UnsafeMutableRawPointer.allocate(byteCount: frames * stride, alignment: 16)
        defer { scratch.deallocate() }
        while ring.read(into: scratch, frames: frames) > 0 {}
        renderedFrames.store(0, ordering: .releasing)
        hasEnded.store(false, ordering: .releasing)
    }

    // MARK: Device thread

    package func render(into samples: UnsafeMutableRawPointer, frames: Int) -> RenderResult {
        isRendering.store(true, ordering: .sequentiallyConsistent)
        defer { isRendering.store(false, ordering: .sequentiallyConsistent) }
        if isClosed.load(ordering: .sequentiallyConsistent) { return RenderResult(frames: 0, isLast: false) }
        let result = fill(samples, frames: frames)
        wake()
        return result
    }

    @_noLocks @_noAllocation
    private func fill(_ samples: UnsafeMutableRawPointer, frames: Int) -> RenderResult {
        // Looked at before the ring: frames that were written before the end was announced are then all visible.
        let ended = hasEnded.load(ordering: .acquiring)
        let count = ringReference._withUnsafeGuaranteedRef { $0.read(into: samples, frames: frames) }
        let output = samples.assumingMemoryBound(to: Float.self)
        if count > 0 {
            applyGains(output, frames: count)
            meterReference._withUnsafeGuaranteedRef { $0.update(output, frames: count) }
            renderedFrames.add(Int64(count), ordering: .releasing)
        }
        if !ended { return RenderResult(frames: count, isLast: false) }
        return RenderResult(frames: count, isLast: ringReference._withUnsafeGuaranteedRef { $0.count } == 0)
    }

    @_noLocks @_noAllocation
    private func applyGains(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        takeOverChange()
        var frame = 0
        while frame < frames, gains.pointee.framesLeft > 0 {
            gains.pointee.framesLeft -= 1
            if gains.pointee.framesLeft == 0 {
                let target = requested.load(ordering: .relaxed)
                gains.pointee.left = Float(bitPattern: UInt32(truncatingIfNeeded: target >> 32))
                gains.pointee.right = Float(bitPattern: UInt32(truncatingIfNeeded: target))
            } else {
                gains.pointee.left += gains.pointee.stepLeft
                gains.pointee.right += gains.pointee.stepRight
            }
            scale(samples + frame * channelCount, frames: 1)
            frame += 1
        }
        if frame == frames { return }
        if gains.pointee.left == 1, gains.pointee.right == 1 { return }
        scale(samples + frame * channelCount, frames: frames - frame)
    }

    @_noLocks @_noAllocation
    private func takeOverChange() {
        let change = requestedChange.load(ordering: .acquiring)
        if change == gains.pointee.change { return }
        let target = requested.load(ordering: .relaxed)
        let frames = requestedFrames.load(ordering: .relaxed)
        let left = Float(bitPattern: UInt32(truncatingIfNeeded: target >> 32))
        let right = Float(bitPattern: UInt32(truncatingIfNeeded: target))
        gains.pointee.change = change
        gains.pointee.framesLeft = frames
        gains.pointee.stepLeft = (left - gains.pointee.left) / Float(frames)
        gains.pointee.stepRight = (right - gains.pointee.right) / Float(frames)
    }

    @_noLocks @_noAllocation
    private func scale(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        let left = gains.pointee.left
        let right = gains.pointee.right
        var index = 0
        if channelCount == 2 {
            while index < frames * 2 {
                samples[index] *= left
                samples[index + 1] *= right
                index += 2
            }
        } else {
            while index < frames * channelCount {
                samples[index] *= left
                index += 1
            }
        }
    }
}
