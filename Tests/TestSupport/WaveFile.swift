import Foundation

/// A WAV file of 16 bits, written without any of our code.
package enum WaveFile {
    /// - Parameter samples: interleaved.
    package static func bytes(_ samples: [Int16], rate: Int, channels: Int = 1) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let size = samples.count * 2
        var bytes = Array("RIFF".utf8) + little(36 + size, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
        bytes += little(1, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4)
        bytes += little(channels * 2, 2) + little(16, 2) + Array("data".utf8) + little(size, 4)
        bytes.reserveCapacity(bytes.count + size)
        for sample in samples { bytes += little(Int(sample), 2) }
        return bytes
    }

    /// A tone.
    package static func tone(_ frequency: Double, frames: Int, rate: Int, amplitude: Double = 0.5) -> [UInt8] {
        let samples = (0..<frames).map { frame in
            Int16((sin(Double(frame) * frequency / Double(rate) * 2 * .pi) * amplitude * 32_767).rounded())
        }
        return bytes(samples, rate: rate)
    }
}
