import AVKit
import Testing

@Test func importingAVKitIsEnough() {
    #expect(CMTime.zero.isValid)
    #expect(AVAudioQuality.high.rawValue == 96)
}
