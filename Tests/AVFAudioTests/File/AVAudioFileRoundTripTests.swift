import AVFAudio
import Foundation
import TestSupport
import Testing

/// What is written comes back: the same frames, in the same place.
@Suite struct AVAudioFileRoundTripTests {
    private let bench: FileBench

    init() throws { bench = try FileBench() }

    struct Lossless: Sendable, CustomTestStringConvertible {
        var name: String
        var format: AudioFormatID
        var bits: Int
        var isFloat = false
        var settings: [String: any Sendable] {
            var settings: [String: any Sendable] = [
                AVFormatIDKey: format, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
            ]
            if format == kAudioFormatLinearPCM {
                settings[AVLinearPCMBitDepthKey] = bits
                settings[AVLinearPCMIsFloatKey] = isFloat
            } else {
                settings[AVEncoderBitDepthHintKey] = bits
            }
            return settings
        }
        var testDescription: String { "\(name) \(bits)\(isFloat ? " float" : "")" }
    }

    static let lossless: [Lossless] =
        ["wav", "aiff", "aifc", "caf"].flatMap { name in
            [8, 16, 24, 32].map { Lossless(name: name, format: kAudioFormatLinearPCM, bits: $0) }
        }
        + ["wav", "aifc", "caf"].flatMap { name in
            [32, 64].map { Lossless(name: name, format: kAudioFormatLinearPCM, bits: $0, isFloat: true) }
        } + [
            Lossless(name: "caf", format: kAudioFormatAppleLossless, bits: 16),
            Lossless(name: "m4a", format: kAudioFormatAppleLossless, bits: 24),
            Lossless(name: "flac", format: kAudioFormatFLAC, bits: 16),
            Lossless(name: "flac", format: kAudioFormatFLAC, bits: 24),
        ]

    @Test(arguments: lossless)
    func losslessFiles(_ kind: Lossless) throws {
        let samples = FileBench.samples(10_007, channels: 2, sampleRate: 44_100)
        let url = try bench.write(samples, to: "a.\(kind.name)", kind.settings)
        let copy = try bench.read(url)
        #expect(copy.map(\.count) == [10_007, 10_007])
        // Half a step of the samples, and of the 24 bits of a Float near full scale; encoders may cut off instead.
        let step = kind.isFloat ? 0 : Float(pow(2, 1 - Double(min(kind.bits, 24))))
        let tolerance = step * (kind.format == kAudioFormatLinearPCM ? 0.505 : 1)
        for (a, b) in zip(samples, copy) {
            let worst = zip(a, b).map { abs($0 - $1) }.max() ?? 1
            #expect(worst <= tolerance)
        }
    }

    struct Lossy: Sendable, CustomTestStringConvertible {
        var name: String
        var format: AudioFormatID
        var rate: Double
        /// Decibels of the signal above the error.
        var quality: Double
        var testDescription: String { "\(name) \(format) \(rate)" }
    }

    static let lossy = [
        Lossy(name: "m4a", format: kAudioFormatMPEG4AAC, rate: 44_100, quality: 25),
        Lossy(name: "m4a", format: kAudioFormatMPEG4AAC, rate: 12_000, quality: 20),
        Lossy(name: "caf", format: kAudioFormatMPEG4AAC, rate: 44_100, quality: 25),
        Lossy(name: "caf", format: kAudioFormatAppleIMA4, rate: 44_100, quality: 25),
        Lossy(name: "aifc", format: kAudioFormatAppleIMA4, rate: 22_050, quality: 25),
        Lossy(name: "caf", format: kAudioFormatULaw, rate: 8_000, quality: 30),
        Lossy(name: "wav", format: kAudioFormatULaw, rate: 8_000, quality: 30),
        Lossy(name: "wav", format: kAudioFormatALaw, rate: 8_000, quality: 30),
        Lossy(name: "opus", format: kAudioFormatOpus, rate: 48_000, quality: 15),
    ]

    @Test(arguments: lossy)
    func lossyFilesKeepLengthAndPlace(_ kind: Lossy) throws {
        let frames = 15_001
        let samples = FileBench.samples(frames, channels: 1, sampleRate: kind.rate)
        let settings: [String: Any] = [
            AVFormatIDKey: kind.format, AVSampleRateKey: kind.rate, AVNumberOfChannelsKey: 1,
            AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue,
        ]
        let url = try bench.write(samples, to: "a.\(kind.name)", settings)
        let copy = try bench.read(url)
        #expect(copy.map(\.count) == [frames])
        // Away from the ends, where codecs fade in.
        let middle = 2000..<(frames - 2000)
        let shifts = (-3...3).map { shift in
            FileBench.quality(
                Array(samples[0][middle]),
                Array(copy[0][middle.lowerBound + shift..<middle.upperBound + shift])
            )
        }
        #expect(shifts[3] > kind.quality, "\(shifts)")
        #expect(shifts[3] == shifts.max(), "\(shifts)")
    }

    /// The packets of IMA4 keep 9 bits of the predictor: a packet that is decoded alone is off by up to 127 of 32 768.
    @Test(arguments: [
        ("wav", kAudioFormatLinearPCM, 0), ("m4a", kAudioFormatMPEG4AAC, 1e-4 as Float),
        ("caf", kAudioFormatAppleIMA4, 4e-3),
    ])
    func positionsAreExact(_ name: String, _ format: AudioFormatID, _ tolerance: Float) throws {
        let samples = FileBench.samples(30_000, channels: 1, sampleRate: 44_100)
        let url = try bench.write(
            samples,
            to: "a.\(name)",
            [AVFormatIDKey: format, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1]
        )
        let all = try bench.read(url)[0]
        let file = try AVAudioFile(forReading: url)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 300))
        for position in [29_900, 1, 0, 12_345, 1024, 1023, 29_999, 30_000, 64] {
            file.framePosition = AVAudioFramePosition(position)
            #expect(file.framePosition == AVAudioFramePosition(position))
            try file.read(into: buffer)
            let end = min(position + 300, 30_000)
            #expect(file.framePosition == AVAudioFramePosition(end))
            let read = try FileBench.samples(of: buffer)[0]
            #expect(read.count == end - position)
            let worst = zip(read, all[position..<end]).map { abs($0 - $1) }.max() ?? 0
            #expect(worst <= tolerance, "at \(position)")
        }
    }

    @Test(arguments: [AVAudioCommonFormat.pcmFormatInt16, .pcmFormatInt32, .pcmFormatFloat32, .pcmFormatFloat64])
    func everyProcessingFormat(_ common: AVAudioCommonFormat) throws {
        let samples = FileBench.samples(5000, channels: 2, sampleRate: 48_000)
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            AVLinearPCMBitDepthKey: 32,
        ]
        let first = try bench.write(samples, to: "first.caf", settings)
        for interleaved in [false, true] {
            let input = try AVAudioFile(forReading: first, commonFormat: common, interleaved: interleaved)
            #expect(input.processingFormat.commonFormat == common)
            #expect(input.processingFormat.isInterleaved == interleaved)
            let url = bench.folder.file("second.caf")
            let output = try AVAudioFile(
                forWriting: url,
                settings: settings,
                commonFormat: common,
                interleaved: interleaved
            )
            let buffer = try #require(AVAudioPCMBuffer(pcmFormat: input.processingFormat, frameCapacity: 5000))
            try input.read(into: buffer)
            try output.write(from: buffer)
            output.close()
            let copy = try bench.read(url)
            for (a, b) in zip(samples, copy) {
                let worst = zip(a, b).map { abs($0 - $1) }.max() ?? 1
                #expect(worst <= (common == .pcmFormatInt16 ? 0x1p-15 : 0x1p-23))
            }
        }
    }
}
