import AVFAudio
import Testing

@Suite struct AVAudioFormatTests {
    @Test func standardFormatIsDeinterleavedFloat() throws {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        #expect(format.isStandard)
        #expect(!format.isInterleaved)
        #expect(format.commonFormat == .pcmFormatFloat32)
        let description = format.streamDescription.pointee
        #expect(description.mFormatFlags == 0x29)
        #expect(description.mBytesPerFrame == 4)
        #expect(description.mBytesPerPacket == 4)
        #expect(description.mFramesPerPacket == 1)
        #expect(description.mBitsPerChannel == 32)
        #expect(format.channelLayout == nil)
    }

    @Test(arguments: [
        (AVAudioCommonFormat.pcmFormatInt16, 0xC as UInt32, 4 as UInt32),
        (.pcmFormatInt32, 0xC, 8), (.pcmFormatFloat32, 0x9, 8), (.pcmFormatFloat64, 0x9, 16),
    ])
    func interleavedFormats(_ common: AVAudioCommonFormat, flags: UInt32, bytes: UInt32) throws {
        let format = try #require(
            AVAudioFormat(commonFormat: common, sampleRate: 8000, channels: 2, interleaved: true)
        )
        #expect(format.streamDescription.pointee.mFormatFlags == flags)
        #expect(format.streamDescription.pointee.mBytesPerFrame == bytes)
        #expect(format.commonFormat == common)
        #expect(format.isInterleaved)
    }

    @Test func moreThanTwoChannelsNeedALayout() throws {
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 6) == nil)
        #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 0) == nil)
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        #expect(layout.channelCount == 6)
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
        #expect(format.channelCount == 6)
        var description = format.streamDescription.pointee
        #expect(AVAudioFormat(streamDescription: &description) == nil)
        #expect(AVAudioFormat(streamDescription: &description, channelLayout: layout) == format)
        description.mChannelsPerFrame = 5
        #expect(AVAudioFormat(streamDescription: &description, channelLayout: layout) == nil)
    }

    @Test func equalityIgnoresWhatDoesNotMatter() throws {
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        let interleaved = try #require(
            AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 44_100, channels: 1, interleaved: true)
        )
        #expect(mono == interleaved)
        #expect(mono.hash == interleaved.hash)
        let tagged = AVAudioFormat(
            standardFormatWithSampleRate: 44_100,
            channelLayout: try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Mono))
        )
        #expect(mono == tagged)
        let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        #expect(mono != other)
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let pairs = try #require(
            AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 44_100, channels: 2, interleaved: true)
        )
        #expect(stereo != pairs)
    }

    @Test func settingsAreNumbers() throws {
        let format = try #require(
            AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 22_050, channels: 2, interleaved: true)
        )
        let settings = format.settings
        #expect(settings[AVFormatIDKey] as? UInt32 == kAudioFormatLinearPCM)
        #expect(settings[AVFormatIDKey] as? Int == Int(kAudioFormatLinearPCM))
        #expect(settings[AVSampleRateKey] as? Double == 22_050)
        #expect(settings[AVNumberOfChannelsKey] as? Int == 2)
        #expect(settings[AVLinearPCMBitDepthKey] as? Int == 16)
        #expect(settings[AVLinearPCMIsFloatKey] as? Bool == false)
        #expect(settings[AVLinearPCMIsBigEndianKey] as? Bool == false)
        #expect(settings[AVLinearPCMIsNonInterleaved] as? Bool == false)
    }

    @Test func archiveBringsTheFormatBack() throws {
        let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
        let format = AVAudioFormat(standardFormatWithSampleRate: 96_000, channelLayout: layout)
        format.magicCookie = Data([1, 2, 3])
        let data = try NSKeyedArchiver.archivedData(withRootObject: format, requiringSecureCoding: true)
        let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: AVAudioFormat.self, from: data))
        #expect(copy == format)
        #expect(copy.channelLayout == layout)
        #expect(copy.magicCookie == Data([1, 2, 3]))
    }
}

extension AVAudioFormatTests {
    /// The object of such an expression is gone when the pointer is followed.
    @Test func pointersOutliveTheirObjects() {
        for rate in 1...100 {
            let description = AVAudioFormat(standardFormatWithSampleRate: Double(rate), channels: 2)?.streamDescription
                .pointee
            #expect(description?.mSampleRate == Double(rate))
            let layout = AVAudioChannelLayout(layoutTag: UInt32(rate) << 16 | 3)?.layout.pointee
            #expect(layout?.mChannelLayoutTag == UInt32(rate) << 16 | 3 || rate <= 1)
        }
    }
}
