import AVFAudio
import Foundation
import Testing

@Suite struct AVAudioTimeTests {
    @Test func kinds() {
        let host = AVAudioTime(hostTime: 5)
        #expect(host.isHostTimeValid && !host.isSampleTimeValid && host.hostTime == 5 && host.sampleRate == 0)
        let sample = AVAudioTime(sampleTime: -7, atRate: 8000)
        #expect(!sample.isHostTimeValid && sample.isSampleTimeValid && sample.sampleTime == -7)
        let both = AVAudioTime(hostTime: 5, sampleTime: 7, atRate: 8000)
        #expect(both.isHostTimeValid && both.isSampleTimeValid && both.audioTimeStamp.mSampleTime == 7)
    }

    @Test func seconds() {
        let time = AVAudioTime.hostTime(forSeconds: 1.5)
        #expect(AVAudioTime.seconds(forHostTime: time) == 1.5)
        #expect(AVAudioTime.hostTime(forSeconds: -1) == 0)
        #expect(AVAudioTime.hostTime(forSeconds: .infinity) == .max)
        #expect(AVAudioTime.hostTime(forSeconds: .nan) == 0)
        let now = AudioGetCurrentHostTime()
        #expect(AudioGetCurrentHostTime() >= now && now > 0)
    }

    @Test func extrapolation() throws {
        let second = AVAudioTime.hostTime(forSeconds: 1)
        let anchor = AVAudioTime(hostTime: 100 * second, sampleTime: 0, atRate: 48_000)
        let later = try #require(AVAudioTime(sampleTime: 24_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
        #expect(later.hostTime == 100 * second + second / 2)
        let earlier = try #require(AVAudioTime(hostTime: 99 * second).extrapolateTime(fromAnchor: anchor))
        #expect(earlier.sampleTime == -48_000 && earlier.sampleRate == 48_000)
        #expect(AVAudioTime(sampleTime: 0, atRate: 44_100).extrapolateTime(fromAnchor: anchor) == nil)
        #expect(AVAudioTime(hostTime: 1).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 2)) == nil)
        #expect(AVAudioTime(sampleTime: -1_000_000_000, atRate: 1).extrapolateTime(fromAnchor: anchor) == nil)
    }
}
