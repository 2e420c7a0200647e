import AudioCore
import DesktopLinux
import Foundation
import TestSupport
import Testing

/// The locks of logind, which python-dbusmock plays on a bus of the test's own.
@Suite("logind", .enabled(if: MockedService.isInstalled, "python3-dbusmock is not installed"))
struct LogindTests {
    let events = Recorded<String>()
    let log = Recorded<String>()
    /// What says that all is ready for the sleep, one for each.
    let readiness = Recorded<@Sendable () -> Void>()

    func inhibit(_ address: String) -> any SleepInhibition {
        let services = LogindServices(who: "test", address: address, log: { [log] in log.append($0) })
        return services.inhibitSleep(why: "A test.") { [events, readiness] event in
            switch event {
            case .willSleep(let ready):
                events.append("sleep")
                readiness.append(ready)
            case .didWake: events.append("wake")
            }
        }
    }

    @Test("only sleep is inhibited, by a lock that blocks and one that delays, and both are given back")
    func locks() async throws {
        let bus = try PrivateBus()
        let logind = try MockedLogind(on: bus)
        defer { logind.end() }
        let inhibition = inhibit(bus.address)
        #expect(await eventually { logind.held == ["block", "delay"] })
        for inhibitor in logind.inhibitors {
            #expect(inhibitor.what == "sleep", "neither idle nor the screen's lock nor the lid")
            #expect(inhibitor.who == "test")
            #expect(inhibitor.why == "A test.")
        }
        inhibition.release()
        #expect(await eventually { logind.held.isEmpty })
        #expect(log.all.isEmpty)
    }

    @Test("an inhibition that nobody holds any more is given back")
    func forgotten() async throws {
        let bus = try PrivateBus()
        let logind = try MockedLogind(on: bus)
        defer { logind.end() }
        var inhibition: (any SleepInhibition)? = inhibit(bus.address)
        #expect(await eventually { logind.held.count == 2 })
        withExtendedLifetime(inhibition) {}
        inhibition = nil
        #expect(await eventually { logind.held.isEmpty })
    }

    @Test("sleep waits until the recorder is ready; awake, the next sleep is waited for again")
    func sleepAndWake() async throws {
        let bus = try PrivateBus()
        let logind = try MockedLogind(on: bus)
        defer { logind.end() }
        let inhibition = inhibit(bus.address)
        #expect(await eventually { logind.held == ["block", "delay"] })
        for round in 1...2 {
            try logind.prepareForSleep(true)
            #expect(await eventually { events.all.last == "sleep" })
            try await Task.sleep(for: .milliseconds(100))
            #expect(logind.held == ["block", "delay"], "not before it is ready")
            readiness.all.last?()
            #expect(await eventually { logind.held == ["block"] })
            try logind.prepareForSleep(false)
            #expect(await eventually { events.all.count == 2 * round })
            #expect(await eventually { logind.held == ["block", "delay"] })
        }
        #expect(events.all == ["sleep", "wake", "sleep", "wake"])
        inhibition.release()
    }

    @Test("a recorder that is never ready holds up the machine for less than logind's limit")
    func neverReady() async throws {
        let bus = try PrivateBus()
        let logind = try MockedLogind(on: bus)
        defer { logind.end() }
        let inhibition = inhibit(bus.address)
        #expect(await eventually { logind.held == ["block", "delay"] })
        try logind.prepareForSleep(true)
        #expect(await eventually { events.all == ["sleep"] })
        #expect(eventually(within: 15) { logind.held == ["block"] })
        inhibition.release()
    }

    @Test("a logind that never answers holds nothing up")
    func hangs() async throws {
        let bus = try PrivateBus()
        let logind = try MockedLogind(on: bus)
        logind.hang(true)
        defer { logind.hang(false) }
        let before = ContinuousClock.now
        let inhibition = inhibit(bus.address)
        #expect(ContinuousClock.now - before < .seconds(1))
        // Until the first call is under way.
        try await Task.sleep(for: .milliseconds(300))
        inhibition.release()
        // A call that was under way has ended: the thread is gone, and with it its connection.
        #expect(await eventually { log.all.isEmpty })
    }

    @Test("without a bus, and with one that has no logind, the log says so and nothing else happens")
    func nobodyThere() async throws {
        let none = inhibit("unix:path=/nonexistent/bus")
        #expect(await eventually { log.all.count == 1 })
        #expect(log.all.first?.contains("may go to sleep") == true)
        none.release()
        let bus = try PrivateBus()
        let alone = inhibit(bus.address)
        #expect(await eventually { log.all.count == 3 })
        alone.release()
    }

    @Test("a bus that dies is noticed; the inhibition can be released all the same")
    func busDies() async throws {
        let bus = try PrivateBus()
        let logind = try MockedLogind(on: bus)
        let inhibition = inhibit(bus.address)
        #expect(await eventually { logind.held.count == 2 })
        logind.end()
        bus.kill()
        #expect(await eventually { log.all.count >= 1 })
        inhibition.release()
    }
}
