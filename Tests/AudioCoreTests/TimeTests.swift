import AudioCore
import Testing

@Suite struct TimeTests {
    @Test func framesAreNearestToSeconds() {
        #expect(FrameCount(seconds: 1, sampleRate: 44_100) == 44_100)
        #expect(FrameCount(seconds: 0.5, sampleRate: 3) == 2)
        #expect(FrameCount(seconds: -0.5, sampleRate: 3) == -2)
        #expect(FrameCount(seconds: 2.4999, sampleRate: 1) == 2)
    }

    @Test func framesOfImpossibleSecondsAreClamped() {
        #expect(FrameCount(seconds: .nan, sampleRate: 48_000) == 0)
        #expect(FrameCount(seconds: .infinity, sampleRate: 48_000).value == .max)
        #expect(FrameCount(seconds: -1e300, sampleRate: 48_000).value == .min)
        #expect(FrameCount(seconds: 9.3e18, sampleRate: 1).value == .max)
    }

    @Test func framesThereAndBack() {
        for frames in stride(from: Int64(0), through: 5_000_000_000, by: 123_456_789) {
            let count = FrameCount(frames)
            #expect(FrameCount(seconds: count.seconds(at: 44_100), sampleRate: 44_100) == count)
        }
        #expect(FrameCount(7) - 2 + 1 == 6)
        #expect(FrameCount(1) < 2)
    }

    @Test func hostTimeAddsAndSubtracts() {
        let start = HostTime(nanoseconds: 5)
        let later = start + .milliseconds(1_500)
        #expect(later.nanoseconds == 1_500_000_005)
        #expect(later - start == .milliseconds(1_500))
        #expect(start < later)
        #expect((start - later).inSeconds == -1.5)
        #expect(Duration.nanoseconds(-3).inNanoseconds == -3)
    }
}
