/// How the channels of one layout become those of another: one row of weights for each output channel.
///
/// The rule, by number of channels:
/// - the same number: unchanged;
/// - one to many: the channel goes to every output channel at its own level;
/// - more outputs than inputs: the inputs come first, the other outputs are silent;
/// - 5.1 (left, right, centre, low frequency, left and right surround) to two: centre and surround are added at −3 dB and
///   low frequency is left out (ITU-R BS.775), scaled so that nothing can clip; to one: the mean of those two;
/// - otherwise output `k` is the mean of the inputs `k`, `k + outputs`, `k + 2 × outputs` …; for two to one the mean of
///   both.
package struct ChannelMix: Sendable, Hashable {
    package let inputs: Int
    package let outputs: Int
    /// `outputs` rows of `inputs` weights.
    package let weights: [Double]

    package init(from inputs: Int, to outputs: Int) {
        precondition(inputs > 0 && outputs > 0)
        self.inputs = inputs
        self.outputs = outputs
        var weights = [Double](repeating: 0, count: inputs * outputs)
        if inputs == outputs || (outputs > inputs && inputs > 1) {
            for channel in 0..<min(inputs, outputs) { weights[channel * inputs + channel] = 1 }
        } else if inputs == 1 {
            for row in 0..<outputs { weights[row] = 1 }
        } else if inputs == 6, outputs <= 2 {
            let stereo = Self.stereoFrom51
            weights = outputs == 2 ? stereo : (0..<6).map { (stereo[$0] + stereo[6 + $0]) / 2 }
        } else {
            for row in 0..<outputs {
                let sources = Array(stride(from: row, to: inputs, by: outputs))
                for source in sources { weights[row * inputs + source] = 1 / Double(sources.count) }
            }
        }
        self.weights = weights
    }

    private static let stereoFrom51: [Double] = {
        let side = 0.5.squareRoot()
        let scale = 1 / (1 + 2 * side)
        let left = [1, 0, side, 0, side, 0]
        let right = [0, 1, side, 0, 0, side]
        return (left + right).map { $0 * scale }
    }()
}
