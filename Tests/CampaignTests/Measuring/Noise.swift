import Foundation
import TestSupport

/// Noise below about 2 kHz, which every codec keeps in shape and which resembles itself at no other place.
enum Noise {
    static func samples(seconds: Double, sampleRate: Double, seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        // Four low passes of the first order.
        let keep = Float(exp(-2 * Double.pi * 1200 / sampleRate))
        var stages = [Float](repeating: 0, count: 4)
        return (0..<Int(seconds * sampleRate)).map { _ in
            var value = Float.random(in: -1...1, using: &random)
            for stage in stages.indices {
                stages[stage] = keep * stages[stage] + (1 - keep) * value
                value = stages[stage]
            }
            return min(max(2 * value, -0.9), 0.9)
        }
    }
}
