/// Where a program stands in its life, as far as the person in front of the machine is concerned.
package enum AppState: String, Sendable, Hashable, CaseIterable {
    /// It is in use.
    case foreground
    /// It runs, and another is in use.
    case background
    /// It does not run: the machine sleeps.
    case suspended
    /// It is about to end.
    case terminated
}

/// What the machine lives on.
package struct PowerState: Sendable, Hashable {
    /// How urgently the battery needs power.
    package enum Warning: Int, Sendable, Hashable, CaseIterable, Comparable {
        case none, low
        /// The machine is about to switch itself off.
        case critical

        package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The charge of the battery, 0 … 1; nil where there is none, or nobody says.
    package private(set) var batteryLevel: Double?
    package var isCharging: Bool
    /// The machine runs on its battery.
    package var isOnBattery: Bool
    package var warning: Warning
    /// The person asked that power be saved.
    package var isLowPowerMode: Bool

    /// - Parameter batteryLevel: what is below 0 or above 1 counts as these; what is no number, as unknown.
    package init(
        batteryLevel: Double? = nil,
        isCharging: Bool = false,
        isOnBattery: Bool = false,
        warning: Warning = .none,
        isLowPowerMode: Bool = false
    ) {
        self.batteryLevel = batteryLevel.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
        self.isCharging = isCharging
        self.isOnBattery = isOnBattery
        self.warning = warning
        self.isLowPowerMode = isLowPowerMode
    }
}

/// How short the memory of the machine is.
package enum MemoryPressure: Int, Sendable, Hashable, CaseIterable, Comparable {
    case normal
    /// Programs had better give back what they can make again.
    case warning
    /// Programs are about to be ended.
    case critical

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// All of it at one moment.
package struct SystemState: Sendable, Hashable {
    package var app: AppState
    package var power: PowerState
    package var memoryPressure: MemoryPressure

    package init(
        app: AppState = .foreground,
        power: PowerState = PowerState(),
        memoryPressure: MemoryPressure = .normal
    ) {
        self.app = app
        self.power = power
        self.memoryPressure = memoryPressure
    }
}
