import AudioCore
import Testing

@testable import DevicePulse

/// What is missing after a stop, by the frames and the clock alone.
@Suite("CaptureWatch")
struct CaptureWatchTests {
    /// Deliveries of 20 ms at 48 kHz with a timer beside them, in made-up time.
    private struct Flow {
        var watch = CaptureWatch()
        var now: UInt64 = 1_000_000
        var frames = 0
        var nextBeat: UInt64 = 1_000_000
        var losses: [CaptureWatch.Loss] = []

        /// - Parameter fragment: the time that passes before each delivery of 960 frames.
        mutating func deliver(_ count: Int, every fragment: UInt64 = 20_000) {
            for _ in 0..<count {
                now += fragment
                beat()
                frames += 960
                let loss = watch.delivered(frames, at: now, sampleRate: 48_000)
                if loss.frames > 0 { losses.append(loss) }
            }
        }

        /// The whole process stands still: no beat, no delivery.
        mutating func standStill(_ seconds: UInt64) {
            now += seconds * 1_000_000
            beat()
            nextBeat = now + CaptureWatch.beat
        }

        /// Only the deliveries stop.
        mutating func starve(_ seconds: UInt64) {
            let end = now + seconds * 1_000_000
            while now < end {
                now += 10_000
                beat()
            }
        }

        private mutating func beat() {
            guard now >= nextBeat else { return }
            watch.beat(at: now)
            nextBeat = now + CaptureWatch.beat
        }
    }

    /// Missing frames as seconds.
    private func seconds(_ losses: [CaptureWatch.Loss]) -> [Double] { losses.map { Double($0.frames) / 48_000 } }

    @Test("nothing is missing while frames come, early or late")
    func steady() {
        var flow = Flow()
        flow.deliver(100)
        flow.deliver(10, every: 300_000)
        flow.deliver(500, every: 19_000)
        #expect(flow.losses.isEmpty)
    }

    @Test("a machine that slept for an hour misses an hour, once, and the reason is its own")
    func slept() throws {
        var flow = Flow()
        flow.deliver(100)
        flow.standStill(3_600)
        flow.deliver(200)
        let loss = try #require(flow.losses.first)
        #expect(flow.losses.count == 1)
        #expect(abs(Double(loss.frames) / 48_000 - 3_600) < 0.05)
        #expect(loss.isOwnStandstill)
    }

    @Test("a server that stood still for ten seconds is not this process's sleep")
    func starved() throws {
        var flow = Flow()
        flow.deliver(100)
        flow.starve(10)
        flow.deliver(200)
        let loss = try #require(flow.losses.first)
        #expect(flow.losses.count == 1)
        #expect(abs(Double(loss.frames) / 48_000 - 10) < 0.05)
        #expect(!loss.isOwnStandstill)
    }

    @Test("what a server kept for a stopped process comes late and is not missing")
    func keptByTheServer() {
        var flow = Flow()
        flow.deliver(100)
        flow.standStill(8)
        // Eight seconds at once, then as usual.
        flow.deliver(400, every: 100)
        flow.deliver(200)
        #expect(flow.losses.isEmpty)
    }

    @Test("of twenty seconds stopped, of which a server kept twelve, eight are missing")
    func keptInPart() throws {
        var flow = Flow()
        flow.deliver(100)
        flow.standStill(20)
        flow.deliver(600, every: 100)
        flow.deliver(200)
        let loss = try #require(flow.losses.first)
        #expect(flow.losses.count == 1)
        #expect(abs(Double(loss.frames) / 48_000 - 8) < 0.1)
        #expect(loss.isOwnStandstill)
    }

    @Test("after one sleep, a stop of the server counts as the server's")
    func reasonsDoNotStick() throws {
        var flow = Flow()
        flow.deliver(100)
        flow.standStill(5)
        flow.deliver(200)
        flow.starve(5)
        flow.deliver(200)
        #expect(flow.losses.map(\.isOwnStandstill) == [true, false])
        #expect(seconds(flow.losses).allSatisfy { abs($0 - 5) < 0.1 })
    }
}
