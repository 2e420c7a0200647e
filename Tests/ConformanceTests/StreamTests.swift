import AudioCore
import Foundation
import TestSupport
import Testing

/// What every device layer promises of its streams.
@Suite(.serialized) struct StreamTests {
    @Test("A stream comes back stopped, and frames flow between start and pause only", arguments: HarnessKind.allCases)
    func startAndPause(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        let sink = RecordingSink()
        let request = StreamRequest(sampleRate: 44_100, channelCount: 1, deviceID: harness.input, title: "test")
        let stream = try harness.host.openCapture(request, sink: sink) { _ in }
        harness.pass(0.15)
        #expect(sink.count == 0)
        #expect(stream.sampleRate == 44_100)
        #expect(stream.device?.id == harness.input)

        try stream.start()
        harness.pass(0.5)
        try stream.pause()
        let paused = sink.count
        #expect(abs(Double(paused) / 44_100 - 0.5) < 0.08)
        harness.pass(0.2)
        #expect(sink.count == paused)

        try stream.start()
        harness.pass(0.3)
        try stream.pause()
        #expect(abs(Double(sink.count - paused) / 44_100 - 0.3) < 0.08)

        try stream.start()
        harness.pass(0.05)
        stream.close()
        let closed = sink.count
        harness.pass(0.1)
        #expect(sink.count == closed)
    }

    @Test("A tone played is the tone heard", arguments: HarnessKind.allCases, [(8_000.0, 1), (44_100, 1), (48_000, 2)])
    func tone(_ kind: HarnessKind, _ format: (rate: Double, channels: Int)) throws {
        let harness = try kind.make()
        let sink = RecordingSink(channelCount: format.channels)
        let source = ToneSource(amplitude: 0.5, sampleRate: 44_100, channelCount: 2)
        // A machine that is busy with builds may be late: the buffer of a player, not of an instrument.
        let play = StreamRequest(
            sampleRate: 44_100,
            channelCount: 2,
            deviceID: harness.output,
            fragment: .milliseconds(100),
            title: "tone"
        )
        let hear = StreamRequest(
            sampleRate: format.rate,
            channelCount: format.channels,
            deviceID: harness.input,
            title: "test"
        )
        let playback = try harness.host.openPlayback(play, source: source) { _ in }
        let capture = try harness.host.openCapture(hear, sink: sink) { _ in }
        #expect(source.calls == 0)
        try playback.start()
        harness.pass(0.3)
        try capture.start()
        harness.pass(1)
        try capture.pause()
        for channel in 0..<format.channels {
            let heard = sink.last(Int(format.rate * 0.8), channel: channel)
            let frequency = Measure.frequency(heard, near: 440, sampleRate: format.rate)
            #expect(abs(frequency - 440) < 0.5)
            #expect(abs(Measure.decibels(heard) - (-9.03)) < 0.5)
            #expect(Measure.purity(heard, at: 440, sampleRate: format.rate) > 0.999)
        }
        capture.close()
        playback.close()
    }

    @Test(
        "The last frame is heard, then `drained` comes once, and a start begins anew",
        arguments: HarnessKind.allCases
    )
    func drain(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        let events = EventLog()
        let source = ToneSource(sampleRate: 48_000, length: 14_400)
        let request = StreamRequest(sampleRate: 48_000, channelCount: 1, deviceID: harness.output, title: "test")
        let stream = try harness.host.openPlayback(request, source: source) { events.append($0) }
        let sink = RecordingSink()
        let ear = StreamRequest(sampleRate: 48_000, channelCount: 1, deviceID: harness.input, title: "ear")
        let capture = try harness.host.openCapture(ear, sink: sink) { _ in }
        try capture.start()
        try stream.start()
        #expect(harness.pass { events.drains == 1 })
        harness.pass(0.2)
        #expect(events.drains == 1)
        #expect(events.count { if case .underflow = $0 { true } else { false } } == 0)
        #expect(source.rendered == 14_400)
        let heard = sink.samples()
        let first = try #require(Measure.onset(heard))
        let last = try #require(heard.lastIndex { abs($0) > 0.01 })
        #expect(abs(last - first - 14_400) <= 240)

        let calls = source.calls
        harness.pass(0.1)
        #expect(source.calls == calls)
        try stream.start()
        #expect(harness.pass { events.drains == 2 })
        #expect(source.calls > calls)
        stream.close()
        capture.close()
    }
}

extension EventLog {
    fileprivate var drains: Int { count { if case .drained = $0 { true } else { false } } }
}
