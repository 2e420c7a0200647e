package import AudioCore

/// What a simulated microphone hears. The same signal, rate and channel count always give the same samples.
package enum SimulatedSignal: Sendable {
    /// Syllables of a made-up voice with pauses between them, peaks near −9 dBFS.
    case voice(seed: UInt64)
    /// A sine of equal phase in every channel.
    case sine(frequency: Double, amplitude: Float)
    case silence
    /// White noise, independent in every channel.
    case noise(seed: UInt64, amplitude: Float)
    /// Sample value = frame number modulo 2^24, divided by 2^24, exact in a float: shows every lost or doubled frame.
    case counter
    /// Frames of the caller's, made in the format of each stream that is opened: interleaved 32-bit floats.
    case custom(@Sendable (PCMFormat) throws(AudioFailure) -> any SimulatedSound)
}

/// A sound of the caller's for a simulated microphone. Read by one thread at a time.
package protocol SimulatedSound: AnyObject {
    /// Fills up to `frames` interleaved 32-bit float frames, in order.
    ///
    /// - Returns: the frames filled; fewer than asked at the end, after which silence follows.
    func read(into samples: UnsafeMutableRawPointer, frames: Int) -> Int
}

/// Gives the frames of a signal by position, in pieces. Positions are asked in order.
class SignalReader {
    /// Calls `body` with a piece that begins at `position`: 1 … `frames` frames.
    func read(_ position: Int, frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {}

    /// - Throws: what the maker of a custom sound throws.
    static func make(_ signal: SimulatedSignal, sampleRate: Int, channelCount: Int) throws(AudioFailure) -> SignalReader
    {
        let rate = Double(sampleRate)
        switch signal {
        case .silence: return LoopReader(frames: 4096, channelCount) { _ in 0 }
        case .sine(let frequency, let amplitude):
            // Whole periods in a loop of whole seconds, so that it closes without a step: 100 s hold every hundredth hertz,
            // of which a tenth or less suffices for round frequencies.
            let seconds = [1, 10, 100].first { (frequency * Double($0)).rounded() == frequency * Double($0) } ?? 100
            return LoopReader(frames: sampleRate * seconds, channelCount) { frame in
                amplitude * Float(Wave.sine(turns: frequency * Double(frame) / rate))
            }
        case .voice(let seed):
            var voice = VoiceGenerator(seed: seed, sampleRate: rate)
            return LoopReader(frames: sampleRate * VoiceGenerator.loopSeconds, channelCount) { _ in voice.next() }
        case .noise(let seed, let amplitude):
            return NoiseReader(seed: seed, amplitude: amplitude, channelCount: channelCount)
        case .counter: return CounterReader(channelCount: channelCount)
        case .custom(let make):
            return SoundReader(
                try make(PCMFormat(sampleRate: rate, channelCount: channelCount)),
                channelCount: channelCount
            )
        }
    }
}

/// A signal that repeats: made once, then only pointed at.
private final class LoopReader: SignalReader {
    private let loop: UnsafeMutablePointer<Float>
    private let length: Int
    private let channelCount: Int

    init(frames: Int, _ channelCount: Int, _ sample: (Int) -> Float) {
        length = frames
        self.channelCount = channelCount
        loop = .allocate(capacity: frames * channelCount)
        for frame in 0..<frames {
            let value = sample(frame)
            for channel in 0..<channelCount { loop[frame * channelCount + channel] = value }
        }
    }

    deinit { loop.deallocate() }

    override func read(_ position: Int, frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {
        let start = position % length
        body(UnsafeRawPointer(loop + start * channelCount), min(frames, length - start))
    }
}

/// A signal that is made as it is read, in a buffer of its own.
private class ScratchReader: SignalReader {
    static let capacity = 1024
    let scratch: UnsafeMutablePointer<Float>
    let channelCount: Int

    init(channelCount: Int) {
        self.channelCount = channelCount
        scratch = .allocate(capacity: Self.capacity * channelCount)
    }

    deinit { scratch.deallocate() }
}

private final class CounterReader: ScratchReader {
    override func read(_ position: Int, frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {
        let count = min(frames, Self.capacity)
        for frame in 0..<count {
            let value = Float((position + frame) & 0xFF_FFFF) / Float(1 << 24)
            for channel in 0..<channelCount { scratch[frame * channelCount + channel] = value }
        }
        body(UnsafeRawPointer(scratch), count)
    }
}

private final class NoiseReader: ScratchReader {
    private let seed: UInt64
    private let amplitude: Float

    init(seed: UInt64, amplitude: Float, channelCount: Int) {
        self.seed = seed
        self.amplitude = amplitude
        super.init(channelCount: channelCount)
    }

    override func read(_ position: Int, frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {
        let count = min(frames, Self.capacity)
        for index in 0..<(count * channelCount) {
            let bits = SplitMix.hash(seed &+ UInt64(bitPattern: Int64(position * channelCount + index)))
            scratch[index] = amplitude * (Float(bits >> 40) / Float(1 << 23) - 1)
        }
        body(UnsafeRawPointer(scratch), count)
    }
}

/// A sound of the caller's. It is read once; what a stream does not take at once is kept.
private final class SoundReader: ScratchReader {
    private let sound: any SimulatedSound
    private var start = 0
    private var length = 0

    init(_ sound: any SimulatedSound, channelCount: Int) {
        self.sound = sound
        super.init(channelCount: channelCount)
    }

    override func read(_ position: Int, frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {
        while position >= start + length { fill() }
        let offset = max(position - start, 0)
        body(UnsafeRawPointer(scratch + offset * channelCount), min(frames, length - offset))
    }

    private func fill() {
        start += length
        length = Self.capacity
        let filled = min(max(sound.read(into: UnsafeMutableRawPointer(scratch), frames: length), 0), length)
        (scratch + filled * channelCount).update(repeating: 0, count: (length - filled) * channelCount)
    }
}
