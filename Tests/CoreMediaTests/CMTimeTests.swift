import CoreMedia
import Foundation
import Testing

@Suite struct CMTimeTests {
    @Test func constants() {
        #expect(!CMTime.invalid.isValid && !CMTime().isValid)
        #expect(CMTime.indefinite.isIndefinite && !CMTime.indefinite.isNumeric)
        #expect(CMTime.positiveInfinity.isPositiveInfinity && CMTime.negativeInfinity.isNegativeInfinity)
        #expect(CMTime.zero.isNumeric && CMTime.zero.seconds == 0)
        #expect(kCMTimeMaxTimescale == Int(Int32.max))
        #expect(CMTimeFlags.impliedValueFlagsMask.rawValue == 0b11100)
        #expect(CMTimeRoundingMethod.default.rawValue == 1)
        #expect(MemoryLayout<CMTime>.size == 24)
    }

    @Test func timescalesThatAreNone() {
        #expect(!CMTime(value: 1, timescale: 0).isValid)
        #expect(!CMTime(value: 1, timescale: -600).isValid)
        #expect(!CMTime(seconds: 1, preferredTimescale: 0).isValid)
        #expect(!CMTime(value: 1, timescale: 600).convertScale(0, method: .default).isValid)
        // Built by hand, such a time counts as invalid wherever it is used.
        let broken = CMTime(value: 1, timescale: 0, flags: .valid, epoch: 0)
        #expect(!(broken + .zero).isValid)
        #expect(broken.seconds.isNaN)
        #expect(CMTimeCompare(broken, .positiveInfinity) == 1)
        #expect(!CMTimeMultiplyByRatio(broken, multiplier: 1, divisor: 2).isValid)
        #expect(!CMTimeMultiplyByFloat64(broken, multiplier: 1).isValid)
    }

    @Test func seconds() {
        #expect(CMTime(value: 3000, timescale: 600).seconds == 5)
        #expect(CMTime(value: -1, timescale: 3).seconds == -1.0 / 3)
        #expect(CMTime.invalid.seconds.isNaN && CMTime.indefinite.seconds.isNaN)
        #expect(CMTime.positiveInfinity.seconds == .infinity && CMTime.negativeInfinity.seconds == -.infinity)
    }

    @Test func makingFromSeconds() {
        let exact = CMTime(seconds: 2.5, preferredTimescale: 600)
        #expect(isIdentical(exact, CMTime(value: 1500, timescale: 600)))
        let cut = CMTime(seconds: -2.9, preferredTimescale: 1)
        #expect(cut.value == -2 && cut.hasBeenRounded)
        let third = CMTime(seconds: 1.0 / 3, preferredTimescale: 600)
        #expect(third.value == 200 && !third.hasBeenRounded)
        #expect(CMTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
        #expect(CMTime(seconds: -1e300, preferredTimescale: 600).isNegativeInfinity)
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        // 2^62 seconds in 600 parts overflow; in 1 part they fit.
        let large = CMTime(seconds: 0x1p62, preferredTimescale: 600)
        #expect(large.value == 1 << 62 && large.timescale == 1)
        let smallest = CMTime(seconds: -0x1p63, preferredTimescale: 1)
        #expect(smallest.value == .min)
    }

    @Test func infinitiesInSums() {
        let one = CMTime(value: 1, timescale: 1)
        let (plus, minus) = (CMTime.positiveInfinity, CMTime.negativeInfinity)
        #expect((plus + plus).isPositiveInfinity && (minus + minus).isNegativeInfinity)
        #expect(!(plus + minus).isValid && !(minus + plus).isValid)
        #expect(!(plus - plus).isValid && !(minus - minus).isValid)
        #expect((plus - minus).isPositiveInfinity && (minus - plus).isNegativeInfinity)
        #expect((plus + one).isPositiveInfinity && (one - plus).isNegativeInfinity)
        #expect((plus + .indefinite).isPositiveInfinity && (one + .indefinite).isIndefinite)
        #expect(!(plus + .invalid).isValid && !(CMTime.indefinite - .invalid).isValid)
    }

    @Test func infinitiesInProducts() {
        #expect(CMTimeMultiply(.positiveInfinity, multiplier: -2).isNegativeInfinity)
        #expect(CMTimeMultiplyByFloat64(.negativeInfinity, multiplier: -0.5).isPositiveInfinity)
        #expect(CMTimeMultiply(.indefinite, multiplier: 2).isIndefinite)
        #expect(!CMTimeMultiply(.invalid, multiplier: 2).isValid)
        #expect(!CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 1), multiplier: .nan).isValid)
        #expect(CMTimeMultiplyByFloat64(CMTime(value: 1, timescale: 1), multiplier: -.infinity).isNegativeInfinity)
        #expect(!CMTimeMultiplyByFloat64(.zero, multiplier: .infinity).isValid)
        #expect(CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 1), multiplier: -1, divisor: 0).isNegativeInfinity)
        #expect(!CMTimeMultiplyByRatio(.zero, multiplier: 1, divisor: 0).isValid)
        #expect(CMTimeMultiplyByRatio(.positiveInfinity, multiplier: 1, divisor: -3).isNegativeInfinity)
    }

    @Test func epochs() {
        func time(_ epoch: Int64) -> CMTime { CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: epoch) }
        #expect((time(3) + time(3)).epoch == 0)
        #expect((time(3) + time(0)).epoch == 3)
        #expect((time(0) - time(3)).epoch == 3)
        #expect(!(time(3) + time(4)).isValid)
        #expect(time(3) < time(4) && time(3) != time(4))
        #expect(time(3).convertScale(600, method: .default).epoch == 3)
        #expect(CMTimeMultiply(time(3), multiplier: 2).epoch == 3)
    }

    @Test func roundingIsInherited() {
        let rounded = CMTime(seconds: 0.1234567, preferredTimescale: 10)
        let exact = CMTime(value: 1, timescale: 10)
        #expect(rounded.hasBeenRounded)
        for time in [
            rounded + exact, exact - rounded, CMTimeMultiply(rounded, multiplier: 2),
            CMTimeMultiplyByFloat64(rounded, multiplier: 2), CMTimeMultiplyByRatio(rounded, multiplier: 1, divisor: 7),
            rounded.convertScale(100, method: .default), CMTimeAbsoluteValue(rounded),
        ] { #expect(time.hasBeenRounded) }
        #expect(!(exact + exact).hasBeenRounded)
    }

    @Test func order() {
        let sorted: [CMTime] = [
            .negativeInfinity, CMTime(value: -1, timescale: 3), .zero, CMTime(value: 1, timescale: 3), .indefinite,
            .positiveInfinity, .invalid,
        ]
        for (i, a) in sorted.enumerated() {
            for (j, b) in sorted.enumerated() {
                #expect(CMTimeCompare(a, b) == (i < j ? -1 : i > j ? 1 : 0))
            }
        }
        #expect(CMTimeMinimum(.zero, .invalid) == .zero)
        #expect(CMTimeMaximum(.zero, .invalid) == .invalid)
    }

    @Test func absoluteValues() {
        #expect(CMTimeAbsoluteValue(CMTime(value: -5, timescale: 3)).value == 5)
        #expect(CMTimeAbsoluteValue(.negativeInfinity).isPositiveInfinity)
        let smallest = CMTimeAbsoluteValue(CMTime(value: .min, timescale: 600))
        #expect(smallest.value == 1 << 62 && smallest.timescale == 300 && !smallest.hasBeenRounded)
    }

    @Test func text() {
        func text(_ time: CMTime) -> String? {
            CMTimeCopyDescription(allocator: nil, time: time).map { "\($0)" }
        }
        #expect(text(CMTime(value: 3000, timescale: 600)) == "{3000/600 = 5.000}")
        #expect(text(.invalid) == "{INVALID}")
        #expect(text(CMTime(seconds: 0.26, preferredTimescale: 10)) == "{2/10 = 0.200, rounded}")
    }

    @Test func dictionaries() throws {
        let time = CMTime(value: .min, timescale: 600, flags: [.valid, .hasBeenRounded], epoch: 7)
        let dictionary = try #require(CMTimeCopyAsDictionary(time, allocator: nil))
        #expect(isIdentical(CMTimeMakeFromDictionary(dictionary), time))
        #expect(!CMTimeMakeFromDictionary(nil).isValid)
        let range = CMTimeRange(start: time, duration: CMTime(value: 1, timescale: 3))
        let ranges = try #require(CMTimeRangeCopyAsDictionary(range, allocator: nil))
        #expect(CMTimeRangeMakeFromDictionary(ranges) == range)
        #expect(!CMTimeRangeMakeFromDictionary(dictionary).isValid)
    }
}
