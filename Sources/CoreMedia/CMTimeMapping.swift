public import CoreFoundation
internal import Foundation

// Mapping times from one range to another.

/// `t` on its way from one range to the other: starts map to starts, ends to ends, what lies between in proportion.
///
/// Exact, and rounded once. With two infinite durations `t` is only moved.
/// - Returns: invalid for empty or unusable ranges, and where `t` is no number or of another epoch than the start.
public func CMTimeMapTimeFromRangeToRange(_ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard t.isNumeric, t.epoch == fromRange.start.epoch else { return .invalid }
    let offset = CMTimeSubtract(t, fromRange.start)
    return CMTimeAdd(toRange.start, CMTimeMapDurationFromRangeToRange(offset, fromRange: fromRange, toRange: toRange))
}

/// `dur` × duration of `toRange` ÷ duration of `fromRange`: exact, and rounded once where it must be.
/// - Returns: invalid for empty or unusable ranges, and where `dur` is no number or not in epoch 0.
public func CMTimeMapDurationFromRangeToRange(_ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange) -> CMTime {
    guard
        let duration = dur.exact, dur.epoch == 0, fromRange.isValid, toRange.isValid, !fromRange.isEmpty,
        !toRange.isEmpty
    else { return .invalid }
    if fromRange.duration.isPositiveInfinity, toRange.duration.isPositiveInfinity { return dur }
    guard let from = fromRange.duration.exact?.reduced, let to = toRange.duration.exact?.reduced else {
        return .invalid
    }
    // (value × to.value × from.timescale) ÷ (timescale × to.timescale × from.value): at most 157 and 125 bits.
    let fraction = ExactFraction(
        isNegative: duration.value < 0,
        numerator: UInt128(duration.value.magnitude) * UInt128(to.value.magnitude),
        factor: UInt128(from.timescale),
        denominator: UInt128(duration.timescale) * UInt128(to.timescale) * UInt128(from.value.magnitude)
    )
    let isRounded = dur.hasBeenRounded || fromRange.duration.hasBeenRounded || toRange.duration.hasBeenRounded
    // In the operand's timescale where that is exact, else in the target's, else as precisely as can be.
    for scale in [duration.timescale, UInt32(toRange.duration.timescale)] {
        if let (value, rounded) = fraction.value(at: scale, method: .default, sourceTimescale: scale), !rounded {
            return CMTime(
                value: value,
                timescale: CMTimeScale(scale),
                flags: isRounded ? [.valid, .hasBeenRounded] : .valid,
                epoch: 0
            )
        }
    }
    return fraction.time(timescale: UInt32(kCMTimeMaxTimescale), isRounded: isRounded, epoch: 0)
}

/// `time` moved by whole lengths of `foldRange` so that it lies in it, as in a loop.
/// - Returns: invalid for empty or unusable ranges, and where `time` is no number or of another epoch than the start.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
    guard time.isNumeric, time.epoch == foldRange.start.epoch, foldRange.isValid, !foldRange.isEmpty else {
        return .invalid
    }
    if foldRange.duration.isPositiveInfinity { return time }
    guard
        let offset = CMTimeSubtract(time, foldRange.start).exact,
        let length = foldRange.duration.exact
    else { return .invalid }
    let divisor = Int128(length.value) * Int128(offset.timescale)
    var rest = Int128(offset.value) * Int128(length.timescale) % divisor
    if rest < 0 { rest += divisor }
    let scales = Int128(offset.timescale) * Int128(length.timescale)
    let multiple = scales / Int128(greatestCommonDivisor(offset.timescale, length.timescale))
    let fraction = ExactFraction(isNegative: false, numerator: rest.magnitude, denominator: scales.magnitude)
    let folded = fraction.time(
        timescale: UInt32(min(multiple, Int128(kCMTimeMaxTimescale))),
        isRounded: time.hasBeenRounded,
        epoch: 0
    )
    return CMTimeAdd(foldRange.start, folded)
}

/// A stretch of one time line (`source`, say a medium) on another (`target`, say a track). A `source` with an invalid start
/// is an empty edit.
public struct CMTimeMapping: Sendable, BitwiseCopyable {
    /// The stretch that is mapped.
    public var source: CMTimeRange
    /// Where it is mapped to.
    public var target: CMTimeRange

    /// An invalid mapping.
    public init() { self.init(source: .invalid, target: .invalid) }

    /// A mapping from its fields.
    public init(source: CMTimeRange, target: CMTimeRange) {
        self.source = source
        self.target = target
    }

    /// An invalid mapping.
    public static let invalid = CMTimeMapping()
}

/// A mapping from its ranges; invalid where the epoch of a duration is not 0.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
    guard source.duration.epoch == 0, target.duration.epoch == 0 else { return .invalid }
    return CMTimeMapping(source: source, target: target)
}

/// An empty edit; invalid where the epoch of the duration is not 0.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
    CMTimeMappingMake(source: .invalid, target: target)
}

// MARK: Ranges and mappings as property lists and as text

// Unsafe only for the compiler: constant strings never change.

/// The key of the start.
public nonisolated(unsafe) let kCMTimeRangeStartKey: CFString = coreFoundation("start")
/// The key of the duration.
public nonisolated(unsafe) let kCMTimeRangeDurationKey: CFString = coreFoundation("duration")
/// The key of the source.
public nonisolated(unsafe) let kCMTimeMappingSourceKey: CFString = coreFoundation("source")
/// The key of the target.
public nonisolated(unsafe) let kCMTimeMappingTargetKey: CFString = coreFoundation("target")

/// The range as a dictionary of dictionaries.
public func CMTimeRangeCopyAsDictionary(_ range: CMTimeRange, allocator: CFAllocator?) -> CFDictionary? {
    coreFoundation(dictionary(of: range))
}

/// The range that `CMTimeRangeCopyAsDictionary` made the dictionary of; invalid where something is missing.
public func CMTimeRangeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeRange {
    range(of: foundation(dictionaryRepresentation))
}

/// The range as text: `{{0/600 = 0.000}, {3000/600 = 5.000}}`.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> CFString? {
    coreFoundation(text(of: range))
}

/// Writes the description of `range` to the standard output.
public func CMTimeRangeShow(_ range: CMTimeRange) { print(text(of: range)) }

/// The mapping as a dictionary of dictionaries.
public func CMTimeMappingCopyAsDictionary(_ mapping: CMTimeMapping, allocator: CFAllocator?) -> CFDictionary? {
    coreFoundation(
        ["source": dictionary(of: mapping.source), "target": dictionary(of: mapping.target)] as NSDictionary
    )
}

/// The mapping that `CMTimeMappingCopyAsDictionary` made the dictionary of; invalid where something is missing.
public func CMTimeMappingMakeFromDictionary(_ dictionaryRepresentation: CFDictionary) -> CMTimeMapping {
    let dictionary = foundation(dictionaryRepresentation)
    guard let source = dictionary["source"] as? NSDictionary, let target = dictionary["target"] as? NSDictionary else {
        return .invalid
    }
    return CMTimeMapping(source: range(of: source), target: range(of: target))
}

/// The mapping as text.
public func CMTimeMappingCopyDescription(allocator: CFAllocator?, mapping: CMTimeMapping) -> CFString? {
    coreFoundation(text(of: mapping))
}

/// Writes the description of `mapping` to the standard output.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) { print(text(of: mapping)) }

private func text(of range: CMTimeRange) -> String { "{\(text(of: range.start)), \(text(of: range.duration))}" }

private func text(of mapping: CMTimeMapping) -> String { "{\(text(of: mapping.source)), \(text(of: mapping.target))}" }

private func dictionary(of range: CMTimeRange) -> NSDictionary {
    ["start": dictionary(of: range.start), "duration": dictionary(of: range.duration)]
}

private func range(of dictionary: NSDictionary) -> CMTimeRange {
    guard let start = dictionary["start"] as? NSDictionary, let duration = dictionary["duration"] as? NSDictionary
    else {
        return .invalid
    }
    return CMTimeRange(start: time(of: start), duration: time(of: duration))
}
