import AudioCore
import Dispatch
import Foundation
import Synchronization

/// Hears what the recorder hears, and when.
final class Witness: CaptureSink, @unchecked Sendable {
    // Unchecked: the device thread writes storage beyond `count` and `markCount`, which it then publishes; readers look
    // below them only.
    let sampleRate: Double
    private let samples: UnsafeMutableBufferPointer<Float>
    /// When how many frames had come.
    private let marks: UnsafeMutableBufferPointer<(time: Double, frames: Int)>
    private let published = Atomic<Int>(0)
    private let publishedMarks = Atomic<Int>(0)

    init(sampleRate: Double, seconds: Double) {
        self.sampleRate = sampleRate
        samples = .allocate(capacity: Int(sampleRate * seconds))
        marks = .allocate(capacity: Int(1000 * seconds))
    }

    deinit {
        samples.deallocate()
        marks.deallocate()
    }

    /// Seconds of the clock by which witnesses and killers go.
    static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    var count: Int { published.load(ordering: .acquiring) }

    func capture(_ frames: UnsafeRawPointer, frames count: Int) -> Int {
        let before = published.load(ordering: .relaxed)
        let mark = publishedMarks.load(ordering: .relaxed)
        guard before + count <= samples.count, mark < marks.count else { return count }
        UnsafeMutableRawBufferPointer(samples).baseAddress?
            .advanced(by: before * 4)
            .copyMemory(from: frames, byteCount: count * 4)
        marks[mark] = (Self.now, before + count)
        published.store(before + count, ordering: .releasing)
        publishedMarks.store(mark + 1, ordering: .releasing)
        return count
    }

    func lost(frames: Int) {}

    /// What it heard, all of it.
    var heard: UnsafeBufferPointer<Float> { UnsafeBufferPointer(rebasing: samples[..<count]) }

    /// Frames that had sounded at a moment, by the fastest of the deliveries within half a second of it; so this is what
    /// could have been heard, with no delay of the server and the system counted in the recorder's favour.
    func sounded(at time: Double) -> Double {
        var most = 0.0
        for index in 0..<publishedMarks.load(ordering: .acquiring) {
            let mark = marks[index]
            guard abs(mark.time - time) < 0.5 else { continue }
            most = max(most, Double(mark.frames) + (time - mark.time) * sampleRate)
        }
        return most
    }

    /// Frames that had come at a moment.
    func delivered(at time: Double) -> Int {
        var last = 0
        for index in 0..<publishedMarks.load(ordering: .acquiring) {
            let mark = marks[index]
            if mark.time <= time { last = mark.frames }
        }
        return last
    }
}
