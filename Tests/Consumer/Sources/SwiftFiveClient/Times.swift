import AVFoundation

enum Times {
    static func sums() -> [CMTime] {
        let start = CMTimeMake(value: 1, timescale: 600)
        let half = CMTime(seconds: 0.5, preferredTimescale: 44100)
        var cursor = CMTime.zero
        for _ in 0..<12 { cursor = CMTimeAdd(cursor, CMTimeMakeWithSeconds(300, preferredTimescale: 600)) }
        return [
            start + half, half - start, CMTimeMultiply(start, multiplier: 3),
            CMTimeMultiplyByFloat64(start, multiplier: 1.5),
            CMTimeConvertScale(half, timescale: 1000, method: .roundHalfAwayFromZero), CMTimeMaximum(start, half),
            cursor,
            .invalid, .indefinite, .positiveInfinity,
        ]
    }

    static func seconds(_ time: CMTime) -> Double {
        guard time.isValid, time.isNumeric, !CMTIME_IS_INDEFINITE(time) else { return 0 }
        return CMTimeGetSeconds(time) + time.seconds
    }

    static func ranges() -> [CMTimeRange] {
        let whole = CMTimeRange(start: .zero, duration: CMTime(value: 10, timescale: 1))
        let part = CMTimeRangeMake(start: CMTime(value: 2, timescale: 1), duration: CMTime(value: 3, timescale: 1))
        let span = CMTimeRange(start: .zero, end: part.end)
        return [
            whole.intersection(part), whole.union(part), span, CMTimeRangeFromTimeToTime(start: .zero, end: part.start),
        ]
    }

    static func ordered(_ times: [CMTime]) -> [CMTime] { times.filter { $0 > .zero && $0 != .invalid }.sorted() }
}
