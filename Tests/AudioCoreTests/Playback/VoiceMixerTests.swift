import AudioCore
import TestSupport
import Testing

/// Many sounds in one stream, as the device thread hears them.
@Suite("Voice mixer")
struct VoiceMixerTests {
    /// Samples that stay where they are for as long as a test runs.
    final class Samples: @unchecked Sendable {
        // Unchecked: written once.
        let pointer: UnsafeMutablePointer<Float>
        let count: Int

        init(_ samples: [Float]) {
            count = samples.count
            pointer = .allocate(capacity: max(samples.count, 1))
            for (index, sample) in samples.enumerated() { (pointer + index).initialize(to: sample) }
        }

        deinit { pointer.deallocate() }

        var mono: VoiceMixer.Sound { VoiceMixer.Sound(samples: pointer, channelCount: 1, frameCount: count) }
        var stereo: VoiceMixer.Sound { VoiceMixer.Sound(samples: pointer, channelCount: 2, frameCount: count / 2) }
    }

    let mixer = VoiceMixer(sampleRate: 48_000)

    func play(_ frames: Int) -> [Float] {
        var output = [Float](repeating: .nan, count: frames * 2)
        output.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let result = mixer.render(into: base, frames: frames)
            #expect(result == RenderResult(frames: frames, isLast: false))
        }
        return output
    }

    func left(_ frames: Int) -> [Float] {
        let output = play(frames)
        return stride(from: 0, to: output.count, by: 2).map { output[$0] }
    }

    @Test("a sound begins with the next frame, is played as it is, and ends")
    func exact() throws {
        let sound = Samples((0..<100).map { Float($0) / 128 })
        #expect(left(10) == Array(repeating: 0, count: 10))
        let slot = try #require(mixer.add([sound.mono])[0])
        #expect(mixer.progress(slot) == .waiting)
        let first = left(60)
        #expect(mixer.progress(slot) == .playing(end: 110))
        let second = left(60)
        #expect(first + second.prefix(40) == (0..<100).map { Float($0) / 128 })
        #expect(second.dropFirst(40).allSatisfy { $0 == 0 })
        #expect(mixer.progress(slot) == .done)
        #expect(mixer.end(slot) == 110)
        #expect(mixer.rendered == 130)
        mixer.release(slot)
    }

    @Test("two channels stay apart, one goes to both")
    func channels() {
        let stereo = Samples([0.5, -0.25, 0.5, -0.25])
        let mono = Samples([0.125, 0.125])
        _ = mixer.add([stereo.stereo, mono.mono])
        #expect(play(2) == [0.625, -0.125, 0.625, -0.125])
    }

    @Test("what is added in one call begins in one frame, also while the device runs")
    func together() {
        let impulse = Samples([0.003_906_25])
        _ = left(7)
        let slots = mixer.add(Array(repeating: impulse.mono, count: 100))
        #expect(slots.allSatisfy { $0 != nil })
        #expect(left(4) == [100 * 0.003_906_25, 0, 0, 0])
        #expect(slots.allSatisfy { $0.map(mixer.end) == 8 })
    }

    @Test("slots that are given back are used again; there are no more than the capacity")
    func slots() {
        let long = Samples(Array(repeating: 0.001, count: 1_000))
        for _ in 0..<3 {
            let slots = mixer.add(Array(repeating: long.mono, count: VoiceMixer.capacity + 2))
            #expect(slots.compactMap { $0 }.count == VoiceMixer.capacity)
            #expect(Set(slots.compactMap { $0 }).count == VoiceMixer.capacity)
            _ = left(1_000)
            for slot in slots.compactMap({ $0 }) { mixer.release(slot) }
        }
    }

    @Test("a stopped sound is silent after 240 frames, without a jump")
    func stopped() throws {
        let tone = Samples(Array(repeating: 0.5, count: 10_000))
        let slot = try #require(mixer.add([tone.mono])[0])
        _ = left(100)
        mixer.stop(slot)
        let rest = left(100) + left(400)
        for (a, b) in zip(rest, rest.dropFirst()) { #expect(b <= a && a - b < 0.003) }
        #expect(rest[0] > 0.49)
        #expect(rest[239] < 0.003)
        #expect(rest.dropFirst(240).allSatisfy { $0 == 0 })
        #expect(mixer.progress(slot) == .done)
    }

    @Test("sums above full scale are made quieter, never cut off or wrapped, and the next sound is as loud as ever")
    func limited() {
        // A low tone, so that a flat top would be seen: eight of them together are eight times full scale.
        let wave = (0..<48_000).map { Float(Double($0) * 220 / 48_000 * 2 * .pi) }.map { 0.999 * $0.sine }
        let tone = Samples(wave)
        _ = mixer.add(Array(repeating: tone.mono, count: 8))
        let output = left(48_000)
        #expect(output.allSatisfy { abs($0) <= 1 })
        #expect(output.contains { $0 > 0.95 } && output.contains { $0 < -0.95 })
        // After the first swing the form is that of the tone: what deviates from it is below −20 dB.
        let later = Array(output[4_800..<48_000])
        let original = Array(wave[4_800..<48_000])
        let factor = zip(later, original).reduce(0) { $0 + $1.0 * $1.1 } / original.reduce(0) { $0 + $1 * $1 }
        let error = zip(later, original).reduce(0) { $0 + ($1.0 - factor * $1.1) * ($1.0 - factor * $1.1) }
        let power = later.reduce(0) { $0 + $1 * $1 }
        #expect(error < power / 100, "\(error / power)")
        _ = left(48_000)
        let quiet = Samples([0.25, 0.5, -0.75])
        _ = mixer.add([quiet.mono])
        #expect(left(3) == [0.25, 0.5, -0.75])
    }

    @Test("what is no number is silence, and leaves the others alone")
    func noNumbers() {
        let broken = Samples([.nan, .infinity, -.infinity, 0.5])
        _ = mixer.add([broken.mono])
        let output = left(4)
        #expect(output.allSatisfy { $0 >= -1 && $0 <= 1 })
        _ = left(48_000)
        let sound = Samples([0.25])
        _ = mixer.add([sound.mono])
        #expect(left(1) == [0.25])
    }
}

extension Float {
    /// By its series, well enough for a tone: these tests have no library.
    fileprivate var sine: Float {
        let turns = Double(self) / (2 * .pi)
        let x = (turns - turns.rounded()) * 2 * .pi
        var term = x
        var sum = x
        for index in 1..<12 {
            term *= -x * x / Double((2 * index) * (2 * index + 1))
            sum += term
        }
        return Float(sum)
    }
}
