/// Random numbers that are the same in every run (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Damaged copies of a file: bytes changed, ends cut.
package struct DamagedCopies {
    private let original: [UInt8]
    /// Bytes at the start that are hit more often: headers are where readers fail.
    private let headerBytes: Int

    package init(of original: [UInt8], headerBytes: Int = 256) {
        self.original = original
        self.headerBytes = max(1, min(headerBytes, original.count))
    }

    /// `count` copies, the same in every run: of four, three have one to eight bytes changed, one is cut short.
    package func forEach(count: Int, seed: UInt64 = 1, _ body: ([UInt8], Int) throws -> Void) rethrows {
        guard !original.isEmpty else { return }
        var random = SeededGenerator(seed: seed)
        let extremes: [UInt8] = [0x00, 0xFF, 0x7F, 0x80, 0x01]
        for index in 0..<count {
            var copy = original
            if index % 4 == 3 {
                copy.removeLast(Int.random(in: 1...copy.count, using: &random))
            } else {
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let end = Bool.random(using: &random) ? headerBytes : copy.count
                    let place = Int.random(in: 0..<end, using: &random)
                    copy[place] =
                        Bool.random(using: &random)
                        ? extremes[Int.random(in: 0..<extremes.count, using: &random)]
                        : UInt8.random(in: 0...255, using: &random)
                }
            }
            try body(copy, index)
        }
    }
}
