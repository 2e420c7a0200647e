import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import Testing

/// Files, written and read through the public classes as 64-bit samples.
enum SoundFile {
    /// Writes a take in buffers of odd sizes.
    static func write(_ take: Take, _ pair: Pair, to url: URL) throws {
        if let codec = pair.request { return try writeBeneath(take, codec, pair.container, to: url) }
        var settings: [String: Any] = pair.settings
        settings[AVFormatIDKey] = pair.format
        settings[AVSampleRateKey] = take.rate
        settings[AVNumberOfChannelsKey] = take.channels
        settings[AVEncoderAudioQualityKey] = AVAudioQuality.max.rawValue
        let file = try AVAudioFile(
            forWriting: url,
            settings: settings,
            commonFormat: .pcmFormatFloat64,
            interleaved: true
        )
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4097))
        let memory = try #require(buffer.mutableAudioBufferList.pointee.mBuffers.mData)
        let target = memory.assumingMemoryBound(to: Double.self)
        for range in pieces(take.frames) {
            for index in 0..<range.count * take.channels {
                target[index] = take.samples[range.lowerBound * take.channels + index]
            }
            buffer.frameLength = AVAudioFrameCount(range.count)
            try file.write(from: buffer)
        }
        #expect(file.length == Int64(take.frames))
        file.close()
    }

    /// For what Apple's settings do not offer.
    private static func writeBeneath(
        _ take: Take,
        _ codec: EncodingRequest.Codec,
        _ container: ContainerKind,
        to url: URL
    ) throws {
        let request = EncodingRequest(codec: codec, sampleRate: take.rate, channelCount: take.channels, quality: 1)
        let stored = try Runtime.system.files.open(url.path, .creatingExclusively)
        defer { stored.close() }
        let file = try FrameWriter(stored, container: container, request: request, media: .system)
        let source = PCMFormat(sampleType: .float64, sampleRate: take.rate, channelCount: take.channels)
        let converter = SampleConverter(from: source, to: file.format)
        let buffer = PCMBuffer(format: file.format, capacity: 4097)
        try take.samples.withUnsafeBytes { samples in
            for range in pieces(take.frames) {
                guard let start = samples.baseAddress else { break }
                converter.convert(
                    start + range.lowerBound * source.bytesPerFrame,
                    into: buffer.bytes,
                    frames: range.count
                )
                buffer.setFrameLength(range.count)
                try file.write(buffer)
            }
        }
        try file.finish()
    }

    private static func pieces(_ frames: Int) -> [Range<Int>] {
        var result: [Range<Int>] = []
        while case let start = result.last?.upperBound ?? 0, start < frames {
            result.append(start..<min(start + [1, 1000, 4095, 4096, 4097][result.count % 5], frames))
        }
        return result
    }

    /// All samples of a file, interleaved, and its rate.
    static func read(_ url: URL) throws -> (samples: [Double], rate: Double, length: Int, channels: Int) {
        let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatFloat64, interleaved: true)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 3_333))
        let channels = Int(file.processingFormat.channelCount)
        var samples: [Double] = []
        while true {
            try file.read(into: buffer)
            let count = Int(buffer.frameLength)
            if count == 0 { break }
            let memory = try #require(buffer.mutableAudioBufferList.pointee.mBuffers.mData)
            samples += UnsafeBufferPointer(start: memory.assumingMemoryBound(to: Double.self), count: count * channels)
        }
        return (samples, file.processingFormat.sampleRate, Int(file.length), channels)
    }

    /// What our reader says of a file beside its sound.
    static func integrity(_ url: URL) throws -> MediaIntegrity {
        let stored = try Runtime.system.files.open(url.path, .reading)
        defer { stored.close() }
        return try MediaRegistry.system.openReader(stored).integrity
    }
}
