import AudioCore
import Foundation
import Synchronization
import Testing

@Suite("CaptureQueue")
struct CaptureQueueTests {
    static func queue(near: Int, far: Int) -> CaptureQueue {
        CaptureQueue(
            channelCount: 1,
            nearFrames: near,
            farFrames: far,
            meter: LevelMeter(channelCount: 1, sampleRate: 48_000),
            wake: {}
        )
    }

    static func ramp(_ start: Int, _ count: Int) -> [Float] { (start..<start + count).map { Float($0) } }

    static func read(_ queue: CaptureQueue, _ frames: Int) -> [Float] {
        var result = [Float](repeating: -1, count: frames)
        let count = result.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { queue.read(into: $0, frames: frames) } ?? 0
        }
        return Array(result.prefix(count))
    }

    static func write(_ queue: CaptureQueue, _ samples: [Float]) -> Int {
        samples.withUnsafeBytes { bytes in
            bytes.baseAddress.map { queue.capture($0, frames: samples.count) } ?? 0
        }
    }

    @Test("frames come out in order, through both rings")
    func order() {
        let queue = Self.queue(near: 8, far: 64)
        #expect(Self.write(queue, Self.ramp(0, 20)) == 20)
        #expect(queue.count == 20)
        #expect(Self.read(queue, 5) == Self.ramp(0, 5))
        // The near ring has room again, but what comes now must wait behind the far ring.
        #expect(Self.write(queue, Self.ramp(20, 4)) == 4)
        var all: [Float] = []
        while true {
            let part = Self.read(queue, 7)
            if part.isEmpty { break }
            all += part
        }
        #expect(all == Self.ramp(5, 19))
        #expect(Self.write(queue, Self.ramp(24, 3)) == 3)
        #expect(Self.read(queue, 10) == Self.ramp(24, 3))
    }

    @Test("what does not fit is refused, and a gap says where it is missing")
    func gap() {
        let queue = Self.queue(near: 8, far: 16)
        #expect(Self.write(queue, Self.ramp(0, 30)) == 24)
        queue.lost(frames: 6)
        #expect(queue.nextGap == nil, "a gap is told with the frame behind it")
        #expect(Self.read(queue, 24).count == 8)
        #expect(Self.read(queue, 24).count == 16)
        #expect(Self.write(queue, Self.ramp(30, 2)) == 2)
        #expect(queue.nextGap == CaptureQueue.Gap(position: 24, frames: 6))
        queue.removeGap()
        #expect(queue.nextGap == nil)
        #expect(Self.read(queue, 4) == Self.ramp(30, 2))
    }

    @Test("losses one after the other are one gap, and none is forgotten when the list is full")
    func manyGaps() {
        let queue = Self.queue(near: 1024, far: 1024)
        for index in 0..<400 {
            queue.lost(frames: 1)
            queue.lost(frames: 2)
            #expect(Self.write(queue, Self.ramp(index, 1)) == 1)
        }
        var lost: Int64 = 0
        var position: Int64 = -1
        while let gap = queue.nextGap {
            #expect(gap.position > position)
            position = gap.position
            lost += gap.frames
            queue.removeGap()
        }
        // The list was full after 256: the rest is told with the next frame.
        #expect(lost == 256 * 3)
        #expect(Self.write(queue, [0]) == 1)
        #expect(queue.nextGap == CaptureQueue.Gap(position: 400, frames: 144 * 3))
    }

    @Test("a counter runs through unbroken on two threads", arguments: [1, 7, 480])
    func twoThreads(block: Int) async {
        let queue = Self.queue(near: 64, far: 4096)
        let total = 200_000
        let producer = Thread {
            var next = 0
            while next < total {
                let samples = Self.ramp(next, min(block, total - next))
                var done = 0
                while done < samples.count {
                    done += Self.write(queue, Array(samples[done...]))
                    if done < samples.count { sched_yield() }
                }
                next += samples.count
            }
        }
        producer.start()
        var expected = 0
        var wrong = 0
        while expected < total {
            let part = Self.read(queue, 333)
            if part.isEmpty {
                sched_yield()
                continue
            }
            for sample in part {
                if sample != Float(expected) { wrong += 1 }
                expected += 1
            }
        }
        #expect(wrong == 0)
    }
}
