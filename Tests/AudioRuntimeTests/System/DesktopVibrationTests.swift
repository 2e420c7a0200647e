import AudioCore
import DesktopLinux
import Foundation
import TestSupport
import Testing

/// Vibration by feedbackd, which python-dbusmock plays.
@Suite("Desktop vibration", .enabled(if: MockedService.isInstalled, "python3-dbusmock is not installed"))
struct DesktopVibrationTests {
    let bus: PrivateBus
    let log = Recorded<String>()

    init() throws { bus = try PrivateBus() }

    func desktop() -> LinuxDesktop {
        LinuxDesktop(
            program: "test",
            systemBus: "unix:path=/none",
            sessionBus: bus.address,
            log: { [log] in log.append($0) }
        )
    }

    @Test("a motor is asked to run, once at a time")
    func motor() throws {
        let service = try MockedService(feedbackWithMotor: true, on: bus)
        let desktop = self.desktop()
        desktop.vibrate()
        #expect(eventually(within: 20) { service.calls.contains { $0.contains("Vibrate") } })
        let call = service.calls.first { $0.contains("Vibrate") } ?? ""
        #expect(call.contains("\"test\"") && call.contains("400"), "\(call)")
        #expect(!service.calls.contains { $0.contains("TriggerFeedback") })
        #expect(log.all.isEmpty, "\(log.all)")
    }

    @Test("a service that knows events alone is asked for one that makes no sound")
    func events() throws {
        let service = try MockedService(feedbackWithMotor: false, on: bus)
        desktop().vibrate()
        #expect(eventually(within: 20) { service.calls.contains { $0.contains("TriggerFeedback") } })
        let call = service.calls.first { $0.contains("TriggerFeedback") } ?? ""
        #expect(call.contains("quiet") && call.contains("message-new-instant"), "\(call)")
    }

    @Test("without a service nothing happens, and the log says so")
    func nothing() throws {
        desktop().vibrate()
        #expect(eventually(within: 20) { log.all.count == 1 })
        #expect(log.all.first?.contains("Nothing vibrates") == true)
    }
}
