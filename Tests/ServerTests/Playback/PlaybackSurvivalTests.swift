import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// Speakers of real servers that go, move and sleep while a player plays.
@Suite("Playback that survives its speaker", .serialized)
struct PlaybackSurvivalTests {
    /// A server that died took at most this much unheard sound with it, and it is played again.
    private static let repeated = 0.25

    @Test(
        "the server is killed and started again: playing goes on by itself where it was",
        arguments: ServerKind.allCases
    )
    func restarted(_ kind: ServerKind) throws {
        let rig = try PlayerRig(kind)
        let player = try rig.player()
        #expect(player.play())
        #expect(rig.eventually { player.currentTime > 0.7 })
        let before = player.currentTime
        rig.server.kill()
        Thread.sleep(forTimeInterval: 0.7)
        let gone = player.currentTime
        #expect(gone > before - Self.repeated, "nothing is lost")
        #expect(player.isPlaying, "it waits")
        #expect(player.play(), "and goes on doing so")
        Thread.sleep(forTimeInterval: 0.3)
        #expect(player.currentTime == gone, "it stands still")
        try rig.server.start()
        if kind == .pipeWire { try rig.server.control("set-default-sink", "a") }
        #expect(rig.eventually { player.currentTime > gone + 0.5 })
        #expect(player.isPlaying)
        #expect(rig.heard.all.isEmpty, "\(rig.heard.all)")
        let ear = try rig.ear()
        defer { ear.stream.close() }
        #expect(rig.eventually { Measure.decibels(ear.sink.last(9_600)) > -12 })
        player.stop()
    }

    @Test("pause while the server is gone means that it does not go on", arguments: ServerKind.allCases)
    func pausedMeanwhile(_ kind: ServerKind) throws {
        let rig = try PlayerRig(kind)
        let player = try rig.player()
        #expect(player.play())
        #expect(rig.eventually { player.currentTime > 0.5 })
        rig.server.kill()
        Thread.sleep(forTimeInterval: 0.3)
        player.pause()
        #expect(!player.isPlaying)
        let position = player.currentTime
        #expect(position > 0.2)
        try rig.server.start()
        Thread.sleep(forTimeInterval: 0.5)
        #expect(!player.isPlaying && player.currentTime == position)
        #expect(rig.eventually { player.play() })
        #expect(rig.eventually { player.currentTime > position + 0.3 })
        player.stop()
    }

    @Test(
        "the only speaker it may use is unloaded: it stops, and play() goes on when it is back",
        arguments: ServerKind.allCases
    )
    func pinned(_ kind: ServerKind) throws {
        let rig = try PlayerRig(kind)
        let player = try rig.player()
        player.currentDevice = "a"
        #expect(player.play())
        #expect(rig.eventually { player.currentTime > 0.7 })
        let before = player.currentTime
        try rig.server.unload(rig.module(ofSink: "a"))
        #expect(rig.eventually { !player.isPlaying })
        let position = player.currentTime
        #expect(position > before - Self.repeated && position < before + 2)
        #expect(!player.play(), "there is none")
        try rig.server.addNullSink("a")
        #expect(rig.eventually { player.play() })
        #expect(rig.eventually { player.currentTime > position + 0.5 })
        #expect(!rig.heard.all.contains { $0.hasPrefix("finished") })
        player.stop()
    }

    @Test(
        "the speaker is unloaded while there is another: the position stays, play() goes on there",
        arguments: ServerKind.allCases
    )
    func unloaded(_ kind: ServerKind) throws {
        let rig = try PlayerRig(kind)
        let player = try rig.player()
        #expect(player.play())
        #expect(rig.eventually { player.currentTime > 0.7 })
        let before = player.currentTime
        try rig.server.unload(rig.module(ofSink: "a"))
        Thread.sleep(forTimeInterval: 1)
        #expect(player.currentTime > before - Self.repeated)
        #expect(player.currentTime < before + 3)
        if !player.isPlaying { #expect(player.play()) }
        let ear = try rig.ear("b")
        defer { ear.stream.close() }
        #expect(rig.eventually { Measure.decibels(ear.sink.last(9_600)) > -12 }, "heard on the other one")
        let now = player.currentTime
        #expect(rig.eventually { player.currentTime > now + 0.3 })
        player.stop()
    }

    @Test("moved to a speaker of another rate: it goes on there at the right pitch")
    func moved() throws {
        let rig = try PlayerRig(.pulseAudio, rates: (44_100, 96_000))
        let player = try rig.player()
        #expect(player.play())
        #expect(rig.eventually { player.currentTime > 0.5 })
        let before = player.currentTime
        try rig.server.control("move-sink-input", rig.stream(), "b")
        let ear = try rig.ear("b")
        defer { ear.stream.close() }
        #expect(rig.eventually { player.currentTime > before + 1 })
        #expect(player.isPlaying)
        #expect(rig.eventually { Measure.decibels(ear.sink.last(24_000)) > -12 })
        let frequency = Measure.frequency(ear.sink.last(24_000), near: 440, sampleRate: PlayerRig.rate)
        #expect(abs(frequency - 440) < 0.5)
        player.stop()
    }

    @Test("a speaker that sleeps stops the time of the sound; it costs nothing, and it goes on afterwards")
    func suspended() throws {
        let rig = try PlayerRig(.pulseAudio)
        let player = try rig.player()
        #expect(player.play())
        #expect(rig.eventually { player.currentTime > 0.5 })
        try rig.server.control("suspend-sink", "a", "1")
        Thread.sleep(forTimeInterval: 0.3)
        let asleep = player.currentTime
        let used = Self.processorSeconds
        Thread.sleep(forTimeInterval: 1)
        #expect(Self.processorSeconds - used < 0.5, "it does not spin")
        #expect(abs(player.currentTime - asleep) < 0.2, "\(player.currentTime) after \(asleep)")
        try rig.server.control("suspend-sink", "a", "0")
        #expect(rig.eventually { player.currentTime > asleep + 0.7 })
        #expect(player.isPlaying)
        player.stop()
    }

    /// Of this process.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("the natural end is told once, within 0.2 s of what the server itself takes", arguments: ServerKind.allCases)
    func naturalEnd(_ kind: ServerKind) throws {
        let rig = try PlayerRig(kind)
        let player = try rig.player("short.wav", seconds: 0.5)
        #expect(player.play())
        #expect(rig.eventually { !player.isPlaying })
        #expect(rig.eventually { rig.heard.all == ["finished true"] })
        #expect(player.currentTime == 0)
        Thread.sleep(forTimeInterval: 0.3)
        #expect(rig.heard.all == ["finished true"])
    }
}
