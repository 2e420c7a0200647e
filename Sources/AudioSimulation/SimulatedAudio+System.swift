import AudioCore

extension SimulatedAudio {
    /// Where the program stands in its life.
    public enum AppState: String, Sendable, Hashable, CaseIterable {
        /// It is in use.
        case foreground
        /// It runs, and another is in use.
        case background
        /// It does not run: the machine is about to sleep, or sleeps.
        case suspended
        /// It is about to end.
        case terminated
    }

    /// What the machine lives on.
    public struct Power: Sendable, Hashable {
        /// How urgently the battery needs power.
        public enum Warning: Int, Sendable, Hashable, CaseIterable {
            /// It has enough.
            case none
            /// Some minutes are left.
            case low
            /// The machine is about to switch itself off.
            case critical
        }

        /// The charge of the battery, 0 … 1; nil for a machine without one.
        public var batteryLevel: Double?
        /// The battery takes power.
        public var isCharging = false
        /// The machine runs on its battery.
        public var isOnBattery = false
        /// How urgently the battery needs power.
        public var warning = Warning.none
        /// The person asked that power be saved.
        public var isLowPowerMode = false

        /// A machine without a battery; with one, it runs on it.
        public init(batteryLevel: Double? = nil, isLowPowerMode: Bool = false) {
            self.batteryLevel = batteryLevel
            self.isLowPowerMode = isLowPowerMode
            isOnBattery = batteryLevel != nil
        }
    }

    /// How short the memory of the machine is.
    public enum MemoryPressure: Int, Sendable, Hashable, CaseIterable {
        /// There is enough.
        case normal
        /// Programs had better give back what they can make again.
        case warning
        /// Programs are about to be ended.
        case critical
    }

    /// Puts the program into the foreground or background, or the machine to sleep and awake again. Observers hear of it
    /// before the call returns. The microphone goes on by itself: what it does meanwhile is told apart.
    public func setAppState(_ state: AppState) {
        let wasAsleep = conditions.now.app == .suspended
        if state == .suspended {
            if !wasAsleep { desktop.sleep(true) }
            return conditions.machine(isAsleep: true)
        }
        conditions.machine(isAsleep: false)
        if wasAsleep { desktop.sleep(false) }
        conditions.program(is: AudioCore.AppState(rawValue: state.rawValue) ?? .foreground)
    }

    /// Says what the machine lives on from now on. Observers hear of it before the call returns.
    public func setPower(_ power: Power) {
        conditions.power { state in
            state = PowerState(
                batteryLevel: power.batteryLevel,
                isCharging: power.isCharging,
                isOnBattery: power.isOnBattery,
                warning: PowerState.Warning(rawValue: power.warning.rawValue) ?? .none,
                isLowPowerMode: power.isLowPowerMode
            )
        }
    }

    /// Says how short memory is from now on. Observers hear of it before the call returns.
    public func setMemoryPressure(_ pressure: MemoryPressure) {
        conditions.memory(is: AudioCore.MemoryPressure(rawValue: pressure.rawValue) ?? .normal)
    }

    /// Whether somebody asks now that the machine does not sleep by itself.
    public var isKeptAwake: Bool { desktop.isKeptAwake }

    /// What is shown on the desktop while something goes on, such as the notification of a running recording.
    public struct ShownStatus: Sendable, Hashable {
        /// The first line.
        public let title: String
        /// What stands below.
        public let body: String
    }

    /// What is shown on the desktop now, the oldest first.
    public var shownStatus: [ShownStatus] { desktop.statusTexts.map { ShownStatus(title: $0.title, body: $0.body) } }
}
