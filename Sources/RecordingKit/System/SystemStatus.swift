import AudioCore
import AudioRuntime
import Foundation
import Synchronization

/// What a program can know of the machine that it runs on, and of its own place on it: whether it is in front, what the
/// battery says, how short memory is.
///
/// On a desktop the machine's sleep comes from logind, the battery from UPower, the low-power mode from power-profiles-daemon,
/// memory pressure from the kernel and low-memory-monitor; what is missing is quietly not known. Whether the program is in
/// front only its user interface knows, which says so with ``enterBackground()`` and ``enterForeground()``. Under a simulation
/// all of it is the simulation's.
public struct SystemStatus: Sendable, Hashable {
    /// Where a program stands in its life, as far as the person in front of the machine is concerned.
    public enum AppState: String, Sendable, Hashable, CaseIterable {
        /// It is in use. Holds until the program says something else.
        case foreground
        /// It runs, and another is in use.
        case background
        /// It does not run: the machine sleeps, or is about to.
        case suspended
        /// It is about to end.
        case terminated
    }

    /// What the machine lives on.
    public struct Power: Sendable, Hashable {
        /// How urgently the battery needs power.
        public enum Warning: Int, Sendable, Hashable, CaseIterable {
            /// There is no battery, or it has enough.
            case none
            /// Some minutes are left.
            case low
            /// The machine is about to switch itself off.
            case critical
        }

        /// The charge of the battery, 0 … 1; nil where there is none, or nobody says.
        public let batteryLevel: Double?
        /// The battery takes power.
        public let isCharging: Bool
        /// The machine runs on its battery.
        public let isOnBattery: Bool
        /// How urgently the battery needs power.
        public let warning: Warning
        /// The person asked that power be saved.
        public let isLowPowerMode: Bool

        init(_ power: PowerState) {
            batteryLevel = power.batteryLevel
            isCharging = power.isCharging
            isOnBattery = power.isOnBattery
            warning = Warning(rawValue: power.warning.rawValue) ?? .none
            isLowPowerMode = power.isLowPowerMode
        }
    }

    /// How short the memory of the machine is.
    public enum MemoryPressure: Int, Sendable, Hashable, CaseIterable, Comparable {
        /// There is enough.
        case normal
        /// Programs had better give back what they can make again.
        case warning
        /// Programs are about to be ended.
        case critical

        /// Less is before more.
        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

        init(_ pressure: AudioCore.MemoryPressure) { self = Self(rawValue: pressure.rawValue) ?? .normal }
    }

    /// Where the program stands.
    public let appState: AppState
    /// What the machine lives on.
    public let power: Power
    /// How short memory is.
    public let memoryPressure: MemoryPressure

    init(_ state: SystemState) {
        appState = AppState(rawValue: state.app.rawValue) ?? .foreground
        power = Power(state.power)
        memoryPressure = MemoryPressure(state.memoryPressure)
    }

    /// As it is known now. Any thread, without waiting. The first call begins to look, so that what it answers may be that of a
    /// machine with no battery and much memory; ``updates`` tells when more is known.
    public static var current: SystemStatus {
        SystemStatus(watch.now)
    }

    private static let watch = LastingWatch()

    /// The status as it is known now, and after that each one that follows, until the task that reads is cancelled. Of what
    /// nobody has read yet the newest hundred are kept. Any thread.
    public static var updates: AsyncStream<SystemStatus> {
        let conditions = Runtime.current.conditions
        return AsyncStream(bufferingPolicy: .bufferingNewest(100)) { continuation in
            continuation.yield(SystemStatus(conditions.now))
            let observation = conditions.observe { continuation.yield(SystemStatus($0)) }
            continuation.onTermination = { _ in withExtendedLifetime(observation) {} }
        }
    }

    /// Says that another program is in front from now on. Any thread.
    public static func enterBackground() { Runtime.current.conditions.program(is: .background) }

    /// Says that the program is in front from now on. Any thread.
    public static func enterForeground() { Runtime.current.conditions.program(is: .foreground) }

    /// Says that the program is about to end: recordings that run bring what was heard to the disk. Any thread.
    public static func prepareForTermination() { Runtime.current.conditions.program(is: .terminated) }
}
