/// Chooses the nibbles of one channel's packet with the least squared error that a narrow search finds.
///
/// Taking the nearest magnitude each time is not the best: it also chooses the next step size. The search keeps the two
/// best ways so far, tries for each the nearest magnitude and the second nearest, and decides at the end of the packet.
/// Against taking the nearest this gives about half a decibel; wider searches give little more (eight ways with three
/// magnitudes: 1.2 dB) for many times the work.
final class IMA4Search {
    private let moves = IMA4.moves
    /// 2^18 / step size, at every index: finds the nearest magnitude without a division.
    private let reciprocals = IMA4.stepSizes.map { Int64((Double(1 << 18) / Double($0)).rounded(.up)) }
    /// For every frame what the two ways did: see `Way.step`.
    private let steps: UnsafeMutablePointer<UInt16>

    private struct Way: BitwiseCopyable {
        var error: Int64
        var state: IMA4.State
        /// The nibble in the lower 4 bits, in the next bit which way of the frame before it goes on from.
        var step: UInt16 = 0

        @inline(__always)
        func isAtSamePlace(as other: Way) -> Bool {
            state.predictor == other.state.predictor && state.index == other.state.index
        }
    }

    /// More than any error, and no overflow when errors are added.
    private static var impossible: Int64 { 1 << 60 }

    init() { steps = .allocate(capacity: IMA4.framesPerPacket) }

    deinit { steps.deallocate() }

    /// Writes 34 bytes for 64 samples (in the range of 16 bits) and leaves in `state` what the decoder then has.
    ///
    /// Where the steps are much too small for what comes (the first packet, a sound out of silence), the preamble states a
    /// larger one, which every decoder takes over.
    func encode(
        _ samples: UnsafePointer<Int32>,
        from state: inout IMA4.State,
        isFirst: Bool,
        to bytes: UnsafeMutablePointer<UInt8>
    ) {
        var start = state
        var end = state
        var error = search(samples, &end)
        if isFirst || error > Self.poorError(samples) {
            let distance: Int32 = isFirst ? 4 : 16
            for index in stride(from: state.index + distance, through: Int32(IMA4.highestIndex), by: Int(distance)) {
                // Another index makes the decoder take the predictor of the preamble too.
                let candidate = IMA4.State(predictor: IMA4.State(preamble: state.preamble).predictor, index: index)
                var candidateEnd = candidate
                let candidateError = search(samples, &candidateEnd)
                if candidateError < error { (start, error) = (candidate, candidateError) }
            }
            end = start
            _ = search(samples, &end)
        }
        let preamble = start.preamble
        bytes[0] = UInt8(preamble >> 8)
        bytes[1] = UInt8(preamble & 0xFF)
        state = end
        var way: UInt16 = 0
        for pair in stride(from: IMA4.framesPerPacket - 2, through: 0, by: -2) {
            let late = steps[pair + 1] &>> (way &* 8)
            let early = steps[pair] &>> (((late &>> 4) & 1) &* 8)
            bytes[2 + pair / 2] = UInt8(truncatingIfNeeded: (late & 0x0F) &<< 4 | early & 0x0F)
            way = (early &>> 4) & 1
        }
    }

    /// The error from which on other starts are tried: 12 dB below the samples.
    private static func poorError(_ samples: UnsafePointer<Int32>) -> Int64 {
        var energy: Int64 = 0
        for frame in 0..<IMA4.framesPerPacket { energy += Int64(samples[frame]) * Int64(samples[frame]) }
        return energy / 16
    }

    /// Leaves the nibbles in `steps` and the end in `state`; returns the squared error.
    private func search(_ samples: UnsafePointer<Int32>, _ state: inout IMA4.State) -> Int64 {
        moves.withUnsafeBufferPointer { moves in
            reciprocals.withUnsafeBufferPointer { reciprocals in
                guard let moves = moves.baseAddress, let reciprocals = reciprocals.baseAddress else { return 0 }
                return search(samples, &state, moves, reciprocals)
            }
        }
    }

    @inline(__always)
    private func search(
        _ samples: UnsafePointer<Int32>,
        _ state: inout IMA4.State,
        _ moves: UnsafePointer<IMA4.Move>,
        _ reciprocals: UnsafePointer<Int64>
    ) -> Int64 {
        var first = Way(error: 0, state: state)
        var second = Way(error: Self.impossible, state: state)
        for frame in 0..<IMA4.framesPerPacket {
            let sample = samples[frame]
            let (a, b) = extended(first, 0, to: sample, moves, reciprocals)
            var (c, d) = extended(second, 0x10, to: sample, moves, reciprocals)
            // Two ways to the same place are one; the better of them is that of `first` or as good.
            if c.isAtSamePlace(as: a) || c.isAtSamePlace(as: b) { c.error = Self.impossible }
            if d.isAtSamePlace(as: a) || d.isAtSamePlace(as: b) { d.error = Self.impossible }
            let (abLow, abHigh) = a.error <= b.error ? (a, b) : (b, a)
            let (cdLow, cdHigh) = c.error <= d.error ? (c, d) : (d, c)
            if abLow.error <= cdLow.error {
                first = abLow
                second = abHigh.error <= cdLow.error ? abHigh : cdLow
            } else {
                first = cdLow
                second = abLow.error <= cdHigh.error ? abLow : cdHigh
            }
            steps[frame] = first.step | second.step &<< 8
        }
        state = first.state
        return first.error
    }

    /// The two ways on from `way` that come nearest to `sample`.
    @inline(__always)
    private func extended(
        _ way: Way,
        _ parent: UInt16,
        to sample: Int32,
        _ moves: UnsafePointer<IMA4.Move>,
        _ reciprocals: UnsafePointer<Int64>
    ) -> (Way, Way) {
        let delta = Int64(sample &- way.state.predictor)
        let isDown = delta < 0
        let index = Int(way.state.index)
        // In halves of the distance between two magnitudes.
        let halves = min(((isDown ? 0 &- delta : delta) &* reciprocals[index]) &>> 15, 15)
        let near = halves &>> 1
        let beyond = near &+ (halves & 1) &* 2 &- 1
        let far = beyond < 0 ? 1 : beyond > 7 ? 6 : beyond

        @inline(__always) func moved(_ magnitude: Int64) -> Way {
            let move = moves[index &* 8 &+ Int(magnitude)]
            let sum = way.state.predictor &+ (isDown ? 0 &- move.distance : move.distance)
            let predictor = max(min(sum, 32767), -32768)
            let miss = Int64(sample &- predictor)
            return Way(
                error: way.error &+ miss &* miss,
                state: IMA4.State(predictor: predictor, index: move.nextIndex),
                step: UInt16(truncatingIfNeeded: magnitude) | (isDown ? 8 : 0) | parent
            )
        }
        return (moved(near), moved(far))
    }
}
