/// One channel's level as it is shown: the mean as a bar, the highest peak of the last moment as a mark, and whether the
/// input was ever over.
package struct ChannelMeter: Sendable, Equatable {
    /// The mean power, in decibels of full scale, −160 … 0.
    package private(set) var average: Float = -160
    /// The highest peak of the last `holdTime` seconds.
    package private(set) var heldPeak: Float = -160
    /// True once a sample was at full scale, until the end.
    package private(set) var hasClipped = false

    private var heldSince = 0.0

    /// Seconds that a peak stays.
    package static let holdTime = 1.5
    /// The highest 16-bit sample lies 0.00026 dB below full scale; what is lower than this has not touched it.
    package static let clipLevel: Float = -0.001
    /// The lower end of the bar.
    package static let floor: Float = -60

    package init() {}

    /// - Parameter time: seconds of any clock that goes on while levels come.
    package mutating func update(average: Float, peak: Float, at time: Double) {
        self.average = average.isNaN ? -160 : average
        let peak = peak.isNaN ? -160 : peak
        if peak >= heldPeak || time - heldSince > Self.holdTime {
            heldPeak = peak
            heldSince = time
        }
        if peak >= Self.clipLevel { hasClipped = true }
    }

    /// The bar in exactly `width` columns.
    package func bar(width: Int, isUnicode: Bool) -> String {
        let filled = column(average, width: width)
        let mark = column(heldPeak, width: width) - 1
        let (full, empty, peak): (Character, Character, Character) = isUnicode ? ("█", "·", "┃") : ("#", ".", "|")
        let cells = (0..<max(width, 0)).map { index -> Character in
            if index == mark, index >= filled { return peak }
            return index < filled ? full : empty
        }
        return String(cells)
    }

    /// "−12.3 dB" in seven columns and the unit; silence has no number.
    package var text: String {
        let number = heldPeak <= -100 ? "  -inf" : fixed(Double(heldPeak), digits: 1)
        return String(repeating: " ", count: max(6 - number.count, 0)) + number + " dB" + (hasClipped ? " CLIP" : "")
    }

    private func column(_ level: Float, width: Int) -> Int {
        let part = (level - Self.floor) / -Self.floor
        return Int((min(max(part, 0), 1) * Float(width)).rounded())
    }
}
