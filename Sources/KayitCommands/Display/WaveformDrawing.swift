import Foundation
package import RecordingKit

/// A waveform in the letters of a terminal.
package enum WaveformDrawing {
    /// Lines from the highest to the lowest sample; the loudest place of the recording fills the height.
    /// - Parameters:
    ///   - columns: at most as many bins as fit are drawn.
    ///   - rows: an even number keeps the middle line between two rows.
    package static func lines(_ waveform: Waveform, columns: Int, rows: Int, isUnicode: Bool) -> [String] {
        let bins = waveform.reduced(to: max(columns, 1)).bins
        let peak = bins.map(\.peak).max() ?? 0
        // A row of Unicode has an upper and a lower half, a row of ASCII is one step.
        let steps = isUnicode ? rows * 2 : rows
        let spans = bins.map { span($0, scale: peak > 0 ? 1 / peak : 0, steps: steps) }
        return (0..<rows).map { row in
            let line = spans.map { span -> Character in
                guard isUnicode else { return span.contains(row) ? "#" : " " }
                switch (span.contains(row * 2), span.contains(row * 2 + 1)) {
                case (true, true): return "█"
                case (true, false): return "▀"
                case (false, true): return "▄"
                case (false, false): return " "
                }
            }
            return String(line)
        }
    }

    /// The largest sample of all, in decibels of full scale; nil for silence.
    package static func peakLevel(_ waveform: Waveform) -> Double? {
        let peak = waveform.bins.map(\.peak).max() ?? 0
        return peak > 0 ? 20 * log10(Double(peak)) : nil
    }

    /// The steps, counted from the top, that a bin covers: at least the one at its middle.
    private static func span(_ bin: Waveform.Bin, scale: Float, steps: Int) -> ClosedRange<Int> {
        let top = step(bin.maximum * scale, steps)
        let bottom = step(bin.minimum * scale, steps)
        return min(top, bottom)...max(top, bottom)
    }

    private static func step(_ value: Float, _ steps: Int) -> Int {
        let position = (1 - min(max(value, -1), 1)) / 2 * Float(steps)
        return min(Int(position), steps - 1)
    }
}
