import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Peak and average power of every channel, in decibels below full scale, −160 … 0.
///
/// Ballistics: both look back over a rectangular window of the last 80 ms, renewed every 20 ms of audio. The average is
/// the root mean square (a full-scale sine has −3.01 dBFS), the peak the greatest magnitude. Nothing decays on its own:
/// when no audio comes, the last values stay until `reset()`.
///
/// `update` belongs to one thread at a time, which may be a device thread; the rest may be called from any thread.
package final class LevelMeter: @unchecked Sendable {
    // Unchecked: `work` and `progress` belong to the thread that calls `update`; everything shared goes through the
    // atomics `published` and `resetRequested`.

    /// The power of silence, in dBFS.
    package static let silence: Float = -160

    package let channelCount: Int

    /// A power of two. Not static: the update may not touch metadata or run an initialiser.
    private let blocksPerWindow = 4
    private static let secondsPerBlock = 0.02

    /// What one block of one channel has gathered.
    private struct Block: BitwiseCopyable {
        var squares: Float = 0
        var peak: Float = 0
    }

    /// Where `update` stands.
    private struct Progress: BitwiseCopyable {
        var block = 0
        var framesInBlock = 0
        /// Blocks of the window that hold audio, the open one not counted.
        var fullBlocks = 0
    }

    private let framesPerBlock: Int
    /// `blocksPerWindow` blocks for every channel, used as a ring.
    private let work: UnsafeMutablePointer<Block>
    private let progress: UnsafeMutablePointer<Progress>
    /// For every channel the mean square (high half) and the peak (low half) as bit patterns of `Float`.
    private let published: UnsafeMutablePointer<Atomic<UInt64>>
    private let resetRequested = Atomic<Bool>(false)

    /// - Parameters:
    ///   - channelCount: channels in a frame, 1 or more.
    ///   - sampleRate: frames per second, above zero.
    package init(channelCount: Int, sampleRate: Double) {
        precondition(channelCount > 0 && sampleRate > 0 && sampleRate < 1e9)
        self.channelCount = channelCount
        framesPerBlock = max(1, Int((sampleRate * Self.secondsPerBlock).rounded()))
        work = .allocate(capacity: channelCount * blocksPerWindow)
        work.initialize(repeating: Block(), count: channelCount * blocksPerWindow)
        progress = .allocate(capacity: 1)
        progress.initialize(to: Progress())
        published = .allocate(capacity: channelCount)
        for channel in 0..<channelCount { (published + channel).initialize(to: Atomic(0)) }
    }

    deinit {
        published.deinitialize(count: channelCount)
        published.deallocate()
        progress.deallocate()
        work.deallocate()
    }

    /// Takes `frames` interleaved frames. What is not a number counts as silence.
    @_noLocks @_noAllocation
    package func update(_ samples: UnsafePointer<Float>, frames: Int) {
        if resetRequested.load(ordering: .relaxed) { startOver() }
        var done = 0
        while done < frames {
            let room = framesPerBlock - progress.pointee.framesInBlock
            let part = frames - done < room ? frames - done : room
            var channel = 0
            while channel < channelCount {
                gather(samples + done * channelCount + channel, frames: part, channel: channel)
                channel += 1
            }
            done += part
            progress.pointee.framesInBlock += part
            if progress.pointee.framesInBlock == framesPerBlock { closeBlock() }
        }
    }

    /// Forgets what was heard: every channel is silent until the next audio.
    package func reset() { resetRequested.store(true, ordering: .releasing) }

    /// The average power of a channel in dBFS, −160 … 0; −160 for a channel that does not exist.
    package func averagePower(channel: Int) -> Float {
        Self.decibels(power: Float(bitPattern: UInt32(latest(channel) >> 32)))
    }

    /// The peak power of a channel in dBFS, −160 … 0; −160 for a channel that does not exist.
    package func peakPower(channel: Int) -> Float {
        let peak = Float(bitPattern: UInt32(truncatingIfNeeded: latest(channel)))
        return Self.decibels(power: peak * peak)
    }

    private func latest(_ channel: Int) -> UInt64 {
        guard channel >= 0, channel < channelCount, !resetRequested.load(ordering: .acquiring) else { return 0 }
        return published[channel].load(ordering: .relaxed)
    }

    private static func decibels(power: Float) -> Float {
        // 1e-16 is −160 dB; comparing first keeps log10 away from zero and from what is not a number.
        power > 1e-16 ? min(0, 10 * log10f(power)) : silence
    }

    @_noLocks @_noAllocation
    private func gather(_ samples: UnsafePointer<Float>, frames: Int, channel: Int) {
        let block = work + (channel * blocksPerWindow + progress.pointee.block)
        var squares = block.pointee.squares
        var peak = block.pointee.peak
        var frame = 0
        var index = 0
        while frame < frames {
            let sample = samples[index]
            let magnitude = sample < 0 ? -sample : sample
            // False for NaN. The bound keeps the squares finite.
            if magnitude <= 1e6 {
                squares += magnitude * magnitude
                if magnitude > peak { peak = magnitude }
            } else if magnitude > 1e6 {
                squares += 1
                peak = 1
            }
            frame += 1
            index += channelCount
        }
        block.pointee = Block(squares: squares, peak: peak)
    }

    @_noLocks @_noAllocation
    private func closeBlock() {
        if progress.pointee.fullBlocks < blocksPerWindow { progress.pointee.fullBlocks += 1 }
        let frames = Float(framesPerBlock * progress.pointee.fullBlocks)
        progress.pointee.block = (progress.pointee.block + 1) & (blocksPerWindow - 1)
        progress.pointee.framesInBlock = 0
        var channel = 0
        while channel < channelCount {
            let blocks = work + channel * blocksPerWindow
            var squares: Float = 0
            var peak: Float = 0
            var index = 0
            while index < blocksPerWindow {
                squares += blocks[index].squares
                if blocks[index].peak > peak { peak = blocks[index].peak }
                index += 1
            }
            let bits = UInt64((squares / frames).bitPattern) << 32 | UInt64(peak.bitPattern)
            published[channel].store(bits, ordering: .relaxed)
            blocks[progress.pointee.block] = Block()
            channel += 1
        }
    }

    @_noLocks @_noAllocation
    private func startOver() {
        progress.pointee = Progress()
        var channel = 0
        while channel < channelCount {
            var index = 0
            while index < blocksPerWindow {
                work[channel * blocksPerWindow + index] = Block()
                index += 1
            }
            published[channel].store(0, ordering: .relaxed)
            channel += 1
        }
        resetRequested.store(false, ordering: .releasing)
    }
}
