import AudioCore
import Synchronization
import TestSupport
import Testing

@Suite struct CaptureClockTests {
    @Test("what is missing is what the time was longer than the frames, whatever the deliveries' lateness")
    func missing() {
        var clock = CaptureClock(sampleRate: 48_000)
        var random = SeededGenerator(seed: 3)
        var time = 0.0
        for _ in 0..<500 {
            time += 0.02
            let late = Double(random.next() % 1000) / 1e6 * 8
            clock.delivered(960, at: Int64((time + late) * 1e9))
        }
        #expect(clock.missing(at: Int64((time + 0.001) * 1e9)) < 96)
        // Away for 1.5 s; the next 960 frames were heard in the last 20 ms of that.
        let missing = clock.missing(960, at: Int64((time + 1.52) * 1e9))
        #expect(abs(missing - 72_000) < 48, "\(missing)")
        clock.lost(missing)
        #expect(clock.missing(960, at: Int64((time + 1.52) * 1e9)) == 0)
    }

    @Test("hours of drift are not missing", arguments: [100.0, -100])
    func drift(_ partsPerMillion: Double) {
        var clock = CaptureClock(sampleRate: 48_000)
        var time = 0.0
        for _ in 0..<360_000 {
            time += 0.02 / (1 + partsPerMillion / 1e6)
            clock.delivered(960, at: Int64(time * 1e9))
        }
        #expect(clock.missing(at: Int64(time * 1e9)) < 48)
    }

    @Test("before the first frame nothing is missing, and a clock that goes back finds nothing")
    func start() {
        var clock = CaptureClock(sampleRate: 48_000)
        #expect(clock.missing(100, at: 1_000_000_000) == 0)
        clock.delivered(480, at: 5_000_000_000)
        #expect(clock.missing(at: 1_000_000_000) == 0)
    }
}

@Suite struct CaptureFilterTests {
    static let rate = 8_000.0

    let queue: CaptureQueue

    init() {
        queue = CaptureQueue(
            channelCount: 1,
            nearFrames: 100_000,
            farFrames: 100_000,
            meter: LevelMeter(channelCount: 1, sampleRate: Self.rate),
            wake: {}
        )
    }

    func filter(_ now: @escaping @Sendable () -> HostTime, channels: Int = 1) -> CaptureFilter {
        CaptureFilter(queue, inputChannels: channels, selection: .automatic, sampleRate: Self.rate, now: now)
    }

    @Test("a microphone that was away leaves a gap of its absence, at its place and with the reason")
    func gap() {
        let clock = SettableClock()
        let filter = filter({ clock.now })
        let tone = [Float](repeating: 0.5, count: 800)
        for _ in 0..<10 {
            clock.advance(0.1)
            #expect(filter.capture(tone, frames: 800) == 800)
        }
        filter.expectGap(.deviceLost)
        clock.advance(2.5)
        #expect(filter.capture(tone, frames: 800) == 800)
        clock.advance(0.1)
        #expect(filter.capture(tone, frames: 800) == 800)
        #expect(queue.nextGap == CaptureQueue.Gap(position: 8_000, frames: 19_200, reason: .deviceLost))
        queue.removeGap()
        #expect(queue.nextGap == nil)
        #expect(filter.heardFrames == 9_600)
    }

    @Test("less than the tolerance is no gap; a pause is none; an end in absence is one")
    func others() {
        let clock = SettableClock()
        let filter = filter({ clock.now })
        let tone = [Float](repeating: 0.5, count: 800)
        func hear(after seconds: Double) {
            clock.advance(seconds)
            _ = filter.capture(tone, frames: 800)
        }
        hear(after: 0.1)
        filter.expectGap(.deviceLost, beyond: .milliseconds(50))
        hear(after: 0.14)
        filter.startOver()
        hear(after: 10)
        #expect(queue.nextGap == nil)
        filter.expectGap(.deviceLost, beyond: .milliseconds(50))
        hear(after: 0.2)
        #expect(queue.nextGap?.frames == 800)
        queue.removeGap()
        clock.advance(1)
        filter.endWithGap(.suspended)
        queue.endDelivery()
        #expect(queue.nextGap?.frames == 8_000 && queue.nextGap?.reason == .suspended)
    }

    @Test("what the layer below lost has the reason that was expected, once")
    func reasons() {
        let clock = SettableClock()
        let filter = filter({ clock.now })
        let tone = [Float](repeating: 0.5, count: 80)
        _ = filter.capture(tone, frames: 80)
        filter.expectLoss(.suspended)
        for _ in 0..<2 {
            filter.lost(frames: 10)
            _ = filter.capture(tone, frames: 80)
        }
        #expect(queue.nextGap?.reason == .suspended)
        queue.removeGap()
        #expect(queue.nextGap?.reason == .overrun)
    }

    @Test("a stereo microphone with a dead channel gives a mono recording at full level, and the dead channel is told")
    func deadChannel() {
        let clock = SettableClock()
        let filter = filter({ clock.now }, channels: 2)
        let frames = (0..<800).flatMap { frame -> [Float] in [frame % 2 == 0 ? 0.5 : -0.5, 0] }
        for _ in 0..<40 {
            clock.advance(0.1)
            #expect(filter.capture(frames, frames: 800) == 800)
        }
        var heard = [Float](repeating: .nan, count: 32_000)
        #expect(queue.read(into: &heard, frames: 32_000) == 32_000)
        #expect(heard.allSatisfy { abs($0) == 0.5 })
        #expect(filter.takeChanges() == [.dead(channel: 1, true)])
        #expect(filter.takeChanges().isEmpty)
    }

    @Test("where the queue is full, the rest is refused and offered again without a loss")
    func refusal() {
        let queue = CaptureQueue(
            channelCount: 1,
            nearFrames: 64,
            farFrames: 64,
            meter: LevelMeter(channelCount: 1, sampleRate: Self.rate),
            wake: {}
        )
        let filter = CaptureFilter(queue, inputChannels: 2, selection: .right, sampleRate: Self.rate) {
            HostTime(nanoseconds: 0)
        }
        let samples = (0..<200).flatMap { [Float(-1), Float($0) / 256] }
        var done = 0
        var heard: [Float] = []
        while done < 200 {
            done += samples.withUnsafeBytes { bytes in
                bytes.baseAddress.map { filter.capture($0 + done * 8, frames: 200 - done) } ?? 0
            }
            var piece = [Float](repeating: 0, count: 128)
            var count = queue.read(into: &piece, frames: 128)
            if count == 0 { break }
            while count > 0 {
                heard += piece.prefix(count)
                count = queue.read(into: &piece, frames: 128)
            }
        }
        #expect(heard.count == 200)
        #expect(zip(heard, 0..<200).allSatisfy { $0 == Float($1) / 256 })
    }
}

/// A clock that the test sets.
private final class SettableClock: Sendable {
    private let nanoseconds = Atomic<Int64>(1_000_000_000)
    var now: HostTime { HostTime(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
    func advance(_ seconds: Double) { nanoseconds.add(Int64((seconds * 1e9).rounded()), ordering: .relaxed) }
}
