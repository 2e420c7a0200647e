import AudioCore
import Foundation
import StretchSoundTouch
import TestSupport
import Testing

/// A sound on its way through a stage that changes its rate, as a pump moves it.
final class StagedSound {
    let stage: RateStage
    let channels: Int
    let rate: Double
    private(set) var output: [Float] = []

    init(rate: Double = 44_100, channels: Int = 1) {
        self.rate = rate
        self.channels = channels
        stage = RateStage(sampleRate: rate, channelCount: channels, provider: SoundTouchProvider())
    }

    var given: Int { output.count / channels }

    /// Puts `source`, which goes on where the last call ended, in pieces of `piece` frames.
    func put(_ source: ArraySlice<Float>, piece: Int = 2_048) throws {
        var rest = source
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece * channels))
            rest = rest.dropFirst(piece * channels)
            try drain()
            if stage.passesThrough {
                output += part
                stage.pass(part.count / channels)
            } else {
                try part.withUnsafeBufferPointer { part in
                    try stage.put(#require(part.baseAddress), frames: part.count / channels)
                }
            }
        }
        try drain()
    }

    func finish() throws {
        stage.finish()
        try drain()
    }

    private func drain() throws {
        var buffer = [Float](repeating: 0, count: 1_000 * channels)
        while true {
            let count = try buffer.withUnsafeMutableBufferPointer { buffer in
                try stage.take(into: #require(buffer.baseAddress), frames: 1_000)
            }
            if count == 0 { return }
            output += buffer[..<(count * channels)]
        }
    }

    static func sine(_ frequency: Double, seconds: Double, rate: Double = 44_100, channels: Int = 1) -> [Float] {
        (0..<Int(seconds * rate) * channels).map { index in
            let phase = 2 * Double.pi * frequency * Double(index / channels) / rate
            return Float(0.5 * sin(phase + Double(index % channels)))
        }
    }
}
