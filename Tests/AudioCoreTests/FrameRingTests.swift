import AudioCore
import Foundation
import Testing

@Suite struct FrameRingTests {
    @Test func capacityIsRoundedUpAndNeverExceeded() {
        let ring = FrameRing(minimumCapacity: 5, channelCount: 2)
        #expect(ring.capacity == 8)
        let frames = (0..<20).map { Float($0) }
        #expect(frames.withUnsafeBytes { raw in raw.baseAddress.map { ring.write($0, frames: 10) } } == 8)
        #expect(ring.count == 8)
        var out = [Float](repeating: -1, count: 6)
        #expect(out.withUnsafeMutableBytes { raw in raw.baseAddress.map { ring.read(into: $0, frames: 3) } } == 3)
        #expect(out == [0, 1, 2, 3, 4, 5])
        #expect(ring.count == 5)
    }

    @Test func wrapsInOrder() {
        let ring = FrameRing(minimumCapacity: 8, channelCount: 1)
        var next: Float = 0
        var expected: Float = 0
        for round in 0..<100 {
            let count = 1 + round % 7
            let input = (0..<count).map { next + Float($0) }
            let written = input.withUnsafeBytes { raw in raw.baseAddress.map { ring.write($0, frames: count) } ?? 0 }
            next += Float(written)
            var output = [Float](repeating: -1, count: count)
            let read = output.withUnsafeMutableBytes { raw in
                raw.baseAddress.map { ring.read(into: $0, frames: count) } ?? 0
            }
            for index in 0..<read {
                #expect(output[index] == expected)
                expected += 1
            }
        }
        #expect(expected == next && next > 300)
    }

    /// One thread writes a counting sequence in uneven pieces, another reads it in other uneven pieces.
    @Test func twoThreadsPassACountingSequence() throws {
        let ring = FrameRing(minimumCapacity: 256, channelCount: 2)
        let total = 400_000
        let producer = Thread {
            var sent = 0
            var piece = [Float](repeating: 0, count: 2 * 97)
            while sent < total {
                let count = min(1 + sent % 97, total - sent)
                for frame in 0..<count {
                    piece[2 * frame] = Float((sent + frame) & 0xFFFF)
                    piece[2 * frame + 1] = -piece[2 * frame]
                }
                let written = piece.withUnsafeBytes { raw in
                    raw.baseAddress.map { ring.write($0, frames: count) } ?? 0
                }
                if written == 0 { sched_yield() }
                sent += written
            }
        }
        producer.start()
        var received = 0
        var wrong = 0
        var piece = [Float](repeating: 0, count: 2 * 131)
        let deadline = Date(timeIntervalSinceNow: 30)
        while received < total, Date() < deadline {
            let count = piece.withUnsafeMutableBytes { raw in
                raw.baseAddress.map { ring.read(into: $0, frames: 1 + received % 131) } ?? 0
            }
            if count == 0 { sched_yield() }
            for frame in 0..<count {
                let expected = Float((received + frame) & 0xFFFF)
                if piece[2 * frame] != expected || piece[2 * frame + 1] != -expected { wrong += 1 }
            }
            received += count
        }
        #expect(received == total && wrong == 0)
        #expect(ring.count == 0)
    }
}
