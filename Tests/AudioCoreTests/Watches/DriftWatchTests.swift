import AudioCore
import TestSupport
import Testing

/// A device in virtual time: what comes when, by its own clock, in deliveries that are late as a busy machine makes them.
struct DrivenSource {
    var rate = 48_000.0
    /// Parts per million that the device's clock is fast.
    var drift = 0.0
    var fragment = 0.02
    var random = SeededGenerator(seed: 7)
    /// Seconds that the next deliveries are late, by their time.
    var lateness: (Double, inout SeededGenerator) -> Double = { _, _ in 0 }
    /// Frames that are left out at a time, once.
    var skips: [(time: Double, frames: Int)] = []
    /// Seconds of latency that the server adds from a time on.
    var addedLatency: (Double) -> Double = { _ in 0 }

    /// - Parameters:
    ///   - tellsLatency: whether the server says what it holds back.
    ///   - body: the time at which a delivery comes, its frames, what is pending then.
    mutating func run(_ seconds: Double, tellsLatency: Bool = true, _ body: (Int64, Int, Double?) -> Void) {
        let count = Int(rate * fragment)
        var captured = 0.0
        var lastCome = 0.0
        var skipped = 0
        while true {
            captured += Double(count)
            let frames = count
            let time = (captured + Double(skipped)) / (rate * (1 + drift / 1e6))
            if time > seconds { return }
            while let skip = skips.first, skip.time <= time {
                skips.removeFirst()
                skipped += skip.frames
            }
            let come = max(time + addedLatency(time) + lateness(time, &random), lastCome)
            lastCome = come
            let pending = tellsLatency ? (come - time) * rate : nil
            body(Int64(come * 1e9), frames, pending)
        }
    }
}

@Suite struct DriftWatchTests {
    /// What a watch finds in a run: when, and how many frames.
    func found(
        _ seconds: Double,
        tellsLatency: Bool = true,
        _ set: (inout DrivenSource) -> Void
    ) -> (losses: [(time: Double, frames: Int)], drift: Double?) {
        var source = DrivenSource()
        set(&source)
        var watch = DriftWatch(sampleRate: source.rate)
        var losses: [(time: Double, frames: Int)] = []
        source.run(seconds, tellsLatency: tellsLatency) { time, frames, pending in
            let missing = watch.delivered(frames, pending: pending, at: time)
            if missing > 0 { losses.append((Double(time) / 1e9, missing)) }
        }
        return (losses, watch.partsPerMillion)
    }

    @Test(
        "ten hours of a clock that is 100 parts per million off are no loss, and the drift is measured",
        arguments: [100.0, -100, 0]
    )
    func slowDrift(_ drift: Double) throws {
        let result = found(36_000, tellsLatency: drift < 0) { source in
            source.drift = drift
            // Mostly a few milliseconds late, now and then much.
            source.lateness = { _, random in
                random.next() % 500 == 0 ? 0.09 : Double(random.next() % 1000) / 1e6 * 4
            }
        }
        #expect(result.losses.isEmpty, "\(result.losses)")
        let measured = try #require(result.drift)
        #expect(abs(measured - drift) < 1, "\(measured) ppm")
    }

    @Test(
        "frames that a source leaves out are found within seven seconds, to two milliseconds",
        arguments: [15, 50, 400]
    )
    func skips(_ milliseconds: Int) throws {
        let frames = milliseconds * 48
        for tellsLatency in [true, false] {
            let result = found(120, tellsLatency: tellsLatency) { source in
                source.drift = 60
                source.lateness = { _, random in Double(random.next() % 1000) / 1e6 * 3 }
                source.skips = [(20, frames), (60, frames)]
            }
            #expect(result.losses.count == 2)
            for (loss, at) in zip(result.losses, [20.0, 60]) {
                #expect(loss.time > at && loss.time < at + 7)
                #expect(abs(loss.frames - frames) < 96, "\(loss.frames) instead of \(frames)")
            }
        }
    }

    @Test("a machine that is busy for four seconds, and deliveries that stand still for two, are no loss")
    func hiccups() {
        let result = found(120) { source in
            source.lateness = { time, random in
                if (30.0..<34).contains(time) { return 0.05 + Double(random.next() % 1000) / 1e6 * 50 }
                return (60.0..<62).contains(time) ? 62 - time : 0.001
            }
        }
        #expect(result.losses.isEmpty, "\(result.losses)")
    }

    @Test("a server that holds back more than before, and says so, has lost nothing")
    func latency() {
        let result = found(60) { $0.addedLatency = { $0 > 20 ? 0.08 : 0 } }
        #expect(result.losses.isEmpty, "\(result.losses)")
    }

    @Test("less than ten milliseconds is within the jitter")
    func small() {
        let result = found(60) { $0.skips = [(20, 48 * 6)] }
        #expect(result.losses.isEmpty, "\(result.losses)")
    }
}
