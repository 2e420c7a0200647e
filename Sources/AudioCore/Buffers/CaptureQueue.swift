import Synchronization

/// What a microphone heard, on its way from the device thread to the encoder thread, without locks.
///
/// Two rings: a short one that stays warm in the cache while the encoder keeps up, and a long one that is touched only
/// when it does not, so that a minute of safety costs address space rather than memory. Frames that fit in neither, or
/// that the device dropped, are counted as gaps at their place.
package final class CaptureQueue: CaptureSink, @unchecked Sendable {
    // Unchecked: `gapStorage` is a ring of its own between the same two threads, handed over by `gapsWritten` and
    // `gapsRead`; `producer` belongs to the device thread.

    /// Frames that were not captured.
    package struct Gap: Sendable, Equatable, BitwiseCopyable {
        /// Captured frames before the gap, counted from the first ever accepted.
        package var position: Int64
        package var frames: Int64
        package var reason: RecordingGap.Reason

        package init(position: Int64, frames: Int64, reason: RecordingGap.Reason = .overrun) {
            self.position = position
            self.frames = frames
            self.reason = reason
        }
    }

    private struct Producer: BitwiseCopyable {
        var accepted: Int64 = 0
    }

    private let heardFrames = Atomic<Int64>(0)

    package let channelCount: Int
    private let near: FrameRing
    private let far: FrameRing
    private let bytesPerFrame: Int
    private let meter: LevelMeter
    private let wakeFrames: Int
    private let wake: @Sendable () -> Void
    private let nearReference: Unmanaged<FrameRing>
    private let farReference: Unmanaged<FrameRing>
    private let meterReference: Unmanaged<LevelMeter>

    private let producer: UnsafeMutablePointer<Producer>
    private let gapStorage: UnsafeMutablePointer<Gap>
    private let gapCapacity = 256
    private let gapsWritten = Atomic<Int>(0)
    private let gapsRead = Atomic<Int>(0)
    /// Frames lost since the last frame was accepted.
    private let pendingLoss = Atomic<Int64>(0)
    /// Why, if not by an overrun. Stored before the frames and taken after them.
    private let pendingReason = Atomic<LossReason>(.overrun)

    /// What a device layer may give as the reason, as one word.
    private enum LossReason: UInt8, AtomicRepresentable {
        case overrun, asleep, deviceLost, suspended, interrupted, disk, other

        init(_ reason: RecordingGap.Reason) {
            switch reason {
            case .overrun: self = .overrun
            case .asleep: self = .asleep
            case .deviceLost: self = .deviceLost
            case .suspended: self = .suspended
            case .interrupted: self = .interrupted
            case .disk: self = .disk
            case .other: self = .other
            }
        }

        @_noLocks @_noAllocation
        func reason() -> RecordingGap.Reason {
            switch self {
            case .overrun: .overrun
            case .asleep: .asleep
            case .deviceLost: .deviceLost
            case .suspended: .suspended
            case .interrupted: .interrupted
            case .disk: .disk
            case .other: .other
            }
        }
    }

    /// - Parameters:
    ///   - nearFrames: capacity of the ring that is used while the reader keeps up.
    ///   - farFrames: capacity behind it.
    ///   - meter: updated with every frame that is accepted.
    ///   - wakeFrames: frames that must wait before the reader is woken; short of it, it comes by itself in time.
    ///   - wake: called on the device thread after a delivery: must not block. Allocates and locks nothing.
    package init(
        channelCount: Int,
        nearFrames: Int,
        farFrames: Int,
        meter: LevelMeter,
        wakeFrames: Int = 1,
        wake: @escaping @Sendable () -> Void
    ) {
        self.channelCount = channelCount
        self.meter = meter
        self.wakeFrames = wakeFrames
        self.wake = wake
        near = FrameRing(minimumCapacity: nearFrames, channelCount: channelCount)
        far = FrameRing(minimumCapacity: farFrames, channelCount: channelCount)
        nearReference = .passUnretained(near)
        farReference = .passUnretained(far)
        meterReference = .passUnretained(meter)
        bytesPerFrame = channelCount * MemoryLayout<Float>.stride
        producer = .allocate(capacity: 1)
        producer.initialize(to: Producer())
        gapStorage = .allocate(capacity: gapCapacity)
    }

    deinit {
        producer.deallocate()
        gapStorage.deallocate()
    }

    // MARK: Device thread

    package func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        let accepted = accept(samples, frames: frames)
        if count >= wakeFrames { wake() }
        return accepted
    }

    /// May also be called by control, for time in which no device was open.
    package func lost(frames: Int) { lost(frames: frames, .overrun) }

    package func lost(frames: Int, _ reason: RecordingGap.Reason) {
        guard frames > 0 else { return }
        if reason != .overrun { pendingReason.store(LossReason(reason), ordering: .relaxed) }
        pendingLoss.add(Int64(frames), ordering: .releasing)
    }

    /// Nothing is delivered any more: frames that were lost last become a gap at the end. By the thread that has stopped
    /// the device thread.
    package func endDelivery() {
        if pendingLoss.load(ordering: .relaxed) > 0 { publishLoss() }
    }

    @_noLocks @_noAllocation
    private func accept(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        if pendingLoss.load(ordering: .relaxed) > 0 { publishLoss() }
        // Once frames wait in the far ring, all later ones must wait behind them. The references are used without
        // counting: `self` keeps the three objects for as long as it lives.
        var accepted = 0
        if farReference._withUnsafeGuaranteedRef({ $0.count }) == 0 {
            accepted = nearReference._withUnsafeGuaranteedRef { $0.write(samples, frames: frames) }
        }
        if accepted < frames {
            let rest = samples + accepted * bytesPerFrame
            let room = frames - accepted
            accepted += farReference._withUnsafeGuaranteedRef { $0.write(rest, frames: room) }
        }
        if accepted > 0 {
            let heard = samples.assumingMemoryBound(to: Float.self)
            let count = accepted
            meterReference._withUnsafeGuaranteedRef { $0.update(heard, frames: count) }
            producer.pointee.accepted += Int64(accepted)
            heardFrames.add(Int64(accepted), ordering: .releasing)
        }
        return accepted
    }

    /// Tells the reader of a gap, or keeps it for later where the list is full: a longer gap at a later place.
    @_noLocks @_noAllocation
    private func publishLoss() {
        let written = gapsWritten.load(ordering: .relaxed)
        if written - gapsRead.load(ordering: .acquiring) == gapCapacity { return }
        let frames = pendingLoss.exchange(0, ordering: .acquiring)
        let reason = pendingReason.exchange(.overrun, ordering: .relaxed).reason()
        (gapStorage + written % gapCapacity).initialize(
            to: Gap(position: producer.pointee.accepted, frames: frames, reason: reason)
        )
        gapsWritten.store(written + 1, ordering: .releasing)
        heardFrames.add(frames, ordering: .releasing)
    }

    // MARK: Any thread

    /// Frames delivered so far, gaps included, whether they have been read or not. May lag behind the reader by the delivery
    /// that is going on.
    package var heard: Int64 { heardFrames.load(ordering: .acquiring) }

    // MARK: Encoder thread

    /// Frames that can be read now.
    package var count: Int { near.count + far.count }

    /// Copies up to `frames` frames out, in the order in which they were heard, and returns how many.
    package func read(into samples: UnsafeMutableRawPointer, frames: Int) -> Int {
        // Looked at before the near ring: what lies in the far ring now was accepted after everything that is in the near
        // ring then, so a near ring found empty afterwards has nothing older.
        let behind = far.count
        let first = near.read(into: samples, frames: frames)
        if first > 0 || behind == 0 { return first }
        return far.read(into: samples, frames: min(frames, behind))
    }

    /// The next gap, which stays until `removeGap()`; nil where none is known.
    package var nextGap: Gap? {
        let read = gapsRead.load(ordering: .relaxed)
        if read == gapsWritten.load(ordering: .acquiring) { return nil }
        return gapStorage[read % gapCapacity]
    }

    package func removeGap() {
        let read = gapsRead.load(ordering: .relaxed)
        if read < gapsWritten.load(ordering: .acquiring) { gapsRead.store(read + 1, ordering: .releasing) }
    }
}
