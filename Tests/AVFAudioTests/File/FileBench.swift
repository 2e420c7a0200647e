import AVFAudio
import Foundation
import TestSupport
import Testing

/// Makes buffers, files and measures of them.
struct FileBench {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Sines up to 3.1 kHz, so that shifts by a frame show; from the second channel on with noise.
    static func samples(_ frames: Int, channels: Int, sampleRate: Double) -> [[Float]] {
        var state: UInt32 = 1
        return (0..<channels).map { channel in
            (0..<frames).map { frame in
                state = state &* 1_664_525 &+ 1_013_904_223
                let noise = Double(Int32(bitPattern: state)) * 0x1p-31
                let time = Double(frame) / sampleRate
                let sines = [440.0, 1310, 3100].map { sin(2 * .pi * ($0 + Double(channel)) * time) }.reduce(0, +)
                return Float(0.2 * sines + (channel == 0 ? 0 : 0.05 * noise))
            }
        }
    }

    static func buffer(_ samples: [[Float]], _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        let frames = samples[0].count
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(max(frames, 1))))
        buffer.frameLength = AVAudioFrameCount(frames)
        let data = try #require(buffer.floatChannelData)
        for (channel, values) in samples.enumerated() {
            for (frame, value) in values.enumerated() { data[channel][frame * buffer.stride] = value }
        }
        return buffer
    }

    static func samples(of buffer: AVAudioPCMBuffer) throws -> [[Float]] {
        let data = try #require(buffer.floatChannelData)
        return (0..<Int(buffer.format.channelCount)).map { channel in
            (0..<Int(buffer.frameLength)).map { data[channel][$0 * buffer.stride] }
        }
    }

    /// Writes `samples` in buffers of odd sizes and closes the file.
    func write(_ samples: [[Float]], to name: String, _ settings: [String: Any]) throws -> URL {
        let url = folder.file(name)
        let file = try AVAudioFile(forWriting: url, settings: settings)
        var position = 0
        let frames = samples[0].count
        for size in [1, 1000, 4095, 4096, 4097].cycled() {
            if position == frames { break }
            let end = min(position + size, frames)
            try file.write(from: Self.buffer(samples.map { Array($0[position..<end]) }, file.processingFormat))
            position = end
        }
        #expect(file.length == Int64(frames))
        file.close()
        return url
    }

    /// All frames of a file, read in steps.
    func read(_ url: URL, step: AVAudioFrameCount = 1111) throws -> [[Float]] {
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: step))
        var result = [[Float]](repeating: [], count: Int(file.processingFormat.channelCount))
        while true {
            try file.read(into: buffer)
            if buffer.frameLength == 0 { return result }
            for (channel, values) in try Self.samples(of: buffer).enumerated() { result[channel] += values }
        }
    }

    /// How far the signal lies above the difference, in decibels.
    static func quality(_ signal: [Float], _ copy: [Float]) -> Double {
        var power = 0.0
        var error = 0.0
        for (a, b) in zip(signal, copy) {
            power += Double(a) * Double(a)
            error += Double(a - b) * Double(a - b)
        }
        return error == 0 ? .infinity : 10 * log10(power / error)
    }
}

extension Array {
    /// The elements over and over.
    fileprivate func cycled() -> some Sequence<Element> {
        sequence(state: 0) { index in
            defer { index += 1 }
            return self[index % count]
        }
    }
}
