import AVFAudio
import AudioCore
import Foundation
import Testing

@Suite struct FormatSettingsTests {
    @Test func linearPCM() throws {
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 2 as UInt32,
        ]
        let format = try #require(AVAudioFormat(settings: settings))
        #expect(format.commonFormat == .pcmFormatInt16 && format.isInterleaved && format.channelCount == 2)
        let float = try #require(
            AVAudioFormat(
                settings: settings.merging([
                    AVLinearPCMIsFloatKey: true, AVLinearPCMIsNonInterleaved: NSNumber(value: true),
                ]) { $1 }
            )
        )
        #expect(float.isStandard)
        let big = try #require(AVAudioFormat(settings: settings.merging([AVLinearPCMIsBigEndianKey: 1]) { $1 }))
        #expect(big.commonFormat == .otherFormat)
    }

    @Test func settingsOfAFormatMakeItAgain() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let formats = [
            AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            AVAudioFormat(commonFormat: .pcmFormatFloat64, sampleRate: 8000, channels: 1, interleaved: true),
            AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout),
        ]
        for format in formats {
            let format = try #require(format)
            #expect(AVAudioFormat(settings: format.settings) == format)
        }
    }

    @Test func compressedFormats() throws {
        func format(_ id: AudioFormatID) -> AudioStreamBasicDescription? {
            AVAudioFormat(settings: [AVFormatIDKey: id, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2])?
                .streamDescription.pointee
        }
        #expect(format(kAudioFormatMPEG4AAC)?.mFramesPerPacket == 1024)
        #expect(format(kAudioFormatAppleIMA4)?.mBytesPerPacket == 68)
        #expect(format(kAudioFormatAppleLossless)?.mFormatFlags == kAppleLosslessFormatFlag_16BitSourceData)
    }

    static let impossible: [@Sendable () -> [String: Any]] = [
        { [:] },
        { [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100] },
        { [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: "44100", AVNumberOfChannelsKey: 1] },
        { [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 3] },
        { [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: -1] },
        { [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Double.nan, AVNumberOfChannelsKey: 1] },
        {
            [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
                AVLinearPCMBitDepthKey: 7,
            ]
        },
        {
            [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
                AVChannelLayoutKey: Data([1, 2]),
            ]
        },
    ]

    @Test(arguments: impossible.indices)
    func impossibleSettingsGiveNothing(_ index: Int) {
        #expect(AVAudioFormat(settings: Self.impossible[index]()) == nil)
    }

    private let url = URL(fileURLWithPath: "/tmp/a.m4a")

    @Test func rateOfEachChannel() throws {
        let settings = try RecordingSettings(
            [AVEncoderBitRatePerChannelKey: 48_000, AVNumberOfChannelsKey: 2],
            url: url
        )
        #expect(settings.encoding.bitRate == 96_000)
    }

    @Test func qualityForVariableRates() throws {
        let low = try RecordingSettings([AVEncoderAudioQualityForVBRKey: AVAudioQuality.min.rawValue], url: url)
        #expect(low.encoding.quality == 0)
    }

    @Test func layoutsGiveTheNumberOfChannels() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
        let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
        let data = try #require(format.settings[AVChannelLayoutKey])
        #expect(try RecordingSettings([AVChannelLayoutKey: data], url: url).encoding.channelCount == 2)
        let failure = #expect(throws: AudioFailure.self) {
            try RecordingSettings([AVChannelLayoutKey: data, AVNumberOfChannelsKey: 1], url: url)
        }
        #expect(failure?.message.contains("AVChannelLayoutKey") == true)
        #expect(throws: AudioFailure.self) { try RecordingSettings([AVChannelLayoutKey: 5], url: url) }
    }

    @Test func filesAreInterleavedWhateverIsAsked() throws {
        let wav = URL(fileURLWithPath: "/tmp/a.wav")
        let settings = try RecordingSettings([AVLinearPCMIsNonInterleaved: true, AVNumberOfChannelsKey: 2], url: wav)
        #expect(settings.encoding.channelCount == 2)
    }
}
