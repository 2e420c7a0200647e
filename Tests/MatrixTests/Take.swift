import Foundation

/// What is written: a signal in which a shift by one frame shows.
struct Take: Sendable, CustomStringConvertible {
    var rate: Double
    var channels: Int
    var frames: Int
    /// Interleaved, on the scale −1 … 1; what a lossless file must give back to the bit.
    var samples: [Double]
    /// As of `Pair`.
    var floor: Double?

    var description: String { "\(Int(rate)) Hz, \(channels) channel(s), \(frames) frames" }

    init(_ pair: Pair, rate: Double, channels: Int, frames: Int) {
        self.init(rate: rate, channels: channels, frames: frames, bits: pair.bits, floor: pair.floor)
    }

    /// - Parameter bits: significant bits of the samples; 0 for what a `Float` holds.
    init(rate: Double, channels: Int, frames: Int, bits: Int, floor: Double?) {
        (self.rate, self.channels, self.frames, self.floor) = (rate, channels, frames, floor)
        let scale = bits == 0 ? 0 : pow(2, Double(bits - 1))
        let step = bits == 0 ? 0x1p-24 : 1 / scale
        // Both ends of the scale, and one step around its middle. Lossy codecs would ring.
        let edges: [Double] = floor == nil ? [-1, 1 - step, step, -step] : []
        samples = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            for channel in 0..<channels {
                let time = Double(frame) / rate
                let turn = 2 * Double.pi * time
                let pitch = Double(channel) * 70
                // Rises, so that the sound is at one place only.
                let low: Double = sin(turn * (440 + pitch + 100 * time))
                let middle: Double = sin(turn * (1310 - pitch))
                let high: Double = sin(turn * (3100 - pitch))
                let value = 0.25 * (low + middle + high)
                var sample = frame < edges.count ? edges[(frame + channel) % edges.count] : value
                sample = bits == 0 ? Double(Float(sample)) : (sample * scale).rounded() / scale
                samples.append(sample)
            }
        }
    }
}

/// What a program made of a file.
enum Reading: Sendable, Equatable, CustomStringConvertible {
    case refused
    /// Frames more than were written, and frames that the sound comes late; nil where it is not the sound that was
    /// written.
    case read(extra: Int, delay: Int?)

    static let exact = read(extra: 0, delay: 0)

    var description: String {
        switch self {
        case .refused: "refused"
        case .read(0, 0): "exact"
        case .read(let extra, let delay?): "\(Self.signed(extra)) frames, \(delay == 0 ? "in place" : "\(delay) late")"
        case .read(let extra, nil): "\(Self.signed(extra)) frames, other sound"
        }
    }

    private static func signed(_ value: Int) -> String { value > 0 ? "+\(value)" : "\(value)" }
}

extension Take {
    /// Compares what was decoded with what was written.
    /// - Parameters:
    ///   - copy: interleaved.
    ///   - multiple: decoded frames for each frame that was written, where a decoder works at a higher rate.
    ///   - tolerance: of samples of a lossless file, for programs that hold fewer bits.
    func reading(_ copy: [Double], multiple: Int = 1, tolerance: Double = 0) -> Reading {
        let count = copy.count / channels
        var copy = copy
        if multiple > 1 {
            copy = stride(from: 0, to: count, by: multiple).flatMap { copy[$0 * channels..<($0 + 1) * channels] }
        }
        return .read(
            extra: count - frames * multiple,
            delay: samples.withUnsafeBufferPointer { signal in
                copy.withUnsafeBufferPointer { Comparison(self, signal, $0, tolerance: tolerance).delay() }
            }
        )
    }
}

/// A signal and its copy.
private struct Comparison {
    private let take: Take
    private let signal: UnsafeBufferPointer<Double>
    private let copy: UnsafeBufferPointer<Double>
    private let tolerance: Double
    private var channels: Int { take.channels }
    /// Codecs fade in and out.
    private let fade = 2_200

    init(
        _ take: Take,
        _ signal: UnsafeBufferPointer<Double>,
        _ copy: UnsafeBufferPointer<Double>,
        tolerance: Double
    ) {
        (self.take, self.signal, self.copy, self.tolerance) = (take, signal, copy, tolerance)
    }

    /// Frames that the copy comes late; nil where it is nowhere.
    func delay() -> Int? {
        // Too short to find it by its sound.
        if !take.isAudible { return take.floor != nil || isSame(at: 0) ? 0 : nil }
        let near = (-2...2).map { quality(at: $0, window) }
        if near[2] >= floor, near.max() == near[2] { return isSame(at: 0) ? 0 : nil }
        let shifts = Array(-2_500...4_000)
        guard let best = shifts.max(by: { quality(at: $0, window) < quality(at: $1, window) }) else { return nil }
        return quality(at: best, window) >= floor && isSame(at: best) ? best : nil
    }

    private var floor: Double { take.floor ?? 20 }
    private var window: Range<Int> { take.frames / 2..<take.frames / 2 + 300 }

    /// Whether the whole copy is the signal, shifted.
    private func isSame(at shift: Int) -> Bool {
        guard take.floor == nil else { return quality(at: shift, fade..<take.frames - fade) >= floor }
        let common = max(0, -shift)..<min(take.frames, copy.count / channels - shift)
        if common.isEmpty { return take.frames == 0 || copy.isEmpty }
        return (common.lowerBound * channels..<common.upperBound * channels).allSatisfy {
            abs(signal[$0] - copy[$0 + shift * channels]) <= tolerance
        }
    }

    /// How far the signal lies above the difference, in decibels; over all channels.
    private func quality(at shift: Int, _ frames: Range<Int>) -> Double {
        let end = copy.count / channels - shift
        // A tail that is missing is told by the count.
        let frames = frames.clamped(to: max(frames.lowerBound, -shift)..<max(frames.lowerBound, -shift, end))
        guard !frames.isEmpty else { return -.infinity }
        var power = 0.0
        var error = 0.0
        for index in frames.lowerBound * channels..<frames.upperBound * channels {
            let difference = signal[index] - copy[index + shift * channels]
            power += signal[index] * signal[index]
            error += difference * difference
        }
        return error == 0 ? .infinity : 10 * log10(power / error)
    }
}
