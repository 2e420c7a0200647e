/// The lines that are drawn over themselves while something goes on, at most as wide as the terminal.
package enum ProgressLine {
    /// A recording: state, time, one meter a channel.
    package static func recording(
        state: String,
        seconds: Double,
        meters: [ChannelMeter],
        columns: Int,
        isUnicode: Bool
    ) -> String {
        metered("\(state) \(TimeText.clock(seconds))", meters, columns, isUnicode)
    }

    private static func metered(_ head: String, _ meters: [ChannelMeter], _ columns: Int, _ isUnicode: Bool) -> String {
        let texts = meters.map(\.text)
        // Two spaces before each channel, a space between bar and number, and the last column stays free: a terminal that
        // wraps would scroll.
        let taken = head.count + texts.reduce(0) { $0 + $1.count + 3 } + 1
        let width = min((columns - taken) / max(meters.count, 1), 40)
        let channels = zip(meters, texts).map { meter, text in
            width >= 4 ? "  \(meter.bar(width: width, isUnicode: isUnicode)) \(text)" : "  \(text)"
        }
        return fitted(head + channels.joined(), columns)
    }

    /// A playback: state, time and length, the speed where it is not 1, where it is, and meters where there is room.
    package static func playing(
        state: String,
        seconds: Double,
        duration: Double,
        rate: Double = 1,
        meters: [ChannelMeter] = [],
        columns: Int,
        isUnicode: Bool
    ) -> String {
        let speed = rate == 1 ? "" : (isUnicode ? " ×" : " x") + "\(fixed(rate, digits: 1))"
        let head = "\(state) \(TimeText.clock(seconds)) / \(TimeText.clock(duration))\(speed)"
        let part = duration > 0 ? seconds / duration : 0
        // Of a narrow line the place is the last to go.
        let room = columns - head.count - meters.count * 20
        if meters.isEmpty || room < 12 { return bar(behind: head, part, columns, isUnicode) }
        return metered(bar(behind: head, part, head.count + min(room, 30), isUnicode), meters, columns, isUnicode)
    }

    /// Work of which a part is done, 0 … 1.
    package static func working(state: String, done: Double, columns: Int, isUnicode: Bool) -> String {
        let percent = Int((min(max(done, 0), 1) * 100).rounded(.down))
        let padding = String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0)
        return bar(behind: "\(state) \(padding)\(percent) %", done, columns, isUnicode)
    }

    private static func bar(behind head: String, _ part: Double, _ columns: Int, _ isUnicode: Bool) -> String {
        let width = min(columns - head.count - 3, 60)
        guard width >= 4 else { return fitted(head, columns) }
        let done = Int((min(max(part, 0), 1) * Double(width)).rounded(.down))
        let (full, empty) = isUnicode ? ("━", "─") : ("=", "-")
        return head + "  " + String(repeating: full, count: done) + String(repeating: empty, count: width - done)
    }

    private static func fitted(_ line: String, _ columns: Int) -> String { String(line.prefix(max(columns - 1, 1))) }
}
