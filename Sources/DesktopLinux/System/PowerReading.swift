import AudioCore

/// What UPower and power-profiles-daemon say, as far as it is known: their properties, which may hold anything.
struct PowerReading: Sendable {
    /// org.freedesktop.UPower.
    var machine: [String: BusValue] = [:]
    /// org.freedesktop.UPower.Device of the display device: all batteries of the machine together.
    var battery: [String: BusValue] = [:]
    /// org.freedesktop.UPower.PowerProfiles, or net.hadess.PowerProfiles before.
    var profiles: [String: BusValue] = [:]

    // Numbers of org.freedesktop.UPower.Device: Type battery and uninterruptible supply, State, WarningLevel.
    private static let suppliers: Set<UInt32> = [2, 3]
    private static let charging: UInt32 = 1
    private static let discharging: UInt32 = 2
    private static let lowWarning: UInt32 = 3
    /// 4 is critical; at 5 the machine does something about it.
    private static let criticalWarnings: Set<UInt32> = [4, 5]

    var state: PowerState {
        let isLowPowerMode = profiles["ActiveProfile"]?.text == "power-saver"
        let isThere =
            battery["IsPresent"]?.truth == true && battery["Type"]?.whole().map(Self.suppliers.contains) == true
        let isOnBattery = machine["OnBattery"]?.truth
        guard isThere else { return PowerState(isOnBattery: isOnBattery ?? false, isLowPowerMode: isLowPowerMode) }
        let state: UInt32? = battery["State"]?.whole()
        let warning: UInt32? = battery["WarningLevel"]?.whole()
        return PowerState(
            batteryLevel: battery["Percentage"]?.number.map { $0 / 100 },
            isCharging: state == Self.charging,
            isOnBattery: isOnBattery ?? (state == Self.discharging),
            warning: warning.map(Self.warning) ?? .none,
            isLowPowerMode: isLowPowerMode
        )
    }

    private static func warning(_ number: UInt32) -> PowerState.Warning {
        if criticalWarnings.contains(number) { return .critical }
        return number == lowWarning ? .low : .none
    }
}
