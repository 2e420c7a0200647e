/// Which file comes next.
package struct PlayList: Sendable {
    private let count: Int
    private let shuffles: Bool
    private let repeats: Bool
    private var random: PlayOrder
    /// What is still to come in this round, the next one last.
    private var rest: [Int] = []
    /// What was taken and put back, the next one last.
    private var returned: [Int] = []
    private var hasBegun = false

    /// - Parameter seed: of the order; nil takes one that nobody knows.
    package init(count: Int, shuffles: Bool = false, repeats: Bool = false, seed: Int? = nil) {
        self.count = count
        self.shuffles = shuffles
        self.repeats = repeats
        random = PlayOrder(seed: seed.map { UInt64($0) } ?? .random(in: 0 ... .max))
    }

    /// Nil at the end.
    package mutating func next() -> Int? {
        if let index = returned.popLast() { return index }
        if rest.isEmpty, count > 0, !hasBegun || repeats { beginRound() }
        return rest.popLast()
    }

    /// Comes again, before everything else.
    package mutating func putBack(_ index: Int) { returned.append(index) }

    private mutating func beginRound() {
        hasBegun = true
        rest = Array((0..<count).reversed())
        if shuffles { rest.shuffle(using: &random) }
    }
}

/// Numbers for an order that can be had again: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, 2014).
private struct PlayOrder: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
