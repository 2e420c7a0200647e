/// The numerator of a time.
public typealias CMTimeValue = Int64

/// The denominator of a time: parts of a second, above 0.
public typealias CMTimeScale = Int32

/// Tells apart times of different runs through the same media, for example of a loop.
public typealias CMTimeEpoch = Int64

/// The largest timescale that arithmetic chooses.
public var kCMTimeMaxTimescale: Int { 0x7fff_ffff }

/// What kind of time it is.
public struct CMTimeFlags: OptionSet, Sendable, BitwiseCopyable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The time is valid. Nothing else counts without it.
    public static let valid = CMTimeFlags(rawValue: 1 << 0)
    /// The time, or one that it was computed from, was rounded.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 1 << 1)
    /// +∞.
    public static let positiveInfinity = CMTimeFlags(rawValue: 1 << 2)
    /// −∞.
    public static let negativeInfinity = CMTimeFlags(rawValue: 1 << 3)
    /// Not known, like the duration of a live stream.
    public static let indefinite = CMTimeFlags(rawValue: 1 << 4)
    /// Those flags that stand for a value by themselves.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time or duration as an exact fraction: `value` ÷ `timescale` seconds.
public struct CMTime: Sendable, BitwiseCopyable {
    /// The numerator.
    public var value: CMTimeValue
    /// The denominator: parts of a second, above 0 for numeric times.
    public var timescale: CMTimeScale
    /// What kind of time it is.
    public var flags: CMTimeFlags
    /// The run that the time belongs to; 0 for durations.
    public var epoch: CMTimeEpoch

    /// An invalid time; all fields 0.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// A time from its fields; nothing is checked.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// `value` ÷ `timescale` seconds in epoch 0; invalid where `timescale` is not above 0.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self = CMTimeMake(value: value, timescale: timescale)
    }

    /// The parts of `preferredTimescale` that lie whole in `seconds`. See `CMTimeMakeWithSeconds`.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        self = CMTimeMakeWithSeconds(seconds, preferredTimescale: preferredTimescale)
    }

    /// An invalid time. There are many: ask `isValid`.
    public static let invalid = CMTime()
    /// A time that is not known. There are many: ask `isIndefinite`.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// +∞. There are many: ask `isPositiveInfinity`.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// −∞. There are many: ask `isNegativeInfinity`.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)
    /// 0 seconds.
    public static let zero = CMTime(value: 0, timescale: 1, flags: .valid, epoch: 0)
}

extension CMTime {
    /// True for every time but invalid ones.
    public var isValid: Bool { flags.contains(.valid) }
    /// True for +∞.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// True for −∞.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// True for a valid time that is not known.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// True where value, timescale and epoch count.
    public var isNumeric: Bool { flags.intersection([.valid, .impliedValueFlagsMask]) == .valid }
    /// True for a numeric time that is not exact.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// The seconds nearest to the time; NaN where there are none, ±∞ for infinite times.
    public var seconds: Double { CMTimeGetSeconds(self) }

    /// The time in another timescale. See `CMTimeConvertScale`.
    public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
        CMTimeConvertScale(self, timescale: newTimescale, method: method)
    }

    /// The sum. See `CMTimeAdd`.
    public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

    /// The difference. See `CMTimeSubtract`.
    public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime { CMTimeSubtract(minuend, subtrahend) }
}

extension CMTime: Comparable, Hashable {
    /// The order of `CMTimeCompare`.
    public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }
    /// The order of `CMTimeCompare`.
    public static func <= (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) <= 0 }
    /// The order of `CMTimeCompare`.
    public static func > (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) > 0 }
    /// The order of `CMTimeCompare`.
    public static func >= (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) >= 0 }
    /// True for the same moment, whatever the timescales: ½ equals 300⁄600.
    public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

    /// The same for equal times.
    public func hash(into hasher: inout Hasher) {
        guard let number = exact else {
            hasher.combine(order)
            return
        }
        let reduced = number.reduced
        hasher.combine(reduced.value)
        hasher.combine(reduced.timescale)
        hasher.combine(epoch)
    }
}

// MARK: Tests as functions, as Apple's Swift has them for the macros of C

/// True for every time but invalid ones.
public func CMTIME_IS_VALID(_ time: CMTime) -> Bool { time.isValid }
/// True for invalid times.
public func CMTIME_IS_INVALID(_ time: CMTime) -> Bool { !time.isValid }
/// True for +∞.
public func CMTIME_IS_POSITIVEINFINITY(_ time: CMTime) -> Bool { time.isPositiveInfinity }
/// True for −∞.
public func CMTIME_IS_NEGATIVEINFINITY(_ time: CMTime) -> Bool { time.isNegativeInfinity }
/// True for a valid time that is not known.
public func CMTIME_IS_INDEFINITE(_ time: CMTime) -> Bool { time.isIndefinite }
/// True where value, timescale and epoch count.
public func CMTIME_IS_NUMERIC(_ time: CMTime) -> Bool { time.isNumeric }
/// True for a numeric time that is not exact.
public func CMTIME_HAS_BEEN_ROUNDED(_ time: CMTime) -> Bool { time.hasBeenRounded }
