import AudioCore
import DevicePulse
import Foundation
import Synchronization
import TestSupport
import Testing

/// What only a real server can show.
@Suite(.serialized) struct PulseServerTests {
    private func request(_ id: String? = nil, channels: Int = 1) -> StreamRequest {
        StreamRequest(sampleRate: 44_100, channelCount: channels, deviceID: id, title: "test")
    }

    /// Seconds that `body` took.
    private func time(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    @Test("No server: at once, with what to install or start")
    func noServer() throws {
        let host = PulseHost(applicationName: "test", serverAddress: "unix:/nonexistent/socket")
        let seconds = time {
            let failure = #expect(throws: AudioFailure.self) { _ = try host.devices() }
            #expect(failure?.code == .serverUnavailable)
            #expect(failure?.message.contains("pipewire-pulse") == true)
        }
        #expect(seconds < 0.5)
    }

    @Test("A server that takes the connection and says nothing: within two seconds, for every call")
    func frozenServer() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let connected = PulseHost(applicationName: "test", serverAddress: server.address)
        let stream = try connected.openCapture(request(), sink: RecordingSink()) { _ in }
        try stream.start()
        server.freeze(true)
        let fresh = PulseHost(applicationName: "test", serverAddress: server.address)
        for host in [connected, fresh] {
            let seconds = time {
                let failure = #expect(throws: AudioFailure.self) { _ = try host.devices() }
                #expect(failure?.code == .serverUnavailable)
            }
            #expect(seconds < 2)
        }
        #expect(time { #expect(throws: AudioFailure.self) { try stream.pause() } } < 2)
        #expect(time { stream.close() } < 0.1)
        server.freeze(false)
        #expect(try !connected.devices().isEmpty)
        #expect(try !fresh.devices().isEmpty)
    }

    @Test("No source at all: deviceUnavailable, and well again when one appears")
    func noSource() throws {
        let server = try PrivatePulseServer()
        let host = PulseHost(applicationName: "test", serverAddress: server.address)
        let failure = #expect(throws: AudioFailure.self) {
            _ = try host.openCapture(request(), sink: RecordingSink()) { _ in }
        }
        #expect(failure?.code == .deviceUnavailable)
        try server.addNullSink("late")
        let stream = try host.openCapture(request(), sink: RecordingSink()) { _ in }
        #expect(stream.device?.id == "late.monitor")
        stream.close()
    }

    @Test(
        "A prepared stream has its first frame within 50 ms, also from a device that sleeps",
        arguments: [false, true]
    )
    func promptStart(_ sleeps: Bool) throws {
        var modules = [PrivatePulseServer.nullSink("loop")]
        if sleeps { modules.append("module-suspend-on-idle timeout=1") }
        let server = try PrivatePulseServer(modules: modules)
        let host = PulseHost(applicationName: "test", serverAddress: server.address)
        // The middle one of three: a machine that is busy with builds is late now and then by itself.
        let delays = try (0..<3).map { _ in
            let sink = RecordingSink()
            let stream = try host.openCapture(request("loop.monitor"), sink: sink) { _ in }
            defer { stream.close() }
            if sleeps {
                #expect(try eventually { try server.control("list", "short", "sources").contains("SUSPENDED") })
            } else {
                Thread.sleep(forTimeInterval: 0.3)
            }
            let start = Int64(DispatchTime.now().uptimeNanoseconds)
            try stream.start()
            #expect(eventually(within: 1) { sink.count > 0 })
            return Double(sink.firstFrameTime - start) / 1e6
        }
        #expect(delays.sorted()[1] < 50, "milliseconds to the first frame: \(delays)")
    }

    @Test("A beep that ends 50 ms before the pause is there, and the pause keeps what was heard, no more")
    func beepBeforePause() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let host = PulseHost(applicationName: "test", serverAddress: server.address)
        let rate = 44_100.0
        let sink = RecordingSink()
        let capture = try host.openCapture(request("loop.monitor"), sink: sink) { _ in }
        let source = ToneSource(sampleRate: rate, length: Int(rate * 0.05))
        let events = EventLog()
        let playback = try host.openPlayback(request("loop"), source: source) { events.append($0) }
        try capture.start()
        Thread.sleep(forTimeInterval: 0.3)
        try playback.start()
        // The monitor hears within the latency of the sink: the beep of 50 ms is over 100 ms later at most.
        Thread.sleep(forTimeInterval: 0.1)
        let called = DispatchTime.now()
        try capture.pause()
        let taken = Double(DispatchTime.now().uptimeNanoseconds - called.uptimeNanoseconds) / 1e9
        #expect(taken < 0.4)
        let heard = sink.samples()
        let first = try #require(Measure.onset(heard))
        let last = try #require(heard.lastIndex { abs($0) > 0.01 })
        #expect(abs(Double(last - first) / rate - 0.05) < 0.005)
        // Nothing of the time up to the call is missing, and at most some 20 ms too many are there.
        #expect(abs(Double(heard.count - last) / rate - 0.05) < 0.03)
        let count = sink.count
        Thread.sleep(forTimeInterval: 0.15)
        #expect(sink.count == count)
        try capture.start()
        Thread.sleep(forTimeInterval: 0.2)
        capture.close()
        playback.close()
    }

    @Test("Two streams at once, each with its own rate")
    func twoStreams() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let host = PulseHost(applicationName: "test", serverAddress: server.address)
        let sinks = [RecordingSink(), RecordingSink()]
        let source = ToneSource(frequency: 1000, sampleRate: 44_100)
        let playback = try host.openPlayback(request("loop"), source: source) { _ in }
        let rates = [16_000.0, 48_000]
        let streams = try zip(rates, sinks).map { rate, sink in
            try host.openCapture(
                StreamRequest(sampleRate: rate, channelCount: 1, deviceID: "loop.monitor", title: "test"),
                sink: sink
            ) { _ in }
        }
        try playback.start()
        for stream in streams { try stream.start() }
        Thread.sleep(forTimeInterval: 0.8)
        for (rate, sink) in zip(rates, sinks) {
            let heard = sink.last(Int(rate * 0.4))
            #expect(abs(Measure.frequency(heard, near: 1000, sampleRate: rate) - 1000) < 0.5)
        }
        for stream in streams { stream.close() }
        playback.close()
    }

    @Test("Fifty streams closed in the middle of their callbacks, and fifty dropped without a close")
    func closeDuringCallbacks() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let host = PulseHost(applicationName: "test", serverAddress: server.address)
        for round in 0..<100 {
            let sink = RecordingSink(capacity: 48_000)
            let source = ToneSource(sampleRate: 44_100)
            var quick = request("loop.monitor")
            quick.fragment = .milliseconds(2)
            let capture = try host.openCapture(quick, sink: sink) { _ in }
            let playback = try host.openPlayback(request("loop"), source: source) { _ in }
            try capture.start()
            try playback.start()
            Thread.sleep(forTimeInterval: Double(round % 7) / 1000)
            if round % 2 == 0 {
                capture.close()
                playback.close()
                let (count, calls) = (sink.count, source.calls)
                Thread.sleep(forTimeInterval: 0.005)
                #expect(sink.count == count && source.calls == calls)
            }
        }
        #expect(eventually { (try? server.control("list", "short", "source-outputs"))?.isEmpty == true })
        #expect(try server.control("list", "short", "sink-inputs").isEmpty)
    }

    @Test("Latency is near what was asked, and the device's time runs on in a pause")
    func latencyAndTime() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let host = PulseHost(applicationName: "test", serverAddress: server.address)
        let source = ToneSource(sampleRate: 44_100)
        let playback = try host.openPlayback(request("loop"), source: source) { _ in }
        #expect(playback.latency() == 0)
        try playback.start()
        Thread.sleep(forTimeInterval: 0.5)
        let latency = playback.latency().seconds(at: 44_100)
        #expect(latency > 0.01 && latency < 0.12)
        // What was heard is what was rendered, less the latency.
        let heard = Double(source.rendered) / 44_100 - playback.latency().seconds(at: 44_100)
        #expect(abs(heard - 0.5) < 0.08)
        try playback.pause()
        let time = playback.deviceTime
        Thread.sleep(forTimeInterval: 0.1)
        #expect(abs(playback.deviceTime - time - 0.1) < 0.05)
        let rendered = source.rendered
        try playback.flush()
        try playback.start()
        #expect(source.rendered > rendered)
        playback.close()
    }

    @Test("What the server dropped while the program stood still is told as lost, in the right number")
    func serverOverflow() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let host = PulseHost(applicationName: "test", serverAddress: server.address)
        // 3 MB each second: the server's queue of 4 MiB holds 1.4 s.
        let rate = 96_000.0
        let request = StreamRequest(sampleRate: rate, channelCount: 8, deviceID: "loop.monitor", title: "test")
        let sink = StallingSink(atFrame: Int(rate / 2), seconds: 3)
        let events = EventLog()
        let stream = try host.openCapture(request, sink: sink) { events.append($0) }
        let start = DispatchTime.now()
        try stream.start()
        let overflow = events.wait(within: 10) { if case .overflow = $0 { true } else { false } }
        try stream.pause()
        let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        stream.close()
        guard case .overflow(let frames?)? = overflow else {
            Issue.record("Nothing was told: \(events.all)")
            return
        }
        #expect(frames.value == Int64(sink.lostFrames) && frames.value > Int64(rate * 0.5))
        #expect(abs(Double(sink.count + sink.lostFrames) / rate - elapsed) < 0.1)
    }

    @Test("Frames that the sink refuses are told as lost, in the right number")
    func refusedFramesAreTold() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let host = PulseHost(applicationName: "test", serverAddress: server.address)
        let sink = RecordingSink(capacity: 4410)
        let stream = try host.openCapture(request("loop.monitor"), sink: sink) { _ in }
        try stream.start()
        Thread.sleep(forTimeInterval: 0.4)
        try stream.pause()
        #expect(sink.count == 4410)
        #expect(abs(Double(sink.count + sink.lostFrames) / 44_100 - 0.4) < 0.08)
        stream.close()
    }
}

/// Blocks the device thread once, as a program that is stopped does.
private final class StallingSink: CaptureSink {
    private let stallFrame: Int
    private let seconds: Double
    private let heard = Atomic<Int>(0)
    private let missing = Atomic<Int>(0)
    private let hasStalled = Atomic<Bool>(false)

    init(atFrame stallFrame: Int, seconds: Double) {
        self.stallFrame = stallFrame
        self.seconds = seconds
    }

    var count: Int { heard.load(ordering: .acquiring) }
    var lostFrames: Int { missing.load(ordering: .acquiring) }

    func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        heard.add(frames, ordering: .releasing)
        if count > stallFrame, !hasStalled.exchange(true, ordering: .relaxed) { Thread.sleep(forTimeInterval: seconds) }
        return frames
    }

    func lost(frames: Int) { missing.add(frames, ordering: .releasing) }
}
