import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

@Suite("Recorder settings")
struct RecordingSettingsTests {
    let bench: RecordingBench

    init() throws { bench = try RecordingBench() }

    /// A file name, impossible settings, and what the error must speak of.
    static let impossible: [(name: String, settings: @Sendable () -> [String: Any], words: [String])] = [
        ("a.m4a", { [AVSampleRateKey: 1] }, ["AVSampleRateKey", "44100"]),
        ("a.m4a", { [AVSampleRateKey: 7_999] }, ["AVSampleRateKey", "8000"]),
        ("a.m4a", { [AVSampleRateKey: 22_000] }, ["AVSampleRateKey", "22050"]),
        ("a.m4a", { [AVSampleRateKey: 384_000] }, ["AVSampleRateKey", "96000"]),
        ("a.m4a", { [AVSampleRateKey: 0] }, ["AVSampleRateKey"]),
        ("a.m4a", { [AVSampleRateKey: Double.nan] }, ["AVSampleRateKey"]),
        ("a.m4a", { [AVSampleRateKey: -44_100] }, ["AVSampleRateKey"]),
        ("a.m4a", { [AVSampleRateKey: "44100"] }, ["AVSampleRateKey", "number"]),
        ("a.m4a", { [AVSampleRateKey: 8_000, AVEncoderBitRateKey: 320_000] }, ["AVEncoderBitRateKey", "320000"]),
        ("a.m4a", { [AVEncoderBitRateKey: 1] }, ["AVEncoderBitRateKey"]),
        ("a.m4a", { [AVEncoderBitRateKey: 96_000.5] }, ["AVEncoderBitRateKey", "whole"]),
        ("a.m4a", { [AVNumberOfChannelsKey: 0] }, ["AVNumberOfChannelsKey"]),
        ("a.m4a", { [AVNumberOfChannelsKey: 99] }, ["AVNumberOfChannelsKey"]),
        ("a.m4a", { [AVNumberOfChannelsKey: Double.infinity] }, ["AVNumberOfChannelsKey"]),
        ("a.m4a", { [AVFormatIDKey: kAudioFormatLinearPCM] }, ["AVFormatIDKey", "AAC", "Apple Lossless"]),
        ("a.m4a", { [AVFormatIDKey: kAudioFormatAMR] }, ["AVFormatIDKey", "samr"]),
        ("a.m4a", { [AVFormatIDKey: kAudioFormatMPEG4AAC_HE] }, ["AVFormatIDKey", "aach"]),
        ("a.m4a", { [AVEncoderAudioQualityKey: 128] }, ["AVEncoderAudioQualityKey", "127"]),
        ("a.wav", { [AVFormatIDKey: kAudioFormatMPEG4AAC] }, ["AVFormatIDKey", "linear PCM"]),
        ("a.wav", { [AVLinearPCMBitDepthKey: 12] }, ["AVLinearPCMBitDepthKey", "16"]),
        ("a.wav", { [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 16] }, ["AVLinearPCMBitDepthKey", "32"]),
        ("a.wav", { [AVLinearPCMIsBigEndianKey: true] }, ["AVLinearPCMIsBigEndianKey"]),
        ("a.aiff", { [AVLinearPCMIsFloatKey: true] }, ["AVLinearPCMIsFloatKey", "aifc"]),
        ("a.aiff", { [AVLinearPCMIsBigEndianKey: false] }, ["AVLinearPCMIsBigEndianKey", "aifc"]),
        ("a.flac", { [AVEncoderBitDepthHintKey: 20] }, ["AVEncoderBitDepthHintKey", "24"]),
        ("a.opus", { [AVSampleRateKey: 44_100] }, ["AVSampleRateKey", "48000"]),
        ("a.mp3", { [:] }, ["a.mp3", "m4a"]),
        ("noextension", { [:] }, ["noextension", "AVAudioFileTypeKey"]),
        ("a.caf", { [AVAudioFileTypeKey: UInt32(0x4D50_4733)] }, ["AVAudioFileTypeKey", "MPG3"]),
    ]

    @Test("impossible settings throw at init and name the key and what is allowed", arguments: impossible.indices)
    func impossibleSettings(index: Int) throws {
        let (name, settings, words) = Self.impossible[index]
        let error = try #require(throws: NSError.self) { try bench.recorder(name, settings()) }
        #expect(error.domain == NSOSStatusErrorDomain)
        for word in words {
            #expect(error.localizedDescription.contains(word), "\(error.localizedDescription)")
        }
        #expect(bench.scratch.names == [])
        #expect(bench.host.capture == nil)
    }

    @Test("missing keys have defaults by the container")
    func defaults() throws {
        let expected: [(String, ContainerKind, CodecID)] = [
            ("a.m4a", .m4a, .aac), ("a.M4A", .m4a, .aac), ("a.mp4", .m4a, .aac),
            ("a.caf", .caf, .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false))),
            ("a.wav", .wav, .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false))),
            ("a.aif", .aiff, .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: true))),
            ("a.aifc", .aifc, .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: true))),
            ("a.flac", .flac, .flac),
        ]
        for (name, container, codec) in expected {
            let settings = try RecordingSettings([:], url: bench.scratch.file(name))
            #expect(settings.container == container)
            let stream = try settings.stream(with: bench.runtime.media)
            #expect(stream.codec == codec)
            #expect(stream.sampleRate == 44_100)
            #expect(stream.channelCount == 1)
        }
    }

    @Test("every numeric type says the same")
    func numericTypes() throws {
        let values: [Any] = [
            16_000, 16_000 as Int32, 16_000 as Int64, 16_000 as UInt, 16_000 as UInt16, 16_000 as UInt32,
            16_000 as UInt64, 16_000.0, 16_000 as Float, NSNumber(value: 16_000), NSNumber(value: 16_000.0),
        ]
        for value in values {
            let settings = try RecordingSettings([AVSampleRateKey: value], url: bench.scratch.file("a.m4a"))
            #expect(settings.encoding.sampleRate == 16_000, "\(type(of: value))")
        }
        let flags: [Any] = [true, 1, NSNumber(value: true), 1.0, UInt8(1)]
        for flag in flags {
            let settings = try RecordingSettings([AVLinearPCMIsFloatKey: flag], url: bench.scratch.file("a.wav"))
            let float = LinearPCMLayout(bitsPerSample: 32, isFloat: true, isBigEndian: false)
            #expect(settings.encoding.codec == .linearPCM(float), "\(type(of: flag))")
        }
        let quality = try RecordingSettings(
            [AVEncoderAudioQualityKey: AVAudioQuality.max],
            url: bench.scratch.file("a.m4a")
        )
        #expect(quality.encoding.quality == 1)
    }

    @Test("AVAudioFileTypeKey goes before the extension")
    func fileType() throws {
        let settings = try RecordingSettings(
            [AVAudioFileTypeKey: kAudioFileCAFType, AVFormatIDKey: kAudioFormatAppleLossless],
            url: bench.scratch.file("memo")
        )
        #expect(settings.container == .caf)
        #expect(settings.encoding.codec == .alac)
    }
}
