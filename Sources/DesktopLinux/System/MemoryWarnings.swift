import AudioCore

/// Warnings about memory, none of which is ever taken back: each holds for a while.
struct MemoryWarnings {
    private static let duration = Duration.seconds(10)

    /// Until when each level holds.
    private var ends: [MemoryPressure: Duration] = [:]

    mutating func warn(_ level: MemoryPressure, now: Duration) {
        if level > .normal { ends[level] = now + Self.duration }
    }

    /// What holds now, and until when something changes by itself.
    mutating func level(now: Duration) -> (pressure: MemoryPressure, until: Duration?) {
        ends = ends.filter { $0.value > now }
        return (ends.keys.max() ?? .normal, ends.values.min())
    }

    /// The level of a low-memory-monitor's warning, 0 … 255.
    static func level(ofWarning number: UInt8) -> MemoryPressure { number == 255 ? .critical : .warning }
}
