/// Leads from one stretch of sound to another that is nearly the same a little earlier or later.
struct Splice {
    let channelCount: Int
    /// Frames over which one is faded into the other.
    let length: Int
    /// Frames around the expected place in which the best one is looked for.
    let reach: Int
    /// Places that are tried lie so far apart.
    private let step: Int

    init(sampleRate: Double, channelCount: Int) {
        self.channelCount = channelCount
        length = max(16, Int(sampleRate * 0.01))
        // A period of the lowest voice.
        reach = max(16, Int(sampleRate * 0.0125))
        step = max(1, Int(sampleRate / 44_100))
    }

    /// The frame of `candidates` at which what follows is most like `tail`.
    /// - Parameters:
    ///   - tail: `length` interleaved frames.
    ///   - candidates: interleaved frames, `length` or more.
    func place(of tail: ArraySlice<Float>, in candidates: ArraySlice<Float>) -> Int {
        let wanted = mixed(tail)
        let offered = mixed(candidates)
        var best = 0
        var bestLikeness = -Float.infinity
        wanted.withUnsafeBufferPointer { wanted in
            offered.withUnsafeBufferPointer { offered in
                for start in stride(from: 0, through: max(offered.count - wanted.count, 0), by: step) {
                    var product: Float = 0
                    var power: Float = 1e-9
                    for index in 0..<min(wanted.count, offered.count) {
                        product += wanted[index] * offered[start + index]
                        power += offered[start + index] * offered[start + index]
                    }
                    let likeness = product / power.squareRoot()
                    if likeness > bestLikeness {
                        bestLikeness = likeness
                        best = start
                    }
                }
            }
        }
        return best
    }

    /// `tail` faded into `next`, both `length` interleaved frames.
    func fade(_ tail: ArraySlice<Float>, into next: ArraySlice<Float>) -> [Float] {
        let frames = Float(length)
        return zip(tail, next).enumerated().map { index, pair in
            let weight = (Float(index / channelCount) + 0.5) / frames
            return pair.0 + (pair.1 - pair.0) * weight
        }
    }

    private func mixed(_ samples: ArraySlice<Float>) -> [Float] {
        samples.withUnsafeBufferPointer { samples in
            (0..<samples.count / channelCount).map { frame in
                var sum: Float = 0
                for channel in 0..<channelCount { sum += samples[frame * channelCount + channel] }
                return sum
            }
        }
    }
}
