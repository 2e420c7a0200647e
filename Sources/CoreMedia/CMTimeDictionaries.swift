public import CoreFoundation
internal import Foundation

// Times as property lists and as text.

// Unsafe only for the compiler: constant strings never change.

/// The key of the numerator.
public nonisolated(unsafe) let kCMTimeValueKey: CFString = coreFoundation("value")
/// The key of the denominator.
public nonisolated(unsafe) let kCMTimeScaleKey: CFString = coreFoundation("timescale")
/// The key of the epoch.
public nonisolated(unsafe) let kCMTimeEpochKey: CFString = coreFoundation("epoch")
/// The key of the flags.
public nonisolated(unsafe) let kCMTimeFlagsKey: CFString = coreFoundation("flags")

/// The time as a dictionary of numbers.
public func CMTimeCopyAsDictionary(_ time: CMTime, allocator: CFAllocator?) -> CFDictionary? {
    coreFoundation(dictionary(of: time))
}

/// The time that `CMTimeCopyAsDictionary` made the dictionary of; invalid where a number is missing.
public func CMTimeMakeFromDictionary(_ dictionaryRepresentation: CFDictionary?) -> CMTime {
    guard let dictionaryRepresentation else { return .invalid }
    return time(of: foundation(dictionaryRepresentation))
}

/// The time as text: `{3000/600 = 5.000}`, `{INVALID}`, `{INDEFINITE}`, `{+INFINITY}`, `{-INFINITY}`.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
    coreFoundation(text(of: time))
}

/// Writes the description of `time` to the standard output.
public func CMTimeShow(_ time: CMTime) { print(text(of: time)) }

func text(of time: CMTime) -> String {
    if !time.isValid { return "{INVALID}" }
    if time.isPositiveInfinity { return "{+INFINITY}" }
    if time.isNegativeInfinity { return "{-INFINITY}" }
    if time.isIndefinite { return "{INDEFINITE}" }
    var text = "{\(time.value)/\(time.timescale) = \(String(format: "%.3f", time.seconds))"
    if time.epoch != 0 { text += ", epoch = \(time.epoch)" }
    if time.hasBeenRounded { text += ", rounded" }
    return text + "}"
}

func dictionary(of time: CMTime) -> NSDictionary {
    [
        "value": NSNumber(value: time.value), "timescale": NSNumber(value: time.timescale),
        "epoch": NSNumber(value: time.epoch), "flags": NSNumber(value: time.flags.rawValue),
    ]
}

func time(of dictionary: NSDictionary) -> CMTime {
    guard
        let value = dictionary["value"] as? NSNumber, let timescale = dictionary["timescale"] as? NSNumber,
        let epoch = dictionary["epoch"] as? NSNumber, let flags = dictionary["flags"] as? NSNumber
    else { return .invalid }
    return CMTime(
        value: value.int64Value,
        timescale: timescale.int32Value,
        flags: CMTimeFlags(rawValue: flags.uint32Value),
        epoch: epoch.int64Value
    )
}

// Foundation's objects on Linux have the layout of Core Foundation's and stand for them; there is no cast between the two.

func coreFoundation(_ dictionary: NSDictionary) -> CFDictionary { unsafeBitCast(dictionary, to: CFDictionary.self) }

func coreFoundation(_ text: String) -> CFString { unsafeBitCast(NSString(string: text), to: CFString.self) }

func foundation(_ dictionary: CFDictionary) -> NSDictionary { unsafeBitCast(dictionary, to: NSDictionary.self) }
