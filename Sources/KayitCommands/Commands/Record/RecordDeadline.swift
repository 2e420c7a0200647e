package import Foundation
import RecordingKit

extension RecordOptions {
    /// When the recording stops by itself, by the clock.
    static func deadline(_ arguments: ParsedArguments) throws(UsageError) -> RecordingOptions.Deadline? {
        let seconds = try arguments.duration(lasting, in: 1...31_536_000)
        guard let text = arguments[until] else { return seconds.map { .after(.seconds($0)) } }
        if seconds != nil { throw UsageError("--until and --for both say when it stops: one is enough.") }
        guard let date = moment(text, after: Date(), in: .current) else {
            throw UsageError("'\(text)' is no time of day: --until takes 18:30 or 18:30:15.")
        }
        return .at(date)
    }

    /// The next moment at which clocks show `text`, "18:30" or "18:30:15"; nil where they never do.
    package static func moment(_ text: String, after now: Date, in zone: TimeZone) -> Date? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            1...2 ~= part.utf8.count && part.utf8.allSatisfy { 48...57 ~= $0 } ? Int(part) : nil
        }
        guard numbers.count == parts.count, 2...3 ~= numbers.count else { return nil }
        let time = DateComponents(hour: numbers[0], minute: numbers[1], second: numbers.count > 2 ? numbers[2] : 0)
        guard 0...23 ~= numbers[0], 0...59 ~= numbers[1], 0...59 ~= (time.second ?? 0) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // An hour that the clocks leave out in spring ends where it would have begun.
        return calendar.nextDate(after: now, matching: time, matchingPolicy: .nextTime)
    }
}
