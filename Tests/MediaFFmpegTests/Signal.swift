import AudioCore
import Foundation

/// Samples for tests, and what can be measured of them.
enum Signal {
    /// A sine with a little noise that is the same in every run; channel 1 is an octave higher.
    static func buffer(_ format: PCMFormat, frames: Int, frequency: Double = 440, noise: Double = 0) -> PCMBuffer {
        let buffer = PCMBuffer(format: format, capacity: frames)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(Int64(bitPattern: state) >> 11) / Double(1 << 52)
        }
        let channels = format.channelCount
        for frame in 0..<frames {
            for channel in 0..<channels {
                let angle = 2 * Double.pi * frequency * Double(channel + 1) * Double(frame) / format.sampleRate
                set(buffer, frame * channels + channel, 0.5 * sin(angle) + noise * random())
            }
        }
        buffer.setFrameLength(frames)
        return buffer
    }

    private static func set(_ buffer: PCMBuffer, _ index: Int, _ value: Double) {
        switch buffer.format.sampleType {
        case .int16: buffer.samples(as: Int16.self)[index] = Int16(value * 32_000)
        // 24 bits at the top.
        case .int32: buffer.samples(as: Int32.self)[index] = Int32(value * 8_300_000) << 8
        case .float32: buffer.samples(as: Float.self)[index] = Float(value)
        case .float64: buffer.samples(as: Double.self)[index] = value
        }
    }

    /// All samples as numbers, full scale 1.
    static func values(_ buffer: PCMBuffer) -> [Double] {
        let count = buffer.frameLength * buffer.format.channelCount
        switch buffer.format.sampleType {
        case .int16: return buffer.samples(as: Int16.self).prefix(count).map { Double($0) / 32_768 }
        case .int32: return buffer.samples(as: Int32.self).prefix(count).map { Double($0) / 2_147_483_648 }
        case .float32: return buffer.samples(as: Float.self).prefix(count).map(Double.init)
        case .float64: return Array(buffer.samples(as: Double.self).prefix(count))
        }
    }

    /// Signal to error, in dB.
    static func ratio(of signal: ArraySlice<Double>, to decoded: ArraySlice<Double>) -> Double {
        var power = 0.0
        var error = 0.0
        for (a, b) in zip(signal, decoded) {
            power += a * a
            error += (a - b) * (a - b)
        }
        return error == 0 ? .infinity : 10 * log10(power / error)
    }

    /// The strength of `frequency` in `values` (mono), as amplitude.
    static func amplitude(of frequency: Double, in values: ArraySlice<Double>, sampleRate: Double) -> Double {
        var real = 0.0
        var imaginary = 0.0
        for (index, value) in values.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / sampleRate
            real += value * cos(angle)
            imaginary += value * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(1, values.count))
    }
}

/// What an encoder makes of a buffer that is handed over in pieces.
struct Encoding {
    var stream: StreamDescription
    var packets: [EncodedPacket] = []
    var source: PCMBuffer

    /// - Parameter pieces: the sizes of the buffers, over and over.
    init(_ encoder: any PacketEncoder, _ source: PCMBuffer, pieces: [Int]) throws {
        stream = encoder.stream
        self.source = source
        var done = 0
        var index = 0
        let stride = source.format.bytesPerFrame
        while done < source.frameLength {
            let count = min(pieces[index % pieces.count], source.frameLength - done)
            let piece = PCMBuffer(format: source.format, capacity: count)
            piece.bytes.copyMemory(from: source.bytes + done * stride, byteCount: count * stride)
            piece.setFrameLength(count)
            try encoder.encode(piece) { packet throws(AudioFailure) in packets.append(packet) }
            done += count
            index += 1
        }
        try encoder.finish { packet throws(AudioFailure) in packets.append(packet) }
    }

    var totalFrames: Int { packets.reduce(0) { $0 + $1.frames } }
}

extension PacketDecoder {
    /// Everything that comes out of `packets`, as numbers.
    func decodeAll(_ packets: [EncodedPacket]) throws -> [Double] {
        var values: [Double] = []
        for packet in packets {
            try decode(packet) { buffer throws(AudioFailure) in values += Signal.values(buffer) }
        }
        try finish { buffer throws(AudioFailure) in values += Signal.values(buffer) }
        return values
    }
}
