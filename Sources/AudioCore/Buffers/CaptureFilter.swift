import Synchronization

/// What stands between a microphone and the queue of a take: makes the channels of the recording, finds channels without a
/// signal, and puts gaps of the true length where the microphone was away.
///
/// Streams may follow each other, one at a time. Control calls come while no stream delivers, unless they say otherwise.
package final class CaptureFilter: CaptureSink, @unchecked Sendable {
    // Unchecked: `clock` belongs to the device thread, and to control while nothing is delivered; changes go through a ring
    // between the device thread and one reader, handed over by `changesWritten` and `changesRead`; the rest is atomic.

    /// Channels of a frame that the microphone gives.
    package var inputChannels: Int { watch.channelCount }

    private let queue: CaptureQueue
    private let sampleRate: Double
    private let now: @Sendable () -> HostTime
    private let watch: SignalWatch
    private let reduction: ChannelReduction
    private let scratch: UnsafeMutablePointer<Float>
    /// In memory of its own: the device thread runs no initialiser.
    private let reasons = RecordingGap.Reason.allCases
    private let clock: UnsafeMutablePointer<CaptureClock>
    private let changes: UnsafeMutablePointer<SignalChange?>
    private let changesWritten = Atomic<Int>(0)
    private let changesRead = Atomic<Int>(0)
    private let heard = Atomic<Int64>(0)
    private let isMuted = Atomic<Bool>(false)
    /// From control to the device thread, 0 for nothing: the number of a reason plus one, and from bit 8 on the frames that
    /// are no gap yet.
    private let request = Atomic<Int>(0)
    /// The number of a reason plus one; 0 for an overrun.
    private let lossReason = Atomic<Int>(0)

    /// Frames that are reduced at once.
    private static let pieceFrames = 1024
    private static let changeCapacity = 64

    /// - Parameters:
    ///   - now: read on the device thread: must not block.
    ///   - sampleRate: frames per second, above zero.
    package init(
        _ queue: CaptureQueue,
        inputChannels: Int,
        selection: ChannelSelection,
        sampleRate: Double,
        now: @escaping @Sendable () -> HostTime
    ) {
        self.queue = queue
        self.sampleRate = sampleRate
        self.now = now
        watch = SignalWatch(channelCount: inputChannels, sampleRate: sampleRate)
        reduction = ChannelReduction(selection, from: inputChannels, to: queue.channelCount, sampleRate: sampleRate)
        scratch = .allocate(capacity: Self.pieceFrames * queue.channelCount)
        clock = .allocate(capacity: 1)
        clock.initialize(to: CaptureClock(sampleRate: sampleRate))
        changes = .allocate(capacity: Self.changeCapacity)
        changes.initialize(repeating: nil, count: Self.changeCapacity)
    }

    deinit {
        scratch.deallocate()
        clock.deallocate()
        changes.deinitialize(count: Self.changeCapacity)
        changes.deallocate()
    }

    // MARK: Device thread

    package func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        let time = now().nanoseconds
        fillGap(before: frames, at: time)
        var done = 0
        let source = samples.assumingMemoryBound(to: Float.self)
        while done < frames {
            let count = min(frames - done, Self.pieceFrames)
            let piece = source + done * watch.channelCount
            watch.measure(piece, frames: count)
            let accepted: Int
            if isMuted.load(ordering: .relaxed) {
                scratch.update(repeating: 0, count: count * queue.channelCount)
                accepted = queue.capture(UnsafeRawPointer(scratch), frames: count)
            } else if reduction.isIdentity {
                accepted = queue.capture(UnsafeRawPointer(piece), frames: count)
            } else {
                reduction.reduce(piece, into: scratch, frames: count, watch: watch)
                accepted = queue.capture(UnsafeRawPointer(scratch), frames: count)
            }
            watch.count(accepted)
            done += accepted
            if accepted < count { break }
        }
        if done > 0 {
            clock.pointee.delivered(done, at: time)
            heard.add(Int64(done), ordering: .releasing)
            publishChanges()
        }
        return done
    }

    package func lost(frames: Int) { lost(frames: frames, .overrun) }

    package func lost(frames: Int, _ reason: RecordingGap.Reason) {
        clock.pointee.lost(frames)
        let number = lossReason.exchange(0, ordering: .acquiring)
        queue.lost(frames: frames, reason == .overrun && number > 0 ? reasons[number - 1] : reason)
    }

    /// Puts a gap where a microphone was away, in front of what it brings now.
    private func fillGap(before frames: Int, at time: Int64) {
        let asked = request.exchange(0, ordering: .acquiring)
        if asked == 0 { return }
        let missing = clock.pointee.missing(frames, at: time)
        if missing > asked >> 8 { tell(missing, reasons[(asked & 0xFF) - 1]) }
    }

    private func tell(_ missing: Int, _ reason: RecordingGap.Reason) {
        queue.lost(frames: missing, reason)
        clock.pointee.lost(missing)
    }

    private func publishChanges() {
        while true {
            let written = changesWritten.load(ordering: .relaxed)
            // No room: the state stays untold, and is told when there is.
            if written - changesRead.load(ordering: .acquiring) == Self.changeCapacity { return }
            guard let change = watch.nextChange() else { return }
            changes[written % Self.changeCapacity] = change
            changesWritten.store(written + 1, ordering: .releasing)
        }
    }

    // MARK: Any thread

    /// What is heard goes on as silence, or as it is again.
    package func setMuted(_ isMuted: Bool) { self.isMuted.store(isMuted, ordering: .relaxed) }

    /// Frames accepted so far.
    package var heardFrames: Int64 { heard.load(ordering: .acquiring) }

    /// The next delivery comes after a time in which the microphone was away: what is missing then becomes a gap. Any thread,
    /// also while frames flow.
    /// - Parameter tolerance: less than this is no gap; for devices whose latency may differ.
    package func expectGap(_ reason: RecordingGap.Reason, beyond tolerance: Duration = .zero) {
        let index = reasons.firstIndex(of: reason) ?? 0
        let frames = Int(FrameCount(seconds: tolerance.inSeconds, sampleRate: sampleRate).value)
        request.store(index + 1 + frames << 8, ordering: .releasing)
    }

    /// Why the layer below will have lost the frames that it tells of next. Any thread.
    package func expectLoss(_ reason: RecordingGap.Reason) {
        lossReason.store((reasons.firstIndex(of: reason) ?? 0) + 1, ordering: .releasing)
    }

    /// What changed in the signal since the last call. One thread at a time.
    package func takeChanges() -> [SignalChange] {
        var taken: [SignalChange] = []
        var read = changesRead.load(ordering: .relaxed)
        while read < changesWritten.load(ordering: .acquiring) {
            if let change = changes[read % Self.changeCapacity] { taken.append(change) }
            read += 1
            changesRead.store(read, ordering: .releasing)
        }
        return taken
    }

    // MARK: Control, while nothing is delivered

    /// Time that passes from here to the next delivery is no part of the recording.
    package func startOver() {
        clock.pointee = CaptureClock(sampleRate: sampleRate, start: now().nanoseconds)
        request.store(0, ordering: .relaxed)
    }

    /// Nothing comes any more: what is missing by this moment becomes a gap at the end of what was heard.
    /// - Parameter tolerance: less than this is no gap.
    package func endWithGap(_ reason: RecordingGap.Reason, beyond tolerance: Duration = .zero) {
        let missing = clock.pointee.missing(at: now().nanoseconds)
        if Double(missing) > tolerance.inSeconds * sampleRate { tell(missing, reason) }
    }
}
