import AudioCore
import DesktopLinux
import Foundation
import TestSupport
import Testing

/// A message that stays on the desktop: the notification service is played by python-dbusmock.
@Suite("Desktop notifications", .enabled(if: MockedService.isInstalled, "python3-dbusmock is not installed"))
struct DesktopNotificationTests {
    let bus: PrivateBus
    let log = Recorded<String>()
    static let name = "org.freedesktop.Notifications"

    init() throws { bus = try PrivateBus() }

    func desktop() -> LinuxDesktop {
        LinuxDesktop(
            program: "test",
            systemBus: "unix:path=/none",
            sessionBus: bus.address,
            log: { [log] in log.append($0) }
        )
    }

    func service() throws -> MockedService { try MockedService(.notifications, name: Self.name, on: bus) }

    @Test("it is shown once, changed in its place, and taken away before close() returns")
    func shown() throws {
        let service = try service()
        let display = desktop().showStatus(StatusText(title: "Recording <one>", body: "0:00:01 & more"))
        #expect(eventually(within: 10) { service.notifies.count == 1 })
        let first = try #require(service.notifies.first)
        #expect(first.contains("\"test\" 0 "), "a new one: \(first)")
        #expect(first.contains("Recording <one>"), "the title is no markup")
        #expect(first.contains("0:00:01 &amp; more"), "the body is")
        #expect(first.contains(" 30000"), "it goes by itself where nobody renews it: \(first)")
        display.update(StatusText(title: "Paused", body: "0:00:02"))
        #expect(eventually(within: 10) { service.notifies.count == 2 })
        #expect(service.notifies.last?.contains("\"test\" 1 ") == true, "in the place of the first")
        display.close()
        #expect(service.closes == 1)
        #expect(log.all.isEmpty)
    }

    @Test("texts of the same title are shown slowly, and only the last of them")
    func slowly() throws {
        let service = try service()
        let display = desktop().showStatus(StatusText(title: "Recording", body: "0"))
        for second in 1...60 {
            display.update(StatusText(title: "Recording", body: "body \(second)"))
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(service.notifies.count <= 2)
        #expect(eventually(within: 30) { service.notifies.last?.contains("body 60") == true })
        #expect(service.notifies.count <= 4)
        display.close()
    }

    @Test("a service that ends and comes again shows it again")
    func comesAgain() throws {
        let first = try service()
        let display = desktop().showStatus(StatusText(title: "Recording", body: ""))
        #expect(eventually(within: 10) { first.notifies.count == 1 })
        first.kill()
        Thread.sleep(forTimeInterval: 0.3)
        let second = try service()
        #expect(eventually(within: 30) { second.notifies.count == 1 })
        #expect(second.notifies.first?.contains("\"test\" 0 ") == true)
        display.close()
        #expect(second.closes == 1)
    }

    @Test("one that a person has closed stays closed until it says something else")
    func dismissed() throws {
        let service = try service()
        let display = desktop().showStatus(StatusText(title: "Recording", body: ""))
        #expect(eventually(within: 10) { service.notifies.count == 1 })
        let path = "/org/freedesktop/Notifications"
        Thread.sleep(forTimeInterval: 0.3)
        try bus.call(Self.name, path, "org.freedesktop.Notifications.CloseNotification", "1")
        Thread.sleep(forTimeInterval: 0.3)
        for body in 1...3 { display.update(StatusText(title: "Recording", body: "\(body)")) }
        Thread.sleep(forTimeInterval: 6)
        #expect(service.notifies.count == 1)
        display.update(StatusText(title: "Paused", body: ""))
        #expect(eventually(within: 10) { service.notifies.count == 2 })
        display.close()
    }

    @Test("a service that hangs, or none at all, or no bus: nothing waits, and the end neither")
    func nobody() throws {
        let service = try service()
        service.hang(true)
        defer { service.hang(false) }
        let displays = [desktop().showStatus(StatusText(title: "Recording", body: ""))]
        Thread.sleep(forTimeInterval: 0.3)
        let before = ContinuousClock.now
        displays[0].close()
        #expect(ContinuousClock.now - before < .seconds(5))
        bus.kill()
        let none = desktop().showStatus(StatusText(title: "Recording", body: ""))
        #expect(eventually { log.all.contains { $0.contains("No notification is shown") } })
        none.close()
    }
}

extension MockedService {
    /// Calls of `Notify` so far.
    fileprivate var notifies: [String] { calls.filter { $0.contains(" Notify ") } }
    fileprivate var closes: Int { calls.count { $0.contains(" CloseNotification ") } }
}
