import AVFAudio
import AudioCore
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// A simulated sound server that ends while a player plays.
@Suite("Players whose server ends")
struct PlayerServerLossTests {
    private static let speaker = "simulated.speaker"

    private func playing(_ bench: SpeakerBench) throws -> (AVAudioPlayer, PlayerListener) {
        let player = try bench.player("a.wav", frames: 48_000 * 20) { Float($0 % 1_000) / 2_000 }
        let listener = PlayerListener()
        player.delegate = listener
        #expect(player.play())
        bench.pass(1)
        return (player, listener)
    }

    @Test("it goes on by itself, at its position, when the server is back")
    func goesOn() throws {
        let bench = try SpeakerBench()
        let (player, listener) = try playing(bench)
        bench.simulation.inject(.serverLoss)
        bench.pass(0.1)
        let position = player.currentTime
        #expect(abs(position - 1) < 0.05)
        bench.pass(9)
        #expect(player.isPlaying && player.currentTime == position, "it waits")
        bench.simulation.inject(.serverReturn)
        bench.pass(2)
        #expect(player.isPlaying)
        #expect(abs(player.currentTime - position - 2) < 0.05)
        bench.simulation.inject(.serverLoss)
        bench.pass(1)
        bench.simulation.inject(.serverReturn)
        bench.pass(1)
        #expect(abs(player.currentTime - position - 3) < 0.1, "and again")
        #expect(listener.heard.all.isEmpty)
        player.stop()
    }

    @Test("where it does not come back, the player stops, says so, and play() goes on later")
    func givesUp() throws {
        let bench = try SpeakerBench()
        let (player, listener) = try playing(bench)
        bench.simulation.inject(.serverLoss)
        bench.pass(14.9)
        #expect(player.isPlaying)
        let position = player.currentTime
        bench.pass(0.2)
        #expect(!player.isPlaying)
        #expect(listener.heard.all == ["error"])
        bench.simulation.inject(.serverReturn)
        bench.pass(1)
        #expect(!player.isPlaying && player.currentTime == position, "not by itself any more")
        #expect(player.play())
        bench.pass(1)
        #expect(abs(player.currentTime - position - 1) < 0.05)
        #expect(listener.heard.all == ["error"])
        player.stop()
    }

    @Test("the server is back without the speaker that it had: it is not heard on another one")
    func otherSpeaker() throws {
        let bench = try SpeakerBench(speakers: ["headphones"])
        bench.simulation.inject(.setDefault("headphones"))
        let (player, listener) = try playing(bench)
        #expect(bench.simulation.tracks.map(\.output) == ["headphones"])
        bench.simulation.inject([.serverLoss, .vanish("headphones")])
        bench.pass(1)
        bench.simulation.inject(.serverReturn)
        bench.pass(2)
        #expect(bench.simulation.tracks.count == 1, "nothing else was opened")
        bench.simulation.inject(.return("headphones"))
        bench.pass(1)
        #expect(bench.simulation.tracks.map(\.output) == ["headphones", "headphones"])
        #expect(player.isPlaying && listener.heard.all.isEmpty)
        player.stop()
    }

    @Test("pause, stop, play and a seek meanwhile", arguments: ["pause", "stop", "seek", "play", "let go"])
    func meanwhile(_ call: String) throws {
        let bench = try SpeakerBench()
        var (player, listener): (AVAudioPlayer?, PlayerListener) = try playing(bench)
        bench.simulation.inject(.serverLoss)
        bench.pass(1)
        switch call {
        case "pause": player?.pause()
        case "stop": player?.stop()
        case "seek": player?.currentTime = 5
        case "play": #expect(player?.play() == true)
        default: player = nil
        }
        bench.simulation.inject(.serverReturn)
        bench.pass(1)
        #expect(listener.heard.all.isEmpty)
        guard let player else {
            #expect(bench.simulation.tracks.count == 1)
            return
        }
        let stands = call == "pause" || call == "stop"
        #expect(player.isPlaying == !stands)
        #expect(abs(player.currentTime - (call == "seek" ? 6 : stands ? 1 : 2)) < 0.05)
        #expect(player.play())
        bench.pass(1)
        #expect(abs(player.currentTime - (call == "seek" ? 7 : stands ? 2 : 3)) < 0.1)
        player.stop()
    }
}
