import Glibc

/// A made-up voice: syllables of a buzzing tone with two formants, in phrases with pauses.
struct VoiceGenerator {
    /// After this time it repeats.
    static let loopSeconds = 16

    private let sampleRate: Double
    private var random: SplitMix
    private var remaining = 0
    private var length = 1
    private var isSounding = false
    private var syllablesLeft = 0
    private var pitch = 120.0
    private var phase = 0.0
    private var level = 0.0
    private var formants = (Resonator(), Resonator())

    init(seed: UInt64, sampleRate: Double) {
        self.sampleRate = sampleRate
        random = SplitMix(state: seed)
    }

    mutating func next() -> Float {
        if remaining == 0 { beginSegment() }
        remaining -= 1
        guard isSounding else { return 0 }
        // Raised cosine: nothing clicks at the ends of a syllable.
        let progress = Double(length - remaining) / Double(length)
        let envelope = 0.5 - 0.5 * cos(2 * .pi * progress)
        phase += pitch * (1.05 - 0.1 * progress) / sampleRate
        phase -= phase.rounded(.down)
        let buzz = 2 * phase - 1
        let sound = formants.0.filter(buzz) + 0.5 * formants.1.filter(buzz)
        return Float(max(min(sound * envelope * level, 0.35), -0.35))
    }

    private mutating func beginSegment() {
        if syllablesLeft == 0 {
            isSounding = false
            syllablesLeft = 3 + Int(random.unit() * 8)
            begin(seconds: 0.15 + 0.5 * random.unit())
            return
        }
        syllablesLeft -= 1
        isSounding = true
        pitch = 95 + 60 * random.unit()
        level = 0.15 + 0.1 * random.unit()
        formants.0.tune(to: 300 + 500 * random.unit(), sampleRate)
        formants.1.tune(to: 900 + 1400 * random.unit(), sampleRate)
        begin(seconds: 0.09 + 0.16 * random.unit())
    }

    private mutating func begin(seconds: Double) {
        length = max(Int(seconds * sampleRate), 1)
        remaining = length
    }
}

/// A second-order band-pass filter of unit gain at its centre.
private struct Resonator {
    private var gain = 0.0
    private var feedback = (0.0, 0.0)
    private var past = (0.0, 0.0)
    private var input = (0.0, 0.0)

    mutating func tune(to frequency: Double, _ sampleRate: Double) {
        let bandwidth = 90.0
        // Below half the rate, which low rates do not reach.
        let centre = min(frequency, sampleRate * 0.4)
        let radius = exp(-.pi * bandwidth / sampleRate)
        feedback = (2 * radius * cos(2 * .pi * centre / sampleRate), -radius * radius)
        gain = (1 - radius * radius) / 2
    }

    mutating func filter(_ sample: Double) -> Double {
        let output = gain * (sample - input.1) + feedback.0 * past.0 + feedback.1 * past.1
        input = (sample, input.0)
        past = (output, past.0)
        return output * 4
    }
}

/// A small generator of pseudo-random numbers (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// 0 ..< 1.
    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }

    /// A number that depends on `value` only.
    static func hash(_ value: UInt64) -> UInt64 { mix(value &* 0x9E37_79B9_7F4A_7C15 &+ 0x9E37_79B9_7F4A_7C15) }

    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

enum Wave {
    /// The turns are reduced first, so that late frames are as precise as early ones.
    static func sine(turns: Double) -> Double { sin(2 * .pi * (turns - turns.rounded(.down))) }
}
