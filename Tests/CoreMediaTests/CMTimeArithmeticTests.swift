import CoreMedia
import Testing

/// Thousands of random times against fractions of any size.
@Suite struct CMTimeArithmeticTests {
    @Test func sumsAndDifferences() {
        var random = RandomTimes(seed: 1)
        for _ in 0..<1000 {
            let (a, b) = (random.time(), random.time())
            let (x, y) = (Int64(a.timescale), Int64(b.timescale))
            let multiple = x / Int64(gcd(x, y)) * y
            let scale = min(multiple, Int64(kCMTimeMaxTimescale))
            let sum = CMTimeAdd(a, b)
            #expect(isIdentical(sum, expectedTime(a.rational + b.rational, timescale: scale)), "\(a) + \(b) = \(sum)")
            let difference = CMTimeSubtract(a, b)
            #expect(
                isIdentical(difference, expectedTime(a.rational - b.rational, timescale: scale)),
                "\(a) - \(b) = \(difference)"
            )
        }
    }

    @Test func products() {
        var random = RandomTimes(seed: 2)
        for _ in 0..<800 {
            let time = random.time()
            let factor = Int32(truncatingIfNeeded: random.value())
            let product = CMTimeMultiply(time, multiplier: factor)
            let expected = expectedTime(
                time.rational * BigRational(Int64(factor), 1),
                timescale: Int64(time.timescale)
            )
            #expect(isIdentical(product, expected), "\(time) × \(factor) = \(product)")
        }
    }

    @Test func productsWithFloatingPoint() {
        var random = RandomTimes(seed: 3)
        for _ in 0..<1000 {
            let time = random.time()
            var factor = Double(bitPattern: random.next())
            if random.next() % 3 != 0 { factor = Double(random.value()) / Double(random.timescale()) }
            if !factor.isFinite { continue }
            var scale = Int64(time.timescale)
            while scale < 65_536 { scale *= 2 }
            let product = CMTimeMultiplyByFloat64(time, multiplier: factor)
            let expected = expectedTime(time.rational * BigRational(factor), timescale: scale)
            #expect(isIdentical(product, expected), "\(time) × \(factor) = \(product), not \(expected)")
        }
    }

    @Test func ratios() {
        var random = RandomTimes(seed: 4)
        var exact = 0
        for _ in 0..<800 {
            let time = random.time()
            let multiplier = Int32(truncatingIfNeeded: random.value())
            let divisor = Int32(truncatingIfNeeded: random.value())
            if divisor == 0 { continue }
            let result = CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor)
            let ratio = BigRational(Int64(multiplier), Int64(divisor))
            if result.isNumeric, !result.hasBeenRounded {
                exact += 1
                #expect(BigRational.compare(result.rational, time.rational * ratio) == 0)
            } else {
                let expected = expectedTime(time.rational * ratio, timescale: Int64(kCMTimeMaxTimescale))
                #expect(isIdentical(result, expected), "\(time) × \(multiplier)/\(divisor) = \(result)")
            }
        }
        #expect(exact > 200)
    }

    @Test func ratiosKeepTheTimescaleWhereItIsEnough() {
        let time = CMTime(value: 3000, timescale: 600)
        #expect(
            isIdentical(CMTimeMultiplyByRatio(time, multiplier: 1, divisor: 2), CMTime(value: 1500, timescale: 600))
        )
        let odd = CMTimeMultiplyByRatio(CMTime(value: 1, timescale: 600), multiplier: -1, divisor: 3)
        #expect(isIdentical(odd, CMTime(value: -1, timescale: 1800)))
    }

    @Test(arguments: [
        (CMTimeRoundingMethod.roundHalfAwayFromZero, BigRational.Rounding.halfAway), (.roundTowardZero, .towardZero),
        (.roundAwayFromZero, .away), (.roundTowardPositiveInfinity, .up), (.roundTowardNegativeInfinity, .down),
    ])
    func conversions(_ method: CMTimeRoundingMethod, _ rounding: BigRational.Rounding) {
        var random = RandomTimes(seed: UInt64(method.rawValue) + 10)
        for index in 0..<500 {
            var time = random.time()
            var scale = random.timescale()
            // Every third a tie.
            if index % 3 == 0 {
                time = CMTime(value: Int64(random.next() % 2000) * 2 - 1999, timescale: 1200)
                scale = 600
            }
            let result = time.convertScale(scale, method: method)
            if scale == time.timescale {
                #expect(isIdentical(result, time))
                continue
            }
            let (value, isExact) = (time.rational * BigRational(Int64(scale), 1)).rounded(rounding)
            if let value = value.int64 {
                #expect(result.value == value && result.timescale == scale, "\(time) → \(scale) = \(result)")
                #expect(result.hasBeenRounded == !isExact)
            } else {
                #expect(time.value < 0 ? result.isNegativeInfinity : result.isPositiveInfinity)
            }
        }
    }

    @Test func quickTimeRounding() {
        func convert(_ value: Int64, _ from: Int32, _ to: Int32) -> Int64 {
            CMTime(value: value, timescale: from).convertScale(to, method: .quickTime).value
        }
        #expect(convert(5, 3, 2) == 3)  // 10/3, to less precision: towards zero
        #expect(convert(-5, 3, 2) == -3)
        #expect(convert(5, 3, 4) == 7)  // 20/3, to more precision: away from zero
        #expect(convert(-5, 3, 4) == -7)
        #expect(convert(-1, 600, 1) == -1)  // never down to 0
        #expect(convert(1, 600, 1) == 0)
        #expect(convert(6, 3, 1) == 2)
    }

    @Test func comparisonsAndHashes() {
        var random = RandomTimes(seed: 5)
        for _ in 0..<1000 {
            let a = random.time()
            var b = random.time()
            if random.next() % 4 == 0, let factor = [2, 3, 7].randomElement(), a.value.magnitude < 1 << 40,
                a.timescale < 1 << 20
            {
                b = CMTime(value: a.value * Int64(factor), timescale: a.timescale * Int32(factor))
            }
            let expected = BigRational.compare(a.rational, b.rational)
            #expect(CMTimeCompare(a, b) == Int32(expected), "\(a) against \(b)")
            #expect((a < b) == (expected < 0))
            #expect((a == b) == (expected == 0))
            if expected == 0 { #expect(a.hashValue == b.hashValue) }
        }
    }

    @Test func mappedDurations() {
        var random = RandomTimes(seed: 6)
        for _ in 0..<500 {
            let duration = random.time()
            let (from, to) = (random.time(), random.time())
            guard from.value > 0, to.value > 0 else { continue }
            let result = CMTimeMapDurationFromRangeToRange(
                duration,
                fromRange: CMTimeRange(start: .zero, duration: from),
                toRange: CMTimeRange(start: .zero, duration: to)
            )
            let exact = duration.rational * to.rational / from.rational
            if result.isNumeric, !result.hasBeenRounded {
                #expect(BigRational.compare(result.rational, exact) == 0)
            } else {
                #expect(isIdentical(result, expectedTime(exact, timescale: Int64(kCMTimeMaxTimescale))))
            }
        }
    }

    private func gcd(_ a: Int64, _ b: Int64) -> Int64 { b == 0 ? a : gcd(b, a % b) }
}
