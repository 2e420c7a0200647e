import AudioCore
import AudioSimulation
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite
struct VirtualTimeTests {
    private static let microphone = "simulated.microphone"

    private func host(
        _ signal: SimulatedSignal,
        time: SimulatedConfiguration.Time = .stepped,
        _ change: (inout SimulatedConfiguration) -> Void = { _ in }
    ) -> SimulatedHost {
        var configuration = SimulatedConfiguration()
        configuration.time = time
        configuration.devices[0].signal = signal
        change(&configuration)
        return SimulatedHost(configuration)
    }

    private func request(_ rate: Double = 44_100, channels: Int = 1) -> StreamRequest {
        StreamRequest(sampleRate: rate, channelCount: channels, title: "test")
    }

    @Test("Frames are the time times the rate, whatever the bursts", arguments: [8_000.0, 11_025, 44_100, 48_000])
    func exactCount(_ rate: Double) throws {
        let host = host(.counter) { $0.bursts = [.milliseconds(3), .microseconds(7_777), .milliseconds(41)] }
        let sink = RecordingSink(capacity: 500_000)
        let stream = try host.openCapture(request(rate), sink: sink) { _ in }
        try stream.start()
        host.clock.advance(by: .milliseconds(3_333))
        #expect(sink.count == Int(rate * 3.333))
        host.clock.advance(by: .milliseconds(1_667))
        try stream.pause()
        #expect(sink.count == Int(rate * 5))
        host.clock.advance(by: .seconds(1))
        #expect(sink.count == Int(rate * 5))
        try stream.start()
        host.clock.advance(by: .milliseconds(500))
        let heard = sink.samples()
        #expect(heard.count == Int(rate * 5.5))
        // Every frame once and in order, over the pause too.
        let firstWrong = heard.indices.first { heard[$0] != Float($0) / Float(1 << 24) }
        #expect(firstWrong == nil)
    }

    @Test("A sink that takes little at a time loses nothing: time waits for it", arguments: [true, false])
    func backpressure(_ steps: Bool) throws {
        let host = host(.counter, time: steps ? .stepped : .free)
        let sink = NarrowSink()
        let stream = try host.openCapture(request(), sink: sink) { _ in }
        try stream.start()
        #expect(host.clock.advance(by: .seconds(20)))
        try stream.pause()
        #expect(sink.count >= 44_100 * 20)
        #expect(sink.isContiguous)
        #expect(sink.refusals > 0)
    }

    @Test("Time that cannot go on is said after the limit")
    func stall() throws {
        let host = host(.silence)
        let stream = try host.openCapture(request(), sink: RecordingSink(capacity: 100)) { _ in }
        try stream.start()
        #expect(!host.clock.advance(by: .seconds(1), limit: .milliseconds(100)))
        // A stalled stream can be paused and closed.
        try stream.pause()
        stream.close()
        #expect(host.clock.advance(by: .seconds(1)))
    }

    @Test("The same seed gives the same voice, another seed another one")
    func determinism() throws {
        func record(_ seed: UInt64) throws -> [Float] {
            let host = host(.voice(seed: seed))
            let sink = RecordingSink(capacity: 200_000)
            let stream = try host.openCapture(request(), sink: sink) { _ in }
            try stream.start()
            host.clock.advance(by: .seconds(3))
            return sink.samples()
        }
        let first = try record(1)
        #expect(try record(1) == first)
        #expect(try record(2) != first)
        let peak = first.map(abs).max() ?? 0
        #expect(peak > 0.1 && peak <= 0.36)
        // Syllables and pauses.
        let windows = stride(from: 0, to: first.count - 2205, by: 2205).map {
            Measure.decibels(first[$0..<($0 + 2205)])
        }
        #expect(windows.contains { $0 < -60 } && windows.contains { $0 > -25 })
    }

    @Test("Faults come at their moment, to the frame")
    func faults() throws {
        let host = host(.counter)
        let sink = RecordingSink()
        let events = EventLog()
        let stream = try host.openCapture(request(48_000), sink: sink) { events.append($0) }
        host.schedule(.overflow(Self.microphone, frames: 480), at: HostTime(nanoseconds: 1_000_000_000))
        host.schedule(.suspend(Self.microphone, true), at: HostTime(nanoseconds: 2_000_000_000))
        host.schedule(.suspend(Self.microphone, false), at: HostTime(nanoseconds: 3_000_000_000))
        host.schedule(.mute(Self.microphone, true), at: HostTime(nanoseconds: 3_500_000_000))
        host.schedule(.vanish(Self.microphone), at: HostTime(nanoseconds: 4_000_000_000))
        try stream.start()
        host.clock.advance(by: .seconds(5))
        #expect(sink.count == 48_000 * 3 - 480)
        #expect(sink.lostFrames == 480)
        let heard = sink.samples()
        #expect(heard[47_999] == Float(47_999) / Float(1 << 24) && heard[48_000] == Float(48_480) / Float(1 << 24))
        #expect(heard.suffix(24_000).allSatisfy { $0 == 0 } && heard[119_000] != 0)
        let names = events.all.map { "\($0)".prefix { $0 != "(" } }
        #expect(names == ["overflow", "suspended", "suspended", "lost"])
        #expect(throws: AudioFailure.self) { try stream.start() }
    }

    @Test("Refusals: permission, formats, a device that is gone, a server that is gone")
    func refusals() throws {
        let host = host(.silence) { $0.acceptedRates = [48_000] }
        func code(_ rate: Double = 48_000) -> AudioFailure.Code? {
            do throws(AudioFailure) {
                try host.openCapture(request(rate), sink: RecordingSink(capacity: 1)) { _ in }.close()
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(44_100) == .unsupported)
        #expect(code() == nil)
        host.inject(.permissionDenied(true))
        #expect(code() == .permissionDenied)
        host.inject(.permissionDenied(false))
        #expect(code() == nil)
        host.inject(.vanish("simulated.speaker"))
        host.inject(.vanish(Self.microphone))
        #expect(code() == .deviceUnavailable)
        host.inject(.return(Self.microphone))
        #expect(code() == nil)
        host.inject(.serverLoss)
        #expect(code() == .serverUnavailable)
        host.inject(.serverReturn)
        #expect(code() == nil)
    }

    @Test("Sleepers wake in order, at their time, and time does not run past them")
    func sleepers() throws {
        let host = host(.silence, time: .free)
        let woken = Mutex<[Int64]>([])
        let threads = [Int64(3), 1, 2].map { seconds in
            let thread = Thread {
                host.clock.sleep(until: HostTime(nanoseconds: seconds * 1_000_000_000))
                woken.withLock { $0.append(host.clock.now.nanoseconds / 1_000_000_000) }
            }
            return thread
        }
        // The simulation begins to run with the first sleeper: a stalled stream holds it until all are there.
        let gate = GateSink()
        let stream = try host.openCapture(request(), sink: gate) { _ in }
        try stream.start()
        for thread in threads { thread.start() }
        Thread.sleep(forTimeInterval: 0.1)
        #expect(woken.withLock { $0.isEmpty })
        gate.open()
        #expect(eventually { woken.withLock { $0.count == 3 } })
        let order = woken.withLock { $0 }
        #expect(order == order.sorted())
        stream.close()
    }

    @Test("What is played is kept, and heard by the monitor")
    func playback() throws {
        let host = host(.silence)
        let source = ToneSource(sampleRate: 32_000, channelCount: 2, length: 32_000)
        let events = EventLog()
        let stream = try host.openPlayback(request(32_000, channels: 2), source: source) { events.append($0) }
        try stream.start()
        host.clock.advance(by: .milliseconds(1_005))
        #expect(events.all.isEmpty)
        host.clock.advance(by: .milliseconds(20))
        guard case .drained? = events.all.first, events.all.count == 1 else {
            Issue.record("Not drained once: \(events.all)")
            return
        }
        let track = try #require(host.tracks.first)
        #expect(track.frameCount == 32_000)
        let left = stride(from: 0, to: track.samples.count, by: 2).map { track.samples[$0] }
        #expect(abs(Measure.frequency(left, near: 440, sampleRate: 32_000) - 440) < 0.01)
    }

    @Test("An hour of an unhurried device takes a moment")
    func speed() throws {
        let host = host(.sine(frequency: 440, amplitude: 0.5))
        let sink = CountingSink()
        let stream = try host.openCapture(request(), sink: sink) { _ in }
        try stream.start()
        let start = DispatchTime.now().uptimeNanoseconds
        #expect(host.clock.advance(by: .seconds(3600)))
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        #expect(sink.count.load(ordering: .relaxed) == 3600 * 44_100)
        // Debug builds and busy machines: the figure of a release build is a benchmark's.
        #expect(3600 / seconds > 100, "\(3600 / seconds) times real time")
    }
}

/// Refuses everything every 997th time.
private final class NarrowSink: CaptureSink, @unchecked Sendable {
    // Unchecked: written by the simulation under its lock, read when the stream is paused.
    private(set) var count = 0
    private(set) var isContiguous = true
    private(set) var refusals = 0
    private var calls = 0

    func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        calls += 1
        if calls % 997 == 0 {
            refusals += 1
            return 0
        }
        for frame in 0..<frames {
            let value = samples.load(fromByteOffset: 4 * frame, as: Float.self)
            if value != Float((count + frame) & 0xFF_FFFF) / Float(1 << 24) { isContiguous = false }
        }
        count += frames
        return frames
    }

    func lost(frames: Int) { isContiguous = false }
}

/// Takes nothing until it is opened.
private final class GateSink: CaptureSink {
    private let isOpen = Atomic<Bool>(false)

    func open() { isOpen.store(true, ordering: .releasing) }
    func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int { isOpen.load(ordering: .acquiring) ? frames : 0 }
    func lost(frames: Int) {}
}

private final class CountingSink: CaptureSink {
    let count = Atomic<Int>(0)

    func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        count.add(frames, ordering: .relaxed)
        return frames
    }

    func lost(frames: Int) {}
}
