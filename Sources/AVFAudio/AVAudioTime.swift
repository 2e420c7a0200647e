internal import CoreAudio
public import CoreAudioTypes
public import Foundation

/// A moment: on the host's clock, in frames of a stream, or both. Immutable.
open class AVAudioTime: NSObject, @unchecked Sendable {
    // Unchecked: nothing changes after the initialiser.
    private let stamp: AudioTimeStamp

    /// Frames per second of `sampleTime`; 0 where there is none.
    public let sampleRate: Double

    /// A moment from a time stamp.
    /// - Parameters:
    ///   - ts: the time stamp; it is copied.
    ///   - sampleRate: frames per second of its sample time.
    public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
        stamp = ts.pointee
        self.sampleRate = sampleRate
        super.init()
    }

    /// A moment on the host's clock, in ticks.
    public convenience init(hostTime: UInt64) {
        var stamp = AudioTimeStamp()
        stamp.mHostTime = hostTime
        stamp.mFlags = .hostTimeValid
        self.init(audioTimeStamp: &stamp, sampleRate: 0)
    }

    /// A moment in frames.
    public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Float64(sampleTime)
        stamp.mFlags = .sampleTimeValid
        self.init(audioTimeStamp: &stamp, sampleRate: sampleRate)
    }

    /// A moment on the host's clock and in frames.
    public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        var stamp = AudioTimeStamp()
        stamp.mHostTime = hostTime
        stamp.mSampleTime = Float64(sampleTime)
        stamp.mFlags = .sampleHostTimeValid
        self.init(audioTimeStamp: &stamp, sampleRate: sampleRate)
    }

    /// Seconds as ticks of the host's clock, clamped to what can be held.
    open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
        let ticks = (seconds * AudioGetHostClockFrequency()).rounded()
        return ticks >= 0x1p64 ? .max : ticks > 0 ? UInt64(ticks) : 0
    }

    /// Ticks of the host's clock as seconds.
    open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval {
        TimeInterval(hostTime) / AudioGetHostClockFrequency()
    }

    /// This moment with both times, reckoned from an anchor that has both: the frames from the anchor take their nominal
    /// length on the host's clock.
    /// - Returns: this moment where it has both already; nil where the anchor lacks one, or this moment both, or the rates
    ///   differ.
    open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
        if isHostTimeValid, isSampleTimeValid { return self }
        guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid else { return nil }
        let ticksPerSecond = AudioGetHostClockFrequency()
        if isSampleTimeValid {
            guard sampleRate == anchorTime.sampleRate, sampleRate > 0 else { return nil }
            let seconds = (stamp.mSampleTime - anchorTime.stamp.mSampleTime) / sampleRate
            let hostTime = Float64(anchorTime.hostTime) + (seconds * ticksPerSecond).rounded()
            guard hostTime >= 0, hostTime < 0x1p64 else { return nil }
            return AVAudioTime(hostTime: UInt64(hostTime), sampleTime: sampleTime, atRate: sampleRate)
        }
        guard isHostTimeValid, anchorTime.sampleRate > 0 else { return nil }
        let ticks = Float64(hostTime) - Float64(anchorTime.hostTime)
        let frames = anchorTime.stamp.mSampleTime + (ticks / ticksPerSecond * anchorTime.sampleRate).rounded()
        guard let sampleTime = AVAudioFramePosition(exactly: frames.rounded()) else { return nil }
        return AVAudioTime(hostTime: hostTime, sampleTime: sampleTime, atRate: anchorTime.sampleRate)
    }

    /// True where the host time counts.
    open var isHostTimeValid: Bool { stamp.mFlags.contains(.hostTimeValid) }

    /// The moment on the host's clock, in ticks.
    open var hostTime: UInt64 { stamp.mHostTime }

    /// True where the sample time counts.
    open var isSampleTimeValid: Bool { stamp.mFlags.contains(.sampleTimeValid) }

    /// The moment in frames, towards zero.
    open var sampleTime: AVAudioFramePosition {
        AVAudioFramePosition(exactly: stamp.mSampleTime.rounded(.towardZero)) ?? 0
    }

    /// The moment as a time stamp.
    open var audioTimeStamp: AudioTimeStamp { stamp }
}
