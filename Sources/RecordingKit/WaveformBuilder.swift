package import AudioCore

/// Makes a waveform from frames as they come, in memory that depends on the number of bins only.
///
/// Where the length is not known beforehand, the bins start at one frame; each time twice the asked number is full,
/// neighbours are joined and the bins become twice as long.
package struct WaveformBuilder {
    private struct Sum {
        var minimum = Float.infinity
        var maximum = -Float.infinity
        var squares = 0.0
        var samples: Int64 = 0

        mutating func add(_ other: Sum) {
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            squares += other.squares
            samples += other.samples
        }
    }

    private let binCount: Int
    private var framesPerBin: Int64
    private var full: [Sum] = []
    private var open = Sum()
    private var openFrames: Int64 = 0
    /// The frames that are being added, as floats.
    private var converted: PCMBuffer?

    /// - Parameters:
    ///   - binCount: the most bins that `waveform` has, 1 or more.
    ///   - expectedFrames: the length where it is known; a wrong one costs resolution, nothing else.
    package init(binCount: Int, expectedFrames: FrameCount? = nil) {
        self.binCount = max(binCount, 1)
        let length = max(expectedFrames?.value ?? 0, 0)
        framesPerBin = max(length / Int64(self.binCount) + (length % Int64(self.binCount) == 0 ? 0 : 1), 1)
    }

    /// Adds all frames of `buffer`.
    package mutating func append(_ buffer: PCMBuffer) {
        var format = buffer.format
        format.sampleType = .float32
        if converted?.format != format || (converted?.capacity ?? 0) < buffer.frameLength {
            converted = PCMBuffer(format: format, capacity: max(buffer.frameLength, buffer.capacity))
        }
        guard let converted else { return }
        SampleConverter(from: buffer.format, to: format).convert(buffer, into: converted)
        add(converted.samples(as: Float.self), frames: converted.frameLength, channels: format.channelCount)
    }

    /// What was added so far.
    package var waveform: Waveform {
        var sums = full
        if openFrames > 0 { sums.append(open) }
        let bins = sums.map { sum in
            Waveform.Bin(
                minimum: sum.minimum.isFinite ? sum.minimum : 0,
                maximum: sum.maximum.isFinite ? sum.maximum : 0,
                rms: sum.samples > 0 ? Float((sum.squares / Double(sum.samples)).squareRoot()) : 0
            )
        }
        return Waveform(bins: bins, framesPerBin: framesPerBin).reduced(to: binCount)
    }

    private mutating func add(_ samples: UnsafeMutableBufferPointer<Float>, frames: Int, channels: Int) {
        var frame = 0
        while frame < frames {
            let count = Int(min(Int64(frames - frame), framesPerBin - openFrames))
            var sum = open
            for index in frame * channels..<(frame + count) * channels {
                let sample = samples[index]
                // A file of floats may hold what is no number: it has no height that could be drawn.
                guard sample.isFinite else { continue }
                if sample < sum.minimum { sum.minimum = sample }
                if sample > sum.maximum { sum.maximum = sample }
                sum.squares += Double(sample) * Double(sample)
                sum.samples += 1
            }
            open = sum
            openFrames += Int64(count)
            frame += count
            if openFrames == framesPerBin { close() }
        }
    }

    private mutating func close() {
        full.append(open)
        open = Sum()
        openFrames = 0
        guard full.count == binCount * 2 else { return }
        full = stride(from: 0, to: full.count, by: 2).map { index in
            var pair = full[index]
            pair.add(full[index + 1])
            return pair
        }
        framesPerBin *= 2
    }
}
