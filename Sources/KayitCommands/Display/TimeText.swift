import Foundation

/// Seconds as people read them.
package enum TimeText {
    /// "1:02:03.4", "2:03.4": with the tenth that has begun, so that the text never runs ahead of the sound.
    package static func clock(_ seconds: Double) -> String {
        let tenths = Int64(clamping(seconds * 10))
        return whole(tenths / 10) + ".\(tenths % 10)"
    }

    /// "1:02:03", "2:03": the second that has begun.
    package static func short(_ seconds: Double) -> String { whole(Int64(clamping(seconds))) }

    /// "3 723.456789 s" without the space: seconds with six digits behind the point.
    package static func exact(_ seconds: Double) -> String { fixed(seconds, digits: 6) + " s" }

    private static func whole(_ seconds: Int64) -> String {
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(twoDigits(rest))" : "\(minutes):\(twoDigits(rest))"
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }

    private static func clamping(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 1e15) : 0 }
}

/// A number with exactly `digits` digits behind the point, rounded to nearest.
package func fixed(_ value: Double, digits: Int) -> String { String(format: "%.\(digits)f", value) }

/// A rate or another large number without needless digits: "44100 Hz" as "44.1 kHz".
package func kilo(_ value: Double, _ unit: String) -> String {
    if value < 1000 { return trimmed(value) + " " + unit }
    if value < 1_000_000 { return trimmed(value / 1000) + " k" + unit }
    return trimmed(value / 1_000_000) + " M" + unit
}

/// Up to three digits behind the point, none of them a zero at the end.
private func trimmed(_ value: Double) -> String {
    var text = fixed(value, digits: 3)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
}
