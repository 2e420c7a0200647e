import AudioCore
import AudioRuntime
import Glibc
import Synchronization

/// Hears one input without recording it, to show whether anything arrives.
public final class InputLevelMeter: Sendable {
    /// How loud an input is, in decibels of full scale, −160 … 0 and above for floating-point overs.
    public struct Level: Sendable, Hashable {
        /// The mean power of the last delivery.
        public var average: Float
        /// The largest sample since the level was taken before.
        public var peak: Float
    }

    private let sink = LevelSink()
    private let stream: any DeviceStream

    /// Opens `device` and listens at once, at the device's own rate.
    /// - Throws: `serverUnavailable`, `deviceUnavailable`, `permissionDenied`.
    public init(_ device: AudioDevice) throws(RecordingError) {
        let request = StreamRequest(
            sampleRate: device.sampleRate,
            channelCount: max(device.channelCount, 1),
            deviceID: device.id,
            title: "Level of \(device.name)"
        )
        let sink = sink
        sink.channelCount.store(request.channelCount, ordering: .relaxed)
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
    }

    deinit { stream.close() }

    /// The level now. Any thread.
    public func takeLevel() -> Level {
        let peak = Float(bitPattern: sink.peak.exchange(0, ordering: .relaxed))
        let square = Float(bitPattern: sink.meanSquare.load(ordering: .relaxed))
        return Level(average: Self.decibels(square.squareRoot()), peak: Self.decibels(peak))
    }

    private static func decibels(_ amplitude: Float) -> Float { amplitude > 1e-8 ? 20 * log10(amplitude) : -160 }
}

/// Keeps the latest level. The device thread writes, anybody reads.
private final class LevelSink: CaptureSink {
    let channelCount = Atomic<Int>(1)
    /// Bit patterns of floats that are never negative: they order as integers do, so that the largest can be kept by one
    /// atomic step.
    let peak = Atomic<UInt32>(0)
    let meanSquare = Atomic<UInt32>(0)

    func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        let values = samples.assumingMemoryBound(to: Float.self)
        let count = frames * channelCount.load(ordering: .relaxed)
        guard count > 0 else { return frames }
        var largest: Float = 0
        var squares: Float = 0
        for index in 0..<count {
            let value = values[index]
            largest = max(largest, abs(value))
            squares += value * value
        }
        peak.max(largest.bitPattern, ordering: .relaxed)
        meanSquare.store((squares / Float(count)).bitPattern, ordering: .relaxed)
        return frames
    }
}
