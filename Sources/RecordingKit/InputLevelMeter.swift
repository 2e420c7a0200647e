import AudioCore
import AudioRuntime

/// Hears one input without recording it, to show whether anything arrives.
public final class InputLevelMeter: Sendable {
    /// Channels of the input as it is heard.
    public let channelCount: Int

    private let sink: LevelSink
    private let stream: any DeviceStream

    /// Opens `device` and listens at once, at the device's own rate, until the object is released.
    /// - Throws: `serverUnavailable`, `deviceUnavailable`, `permissionDenied`; `invalidArgument` for an output.
    public init(_ device: AudioDevice) throws(RecordingError) {
        guard device.isInput else {
            throw RecordingError(.invalidArgument, "'\(device.name)' is an output: nothing can be heard from it.")
        }
        guard device.sampleRate >= 1, device.sampleRate <= 1e6, 1...1024 ~= device.channelCount else {
            throw RecordingError(.invalidArgument, "'\(device.name)' has no rate or no channels that can be heard.")
        }
        let request = StreamRequest(
            sampleRate: device.sampleRate,
            channelCount: device.channelCount,
            deviceID: device.id,
            title: "Level of \(device.name)"
        )
        let sink = LevelSink(LevelMeter(channelCount: request.channelCount, sampleRate: request.sampleRate))
        stream = try reporting { () throws(AudioFailure) in
            let stream = try Runtime.current.devices.openCapture(request, sink: sink) { _ in }
            do throws(AudioFailure) {
                try stream.start()
            } catch {
                stream.close()
                throw error
            }
            return stream
        }
        channelCount = request.channelCount
        self.sink = sink
    }

    deinit { stream.close() }

    /// The mean power of a channel over the last 80 ms, in decibels of full scale, −160 … 0; −160 for a channel that
    /// does not exist. Any thread.
    public func averagePower(forChannel channel: Int) -> Float { sink.meter.averagePower(channel: channel) }

    /// The greatest sample of a channel in the last 80 ms, in decibels of full scale, −160 … 0. Any thread.
    public func peakPower(forChannel channel: Int) -> Float { sink.meter.peakPower(channel: channel) }
}

/// Takes everything and keeps its level only.
private final class LevelSink: CaptureSink {
    let meter: LevelMeter
    /// The meter without the counting of references, which may lock. `meter` keeps it.
    private let kept: Unmanaged<LevelMeter>

    init(_ meter: LevelMeter) {
        self.meter = meter
        kept = .passUnretained(meter)
    }

    @_noLocks @_noAllocation
    func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        kept._withUnsafeGuaranteedRef {
            $0.update(samples.assumingMemoryBound(to: Float.self), frames: frames)
        }
        return frames
    }
    /// Frames that were never heard have no level.
    @_noLocks @_noAllocation
    func lost(frames: Int) {}
}
