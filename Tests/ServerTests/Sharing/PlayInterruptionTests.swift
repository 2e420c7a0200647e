import Foundation
import TestSupport
import Testing

/// `kayit play` while other programs take the sound.
@Suite(
    .serialized,
    .enabled(
        if: ExternalTool.areInstalled("dbus-daemon", "pacat", "sox"),
        "dbus-daemon, pacat or sox is not installed"
    )
)
struct PlayInterruptionTests {
    private let rig: SharingRig

    init() throws {
        rig = try SharingRig()
        for name in ["a.wav", "b.wav"] {
            let line = ["-n", "-r", "44100", "-b", "16", rig.scratch.path(name), "synth", "20", "sine", "440"]
            if try ExternalTool.run("sox", line).status != 0 { throw SetupFailure("There is no tone.") }
        }
    }

    private func lines(_ event: String, _ kayit: RunningKayit) -> [[String: Any]] {
        (kayit.objects ?? []).filter { $0["event"] as? String == event }
    }

    /// A script's goes on in any case; and what was to follow does not begin meanwhile.
    @Test(arguments: ["notify", "quiet"]) func itPausesAndGoesOnWhereItWas(how: String) throws {
        let kayit = try RunningKayit(
            ["play", "--json", "--from", "16", "a.wav", "b.wav"],
            in: rig.scratch,
            environment: rig.environment
        )
        // So near to the end that the next file waits for its moment already.
        #expect(eventually(within: 30) { (lines("progress", kayit).last?["seconds"] as? Double ?? 0) >= 18 })
        let other = try rig.program("playback")
        #expect(other.order("activate") == "ok activate")
        #expect(eventually(within: 30) { !lines("paused", kayit).isEmpty })
        let paused = try #require(lines("paused", kayit).first)
        #expect(paused["reason"] as? String == "interrupted")
        Thread.sleep(forTimeInterval: 3)
        #expect(lines("started", kayit).count == 1)
        #expect(other.order("deactivate " + how) == "ok deactivate")
        #expect(eventually(within: 30) { !lines("resumed", kayit).isEmpty })
        let (before, after) = (paused["seconds"] as? Double, lines("resumed", kayit).first?["seconds"] as? Double)
        #expect(abs((before ?? 0) - (after ?? 9)) < 0.1)
        #expect(eventually(within: 30) { lines("started", kayit).count == 2 })
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 128 + SIGINT)
        #expect(other.interruptions.isEmpty)
    }
}
