/// How long something is waited for, counted in ticks: time in which the process did not run is no waiting.
struct Patience {
    private var ticks = 0
    private let limit: Int

    /// - Parameters:
    ///   - limit: the time to wait; at least one whole tick passes.
    ///   - tick: between two ticks.
    init(_ limit: Duration, tick: Duration) { self.limit = max(Int(limit / tick), 1) }

    /// True once the limit has passed.
    var isOver: Bool { ticks > limit }

    mutating func countTick() { ticks += 1 }

    mutating func reset() { ticks = 0 }
}
