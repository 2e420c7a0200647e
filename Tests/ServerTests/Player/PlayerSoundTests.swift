import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// How a player sounds: each line of Apple's table that can be heard, measured at the monitor of the speaker.
@Suite(.serialized) struct PlayerSoundTests {
    @Test(
        "volume and pan are heard within 0.1 dB of the law, mono and stereo",
        arguments: PlayerEar.Speaker.allCases,
        [1, 2]
    )
    func volumeAndPan(speaker: PlayerEar.Speaker, channels: Int) async throws {
        let ear = try await PlayerEar(speaker)
        let player = try ear.player(seconds: 60, channels: channels) { frame, channel in
            PlayerEar.sine(1_000, frame, amplitude: channel == 0 ? 0.5 : 0.25)
        }
        #expect(player.play())
        let own = [0.5, channels == 1 ? 0.5 : 0.25]
        for (volume, pan) in [(1, 0), (0.5, 0), (0.8, 0.25), (1, -1), (0.3, 1), (1, -0.6)] as [(Float, Float)] {
            player.volume = volume
            player.pan = pan
            let gains = [min(1, 1 - Double(pan)), min(1, 1 + Double(pan))]
            let wanted = zip(own, gains).map { 20 * log10($0 * $1 * Double(volume) / 2.0.squareRoot()) }
            let isHeard = await ear.until {
                wanted.indices.allSatisfy { channel in
                    let level = Measure.decibels(ear.sink.last(4_800, channel: channel))
                    return wanted[channel] < -150 ? level < -100 : abs(level - wanted[channel]) < 0.1
                }
            }
            #expect(isHeard, "volume \(volume), pan \(pan)")
        }
        player.stop()
    }

    @Test("a fade is a straight line of its length, without a step", arguments: PlayerEar.Speaker.allCases)
    func fade(speaker: PlayerEar.Speaker) async throws {
        let ear = try await PlayerEar(speaker)
        let player = try ear.player(seconds: 1.6) { frame, _ in PlayerEar.sine(1_000, frame) }
        let heard = try await ear.hear(player) {
            player.setVolume(1, fadeDuration: 0)
            #expect(await ear.until { player.currentTime > 0.2 })
            player.setVolume(0.1, fadeDuration: 0.6)
            #expect(player.volume == 0.1)
        }
        #expect(heard.count == 76_800)
        // The peak of each millisecond, which is one period.
        let peaks = stride(from: 0, to: heard.count - 48, by: 48).map { start in
            heard[start..<start + 48].reduce(0) { max($0, abs($1)) }
        }
        #expect(zip(peaks, peaks.dropFirst()).allSatisfy { $1 <= $0 + 0.002 }, "monotonic")
        let from = peaks.firstIndex { $0 < 0.45 } ?? 0
        let to = peaks.firstIndex { $0 < 0.10 } ?? 0
        // From 0.5 to 0.05 in 600 ms: from 0.45 to 0.10 in 467.
        #expect(abs(to - from - 467) <= 8, "\(to - from) ms")
        #expect(abs((peaks.last ?? 0) - 0.05) < 0.001)
        #expect(PlayerEar.steepest(heard) < 0.5 * 2 * .pi * 1_000 / 48_000 * 1.05, "no click")
    }

    @Test("loops are heard n + 1 times, to the frame and without a click", arguments: PlayerEar.Speaker.allCases)
    func loops(speaker: PlayerEar.Speaker) async throws {
        let ear = try await PlayerEar(speaker)
        // 500 whole periods of 72 frames and a half of one: each pass ends where the next one begins.
        let player = try ear.player(seconds: 0.3) { frame, _ in PlayerEar.sine(500, frame) }
        player.numberOfLoops = 2
        let heard = try await ear.hear(player)
        #expect(heard.count == 3 * 14_400)
        let wrong = heard.indices.filter { abs(heard[$0] - PlayerEar.sine(500, $0)) > 1e-4 }
        #expect(wrong.count == 0, "\(wrong.prefix(3))")
    }

    @Test("the pitch stays within 3 cents and the length within 1 %", arguments: PlayerEar.Speaker.allCases)
    func rates(speaker: PlayerEar.Speaker) async throws {
        let ear = try await PlayerEar(speaker)
        for rate in [0.5, 0.75, 1.25, 1.5, 2] as [Float] {
            let player = try ear.player(seconds: 1.2 * Double(rate)) { frame, _ in PlayerEar.sine(440, frame) }
            player.enableRate = true
            player.rate = rate
            let heard = try await ear.hear(player)
            #expect(abs(Double(heard.count) - 57_600) < 576, "\(rate): \(heard.count)")
            let middle = Array(heard.dropFirst(4_800).prefix(48_000))
            let frequency = Measure.frequency(middle, near: 440, sampleRate: PlayerEar.rate)
            #expect(abs(1_200 * log2(frequency / 440)) < 3, "\(rate): \(frequency) Hz")
        }
    }

    @Test("the rate changes while it plays without a click, and the pitch stays", arguments: PlayerEar.Speaker.allCases)
    func changingRate(speaker: PlayerEar.Speaker) async throws {
        let ear = try await PlayerEar(speaker)
        let player = try ear.player(seconds: 4) { frame, _ in PlayerEar.sine(440, frame) }
        player.enableRate = true
        let heard = try await ear.hear(player) {
            player.rate = 1
            for (time, rate) in [(0.3, 1.5), (1.5, 0.75), (2.2, 2), (3.0, 1)] as [(Double, Float)] {
                #expect(await ear.until { player.currentTime >= time || !player.isPlaying })
                player.rate = rate
            }
        }
        #expect(PlayerEar.steepest(heard.dropLast(100)) < 0.5 * 2 * .pi * 440 / 48_000 * 1.3, "no click")
        for start in stride(from: 0, to: heard.count - 24_000, by: 12_000) {
            let part = Array(heard[start..<start + 24_000])
            let frequency = Measure.frequency(part, near: 440, sampleRate: PlayerEar.rate)
            #expect(abs(1_200 * log2(frequency / 440)) < 3, "frame \(start): \(frequency) Hz")
            #expect(abs(Measure.decibels(part) - -9.03) < 0.3)
        }
    }

    @Test("meters show within 0.5 dB what is heard, volume and pan included", arguments: PlayerEar.Speaker.allCases)
    func meters(speaker: PlayerEar.Speaker) async throws {
        let ear = try await PlayerEar(speaker)
        let player = try ear.player(seconds: 60, channels: 2) { frame, channel in
            PlayerEar.sine(1_000, frame, amplitude: channel == 0 ? 0.6 : 0.1)
        }
        player.isMeteringEnabled = true
        #expect(player.play())
        for (volume, pan) in [(1, 0), (0.5, 0), (0.5, 0.5)] as [(Float, Float)] {
            player.volume = volume
            player.pan = pan
            let wanted = 20 * log10(0.6 * Double(volume) * min(1, 1 - Double(pan)))
            // Heard as it was set, so that both have settled.
            let isHeard = await ear.until {
                abs(20 * log10(Double(ear.sink.last(4_800).max() ?? 0)) - wanted) < 0.05
            }
            #expect(isHeard)
            try await ear.pass(0.1)
            player.updateMeters()
            for channel in 0..<2 {
                let heard = ear.sink.last(3_840, channel: channel)
                let peak = 20 * log10(Double(heard.reduce(0) { max($0, abs($1)) }))
                #expect(abs(Double(player.averagePower(forChannel: channel)) - Measure.decibels(heard)) < 0.5)
                #expect(abs(Double(player.peakPower(forChannel: channel)) - peak) < 0.5)
            }
        }
        player.stop()
    }
}
