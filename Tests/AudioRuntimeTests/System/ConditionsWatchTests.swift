import AudioCore
import DesktopLinux
import Foundation
import TestSupport
import Testing

/// What the machine's services say of battery, low-power mode, memory and sleep: played by python-dbusmock.
@Suite("Conditions of the machine", .enabled(if: MockedService.isInstalled, "python3-dbusmock is not installed"))
struct ConditionsWatchTests {
    let bus: PrivateBus
    let log = Recorded<String>()

    static let upower = "org.freedesktop.UPower"
    static let display = "/org/freedesktop/UPower/devices/DisplayDevice"
    static let profiles = "net.hadess.PowerProfiles"

    init() throws { bus = try PrivateBus() }

    /// Observed, so that it watches.
    func watch(
        _ states: Recorded<SystemState> = Recorded(),
        pressureFile: String = "/proc/pressure/memory"
    ) -> (SystemConditions, any AnyObject & Sendable) {
        let (address, log) = (bus.address, log)
        let conditions = SystemConditions {
            ConditionsWatch($0, address: address, pressureFile: pressureFile, log: { log.append($0) })
        }
        return (conditions, conditions.observe { states.append($0) })
    }

    func battery(_ properties: String) throws {
        try bus.set(Self.upower, Self.display, Self.upower + ".Device", properties)
    }

    @Test("UPower: level, charging, warnings; what it never said is not known; hostile values do no harm")
    func battery() throws {
        let service = try MockedService(.upower, name: Self.upower, on: bus)
        try battery("{'IsPresent': <true>, 'Type': <uint32 2>, 'Percentage': <81.0>, 'State': <uint32 1>}")
        let (conditions, observation) = watch()
        #expect(eventually { conditions.now.power.batteryLevel == 0.81 })
        #expect(conditions.now.power.isCharging && !conditions.now.power.isOnBattery)

        try bus.set(Self.upower, "/org/freedesktop/UPower", Self.upower, "{'OnBattery': <true>}")
        try battery("{'Percentage': <9.0>, 'State': <uint32 2>, 'WarningLevel': <uint32 3>}")
        #expect(eventually { conditions.now.power.warning == .low })
        #expect(eventually { conditions.now.power.isOnBattery && !conditions.now.power.isCharging })
        try battery("{'WarningLevel': <uint32 5>}")
        #expect(eventually { conditions.now.power.warning == .critical })

        try battery("{'Percentage': <-7.5>, 'WarningLevel': <uint32 4294967295>}")
        #expect(eventually { conditions.now.power.batteryLevel == 0 && conditions.now.power.warning == .none })
        try battery("{'Percentage': <1e300>, 'Type': <uint32 3>}")
        #expect(eventually { conditions.now.power.batteryLevel == 1 })
        try battery("{'IsPresent': <'no'>}")
        #expect(eventually { conditions.now.power.batteryLevel == nil })

        try battery("{'IsPresent': <true>, 'Percentage': <50.0>}")
        #expect(eventually { conditions.now.power.batteryLevel == 0.5 })
        service.kill()
        #expect(eventually { conditions.now.power == PowerState() }, "who is gone says nothing any more")
        withExtendedLifetime(observation) {}
    }

    @Test("power-profiles-daemon: power-saver is the low-power mode, also where the service comes later")
    func profiles() throws {
        let states = Recorded<SystemState>()
        let (conditions, observation) = watch(states)
        Thread.sleep(forTimeInterval: 0.2)
        let service = try MockedService(.powerProfiles, name: Self.profiles, on: bus)
        let path = "/net/hadess/PowerProfiles"
        try bus.set(Self.profiles, path, Self.profiles, "{'ActiveProfile': <'power-saver'>}")
        #expect(eventually { conditions.now.power.isLowPowerMode })
        try bus.set(Self.profiles, path, Self.profiles, "{'ActiveProfile': <'performance'>}")
        #expect(eventually { !conditions.now.power.isLowPowerMode })
        try bus.set(Self.profiles, path, Self.profiles, "{'ActiveProfile': <uint32 7>}")
        try bus.set(Self.profiles, path, Self.profiles, "{'ActiveProfile': <'power-saver'>}")
        #expect(eventually { conditions.now.power.isLowPowerMode })
        #expect(states.all.map(\.power.isLowPowerMode) == [true, false, true], "each change once")
        withExtendedLifetime((service, observation)) {}
    }

    @Test("low-memory-monitor: a warning holds for a while; 255 is critical")
    func memory() throws {
        let name = "org.freedesktop.LowMemoryMonitor"
        let service = try MockedService(.memory, name: name, on: bus)
        let (conditions, observation) = watch()
        let path = "/org/freedesktop/LowMemoryMonitor"
        let warn = "org.freedesktop.DBus.Mock.EmitWarning"
        #expect(
            try eventually(within: 20) {
                try bus.call(name, path, warn, "byte 50")
                return conditions.now.memoryPressure == .warning
            }
        )
        try bus.call(name, path, warn, "byte 255")
        #expect(eventually { conditions.now.memoryPressure == .critical })
        #expect(eventually(within: 40) { conditions.now.memoryPressure == .normal })
        withExtendedLifetime((service, observation)) {}
    }

    @Test("logind: the program is suspended until the machine is awake, or logind's bus is gone")
    func sleep() throws {
        let logind = try MockedLogind(on: bus)
        defer { logind.end() }
        let states = Recorded<SystemState>()
        let (conditions, observation) = watch(states)
        conditions.program(is: .background)
        #expect(
            try eventually(within: 20) {
                try logind.prepareForSleep(true)
                return conditions.now.app == .suspended
            }
        )
        try logind.prepareForSleep(false)
        #expect(eventually { conditions.now.app == .background })
        #expect(states.all.map(\.app) == [.background, .suspended, .background])
        try logind.prepareForSleep(true)
        #expect(eventually { conditions.now.app == .suspended })
        bus.kill()
        #expect(eventually { conditions.now.app == .background })
        withExtendedLifetime(observation) {}
    }

    @Test("a service that hangs keeps nothing from the others, and nothing from its end")
    func hangs() throws {
        let power = try MockedService(.upower, name: Self.upower, on: bus)
        let modes = try MockedService(.powerProfiles, name: Self.profiles, on: bus)
        power.hang(true)
        defer { power.hang(false) }
        var (conditions, observation): (SystemConditions, (any AnyObject & Sendable)?) = watch()
        try bus.set(Self.profiles, "/net/hadess/PowerProfiles", Self.profiles, "{'ActiveProfile': <'power-saver'>}")
        #expect(eventually { conditions.now.power.isLowPowerMode })
        let before = ContinuousClock.now
        withExtendedLifetime(observation) {}
        observation = nil
        #expect(ContinuousClock.now - before < .seconds(2))
        withExtendedLifetime((conditions, modes)) {}
    }

    @Test("without a bus, and with one on which nobody is, nothing is known and nothing happens")
    func nobodyThere() throws {
        let states = Recorded<SystemState>()
        let (conditions, observation) = watch(states)
        Thread.sleep(forTimeInterval: 0.3)
        bus.kill()
        Thread.sleep(forTimeInterval: 0.3)
        #expect(conditions.now == SystemState())
        #expect(states.all.isEmpty)
        let (later, other) = watch(states)
        #expect(eventually { log.all.count == 1 })
        #expect(later.now == SystemState())
        withExtendedLifetime((observation, other)) {}
    }
}
