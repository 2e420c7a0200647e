package import AudioCore
import Synchronization

/// A device of a simulation. Everything under the simulation's lock.
final class SimulatedDevice: @unchecked Sendable {
    // Unchecked: guarded by the lock of the simulation that owns it.
    let configuration: SimulatedConfiguration.Device
    var signal: SimulatedSignal
    var sampleRate: Double
    var channelCount: Int
    var isPresent: Bool
    var isSuspended = false
    var isMuted = false
    /// The factor of the amplitude, 0 … 1.
    var volume = 1.0
    var hasVolumeControl: Bool
    /// Gives nothing although it runs.
    var isFrozen = false
    /// Counted from 0.
    var deadChannels: Set<Int> = []

    init(_ configuration: SimulatedConfiguration.Device) {
        self.configuration = configuration
        signal = configuration.signal
        sampleRate = configuration.sampleRate
        channelCount = configuration.channelCount
        isPresent = configuration.isPresent
        hasVolumeControl = configuration.direction == .input && configuration.monitored == nil
    }

    var id: String { configuration.id }
    var isMonitor: Bool { configuration.monitored != nil }

    /// The factor of a stream's channel that comes of the level and of dead channels.
    func gain(ofChannel channel: Int, of streamChannels: Int) -> Float {
        Float(volume) * share(ofChannel: channel, of: streamChannels)
    }

    /// What dead channels leave of a stream's channel. A stream of one channel is the mean of the device's, as sound servers
    /// make it.
    private func share(ofChannel channel: Int, of streamChannels: Int) -> Float {
        if deadChannels.isEmpty { return 1 }
        if channelCount == 1 { return deadChannels.contains(0) ? 0 : 1 }
        if streamChannels > 1 { return deadChannels.contains(channel) ? 0 : 1 }
        let living = (0..<channelCount).count { !deadChannels.contains($0) }
        return Float(living) / Float(channelCount)
    }

    func description(isDefault: Bool) -> DeviceDescription {
        DeviceDescription(
            id: id,
            name: configuration.name,
            direction: configuration.direction,
            isDefault: isDefault,
            isMonitor: isMonitor,
            port: configuration.port,
            sampleRate: sampleRate,
            channelCount: channelCount,
            isMuted: isMuted,
            volume: volume,
            isVolumeSettable: hasVolumeControl
        )
    }
}

/// What one stream played on a simulated speaker.
package final class SimulatedTrack: Sendable {
    private struct State {
        var samples: [Float] = []
        var frameCount = 0
    }

    package let output: String
    package let sampleRate: Double
    package let channelCount: Int
    private let keptFrames: Int
    private let state = Mutex(State())

    init(output: String, sampleRate: Double, channelCount: Int, keptFrames: Int) {
        self.output = output
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.keptFrames = max(keptFrames, 0)
    }

    /// Frames played, silence of underruns included.
    package var frameCount: FrameCount { FrameCount(state.withLock { $0.frameCount }) }

    /// The first frames played, interleaved, as many as the configuration keeps.
    package var samples: [Float] { state.withLock { $0.samples } }

    func append(_ block: ArraySlice<Float>) {
        state.withLock { state in
            let room = keptFrames * channelCount - state.samples.count
            if room > 0 { state.samples.append(contentsOf: block.prefix(room)) }
            state.frameCount += block.count / channelCount
        }
    }
}
