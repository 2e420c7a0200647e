import AudioCore
import DesktopLinux
import Foundation
import TestSupport
import Testing

/// mpv as somebody else's player, and playerctl as the user who presses its buttons.
@Suite(
    .serialized,
    .enabled(
        if: ExternalTool.areInstalled("dbus-daemon", "mpv", "playerctl")
            && FileManager.default.fileExists(atPath: "/etc/mpv/scripts/mpris.so"),
        "dbus-daemon, mpv, mpv-mpris or playerctl is not installed"
    )
)
struct ForeignPlayerTests {
    private let bench: ArbiterBench
    private let player: ChildProcess

    init() throws {
        bench = try ArbiterBench()
        player = try ChildProcess(
            [
                "timeout", "300", "mpv", "--no-config", "--script=/etc/mpv/scripts/mpris.so", "--no-video", "--ao=null",
                "--no-terminal", "--loop-file=inf", "av://lavfi:sine=frequency=440",
            ],
            environment: ["DBUS_SESSION_BUS_ADDRESS": bench.bus.address]
        )
        try expect("Playing")
    }

    @discardableResult
    private func user(_ arguments: String...) throws -> String {
        try ExternalTool.run(
            "playerctl",
            ["--player=mpv"] + arguments,
            environment: ["DBUS_SESSION_BUS_ADDRESS": bench.bus.address]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func expect(_ status: String, _ location: SourceLocation = #_sourceLocation) throws {
        let isSo = try eventually(within: 20) { try user("status") == status }
        #expect(isSo, "It is not \(status).", sourceLocation: location)
    }

    @Test func aPlayerIsPausedAndGoesOn() throws {
        let a = bench.program("a")
        try a.arbiter.activate(ArbiterBench.exclusive)
        try expect("Paused")
        #expect(eventually { a.arbiter.survey().players == [DesktopPlayer(name: "mpv", status: .paused)] })
        a.arbiter.deactivate(notifyingOthers: true)
        try expect("Playing")
        try a.arbiter.activate(ArbiterBench.exclusive)
        try expect("Paused")
        a.arbiter.deactivate(notifyingOthers: false)
        try a.arbiter.activate(ArbiterBench.mixing)
        a.arbiter.deactivate(notifyingOthers: true)
        Thread.sleep(forTimeInterval: 0.3)
        try expect("Paused")
    }

    @Test func aPlayerThatTheUserPausedStaysPaused() throws {
        try user("pause")
        try expect("Paused")
        let a = bench.program("a")
        try a.arbiter.activate(ArbiterBench.exclusive)
        a.arbiter.deactivate(notifyingOthers: true)
        // Played and paused again while the session was active.
        try user("play")
        try expect("Playing")
        try a.arbiter.activate(ArbiterBench.exclusive)
        try expect("Paused")
        try user("play")
        try expect("Playing")
        // It tells of changes ten times a second: of what is shorter nobody hears.
        #expect(eventually { a.arbiter.survey().players == [DesktopPlayer(name: "mpv", status: .playing)] })
        try user("pause")
        try expect("Paused")
        a.arbiter.deactivate(notifyingOthers: true)
        Thread.sleep(forTimeInterval: 0.3)
        try expect("Paused")
    }

    @Test func mixingAndDuckingLeaveItAlone() throws {
        let a = bench.program("a")
        for claim in [ArbiterBench.mixing, ArbiterBench.prompt] {
            try a.arbiter.activate(claim)
            #expect(a.arbiter.others == OtherAudio(isPlaying: true, isPrimary: true))
            a.arbiter.deactivate(notifyingOthers: true)
        }
        try expect("Playing")
    }

    @Test func whoeverComesBackTakesCareOfIt() throws {
        let (a, b) = (bench.program("a"), bench.program("b"))
        try a.arbiter.activate(ArbiterBench.exclusive)
        try expect("Paused")
        try b.arbiter.activate(ArbiterBench.exclusive)
        #expect(a.hears([.began(.otherProgram)]))
        // The one that paused it leaves first: it goes on when the last one does.
        a.arbiter.deactivate(notifyingOthers: true)
        try expect("Paused")
        b.arbiter.deactivate(notifyingOthers: true)
        try expect("Playing")
    }

    @Test func aPlayerThatHangsKeepsNobody() throws {
        let a = bench.program("a")
        player.signal(SIGSTOP)
        defer { player.signal(SIGCONT) }
        let start = ContinuousClock.now
        try a.arbiter.activate(ArbiterBench.exclusive)
        #expect(ContinuousClock.now - start < .seconds(3))
    }
}
