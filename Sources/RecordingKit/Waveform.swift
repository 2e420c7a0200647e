/// The shape of a recording, in pieces of equal length: what is drawn of it.
///
/// Its size depends on the number of pieces asked for, never on the length of the recording.
public struct Waveform: Sendable, Hashable {
    /// What one piece of the recording holds, over all channels. Full scale is −1 … 1.
    public struct Bin: Sendable, Hashable {
        /// The lowest sample.
        public var minimum: Float
        /// The highest sample.
        public var maximum: Float
        /// The root of the mean square of all samples.
        public var rms: Float

        /// A piece with the given values.
        public init(minimum: Float, maximum: Float, rms: Float) {
            self.minimum = minimum
            self.maximum = maximum
            self.rms = rms
        }

        /// The largest distance from zero, 0 or above.
        public var peak: Float { max(abs(minimum), abs(maximum)) }
    }

    /// The pieces in the order of time; none for a recording without frames.
    public var bins: [Bin]
    /// Frames in every piece but the last, which may have fewer.
    public var framesPerBin: Int64

    /// A waveform of given pieces.
    public init(bins: [Bin], framesPerBin: Int64) {
        self.bins = bins
        self.framesPerBin = framesPerBin
    }

    /// The same recording in at most `count` pieces, by joining neighbours; for a narrower drawing.
    /// - Parameter count: 1 or more; a larger number than there are pieces changes nothing.
    public func reduced(to count: Int) -> Waveform {
        guard count > 0, bins.count > count else { return self }
        let group = (bins.count + count - 1) / count
        let joined = stride(from: 0, to: bins.count, by: group).map { start in
            let part = bins[start..<min(start + group, bins.count)]
            let square = part.reduce(0) { $0 + $1.rms * $1.rms } / Float(part.count)
            return Bin(
                minimum: part.map(\.minimum).min() ?? 0,
                maximum: part.map(\.maximum).max() ?? 0,
                rms: square.squareRoot()
            )
        }
        return Waveform(bins: joined, framesPerBin: framesPerBin * Int64(group))
    }
}
