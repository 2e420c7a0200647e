import Foundation
import TestSupport
import Testing

/// Programs on one desktop that share the sound by `AVAudioSession`, each a process of its own.
@Suite(
    .serialized,
    .enabled(if: ExternalTool.areInstalled("dbus-daemon", "pacat"), "dbus-daemon or pacat is not installed")
)
struct SharedSoundTests {
    private let rig: SharingRig

    init() throws { rig = try SharingRig() }

    @Test(arguments: ["notify", "quiet"]) func aRecordingIsInterruptedAndGoesOnInItsFile(how: String) throws {
        let recorder = try rig.program("playAndRecord")
        let other = try rig.program("playback")
        #expect(recorder.order("record " + rig.scratch.path("a.wav")) == "ok record")
        Thread.sleep(forTimeInterval: 0.5)
        #expect(other.order("activate") == "ok activate")
        #expect(eventually(within: 30) { recorder.interruptions.count == 1 })
        #expect(other.order("deactivate " + how) == "ok deactivate")
        #expect(recorder.says(how == "notify" ? "ended resume" : "ended stay"))
        #expect(recorder.order("resume") == "ok resume")
        Thread.sleep(forTimeInterval: 0.5)
        #expect(recorder.order("stop") == "ok stop")
        let pause = try #require(Int(recorder.interruptions[0].split(separator: " ")[1]))
        #expect(pause > SharingRig.rate / 10)
        #expect(try rig.jumps(in: "a.wav", pauses: [pause]) == [])
        #expect(other.interruptions.isEmpty)
    }

    @Test func aMixingSessionIsNeitherInterruptedNorInterrupts() throws {
        let recorder = try rig.program("playAndRecord mix")
        let other = try rig.program("playback")
        #expect(other.order("activate") == "ok activate")
        #expect(recorder.order("record " + rig.scratch.path("a.wav")) == "ok record")
        #expect(other.order("deactivate notify") == "ok deactivate")
        #expect(other.order("activate") == "ok activate")
        Thread.sleep(forTimeInterval: 0.5)
        #expect(recorder.order("stop") == "ok stop")
        #expect(recorder.interruptions.isEmpty && other.interruptions.isEmpty)
        #expect(try rig.jumps(in: "a.wav", pauses: []) == [])
    }

    @Test func nobodyTakesTheSoundFromACall() throws {
        let call = try rig.program("playAndRecord call")
        let recorder = try rig.program("playAndRecord")
        #expect(recorder.order("activate") == "ok activate")
        #expect(call.order("activate") == "ok activate")
        #expect(eventually(within: 30) { recorder.interruptions.count == 1 })
        // AVAudioSession.ErrorCode.insufficientPriority, '!pri'.
        #expect(recorder.order("activate") == "failed activate 561017449")
        #expect(call.order("deactivate notify") == "ok deactivate")
        #expect(recorder.says("ended resume"))
        #expect(recorder.order("activate") == "ok activate")
    }

    @Test func aStreamOfATelephoneInterrupts() throws {
        let recorder = try rig.program("playAndRecord")
        #expect(recorder.order("record " + rig.scratch.path("a.wav")) == "ok record")
        let music = try rig.stream(role: "music")
        #expect(
            eventually(within: 30) { recorder.order("others") != nil && recorder.lines.contains("others true false") }
        )
        #expect(recorder.interruptions.isEmpty)
        let telephone = try rig.stream(role: "phone")
        #expect(eventually(within: 30) { recorder.interruptions.count == 1 })
        #expect(recorder.order("resume")?.hasPrefix("failed") == true)
        telephone.kill()
        #expect(recorder.says("ended resume"))
        #expect(recorder.order("resume") == "ok resume")
        music.kill()
        #expect(recorder.order("stop") == "ok stop")
    }

    @Test func aPlayerThatTheServerHasWaitIsInterrupted() throws {
        let tone = try rig.program("record")
        #expect(tone.order("record " + rig.scratch.path("tone.wav")) == "ok record")
        Thread.sleep(forTimeInterval: 0.5)
        #expect(tone.order("stop") == "ok stop")
        #expect(tone.order("deactivate quiet") == "ok deactivate")
        try rig.server.control("load-module", "module-role-cork", "trigger_roles=animation", "cork_roles=music")
        let player = try rig.program("playback")
        #expect(player.order("play " + rig.scratch.path("tone.wav")) == "ok play")
        let other = try rig.stream(role: "animation")
        #expect(eventually(within: 30) { player.interruptions.count == 1 })
        player.order("playing")
        #expect(player.lines.last { $0.hasPrefix("playing ") } == "playing false")
        other.kill()
        #expect(player.says("ended resume"))
    }

    @Test func aProgramThatIsKilledGivesTheSoundBack() throws {
        let recorder = try rig.program("playAndRecord")
        #expect(recorder.order("activate") == "ok activate")
        let other = try rig.program("playback")
        #expect(other.order("activate") == "ok activate")
        #expect(eventually(within: 30) { recorder.interruptions.count == 1 })
        other.kill()
        #expect(recorder.says("ended stay"))
    }

    @Test func kayitShowsWhoHasTheSound() throws {
        let recorder = try rig.program("playAndRecord")
        let other = try rig.program("playback")
        #expect(recorder.order("activate") == "ok activate")
        #expect(other.order("activate") == "ok activate")
        #expect(eventually(within: 30) { recorder.interruptions.count == 1 })
        let telephone = try rig.stream(role: "phone")
        defer { telephone.kill() }
        _ = eventually(within: 30) { other.interruptions.count == 1 }
        let kayit = try RunningKayit(["session", "--json"], in: rig.scratch, environment: rig.environment)
        #expect(kayit.wait() == 0, "\(kayit.errors)")
        let object = try #require(kayit.objects?.first, "\(kayit.output)")
        let sessions = try #require(object["sessions"] as? [[String: Any]])
        #expect(sessions.map { $0["standing"] as? String } == ["holds", "waits"])
        #expect(sessions.map { $0["program"] as? String } == ["SessionPeer", "SessionPeer"])
        #expect(sessions.map { $0["mayRecord"] as? Bool } == [false, true])
        #expect(object["isCallGoingOn"] as? Bool == true)
        #expect((object["interruptible"] as? [String])?.isEmpty == true)
        #expect(object["permission"] as? String == "granted")
        #expect(object["outputs"] as? [String] == ["desk"])
        // Looking has interrupted nobody.
        #expect(recorder.interruptions.count == 1)
    }
}
