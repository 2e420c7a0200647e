/// A stretch of time: its start and how long it is. The end does not belong to it.
public struct CMTimeRange: Sendable, BitwiseCopyable {
    /// The first moment.
    public var start: CMTime
    /// How long it is: not negative, in epoch 0.
    public var duration: CMTime

    /// An invalid range.
    public init() { self.init(start: .invalid, duration: .invalid) }

    /// A range from its fields.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// The range from `start` up to `end`.
    public init(start: CMTime, end: CMTime) { self = CMTimeRangeFromTimeToTime(start: start, end: end) }

    /// An empty range at 0.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// An invalid range.
    public static let invalid = CMTimeRange()
}

extension CMTimeRange {
    /// True where start and duration are valid and the duration is not negative and in epoch 0.
    public var isValid: Bool { start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0 }
    /// True for a valid range whose start or duration is not known.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// True for a valid range of no length.
    public var isEmpty: Bool { isValid && duration == .zero }
    /// The first moment behind the range.
    public var end: CMTime { CMTimeRangeGetEnd(self) }

    /// The smallest range that holds both. See `CMTimeRangeGetUnion`.
    public func union(_ otherRange: CMTimeRange) -> CMTimeRange { CMTimeRangeGetUnion(self, otherRange: otherRange) }

    /// The range that lies in both. See `CMTimeRangeGetIntersection`.
    public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
        CMTimeRangeGetIntersection(self, otherRange: otherRange)
    }

    /// True where `time` lies in the range.
    public func containsTime(_ time: CMTime) -> Bool { CMTimeRangeContainsTime(self, time: time) }

    /// True where all of `range` lies in this range.
    public func containsTimeRange(_ range: CMTimeRange) -> Bool {
        CMTimeRangeContainsTimeRange(self, otherRange: range)
    }

    /// A range that can be reckoned with.
    fileprivate var isUsable: Bool { isValid && !isIndefinite && CMTimeRangeGetEnd(self).isValid }
}

extension CMTimeRange: Equatable, Hashable {
    /// True for equal starts and durations.
    public static func == (range1: CMTimeRange, range2: CMTimeRange) -> Bool { CMTimeRangeEqual(range1, range2) }
}

// MARK: Tests as functions, as Apple's Swift has them for the macros of C

/// True for a valid range.
public func CMTIMERANGE_IS_VALID(_ range: CMTimeRange) -> Bool { range.isValid }
/// True for an invalid range.
public func CMTIMERANGE_IS_INVALID(_ range: CMTimeRange) -> Bool { !range.isValid }
/// True for a valid range whose start or duration is not known.
public func CMTIMERANGE_IS_INDEFINITE(_ range: CMTimeRange) -> Bool { range.isIndefinite }
/// True for a valid range of no length.
public func CMTIMERANGE_IS_EMPTY(_ range: CMTimeRange) -> Bool { range.isEmpty }

// MARK: The functions of CMTimeRange.h

/// A range from its start and duration; invalid where the epoch of the duration is not 0.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    duration.epoch == 0 ? CMTimeRange(start: start, duration: duration) : .invalid
}

/// The range from `start` up to `end`; not valid where `end` lies before `start`, or in another epoch.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
    CMTimeRangeMake(start: start, duration: CMTimeSubtract(end, start))
}

/// The first moment behind the range; invalid for an invalid range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime {
    range.isValid ? CMTimeAdd(range.start, range.duration) : .invalid
}

/// True for equal starts and durations.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
    CMTimeCompare(range1.start, range2.start) == 0 && CMTimeCompare(range1.duration, range2.duration) == 0
}

/// The smallest range that holds both; invalid for ranges that are invalid, indefinite or of different epochs.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isUsable, otherRange.isUsable, range.start.epoch == otherRange.start.epoch else { return .invalid }
    return CMTimeRangeFromTimeToTime(
        start: CMTimeMinimum(range.start, otherRange.start),
        end: CMTimeMaximum(range.end, otherRange.end)
    )
}

/// The range that lies in both, `zero` where there is none; invalid for ranges that are invalid, indefinite or of different
/// epochs.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
    guard range.isUsable, otherRange.isUsable, range.start.epoch == otherRange.start.epoch else { return .invalid }
    let start = CMTimeMaximum(range.start, otherRange.start)
    let end = CMTimeMinimum(range.end, otherRange.end)
    return CMTimeCompare(start, end) < 0 ? CMTimeRangeFromTimeToTime(start: start, end: end) : .zero
}

/// True where `time` is not before the start and before the end.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
    guard range.isUsable, time.isValid, !time.isIndefinite, !time.isNumeric || time.epoch == range.start.epoch else {
        return false
    }
    return CMTimeCompare(range.start, time) <= 0 && CMTimeCompare(time, range.end) < 0
}

/// True where `otherRange` neither starts before `range` nor ends behind it.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
    guard range.isUsable, otherRange.isUsable, range.start.epoch == otherRange.start.epoch else { return false }
    return CMTimeCompare(range.start, otherRange.start) <= 0 && CMTimeCompare(otherRange.end, range.end) <= 0
}

/// The moment of the range nearest to `time`; its end for later times. Invalid for an invalid time, or an empty or unusable
/// range.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
    guard time.isValid, range.isUsable, !range.isEmpty else { return .invalid }
    if CMTimeCompare(time, range.start) < 0 { return range.start }
    return CMTimeMinimum(time, range.end)
}
