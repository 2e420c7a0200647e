import Synchronization

/// Adds up many short sounds for one stream, each at its own place, without locks.
///
/// A voice is a sound that is playing. One control thread adds and stops voices; the device thread plays them and says
/// how far each has come. What is added in one call of `add` begins in the same frame.
///
/// Sums below full scale are exact. Above it a limiter makes everything quieter for a moment: its gain falls at once and
/// comes back over a quarter of a second, so that nothing wraps or is cut off flat.
package final class VoiceMixer: PlaybackSource, @unchecked Sendable {
    // Unchecked: a slot belongs to control while it is free or done and to the device thread otherwise, by its atomic state;
    // `gain` belongs to the device thread.

    /// Interleaved 32-bit float samples of one or two channels, which must stay where they are until the voice is released.
    package struct Sound {
        let samples: UnsafePointer<Float>
        let channelCount: Int
        let frameCount: Int

        package init(samples: UnsafePointer<Float>, channelCount: Int, frameCount: Int) {
            precondition(channelCount == 1 || channelCount == 2)
            self.samples = samples
            self.channelCount = channelCount
            self.frameCount = frameCount
        }
    }

    /// How far a voice is.
    package enum Progress: Equatable, Sendable {
        case waiting
        /// It ends, or has ended, before the frame `end` of the stream, if nobody stops it.
        case playing(end: Int64)
        /// Its last frame has been given to the device.
        case done
    }

    private enum State {
        static let free = 0
        static let playing = 1
        static let stopping = 2
        static let done = 3
    }

    private struct Voice: BitwiseCopyable {
        var samples: UnsafePointer<Float>?
        var channelCount = 1
        var frameCount = 0
        var position = 0
        /// Frames until it is silent, once it is being stopped.
        var fadeLeft = VoiceMixer.fade
        var batch = 0
    }

    /// Voices at the same time.
    package static let capacity = 256
    package static let channelCount = 2
    /// Frames over which a stopped voice becomes silent, so that it does not click: 5 ms at 48 kHz.
    private static let fade = 240

    private let voices: UnsafeMutablePointer<Voice>
    private let states: UnsafeMutablePointer<Atomic<Int>>
    /// The frame of the stream in which a voice began; −1 before.
    private let begins: UnsafeMutablePointer<Atomic<Int64>>
    private let gain: UnsafeMutablePointer<Float>
    /// How much of what is missing to a gain of 1 comes back with each frame.
    private let recovery: Float
    private let renderedFrames = Atomic<Int64>(0)
    /// Voices of later batches are not looked at yet.
    private let published = Atomic<Int>(0)

    package init(sampleRate: Double) {
        voices = .allocate(capacity: Self.capacity)
        voices.initialize(repeating: Voice(), count: Self.capacity)
        states = .allocate(capacity: Self.capacity)
        begins = .allocate(capacity: Self.capacity)
        for slot in 0..<Self.capacity {
            (states + slot).initialize(to: Atomic(State.free))
            (begins + slot).initialize(to: Atomic(-1))
        }
        gain = .allocate(capacity: 1)
        gain.initialize(to: 1)
        // A quarter of a second brings back 95 %.
        recovery = Float(min(3 / (0.25 * max(sampleRate, 1)), 1))
    }

    deinit {
        voices.deallocate()
        states.deinitialize(count: Self.capacity).deallocate()
        begins.deinitialize(count: Self.capacity).deallocate()
        gain.deallocate()
    }

    // MARK: Control

    /// Frames given to the device so far.
    package var rendered: Int64 { renderedFrames.load(ordering: .acquiring) }

    /// Begins to play all of `sounds` in the same frame.
    /// - Returns: the slot of each, to ask and stop it by; nil where there are too many voices.
    package func add(_ sounds: [Sound]) -> [Int?] {
        let batch = published.load(ordering: .relaxed) + 1
        var slot = 0
        let slots: [Int?] = sounds.map { sound in
            while slot < Self.capacity, states[slot].load(ordering: .acquiring) != State.free { slot += 1 }
            guard slot < Self.capacity else { return nil }
            voices[slot] = Voice(
                samples: sound.samples,
                channelCount: sound.channelCount,
                frameCount: sound.frameCount,
                batch: batch
            )
            begins[slot].store(-1, ordering: .relaxed)
            states[slot].store(State.playing, ordering: .releasing)
            defer { slot += 1 }
            return slot
        }
        published.store(batch, ordering: .releasing)
        return slots
    }

    /// Makes a voice silent within a few milliseconds. It is `done` when the device thread has seen it.
    package func stop(_ slot: Int) {
        _ = states[slot].compareExchange(
            expected: State.playing,
            desired: State.stopping,
            ordering: .acquiringAndReleasing
        )
    }

    package func progress(_ slot: Int) -> Progress {
        if states[slot].load(ordering: .acquiring) == State.done { return .done }
        let begin = begins[slot].load(ordering: .acquiring)
        return begin < 0 ? .waiting : .playing(end: begin + Int64(voices[slot].frameCount))
    }

    /// The frame of the stream behind the last one of a voice that is `done` and was not stopped.
    package func end(_ slot: Int) -> Int64 { begins[slot].load(ordering: .acquiring) + Int64(voices[slot].frameCount) }

    /// Gives the slot of a voice that is `done` back: its samples are not needed any more.
    package func release(_ slot: Int) {
        precondition(states[slot].load(ordering: .acquiring) == State.done)
        states[slot].store(State.free, ordering: .releasing)
    }

    // MARK: Device thread

    package func render(into samples: UnsafeMutableRawPointer, frames: Int) -> RenderResult {
        fill(samples.assumingMemoryBound(to: Float.self), frames: frames)
        return RenderResult(frames: frames, isLast: false)
    }

    @_noLocks @_noAllocation
    private func fill(_ output: UnsafeMutablePointer<Float>, frames: Int) {
        output.update(repeating: 0, count: frames * Self.channelCount)
        let batch = published.load(ordering: .acquiring)
        let now = renderedFrames.load(ordering: .relaxed)
        var isSilent = true
        var slot = 0
        while slot < Self.capacity {
            let state = states[slot].load(ordering: .acquiring)
            if state == State.playing || state == State.stopping, voices[slot].batch <= batch {
                if voices[slot].position == 0 { begins[slot].store(now, ordering: .releasing) }
                mix(slot, into: output, frames: frames, isStopping: state == State.stopping)
                isSilent = false
            }
            slot += 1
        }
        if gain.pointee < 1 { isSilent = false }
        if !isSilent { limit(output, frames: frames) }
        renderedFrames.store(now + Int64(frames), ordering: .releasing)
    }

    @_noLocks @_noAllocation
    private func mix(_ slot: Int, into output: UnsafeMutablePointer<Float>, frames: Int, isStopping: Bool) {
        let voice = voices + slot
        let left = voice.pointee.frameCount - voice.pointee.position
        var count = left < frames ? left : frames
        if isStopping, voice.pointee.fadeLeft < count { count = voice.pointee.fadeLeft }
        if let samples = voice.pointee.samples, count > 0 {
            let isMono = voice.pointee.channelCount == 1
            let source = samples + voice.pointee.position * voice.pointee.channelCount
            var frame = 0
            while frame < count {
                var leftSample = source[isMono ? frame : frame * 2]
                var rightSample = isMono ? leftSample : source[frame * 2 + 1]
                if isStopping {
                    let level = Float(voice.pointee.fadeLeft - frame) / Float(Self.fade)
                    leftSample *= level
                    rightSample *= level
                }
                output[frame * 2] += leftSample
                output[frame * 2 + 1] += rightSample
                frame += 1
            }
        }
        voice.pointee.position += count
        if isStopping { voice.pointee.fadeLeft -= count }
        if count < frames || left == count { states[slot].store(State.done, ordering: .releasing) }
    }

    @_noLocks @_noAllocation
    private func limit(_ output: UnsafeMutablePointer<Float>, frames: Int) {
        var level = gain.pointee
        var frame = 0
        while frame < frames {
            let left = output[frame * 2]
            let right = output[frame * 2 + 1]
            // Comparisons that are false for what is no number: it leaves the others alone and is made silence.
            var peak = left < 0 ? -left : left
            let other = right < 0 ? -right : right
            if other > peak { peak = other }
            if peak * level > 1 { level = 1 / peak }
            if level < 1 {
                output[frame * 2] = bounded(left * level)
                output[frame * 2 + 1] = bounded(right * level)
                level += (1 - level) * recovery
                if level > 0.999 { level = 1 }
            } else {
                output[frame * 2] = bounded(left)
                output[frame * 2 + 1] = bounded(right)
            }
            frame += 1
        }
        gain.pointee = level
    }

    /// Within full scale; what is no number is silence.
    @_noLocks @_noAllocation
    private func bounded(_ sample: Float) -> Float {
        if sample >= -1, sample <= 1 { return sample }
        return sample > 1 ? 1 : sample < -1 ? -1 : 0
    }
}
