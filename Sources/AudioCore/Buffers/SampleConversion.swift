/// Changes sample type and number of channels of interleaved frames; the sample rate stays.
///
/// Types are converted by the rules of `SampleValue` (full scale 2^15 and 2^31, nearest, clamped): integers of up to 24
/// bits come back exactly from 32-bit floats, all of 32 bits from 64-bit floats. Channels are converted by `ChannelMix`.
package struct SampleConverter: Sendable {
    package let input: PCMFormat
    package let output: PCMFormat
    private let mix: ChannelMix

    /// Both formats have the same sample rate; a `Resampler` changes that.
    package init(from input: PCMFormat, to output: PCMFormat) {
        precondition(input.sampleRate == output.sampleRate)
        self.input = input
        self.output = output
        mix = ChannelMix(from: input.channelCount, to: output.channelCount)
    }

    /// Replaces the content of `target` by the frames of `source`, converted.
    /// - Parameters:
    ///   - source: frames in the format `input`.
    ///   - target: another buffer, in the format `output`, with room for as many frames.
    package func convert(_ source: PCMBuffer, into target: PCMBuffer) {
        precondition(source.format == input && target.format == output)
        precondition(target.capacity >= source.frameLength && source !== target)
        convert(UnsafeRawPointer(source.bytes), into: target.bytes, frames: source.frameLength)
        target.setFrameLength(source.frameLength)
    }

    /// The same on memory that the caller keeps: `frames` frames of `input` at `source`, and room for as many of `output`
    /// at `target`, both aligned for their sample type and not overlapping. Allocates nothing.
    package func convert(_ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, frames: Int) {
        precondition(frames >= 0)
        if input.sampleType == output.sampleType && input.channelCount == output.channelCount {
            target.copyMemory(from: source, byteCount: frames * input.bytesPerFrame)
            return
        }
        switch input.sampleType {
        case .int16: toOutputType(source.assumingMemoryBound(to: Int16.self), into: target, frames: frames)
        case .int32: toOutputType(source.assumingMemoryBound(to: Int32.self), into: target, frames: frames)
        case .float32: toOutputType(source.assumingMemoryBound(to: Float.self), into: target, frames: frames)
        case .float64: toOutputType(source.assumingMemoryBound(to: Double.self), into: target, frames: frames)
        }
    }

    @inline(__always)
    private func toOutputType<Source: SampleValue>(
        _ source: UnsafePointer<Source>,
        into target: UnsafeMutableRawPointer,
        frames: Int
    ) {
        switch output.sampleType {
        case .int16: run(source, target.assumingMemoryBound(to: Int16.self), frames)
        case .int32: run(source, target.assumingMemoryBound(to: Int32.self), frames)
        case .float32: run(source, target.assumingMemoryBound(to: Float.self), frames)
        case .float64: run(source, target.assumingMemoryBound(to: Double.self), frames)
        }
    }

    @inline(__always)
    private func run<Source: SampleValue, Target: SampleValue>(
        _ source: UnsafePointer<Source>,
        _ target: UnsafeMutablePointer<Target>,
        _ frames: Int
    ) {
        switch (mix.inputs, mix.outputs) {
        case (let inputs, let outputs) where inputs == outputs:
            for sample in 0..<frames * inputs { target[sample] = Target(scaled: source[sample].scaled) }
        case (1, 2):
            for frame in 0..<frames {
                let value = Target(scaled: source[frame].scaled)
                target[2 * frame] = value
                target[2 * frame + 1] = value
            }
        case (2, 1):
            for frame in 0..<frames {
                target[frame] = Target(scaled: (source[2 * frame].scaled + source[2 * frame + 1].scaled) * 0.5)
            }
        default:
            mixed(source, target, frames)
        }
    }

    private func mixed<Source: SampleValue, Target: SampleValue>(
        _ source: UnsafePointer<Source>,
        _ target: UnsafeMutablePointer<Target>,
        _ frames: Int
    ) {
        let (inputs, outputs) = (mix.inputs, mix.outputs)
        mix.weights.withUnsafeBufferPointer { weights in
            for frame in 0..<frames {
                let sourceFrame = source + frame * inputs
                for row in 0..<outputs {
                    var sum = 0.0
                    for channel in 0..<inputs {
                        let weight = weights[row * inputs + channel]
                        // A silent weight must also silence what is not a number.
                        if weight != 0 { sum += weight * sourceFrame[channel].scaled }
                    }
                    target[frame * outputs + row] = Target(scaled: sum)
                }
            }
        }
    }
}
