import AudioCore
import CoreAudio
import CoreAudioTypes
import Foundation

/// Carries samples between Apple's buffers, interleaved or not, and those of codecs, converting their type.
struct SampleExchange {
    /// Interleaved, of the sample type of Apple's buffer.
    private let near: PCMFormat
    private let far: PCMFormat
    private let toNear: SampleConverter
    private let toFar: SampleConverter
    /// Holds interleaved samples where Apple's buffer has none; at least as large as a step.
    private let middle: PCMBuffer
    /// Frames that are carried at once.
    static let step = 4096

    /// Nil where `format` is not one of the common formats, or has another rate or number of channels than `far`.
    init?(_ format: AVAudioFormat, _ far: PCMFormat) {
        guard
            let type = format.commonFormat.sampleType, format.sampleRate == far.sampleRate,
            Int(format.channelCount) == far.channelCount
        else { return nil }
        near = PCMFormat(sampleType: type, sampleRate: far.sampleRate, channelCount: far.channelCount)
        self.far = far
        toNear = SampleConverter(from: far, to: near)
        toFar = SampleConverter(from: near, to: far)
        middle = PCMBuffer(format: near, capacity: Self.step)
    }

    /// Puts the frames of `source` (at most `step`) into `target`, from frame `first`.
    func read(_ source: PCMBuffer, into target: AVAudioPCMBuffer, at first: Int) {
        let frames = source.frameLength
        let lists = target.capacityList
        if target.format.isInterleaved {
            guard let memory = lists[0].mData else { return }
            toNear.convert(source.bytes, into: memory + first * near.bytesPerFrame, frames: frames)
            return
        }
        toNear.convert(source.bytes, into: middle.bytes, frames: frames)
        for channel in 0..<near.channelCount {
            guard let memory = lists[channel].mData else { continue }
            move(middle.bytes, channel, near.channelCount, memory, first, 1, frames)
        }
    }

    /// Replaces the content of `target` (with room for a step) by `frames` frames (at most `step`) of `source` from frame
    /// `first`.
    func write(_ source: AVAudioPCMBuffer, from first: Int, frames: Int, into target: PCMBuffer) {
        let lists = source.capacityList
        if source.format.isInterleaved {
            guard let memory = lists[0].mData else { return }
            toFar.convert(memory + first * near.bytesPerFrame, into: target.bytes, frames: frames)
        } else {
            for channel in 0..<near.channelCount {
                guard let memory = lists[channel].mData else { continue }
                move(memory, first, 1, middle.bytes, channel, near.channelCount, frames)
            }
            toFar.convert(middle.bytes, into: target.bytes, frames: frames)
        }
        target.setFrameLength(frames)
    }

    /// Copies samples from every `sourceStride`-th place to every `targetStride`-th.
    private func move(
        _ source: UnsafeMutableRawPointer,
        _ sourceStart: Int,
        _ sourceStride: Int,
        _ target: UnsafeMutableRawPointer,
        _ targetStart: Int,
        _ targetStride: Int,
        _ frames: Int
    ) {
        func run<Word>(_ type: Word.Type) {
            let from = source.assumingMemoryBound(to: type) + sourceStart
            let to = target.assumingMemoryBound(to: type) + targetStart
            for frame in 0..<frames { to[frame * targetStride] = from[frame * sourceStride] }
        }
        switch near.sampleType.byteCount {
        case 2: run(UInt16.self)
        case 4: run(UInt32.self)
        default: run(UInt64.self)
        }
    }
}
