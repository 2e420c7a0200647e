package import AudioCore
import Foundation
import Synchronization

/// A sine for as long as it is asked, or for a number of frames. Used by one device thread.
package final class ToneSource: PlaybackSource, @unchecked Sendable {
    // Unchecked: `position` is touched by the device thread only; `rendered` publishes it.
    private let frequency: Double
    private let amplitude: Float
    private let sampleRate: Double
    private let channelCount: Int
    private let length: Int?
    private var position = 0
    private let published = Atomic<Int>(0)
    private let asked = Atomic<Int>(0)

    /// - Parameter length: frames after which it says that nothing follows; nil for a tone without end.
    package init(
        frequency: Double = 440,
        amplitude: Float = 0.5,
        sampleRate: Double,
        channelCount: Int = 1,
        length: Int? = nil
    ) {
        self.frequency = frequency
        self.amplitude = amplitude
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.length = length
    }

    /// Frames rendered so far.
    package var rendered: Int { published.load(ordering: .acquiring) }
    /// Render calls so far.
    package var calls: Int { asked.load(ordering: .acquiring) }

    package func render(into samples: UnsafeMutableRawPointer, frames: Int) -> RenderResult {
        asked.add(1, ordering: .releasing)
        let count = min(frames, length.map { $0 - position } ?? frames)
        let output = samples.assumingMemoryBound(to: Float.self)
        for frame in 0..<count {
            let phase = 2 * Double.pi * frequency * Double(position + frame) / sampleRate
            for channel in 0..<channelCount { output[frame * channelCount + channel] = amplitude * Float(sin(phase)) }
        }
        position += count
        published.store(position, ordering: .releasing)
        return RenderResult(frames: count, isLast: position == length)
    }
}

/// Keeps what a capture stream hears, up to a limit.
package final class RecordingSink: CaptureSink, @unchecked Sendable {
    // Unchecked: the device thread writes storage beyond `count`, which it then publishes; readers look below it only.
    private let storage: UnsafeMutablePointer<Float>
    private let capacity: Int
    private let published = Atomic<Int>(0)
    private let first = Atomic<Int64>(0)
    private let missing = Atomic<Int>(0)
    package let channelCount: Int

    /// - Parameter capacity: frames that it keeps; it refuses the rest.
    package init(channelCount: Int = 1, capacity: Int = 48_000 * 30) {
        self.channelCount = channelCount
        self.capacity = capacity
        storage = .allocate(capacity: capacity * channelCount)
    }

    deinit { storage.deallocate() }

    /// Frames heard so far.
    package var count: Int { published.load(ordering: .acquiring) }

    /// When the first frames came, in nanoseconds of `DispatchTime`; 0 before.
    package var firstFrameTime: Int64 { first.load(ordering: .acquiring) }

    package func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        let count = published.load(ordering: .relaxed)
        if count == 0 { first.store(Int64(DispatchTime.now().uptimeNanoseconds), ordering: .releasing) }
        let accepted = min(frames, capacity - count)
        UnsafeMutableRawPointer(storage + count * channelCount)
            .copyMemory(from: samples, byteCount: accepted * channelCount * MemoryLayout<Float>.stride)
        published.store(count + accepted, ordering: .releasing)
        return accepted
    }

    package func lost(frames: Int) { missing.add(frames, ordering: .releasing) }

    /// Frames that the device layer said are lost.
    package var lostFrames: Int { missing.load(ordering: .acquiring) }

    /// One channel of frames `range`, cut to what there is.
    package func samples(channel: Int = 0, _ range: Range<Int> = 0..<Int.max) -> [Float] {
        let range = range.clamped(to: 0..<count)
        return range.map { storage[$0 * channelCount + channel] }
    }

    /// The last `frames` frames of one channel.
    package func last(_ frames: Int, channel: Int = 0) -> [Float] {
        let count = count
        return samples(channel: channel, max(count - frames, 0)..<count)
    }
}

/// Measures of a signal.
package enum Measure {
    /// The level of its root mean square against a full-scale square wave; a sine of amplitude 1 has −3.01.
    package static func decibels(_ samples: some Collection<Float>) -> Double {
        if samples.isEmpty { return -.infinity }
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        return power > 0 ? 10 * log10(power) : -.infinity
    }

    /// The frequency of a sine in hertz, from the phase that it gains between two halves; precise to some thousandths of
    /// a hertz for half a second of clean tone.
    ///
    /// - Parameter near: where it is looked for; the error must stay below half a turn between the middles of the halves,
    ///   which is 2 Hz for half a second.
    package static func frequency(_ samples: [Float], near: Double, sampleRate: Double) -> Double {
        let half = samples.count / 2
        if half == 0 { return 0 }
        let a = phase(samples[..<half], at: near, sampleRate: sampleRate, from: 0)
        let b = phase(samples[half..<(2 * half)], at: near, sampleRate: sampleRate, from: half)
        var turn = (b - a) / (2 * .pi)
        turn -= turn.rounded()
        return near + turn * sampleRate / Double(half)
    }

    /// How much of the power lies at `frequency`, 0 … 1.
    package static func purity(_ samples: [Float], at frequency: Double, sampleRate: Double) -> Double {
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        if power == 0 { return 0 }
        let (real, imaginary) = component(samples[...], at: frequency, sampleRate: sampleRate, from: 0)
        return 2 * (real * real + imaginary * imaginary) / (power * Double(samples.count))
    }

    /// The first index at which the signal is above `threshold`; nil where it never is.
    package static func onset(_ samples: [Float], above threshold: Float = 0.01) -> Int? {
        samples.firstIndex { abs($0) > threshold }
    }

    private static func phase(_ samples: ArraySlice<Float>, at frequency: Double, sampleRate: Double, from start: Int)
        -> Double
    {
        let (real, imaginary) = component(samples, at: frequency, sampleRate: sampleRate, from: start)
        return atan2(imaginary, real)
    }

    /// One bin of a Fourier transform under a Hann window would leak less, but halves are long and the tone is one.
    private static func component(
        _ samples: ArraySlice<Float>,
        at frequency: Double,
        sampleRate: Double,
        from start: Int
    ) -> (Double, Double) {
        var real = 0.0
        var imaginary = 0.0
        for (offset, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(start + offset) / sampleRate
            real += Double(sample) * cos(angle)
            imaginary -= Double(sample) * sin(angle)
        }
        return (real, imaginary)
    }
}

/// Keeps the events of a stream.
package final class EventLog: Sendable {
    private let events = Mutex<[StreamEvent]>([])

    package init() {}

    package var all: [StreamEvent] { events.withLock { $0 } }

    package func append(_ event: StreamEvent) { events.withLock { $0.append(event) } }

    package func count(where matches: (StreamEvent) -> Bool) -> Int { all.filter(matches).count }

    /// Waits for an event.
    package func wait(within seconds: Double = 5, for matches: (StreamEvent) -> Bool) -> StreamEvent? {
        eventually(within: seconds) { all.contains(where: matches) }
        return all.first(where: matches)
    }
}
