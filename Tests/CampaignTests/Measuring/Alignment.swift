/// Finds where a recording lies in what a witness heard.
struct Alignment {
    /// The place of the recording's first frame.
    var offset: Int
    /// How alike the two are there, 1 for the same.
    var likeness: Double

    /// A place that is known.
    init(at offset: Int) {
        self.offset = offset
        likeness = 1
    }

    /// - Parameters:
    ///   - recording: a hundredth of a second at least.
    ///   - ends: where the end of the recording is looked for.
    init?(of recording: [Float], in heard: UnsafeBufferPointer<Float>, endsIn ends: Range<Int>, sampleRate: Double) {
        let length = min(recording.count, Int(sampleRate * 0.15))
        guard length > Int(sampleRate / 100), !ends.isEmpty else { return nil }
        // The noise has little above 2 kHz: every few samples show its shape.
        let step = max(1, Int(sampleRate / 8000))
        let best = recording.withUnsafeBufferPointer { recording in
            guard let tail = recording.baseAddress?.advanced(by: recording.count - length) else { return (0, -1.0) }
            func best(of ends: StrideThrough<Int>, step: Int) -> (end: Int, likeness: Double) {
                var best = (end: 0, likeness: -1.0)
                for end in ends where end >= length && end <= heard.count {
                    guard let place = heard.baseAddress?.advanced(by: end - length) else { continue }
                    let likeness = Self.likeness(tail, place, count: length, step: step)
                    if likeness > best.likeness { best = (end, likeness) }
                }
                return best
            }
            let coarse = best(of: stride(from: ends.lowerBound, through: ends.upperBound, by: step), step: step)
            return best(of: stride(from: coarse.end - step, through: coarse.end + step, by: 1), step: 1)
        }
        guard best.1 > -1 else { return nil }
        offset = best.0 - recording.count
        likeness = best.1
    }

    /// The correlation of `count` samples from two places.
    private static func likeness(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int, step: Int) -> Double
    {
        var product: Float = 0
        var powers: (Float, Float) = (0, 0)
        var index = 0
        while index < count {
            let x = a[index]
            let y = b[index]
            product += x * y
            powers.0 += x * x
            powers.1 += y * y
            index &+= step
        }
        let power = powers.0 * powers.1
        return power > 0 ? Double(product / power.squareRoot()) : 0
    }

    /// The first stretch of 50 ms in which the recording is not what the witness heard; nil where all of it is.
    ///
    /// - Parameter step: compares every sample to a step and a half; nil compares shapes.
    func firstForeignFrame(
        of recording: [Float],
        in heard: UnsafeBufferPointer<Float>,
        sampleRate: Double,
        step: Float?
    )
        -> Int?
    {
        let length = Int(sampleRate / 20)
        return recording.withUnsafeBufferPointer { recording in
            for start in stride(from: 0, to: recording.count, by: length) {
                let count = min(length, recording.count - start)
                guard offset + start >= 0, offset + start + count <= heard.count else { return start }
                if let step {
                    for frame in start..<start + count
                    where abs(recording[frame] - heard[offset + frame]) > 1.5 * step { return frame }
                } else if count == length || start == 0, let own = recording.baseAddress, let there = heard.baseAddress
                {
                    if Self.likeness(own + start, there + offset + start, count: count, step: 1) < 0.6 { return start }
                }
            }
            return nil
        }
    }
}
