import Foundation
import KayitCommands
import RecordingKit
import TestSupport
import Testing

/// `kayit record` that stops by itself, and what the desktop shows meanwhile.
@Suite(.serialized) struct DeadlineTests {
    @Test func itEndsByTheClockAndSaysSo() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "a.wav", "--for", "1s", "--json"], in: folder)
        #expect(kayit.wait() == 0)
        let objects = try #require(kayit.objects)
        #expect(objects.contains { $0["event"] as? String == "deadline" })
        #expect(objects.last?["reason"] as? String == "deadline")
        #expect(objects.last?["complete"] as? Bool == true)
        let report = try RecordingReport(contentsOf: folder.file("a.wav"))
        #expect((0.8...1.1).contains(report.duration), "\(report.duration)")
    }

    @Test func aPauseDoesNotPutItOff() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "a.wav", "--for", "3s"], in: folder)
        #expect(kayit.shows("REC   0:00.2"))
        kayit.type(" ")
        #expect(kayit.shows("PAUSE"))
        #expect(kayit.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("a.wav")).duration < 2.8)
    }

    @Test(arguments: [
        ("18:30", "2026-05-04T18:30:00Z"), ("18:30:15", "2026-05-04T18:30:15Z"), ("09:00", "2026-05-05T09:00:00Z"),
        ("12:00", "2026-05-05T12:00:00Z"), ("9:05", "2026-05-05T09:05:00Z"),
    ])
    func timesOfDay(text: String, expected: String) throws {
        let now = try #require(ISO8601DateFormatter().date(from: "2026-05-04T12:00:00Z"))
        let zone = try #require(TimeZone(identifier: "UTC"))
        let moment = try #require(RecordOptions.moment(text, after: now, in: zone))
        #expect(ISO8601DateFormatter().string(from: moment) == expected)
    }

    @Test(arguments: ["", "18", "24:00", "18:60", "18:30:60", "-1:30", "18:3a", "1:2:3:4", "١٨:٣٠", "018:30", "18: 30"])
    func noTimesOfDay(text: String) throws {
        let zone = try #require(TimeZone(identifier: "UTC"))
        #expect(RecordOptions.moment(text, after: Date(), in: zone) == nil)
    }

    @Test func anHourThatTheClocksLeaveOutEndsWhereItWouldBegin() throws {
        let now = try #require(ISO8601DateFormatter().date(from: "2026-03-29T00:00:00Z"))
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let moment = try #require(RecordOptions.moment("02:30", after: now, in: zone))
        #expect(ISO8601DateFormatter().string(from: moment) == "2026-03-29T01:00:00Z")
    }

    @Test(arguments: [
        ["--for", "0s"], ["--until", "25:00"], ["--for", "1h", "--until", "18:00"], ["--until", "now"],
    ])
    func whatIsNotUnderstood(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "a.wav"] + arguments, in: folder)
        #expect(kayit.wait() == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(.enabled(if: MockedService.isInstalled, "python3-dbusmock is not installed"))
    func theDesktopShowsItUntilItEnds() throws {
        let folder = try TemporaryFolder()
        let bus = try PrivateBus()
        let desktop = try MockedService(.notifications, name: "org.freedesktop.Notifications", on: bus)
        let environment = Kayit.simulated.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
        let kayit = try RunningKayit(["record", "a.wav", "--notify"], in: folder, environment: environment)
        #expect(eventually(within: 20) { desktop.calls.contains { $0.contains("Recording “a.wav”") } })
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
        #expect(desktop.calls.contains { $0.contains(" CloseNotification ") })
        bus.kill()
        let alone = try RunningKayit(
            ["record", "b.wav", "--notify", "-d", "0.5"],
            in: folder,
            environment: environment
        )
        #expect(alone.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("b.wav")).frames == 22_050)
    }
}
