import AudioCore
import DevicePulse
import Dispatch
import Foundation
import Synchronization
import TestSupport

/// A real sound server that plays noise into a sink, and witnesses that hear its monitor beside the recorder.
final class Room: Sendable {
    private static let noiseRate = 44_100.0

    let server: PrivatePulseServer
    /// By the rate at which they listen.
    let witnesses: [Double: Witness]
    private let streams: [any DeviceStream]
    private let begin = Date()

    init(rates: Set<Double>, seed: UInt64) throws {
        server = try PrivatePulseServer(modules: [
            PrivatePulseServer.nullSink("room", rate: Int(Self.noiseRate), channels: 1)
        ])
        let host = PulseHost(applicationName: "kayit tests", serverAddress: server.address)
        let speaker = try host.openPlayback(
            StreamRequest(
                sampleRate: Self.noiseRate,
                channelCount: 1,
                deviceID: "room",
                fragment: .milliseconds(1000),
                title: "noise"
            ),
            source: NoiseSource(sampleRate: Self.noiseRate, seed: seed),
            events: { _ in }
        )
        var streams: [any DeviceStream] = [speaker]
        var witnesses: [Double: Witness] = [:]
        for rate in rates {
            let witness = Witness(sampleRate: rate, seconds: Self.lifetime + 60)
            streams.append(
                try host.openCapture(
                    StreamRequest(sampleRate: rate, channelCount: 1, deviceID: "room.monitor", title: "witness"),
                    sink: witness,
                    events: { _ in }
                )
            )
            witnesses[rate] = witness
        }
        for stream in streams { try stream.start() }
        self.streams = streams
        self.witnesses = witnesses
    }

    deinit {
        for stream in streams { stream.close() }
        server.kill()
    }

    /// Seconds after which a new one is wanted: witnesses keep all that they hear.
    private static let lifetime = 150.0

    var isOld: Bool { Date().timeIntervalSince(begin) > Self.lifetime }
}

/// Noise below about 2 kHz, which every codec keeps in shape and which resembles itself at no other place.
private final class NoiseSource: PlaybackSource, @unchecked Sendable {
    // Unchecked: `position` is touched by the device thread only.
    private let noise: [Float]
    private var position = 0

    /// Half a minute: longer than any distance at which places are compared.
    init(sampleRate: Double, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keep = Float(exp(-2 * Double.pi * 1200 / sampleRate))
        var stages = [Float](repeating: 0, count: 4)
        noise = (0..<Int(30 * sampleRate)).map { _ in
            var value = Float.random(in: -1...1, using: &random)
            for stage in stages.indices {
                stages[stage] = keep * stages[stage] + (1 - keep) * value
                value = stages[stage]
            }
            return min(max(2 * value, -0.9), 0.9)
        }
    }

    func render(into samples: UnsafeMutableRawPointer, frames: Int) -> RenderResult {
        let output = samples.assumingMemoryBound(to: Float.self)
        noise.withUnsafeBufferPointer { noise in
            var frame = 0
            while frame < frames {
                output[frame] = noise[position]
                position = position + 1 == noise.count ? 0 : position + 1
                frame += 1
            }
        }
        return RenderResult(frames: frames, isLast: false)
    }
}

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
}
