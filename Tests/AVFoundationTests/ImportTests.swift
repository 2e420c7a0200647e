import AVFoundation
import Testing

/// `import AVFoundation` alone brings what it brings on Apple's systems.
@Suite struct ImportTests {
    @Test func everyFrameworkBelow() throws {
        let settings: [String: Any] = [AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 12_000]
        #expect(settings.count == 2)
        #expect(CMTimeGetSeconds(CMTime(value: 3, timescale: 2)) == 1.5)
        let status: OSStatus = kAudio_ParamError
        #expect(status == -50)
        let url = URL(fileURLWithPath: "/tmp/a.m4a")
        #expect((url as CFURL) == url)
        var sound: SystemSoundID = 0
        #expect(AudioServicesCreateSystemSoundID(url as CFURL, &sound) == kAudioServicesSystemSoundUnspecifiedError)
        #expect(AudioGetHostClockFrequency() > 0)
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        #expect(format.sampleRate == 44_100)
        #expect(NSOSStatusErrorDomain == "NSOSStatusErrorDomain")
    }

    @Test func namesOfFilesAndMedia() {
        #expect(AVFileType.m4a.rawValue == "com.apple.m4a-audio")
        #expect(AVFileType("public.mp3") == .mp3)
        #expect(AVMediaType.audio.rawValue == "soun")
    }
}
