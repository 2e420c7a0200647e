import CoreMedia
import Testing

@Suite struct CMTimeRangeTests {
    private func time(_ value: Int64, _ timescale: Int32 = 600) -> CMTime { CMTime(value: value, timescale: timescale) }
    private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
        CMTimeRange(start: time(start), end: time(end))
    }

    @Test func validity() {
        #expect(CMTimeRange.zero.isValid && CMTimeRange.zero.isEmpty)
        #expect(!CMTimeRange.invalid.isValid && !CMTimeRange().isValid)
        #expect(!CMTimeRange(start: .zero, duration: time(-1)).isValid)
        #expect(!range(600, 300).isValid)
        #expect(CMTimeRange(start: .zero, duration: .indefinite).isIndefinite)
        let late = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 2)
        #expect(!CMTimeRangeMake(start: .zero, duration: late).isValid)
    }

    @Test func ends() {
        #expect(CMTimeRange(start: time(1, 3), duration: time(1, 4)).end == time(7, 12))
        #expect(CMTimeRange(start: .zero, end: .positiveInfinity).duration.isPositiveInfinity)
        let start = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 2)
        #expect(CMTimeRange(start: start, duration: time(600)).end.epoch == 2)
        #expect(!CMTimeRange.invalid.end.isValid)
    }

    @Test func containment() {
        let range = range(600, 1200)
        #expect(range.containsTime(time(1, 1)) && range.containsTime(time(1199)))
        #expect(!range.containsTime(time(1200)) && !range.containsTime(time(599)) && !range.containsTime(.invalid))
        #expect(!range.containsTime(range.end))
        #expect(range.containsTimeRange(self.range(700, 1200)) && !range.containsTimeRange(self.range(700, 1201)))
        #expect(CMTimeRange(start: .zero, end: .positiveInfinity).containsTime(time(1 << 40)))
        #expect(!CMTimeRange.invalid.containsTime(.zero))
    }

    @Test func unionsAndIntersections() {
        #expect(range(0, 600).union(range(1200, 1800)) == range(0, 1800))
        #expect(range(0, 600).intersection(range(300, 1800)) == range(300, 600))
        #expect(range(0, 600).intersection(range(600, 900)) == .zero)
        #expect(!range(0, 600).union(.invalid).isValid)
        #expect(range(0, 600).union(CMTimeRange(start: .zero, end: .positiveInfinity)).end.isPositiveInfinity)
    }

    @Test func equality() {
        let same = CMTimeRange(start: time(0, 1), duration: time(1, 1))
        #expect(range(0, 600) == same && range(0, 600).hashValue == same.hashValue)
        #expect(range(0, 600) != range(0, 601))
    }

    @Test func mapping() {
        let mapped = CMTimeMapTimeFromRangeToRange(time(300), fromRange: range(0, 600), toRange: range(1200, 1800))
        #expect(mapped == time(1500))
        let third = CMTimeMapTimeFromRangeToRange(time(1, 3), fromRange: range(0, 600), toRange: range(0, 1200))
        #expect(third == time(2, 3) && !third.hasBeenRounded)
        let infinite = CMTimeRange(start: time(600), end: .positiveInfinity)
        #expect(
            CMTimeMapTimeFromRangeToRange(
                time(600),
                fromRange: CMTimeRange(start: .zero, end: .positiveInfinity),
                toRange: infinite
            ) == time(1200)
        )
        #expect(!CMTimeMapTimeFromRangeToRange(time(1), fromRange: .zero, toRange: range(0, 1)).isValid)
    }

    @Test func clamping() {
        #expect(CMTimeClampToRange(time(0), range: range(600, 1200)) == time(600))
        #expect(CMTimeClampToRange(time(900), range: range(600, 1200)) == time(900))
        #expect(CMTimeClampToRange(time(9000), range: range(600, 1200)) == time(1200))
        #expect(!CMTimeClampToRange(time(1), range: .zero).isValid)
        #expect(!CMTimeClampToRange(.invalid, range: range(600, 1200)).isValid)
    }

    @Test func folding() {
        let loop = range(600, 1200)
        #expect(CMTimeFoldIntoRange(time(1200), foldRange: loop) == time(600))
        #expect(CMTimeFoldIntoRange(time(3100), foldRange: loop) == time(700))
        #expect(CMTimeFoldIntoRange(time(500), foldRange: loop) == time(1100))
        #expect(
            CMTimeFoldIntoRange(time(1, 7), foldRange: CMTimeRange(start: .zero, duration: time(1, 9))) == time(2, 63)
        )
        #expect(!CMTimeFoldIntoRange(time(1), foldRange: .zero).isValid)
    }

    @Test func mappings() {
        let mapping = CMTimeMappingMake(source: range(0, 1), target: range(1, 2))
        #expect(mapping.source == range(0, 1) && mapping.target == range(1, 2))
        #expect(!CMTimeMappingMakeEmpty(target: range(1, 2)).source.start.isValid)
        #expect(!CMTimeMapping.invalid.target.isValid)
    }
}
