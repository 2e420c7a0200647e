import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

/// Playback that others interrupt, and headphones that are pulled.
@Suite struct PlayerInterruptionTests {
    private static var settings: [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1,
        ]
    }

    /// A file of two seconds, its player, and what the player's delegate hears.
    private struct Stage {
        let bench: RecordingBench
        let player: AVAudioPlayer
        let listener = PlayerListener()

        init(_ category: AVAudioSession.Category = .playback) throws {
            bench = try RecordingBench()
            try bench.audioSession.setCategory(.record)
            let recorder = try bench.recorder(
                "sound.wav",
                PlayerInterruptionTests.settings
            )
            #expect(recorder.record())
            bench.host.capture?.hear(RecordingBench.sine(16_000, rate: 8_000))
            recorder.stop()
            bench.host.state.withLock { $0.devices = [.headphones] }
            try bench.audioSession.setCategory(category)
            bench.settle()
            player = try bench.player("sound.wav")
            player.delegate = listener
        }

        /// The peak of the next frames that are heard.
        func loudest(_ frames: Int) throws -> Float {
            var (peak, left) = (Float(0), frames)
            for _ in 0..<5_000 where left > 0 {
                let samples = try #require(bench.host.playback).play(left).samples
                left -= samples.count / 2
                peak = samples.reduce(peak) { max($0, abs($1)) }
                if left > 0 { usleep(1_000) }
            }
            #expect(left == 0)
            return peak
        }
    }

    @Test func interruptedPlayersStandStillAndGoOnWhenTold() throws {
        let stage = try Stage()
        #expect(stage.player.play())
        _ = stage.bench.host.playback?.play(1_000)
        stage.bench.arbiter.tell(.began(.call))
        #expect(!stage.player.isPlaying)
        let place = stage.player.currentTime
        #expect(!stage.player.play(), "a call has the sound")
        stage.bench.arbiter.tell(.ended(.call, shouldResume: true))
        #expect(!stage.player.isPlaying)
        #expect(stage.player.currentTime == place)
        #expect(stage.player.play())
        #expect(stage.player.isPlaying)
        // The end of an interruption that the program has ended by itself is stale.
        stage.bench.arbiter.tell(.began(.otherProgram))
        #expect(stage.player.play())
        stage.bench.arbiter.tell(.ended(.otherProgram, shouldResume: true))
        #expect(stage.player.isPlaying)
        stage.player.stop()
        stage.bench.settle()
        #expect(
            stage.listener.heard.all == [
                "interruption began", "error", "interruption ended 1", "interruption began",
            ]
        )
    }

    /// The sound does not jump to the loudspeaker, and plugging in again does not start it.
    @Test func pulledHeadphonesPause() throws {
        let stage = try Stage()
        let log = SessionLog(stage.bench.audioSession)
        #expect(stage.player.play())
        stage.bench.host.become([.speaker])
        stage.bench.settle()
        #expect(!stage.player.isPlaying)
        stage.bench.host.become([.headphones, .speaker.with { $0.isDefault = false }])
        stage.bench.settle()
        #expect(!stage.player.isPlaying)
        #expect(log.heard.all == ["began, reason 4", "route, reason 2", "route, reason 1"])
        #expect(stage.player.play())
    }

    /// Other sessions than those of music and films are not interrupted by it: only what plays pauses.
    @Test func pulledHeadphonesWhileRecording() throws {
        let stage = try Stage(.playAndRecord)
        stage.bench.host.become([ManualHost.microphone, .headphones])
        stage.bench.settle()
        let log = SessionLog(stage.bench.audioSession)
        let recorder = try stage.bench.recorder("take.wav", PlayerInterruptionTests.settings)
        #expect(recorder.record())
        #expect(stage.player.play())
        stage.bench.host.become([ManualHost.microphone, .speaker])
        stage.bench.settle()
        #expect(!stage.player.isPlaying)
        #expect(recorder.isRecording)
        #expect(log.heard.all == ["route, reason 2"])
        recorder.stop()
    }

    /// A program may take that upon itself.
    @Test func pulledHeadphonesWhereTheProgramGoesOn() throws {
        let stage = try Stage()
        try stage.bench.audioSession.setPrefersInterruptionOnRouteDisconnect(false)
        #expect(stage.player.play())
        stage.bench.host.become([.speaker])
        stage.bench.settle()
        #expect(stage.player.isPlaying)
        stage.player.stop()
    }

    /// While others ask for quiet the player is 14 dB quieter, and its volume reads as before.
    @Test func duckedPlayersAreQuieter() throws {
        let stage = try Stage(.ambient)
        #expect(stage.player.play())
        let before = try stage.loudest(2_000)
        stage.bench.arbiter.tell(.ducked(true))
        _ = try stage.loudest(4_000)
        let ducked = try stage.loudest(2_000)
        #expect(abs(20 * log10(Double(ducked / before)) + 14) < 0.5)
        #expect(stage.player.volume == 1)
        stage.bench.arbiter.tell(.ducked(false))
        _ = try stage.loudest(4_000)
        let after = try stage.loudest(2_000)
        #expect(abs(20 * log10(Double(after / before))) < 0.5)
        stage.player.stop()
    }
}
