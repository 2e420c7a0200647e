/// What is heard of a channel, or of all.
package enum SignalChange: Sendable, Hashable {
    /// Every channel has given exact zeros for three seconds (true), as a muted microphone does and a room never; or sound
    /// is back (false).
    case silent(Bool)
    /// A channel has been dead for three seconds while another lives (true), or lives again (false). Counted from 0.
    case dead(channel: Int, Bool)
}

/// Listens for channels without a signal. Used by one thread, which may be a device thread.
package final class SignalWatch: @unchecked Sendable {
    // Unchecked: everything belongs to the thread that calls `update`; `changes` goes through a ring of its own.

    private struct Channel: BitwiseCopyable {
        /// The greatest magnitude of the piece under way, or any that is loud.
        var peak: Float = 0
        /// Frames since it was above the level of a dead channel; nothing yet is for ever.
        var sinceAlive = Int64.max / 2
        /// Frames since it was loud enough to make a dead one beside it remarkable.
        var sinceLoud = Int64.max / 2
        var isToldDead = false
    }

    private struct Progress: BitwiseCopyable {
        var position: Int64 = 0
        /// Frames of exact zeros in all channels, up to now.
        var zeros: Int64 = 0
        var isToldSilent = false
    }

    package let channelCount: Int
    private let patience: Int64
    private let channels: UnsafeMutablePointer<Channel>
    private let progress: UnsafeMutablePointer<Progress>

    /// −80 dBFS: below the noise of any microphone with its preamplifier, above that of a socket with nothing in it.
    private let deadLevel: Float = 1e-4
    /// −50 dBFS.
    private let loudLevel: Float = 3.16e-3
    /// Seconds.
    package static let patience = 3.0

    /// - Parameters:
    ///   - channelCount: 1 or more.
    ///   - sampleRate: frames per second, above zero.
    package init(channelCount: Int, sampleRate: Double) {
        precondition(channelCount > 0 && sampleRate > 0 && sampleRate < 1e9)
        self.channelCount = channelCount
        patience = Int64((sampleRate * Self.patience).rounded())
        channels = .allocate(capacity: channelCount)
        channels.initialize(repeating: Channel(), count: channelCount)
        progress = .allocate(capacity: 1)
        progress.initialize(to: Progress())
    }

    deinit {
        channels.deallocate()
        progress.deallocate()
    }

    /// Measures a piece of interleaved frames without counting it yet.
    @_noLocks @_noAllocation
    package func measure(_ samples: UnsafePointer<Float>, frames: Int) {
        var channel = 0
        while channel < channelCount {
            var peak: Float = 0
            var index = channel
            let end = frames * channelCount
            while index < end {
                let sample = samples[index]
                let magnitude = sample < 0 ? -sample : sample
                // False for what is not a number.
                if magnitude > peak {
                    peak = magnitude
                    // More does not matter, and most pieces end here at once.
                    if peak >= loudLevel { break }
                }
                index += channelCount
            }
            channels[channel].peak = peak
            channel += 1
        }
    }

    /// Whether a channel has lived within the last seconds, the piece that was measured last included.
    @_noLocks @_noAllocation
    package func isAlive(_ channel: Int) -> Bool {
        if channels[channel].peak >= deadLevel { return true }
        return channels[channel].sinceAlive < patience
    }

    /// Counts `frames` frames with what was measured last.
    @_noLocks @_noAllocation
    package func count(_ frames: Int) {
        let length = Int64(frames)
        var isZero = true
        var channel = 0
        while channel < channelCount {
            let peak = channels[channel].peak
            if peak > 0 { isZero = false }
            channels[channel].sinceAlive = peak >= deadLevel ? 0 : longer(channels[channel].sinceAlive, length)
            channels[channel].sinceLoud = peak >= loudLevel ? 0 : longer(channels[channel].sinceLoud, length)
            channel += 1
        }
        progress.pointee.zeros = isZero ? progress.pointee.zeros + length : 0
        progress.pointee.position += length
    }

    /// What has changed since it was last asked; one change a call, nil when there is no other.
    @_noLocks @_noAllocation
    package func nextChange() -> SignalChange? {
        let zeros = progress.pointee.zeros
        if progress.pointee.isToldSilent ? zeros == 0 : zeros >= patience {
            progress.pointee.isToldSilent.toggle()
            return .silent(progress.pointee.isToldSilent)
        }
        if channelCount == 1 { return nil }
        var channel = 0
        while channel < channelCount {
            let isTold = channels[channel].isToldDead
            if isTold, channels[channel].sinceAlive == 0 {
                channels[channel].isToldDead = false
                return .dead(channel: channel, false)
            }
            if !isTold, isDeadBesideOthers(channel) {
                channels[channel].isToldDead = true
                return .dead(channel: channel, true)
            }
            channel += 1
        }
        return nil
    }

    /// Another one must have been loud in the same three seconds, or nobody spoke.
    @_noLocks @_noAllocation
    private func isDeadBesideOthers(_ channel: Int) -> Bool {
        if channels[channel].sinceAlive < patience { return false }
        if progress.pointee.position < patience { return false }
        var other = 0
        while other < channelCount {
            if other != channel, channels[other].sinceLoud < patience { return true }
            other += 1
        }
        return false
    }

    @_noLocks @_noAllocation
    private func longer(_ count: Int64, _ length: Int64) -> Int64 { count < Int64.max / 2 ? count + length : count }
}
