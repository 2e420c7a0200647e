package import AudioCore
import CGIO
import Synchronization

/// Tells `SystemConditions` what the machine's services say, for as long as it lives: logind of sleep, UPower of the battery,
/// power-profiles-daemon of the low-power mode, the kernel and low-memory-monitor of memory. What is not there says nothing.
package final class ConditionsWatch: Sendable {
    private let watcher: ConditionsWatcher

    /// - Parameters:
    ///   - conditions: held weakly.
    ///   - address: of the system bus; nil for the machine's own.
    ///   - pressureFile: the kernel's memory pressure file.
    ///   - log: takes what could not be done.
    package init(
        _ conditions: SystemConditions,
        address: String? = nil,
        pressureFile: String = "/proc/pressure/memory",
        log: @escaping @Sendable (String) -> Void
    ) {
        let watcher = ConditionsWatcher(conditions, address: address, pressureFile: pressureFile, log: log)
        self.watcher = watcher
        if !BusThread.start("kayit-system", { watcher.run() }) {
            log("Battery and memory are not watched: no thread is left.")
        }
    }

    deinit { watcher.end() }
}

/// What the thread of a watch does.
private final class ConditionsWatcher: @unchecked Sendable {
    // Unchecked: `bus` takes care of itself, `conditions` is only read; the rest belongs to the thread.
    private let bus = BusConnection()
    private weak let conditions: SystemConditions?
    private let address: String?
    private let pressureFile: String
    private let log: @Sendable (String) -> Void

    private var reading = PowerReading()
    private var memory = MemoryWarnings()
    /// Whose properties are to be read again, and whose are on their way.
    private var stale: Set<Int> = []
    private var asked: Set<Int> = []

    private static let retryInterval = Duration.seconds(5)
    private static let limitOfCall = Duration.seconds(5)

    /// An object whose properties count.
    private struct Service {
        var name: String
        var path: String
        var interface: String
        var place: any WritableKeyPath<PowerReading, [String: BusValue]> & Sendable
    }

    private static let upower = "org.freedesktop.UPower"
    private static let services = [
        Service(name: upower, path: "/org/freedesktop/UPower", interface: upower, place: \.machine),
        Service(
            name: upower,
            path: "/org/freedesktop/UPower/devices/DisplayDevice",
            interface: upower + ".Device",
            place: \.battery
        ),
        Service(
            name: upower + ".PowerProfiles",
            path: "/org/freedesktop/UPower/PowerProfiles",
            interface: upower + ".PowerProfiles",
            place: \.profiles
        ),
        // Before version 0.20 of power-profiles-daemon; newer ones have both names.
        Service(
            name: "net.hadess.PowerProfiles",
            path: "/net/hadess/PowerProfiles",
            interface: "net.hadess.PowerProfiles",
            place: \.profiles
        ),
    ]

    init(
        _ conditions: SystemConditions,
        address: String?,
        pressureFile: String,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.conditions = conditions
        self.address = address
        self.pressureFile = pressureFile
        self.log = log
    }

    /// Any thread.
    func end() { bus.cancel() }

    func run() {
        let trigger = bus.inContext { PressureTrigger(pressureFile) { [unowned self] in warn($0) } }
        var wasConnected = false
        while !bus.isCancelled {
            do throws(BusFailure) {
                try bus.connect(to: address.map { .at($0) } ?? .system)
                wasConnected = true
                subscribe()
                stale = Set(Self.services.indices)
                listen { bus.isConnected }
            } catch {
                if !bus.isCancelled, !wasConnected { log("The battery is not known: \(error.reason).") }
            }
            forget()
            // A container has no bus. One that was there may come again; memory is watched all the same.
            let end = Self.now + Self.retryInterval
            listen { !wasConnected || Self.now < end }
        }
        withExtendedLifetime(trigger) {}
        // Answers that were cancelled still come, and free what they hold.
        for _ in 0..<20 where !asked.isEmpty { bus.iterate(within: .milliseconds(20)) }
        bus.disconnect()
    }

    private func listen(while goesOn: () -> Bool) {
        while !bus.isCancelled, goesOn() {
            ask()
            let (pressure, until) = memory.level(now: Self.now)
            conditions?.memory(is: pressure)
            let rest = until.map { max($0 - Self.now, .zero) }
            bus.iterate(within: min(rest ?? Self.retryInterval, Self.retryInterval))
        }
    }

    private func subscribe() {
        bus.subscribe(
            "PrepareForSleep",
            of: "org.freedesktop.login1.Manager",
            at: "/org/freedesktop/login1",
            from: "org.freedesktop.login1"
        ) { [unowned self] signal in
            if let begins = signal.arguments.first?.truth { conditions?.machine(isAsleep: begins) }
        }
        bus.subscribe(
            "LowMemoryWarning",
            of: "org.freedesktop.LowMemoryMonitor",
            at: "/org/freedesktop/LowMemoryMonitor",
            from: "org.freedesktop.LowMemoryMonitor"
        ) { [unowned self] signal in
            if let number: UInt8 = signal.arguments.first?.whole() { warn(MemoryWarnings.level(ofWarning: number)) }
        }
        for (index, service) in Self.services.enumerated() {
            bus.subscribe(
                "PropertiesChanged",
                of: "org.freedesktop.DBus.Properties",
                at: service.path,
                from: service.name
            ) { [unowned self] _ in stale.insert(index) }
            bus.subscribe(
                "NameOwnerChanged",
                of: BusConnection.busName,
                at: BusConnection.busPath,
                from: BusConnection.busName,
                argument: service.name
            ) { [unowned self] signal in
                let isGone = signal.arguments.dropFirst(2).first?.text?.isEmpty ?? true
                if isGone { take([:], from: service) } else { stale.insert(index) }
            }
        }
    }

    /// Reads what has changed: all of it, once for any number of changes.
    private func ask() {
        for index in stale where !asked.contains(index) {
            stale.remove(index)
            asked.insert(index)
            let service = Self.services[index]
            let call = BusCall(
                "GetAll",
                of: "org.freedesktop.DBus.Properties",
                at: service.path,
                of: service.name,
                [.text(service.interface)],
                within: Self.limitOfCall
            )
            bus.post(call) { [unowned self] answer in
                asked.remove(index)
                // One that is not there, or does not answer, leaves what another said in its place.
                if let properties = answer?.first?.dictionary { take(properties, from: service) }
            }
        }
    }

    private func take(_ properties: [String: BusValue], from service: Service) {
        reading[keyPath: service.place] = properties
        let state = reading.state
        conditions?.power { $0 = state }
    }

    /// Nobody says anything any more.
    private func forget() {
        reading = PowerReading()
        stale = []
        conditions?.power { $0 = PowerState() }
        conditions?.machine(isAsleep: false)
    }

    private func warn(_ level: MemoryPressure) { memory.warn(level, now: Self.now) }

    private static var now: Duration { .microseconds(g_get_monotonic_time()) }
}
