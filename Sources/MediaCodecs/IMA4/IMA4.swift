/// Apple's variant of IMA ADPCM (Interactive Multimedia Association, recommended practices of 1992).
///
/// A packet holds 64 frames: for each channel in turn 34 bytes, of which the first two are the preamble (the upper 9 bits
/// of the predictor and 7 bits of step index, big-endian) and the others two samples each, the earlier one in the low
/// nibble.
enum IMA4 {
    static let framesPerPacket = 64
    static let bytesPerChannel = 34
    /// As many as Apple's codec takes.
    static let maximumChannels = 2

    static let highestIndex = 88

    /// What a decoder knows of one channel between two samples.
    struct State: BitwiseCopyable {
        var predictor: Int32
        /// 0 … `highestIndex`.
        var index: Int32

        /// What the preamble of the next packet says of this state: the predictor rounded to the nearest multiple of 128.
        ///
        /// Rounding keeps it within the tolerance of `adopt`, and where a decoder starts here, the error is at most 64.
        var preamble: UInt16 {
            let rounded = min((predictor &+ 64) & ~127, 32640)
            return UInt16(truncatingIfNeeded: rounded) | UInt16(truncatingIfNeeded: index)
        }

        init(predictor: Int32 = 0, index: Int32 = 0) {
            self.predictor = predictor
            self.index = index
        }

        /// What a preamble says, alone.
        init(preamble: UInt16) {
            predictor = Int32(Int16(bitPattern: preamble & 0xFF80))
            index = min(Int32(preamble & 0x7F), Int32(IMA4.highestIndex))
        }

        /// Takes over a preamble as Apple's decoder does: where its predictor can be what remains of our own after
        /// cutting, and the index is ours, our own more exact predictor goes on. Starting from the cut one in each packet
        /// is heard as noise in quiet parts.
        mutating func adopt(preamble: UInt16) {
            let stated = IMA4.State(preamble: preamble)
            if stated.index == index, abs(stated.predictor &- predictor) <= 127 { return }
            self = stated
        }
    }

    static let stepSizes: [Int32] = [
        7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
        107,
        118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876,
        963,
        1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358,
        5894,
        6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086,
        29794,
        32767,
    ]

    /// What a nibble's magnitude (its lower three bits) does at a step index; at `index * 8 + magnitude`.
    struct Move: BitwiseCopyable {
        /// How far the predictor goes.
        var distance: Int32
        /// The step index afterwards.
        var nextIndex: Int32
    }

    static let moves: [Move] = stepSizes.enumerated().flatMap { index, step in
        (0..<8).map { (magnitude: Int) in
            // Each term is cut on its own, as in the reference decoder.
            var distance = step >> 3
            if magnitude & 4 != 0 { distance += step }
            if magnitude & 2 != 0 { distance += step >> 1 }
            if magnitude & 1 != 0 { distance += step >> 2 }
            let change = magnitude < 4 ? -1 : 2 * (magnitude - 3)
            return Move(distance: distance, nextIndex: Int32(min(max(index + change, 0), highestIndex)))
        }
    }
}
