import Foundation
import RecordingKit
import TestSupport
import Testing

/// `kayit record` and a logind that python-dbusmock plays: what keeps the machine awake, and for how long.
@Suite(.serialized, .enabled(if: MockedService.isInstalled, "python3-dbusmock is not installed"))
struct InhibitorTests {
    private let bus: PrivateBus
    private let logind: MockedLogind
    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
        bus = try PrivateBus()
        logind = try MockedLogind(on: bus)
        folder = try TemporaryFolder()
        environment = Kayit.simulated.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "KAYIT_LOG": "1"]) { $1 }
    }

    @Test func onlySleepIsInhibitedAndOnlyWhileItRecords() throws {
        defer { logind.end() }
        let kayit = try KayitOnTerminal(["record", "a.wav"], in: folder, environment: environment)
        #expect(kayit.shows("REC   0:00.1"))
        #expect(eventually(within: 20) { logind.held == ["block", "delay"] })
        #expect(logind.inhibitors.allSatisfy { $0.what == "sleep" && $0.who == "kayit" })
        kayit.type(" ")
        #expect(kayit.shows("PAUSE"))
        #expect(eventually(within: 20) { logind.held.isEmpty })
        kayit.type(" ")
        #expect(eventually(within: 20) { logind.held == ["block", "delay"] })
        kayit.type("q")
        #expect(kayit.wait() == 0)
        #expect(eventually(within: 20) { logind.held.isEmpty })
    }

    @Test func aKilledRecorderLetsTheMachineSleep() throws {
        defer { logind.end() }
        let kayit = try RunningKayit(["record", "a.wav"], in: folder, environment: environment)
        #expect(eventually(within: 20) { logind.held == ["block", "delay"] })
        kayit.process.kill()
        #expect(eventually(within: 20) { logind.held.isEmpty })
    }

    @Test func whatWasHeardIsOnTheDiskBeforeTheMachineSleeps() throws {
        defer { logind.end() }
        let kayit = try RunningKayit(["record", "a.m4a"], in: folder, environment: environment)
        #expect(eventually(within: 20) { logind.held == ["block", "delay"] })
        Thread.sleep(forTimeInterval: 0.5)
        try logind.prepareForSleep(true)
        #expect(eventually(within: 20) { logind.held == ["block"] })
        try logind.prepareForSleep(false)
        #expect(eventually(within: 20) { logind.held == ["block", "delay"] })
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("a.m4a")).integrity == .complete)
        #expect(!kayit.errors.contains("may go to sleep"))
    }

    @Test func aLogindThatHangsHoldsNothingUp() throws {
        logind.hang(true)
        defer { logind.hang(false) }
        let kayit = try RunningKayit(["record", "a.wav", "-d", "0.5"], in: folder, environment: environment)
        #expect(kayit.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("a.wav")).frames == 22_050)
    }

    @Test func withoutABusTheLogSaysSo() throws {
        logind.end()
        bus.kill()
        let kayit = try RunningKayit(["record", "a.wav", "-d", "0.5"], in: folder, environment: environment)
        #expect(kayit.wait() == 0)
        #expect(kayit.errors.contains("The machine may go to sleep: there is no system bus"))
        #expect(try RecordingReport(contentsOf: folder.file("a.wav")).frames == 22_050)
    }
}
