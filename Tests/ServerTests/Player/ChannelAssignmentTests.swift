import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// `channelAssignments`, heard at the monitor of the speaker.
@Suite(.serialized) struct ChannelAssignmentTests {
    /// The level of each channel of the speaker.
    private func levels(_ ear: PlayerEar) -> [Double] {
        (0..<ear.sink.channelCount).map { Measure.decibels(ear.sink.last(4_800, channel: $0)) }
    }

    private func level(_ amplitude: Double) -> Double { 20 * log10(amplitude / 2.0.squareRoot()) }

    private func channels(_ ear: PlayerEar) throws -> [AVAudioSessionChannelDescription] {
        let port = try #require(ear.session.currentRoute.outputs.first)
        #expect(port.uid == ear.speakerID)
        return try #require(port.channels)
    }

    /// Waits until every channel has its amplitude; 0 is silence.
    private func hears(_ ear: PlayerEar, _ amplitudes: [Double]) async -> Bool {
        await ear.until {
            zip(levels(ear), amplitudes).allSatisfy { heard, amplitude in
                amplitude == 0 ? heard < -100 : abs(heard - level(amplitude)) < 0.1
            }
        }
    }

    @Test("the channels of a sound go where they are assigned to", arguments: PlayerEar.Speaker.allCases)
    func swapped(speaker: PlayerEar.Speaker) async throws {
        let ear = try await PlayerEar(speaker)
        let player = try ear.player(seconds: 60, channels: 2) { frame, channel in
            PlayerEar.sine(1_000, frame, amplitude: channel == 0 ? 0.5 : 0.1)
        }
        let both = try channels(ear)
        player.channelAssignments = [both[1], both[0]]
        #expect(player.channelAssignments == [both[1], both[0]])
        #expect(player.play())
        #expect(await hears(ear, [0.1, 0.5]))
        player.stop()
        player.channelAssignments = nil
        #expect(player.play())
        #expect(await hears(ear, [0.5, 0.1]))
        player.stop()
    }

    @Test("mono is heard in one channel, at its own level, whatever the pan", arguments: PlayerEar.Speaker.allCases)
    func mono(speaker: PlayerEar.Speaker) async throws {
        let ear = try await PlayerEar(speaker)
        let player = try ear.player(seconds: 60) { frame, _ in PlayerEar.sine(1_000, frame, amplitude: 0.4) }
        player.channelAssignments = [try channels(ear)[1]]
        player.pan = 0.5
        #expect(player.play())
        #expect(await hears(ear, [0, 0.4]))
        player.stop()
    }

    @Test("a speaker of four channels gives each its own")
    func four() async throws {
        let ear = try await PlayerEar(.server, channels: 4, map: "front-left,front-right,front-center,lfe")
        let player = try ear.player(seconds: 60, channels: 2) { frame, channel in
            PlayerEar.sine(1_000, frame, amplitude: channel == 0 ? 0.5 : 0.1)
        }
        let all = try channels(ear)
        #expect(all.count == 4)
        player.channelAssignments = [all[3], all[1]]
        #expect(player.play())
        #expect(await hears(ear, [0, 0.1, 0, 0.5]))
        player.stop()
    }

    @Test("what cannot be is refused, and the assignment stays", arguments: PlayerEar.Speaker.allCases)
    func refused(speaker: PlayerEar.Speaker) async throws {
        let ear = try await PlayerEar(speaker)
        let player = try ear.player(seconds: 1, channels: 2) { _, _ in 0.1 }
        let both = try channels(ear)
        player.channelAssignments = both
        for wrong in [[], [both[0]], [both[0], both[1], both[0]], [both[0], AVAudioSessionChannelDescription()]] {
            player.channelAssignments = wrong
            #expect(player.channelAssignments == both)
        }
        player.currentDevice = "another"
        #expect(!player.play(), "channels of one speaker, and another speaker")
        player.currentDevice = nil
        #expect(player.play())
        player.stop()
    }
}
