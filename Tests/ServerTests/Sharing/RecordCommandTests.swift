import Foundation
import TestSupport
import Testing

/// `kayit record` beside other programs that want the sound.
@Suite(
    .serialized,
    .enabled(if: ExternalTool.areInstalled("dbus-daemon", "pacat"), "dbus-daemon or pacat is not installed")
)
struct RecordCommandTests {
    private let rig: SharingRig
    private let environment: [String: String]

    init() throws {
        rig = try SharingRig()
        try rig.addMicrophone()
        environment = rig.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
    }

    /// What `--json` said of an event.
    private func lines(_ event: String, _ kayit: RunningKayit) -> [[String: Any]] {
        (kayit.objects ?? []).filter { $0["event"] as? String == event }
    }

    private func frames(_ line: [String: Any]) throws -> Int {
        Int((try #require(line["seconds"] as? Double) * Double(SharingRig.rate)).rounded())
    }

    /// The file holds the tone without a jump outside its pauses, whose places it lists.
    private func expectWhole(_ name: String, pauses: [Int]) throws {
        #expect(try rig.jumps(in: name, pauses: pauses) == [])
        let info = try RunningKayit(["info", "--json", name], in: rig.scratch, environment: environment)
        #expect(info.wait() == 0)
        let gaps = try #require(info.objects?.first?["gaps"] as? [[String: Any]], "\(info.output)")
        #expect(gaps.map { $0["reason"] as? String } == pauses.map { _ in "interrupted" })
        #expect(gaps.allSatisfy { $0["length"] as? Int == 0 })
        let places = gaps.compactMap { $0["frame"] as? Int }
        #expect(places.count == pauses.count && zip(places, pauses).allSatisfy { abs($0 - $1) <= 1 }, "\(places)")
    }

    @Test(arguments: ["notify", "quiet"]) func aScriptsRecordingGoesOnInItsFile(how: String) throws {
        let kayit = try RunningKayit(["record", "--json", "a.wav"], in: rig.scratch, environment: environment)
        #expect(eventually(within: 30) { !lines("started", kayit).isEmpty }, "\(kayit.errors)")
        let other = try rig.program("playback")
        Thread.sleep(forTimeInterval: 0.5)
        #expect(other.order("activate") == "ok activate")
        #expect(eventually(within: 30) { !lines("paused", kayit).isEmpty })
        #expect(other.order("deactivate " + how) == "ok deactivate")
        #expect(eventually(within: 30) { !lines("resumed", kayit).isEmpty })
        Thread.sleep(forTimeInterval: 0.5)
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
        let events = try #require(kayit.objects).compactMap { $0["event"] as? String }.filter { $0 != "progress" }
        #expect(
            events.filter { $0 != "gap" } == ["started", "paused", "interruption-ended", "resumed", "finished"],
            "\(kayit.output)"
        )
        let paused = try #require(lines("paused", kayit).first)
        #expect(paused["reason"] as? String == "interrupted")
        #expect(lines("interruption-ended", kayit).first?["shouldResume"] as? Bool == (how == "notify"))
        #expect(lines("gap", kayit).map { $0["reason"] as? String } == ["interrupted"])
        #expect(lines("finished", kayit).first?["complete"] as? Bool == true)
        #expect(lines("finished", kayit).first?["missingFrames"] as? Int == 0)
        let pause = try frames(paused)
        #expect(pause > SharingRig.rate / 10)
        try expectWhole("a.wav", pauses: [pause])
        // It has taken the sound from nobody meanwhile.
        #expect(other.interruptions.isEmpty)
    }

    @Test func aPersonsGoesOnWhenItShould() throws {
        let kayit = try KayitOnTerminal(["record", "a.wav"], in: rig.scratch, environment: environment)
        #expect(kayit.shows("REC   0:00.5", within: 30))
        let other = try rig.program("playback")
        #expect(other.order("activate") == "ok activate")
        #expect(kayit.shows("Something else has the sound. What is recorded is safe.", within: 30))
        #expect(kayit.shows("PAUSE"))
        #expect(other.order("deactivate notify") == "ok deactivate")
        #expect(eventually(within: 30) { kayit.progressLine.contains("REC") })
        #expect(!kayit.screen.contains("Space goes on."))
        kayit.type("q")
        #expect(kayit.wait() == 0)
    }

    @Test(.enabled(if: MockedService.isInstalled, "python3-dbusmock is not installed"))
    func theMachineMaySleepWhileSomebodyElseHasTheSound() throws {
        let system = try PrivateBus()
        let logind = try MockedLogind(on: system)
        let kayit = try RunningKayit(
            ["record", "--json", "a.wav"],
            in: rig.scratch,
            environment: environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": system.address]) { $1 }
        )
        #expect(eventually(within: 30) { logind.held == ["block", "delay"] }, "\(kayit.errors)")
        let other = try rig.program("playback")
        #expect(other.order("activate") == "ok activate")
        #expect(eventually(within: 30) { logind.held.isEmpty })
        #expect(!lines("paused", kayit).isEmpty)
        #expect(other.order("deactivate notify") == "ok deactivate")
        #expect(eventually(within: 30) { logind.held == ["block", "delay"] })
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
        #expect(eventually(within: 30) { logind.held.isEmpty })
    }

    @Test(arguments: ["quiet", "killed"]) func aPersonsWaitsForAKeyWhereItShouldNot(how: String) throws {
        let kayit = try KayitOnTerminal(["record", "--json", "a.wav"], in: rig.scratch, environment: environment)
        #expect(kayit.shows("\"event\":\"progress\"", within: 30))
        let other = try rig.program("playback")
        #expect(other.order("activate") == "ok activate")
        #expect(kayit.shows("\"event\":\"paused\",\"reason\":\"interrupted\"", within: 30))
        if how == "killed" { other.kill() } else { #expect(other.order("deactivate quiet") == "ok deactivate") }
        #expect(kayit.shows("\"event\":\"interruption-ended\"", within: 30))
        Thread.sleep(forTimeInterval: 0.5)
        #expect(!kayit.screen.contains("\"event\":\"resumed\""))
        kayit.type(" ")
        #expect(kayit.shows("\"event\":\"resumed\"", within: 30))
        Thread.sleep(forTimeInterval: 0.5)
        kayit.type("q")
        #expect(kayit.wait() == 0)
        let match = try #require(kayit.screen.firstMatch(of: /"event":"paused"[^}]*"seconds":([0-9.]+)/))
        let pause = Int((try #require(Double(match.1)) * Double(SharingRig.rate)).rounded())
        try expectWhole("a.wav", pauses: [pause])
    }

    @Test func whoPaysNoAttentionToItIsNotInterrupted() throws {
        let other = try rig.program("playback mix")
        #expect(other.order("activate") == "ok activate")
        let kayit = try RunningKayit(["record", "--json", "--mix", "a.wav"], in: rig.scratch, environment: environment)
        #expect(eventually(within: 30) { !lines("started", kayit).isEmpty }, "\(kayit.errors)")
        Thread.sleep(forTimeInterval: 0.5)
        let another = try rig.program("playback")
        #expect(another.order("activate") == "ok activate")
        Thread.sleep(forTimeInterval: 0.5)
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
        #expect(lines("paused", kayit).isEmpty)
        #expect(other.interruptions.isEmpty && another.interruptions.isEmpty)
        try expectWhole("a.wav", pauses: [])
    }

    @Test(
        .enabled(
            if: ExternalTool.areInstalled("mpv", "playerctl")
                && FileManager.default.fileExists(atPath: "/etc/mpv/scripts/mpris.so"),
            "mpv, mpv-mpris or playerctl is not installed"
        ),
        arguments: [false, true]
    )
    func otherPlayersArePausedAndGoOnUnlessItMixes(mixes: Bool) throws {
        let player = try ChildProcess(
            [
                "timeout", "300", "mpv", "--no-config", "--script=/etc/mpv/scripts/mpris.so", "--no-video", "--ao=null",
                "--no-terminal", "--loop-file=inf", "av://lavfi:sine=frequency=440",
            ],
            environment: environment
        )
        defer { player.kill() }
        func status() throws -> String {
            try ExternalTool.run("playerctl", ["--player=mpv", "status"], environment: environment).text
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(try eventually(within: 30) { try status() == "Playing" })
        let line = ["record", "--json"] + (mixes ? ["--mix"] : []) + ["a.wav"]
        let kayit = try RunningKayit(line, in: rig.scratch, environment: environment)
        #expect(eventually(within: 30) { !lines("started", kayit).isEmpty }, "\(kayit.errors)")
        if mixes { Thread.sleep(forTimeInterval: 0.5) }
        #expect(try eventually(within: 30) { try status() == (mixes ? "Playing" : "Paused") })
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
        #expect(try eventually(within: 30) { try status() == "Playing" })
    }
}
