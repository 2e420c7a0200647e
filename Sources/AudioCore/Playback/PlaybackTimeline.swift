/// Which frame of the source is heard with each frame that was given out: straight lines, one after the other.
///
/// Frames of the source are counted on over all passes of a loop.
package struct PlaybackTimeline: Sendable {
    private struct Line {
        var given: Int64
        var source: Double
        var rate: Double
    }

    private var lines: [Line]
    /// Frames given out since the beginning.
    package private(set) var given: Int64 = 0

    /// - Parameter source: the frame that is given out first.
    package init(source: Int64 = 0) { lines = [Line(given: 0, source: Double(source), rate: 1)] }

    /// The frame of the source that is given out next.
    package var source: Double { source(at: given) }

    /// The frame of the source that is given out as frame `given`; at the limits of what is known, the first or the next.
    package func source(at given: Int64) -> Double {
        let place = min(given, self.given)
        let line = lines.last { $0.given <= place } ?? lines[0]
        return line.source + Double(max(place - line.given, 0)) * line.rate
    }

    /// `frames` frames were given out, each of which stands for `rate` frames of the source.
    package mutating func extend(by frames: Int, rate: Double) {
        if lines[lines.count - 1].rate != rate { begin(source: source, rate: rate) }
        given += Int64(frames)
    }

    /// What is given out next is this frame of the source.
    package mutating func jump(to source: Double) { begin(source: source, rate: lines[lines.count - 1].rate) }

    /// Frames given out before this one are not asked for any more.
    package mutating func forget(before given: Int64) {
        guard let current = lines.lastIndex(where: { $0.given <= given }), current > 0 else { return }
        lines.removeFirst(current)
    }

    /// Lines that are kept. For tests.
    package var lineCount: Int { lines.count }

    private mutating func begin(source: Double, rate: Double) {
        let line = Line(given: given, source: source, rate: rate)
        if lines[lines.count - 1].given == given { lines[lines.count - 1] = line } else { lines.append(line) }
    }
}
