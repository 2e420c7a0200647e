import AudioCore
import Foundation
import Synchronization
import TestSupport
import Testing

/// What every device layer promises of playback that starts at a moment, by what the monitor of the output hears.
@Suite("Starts at a moment", .serialized) struct MomentTests {
    /// A constant on one channel of two, for as long as it is asked or for a number of frames.
    private final class StepSource: PlaybackSource {
        private let channel: Int
        private let length: Int?
        private let position = Atomic<Int>(0)

        init(channel: Int, length: Int? = nil) {
            self.channel = channel
            self.length = length
        }

        var rendered: Int { position.load(ordering: .acquiring) }

        func render(into samples: UnsafeMutableRawPointer, frames: Int) -> RenderResult {
            let done = position.load(ordering: .relaxed)
            let count = min(frames, length.map { $0 - done } ?? frames)
            let output = samples.assumingMemoryBound(to: Float.self)
            for frame in 0..<count {
                output[2 * frame + channel] = 0.5
                output[2 * frame + 1 - channel] = 0
            }
            position.store(done + count, ordering: .releasing)
            return RenderResult(frames: count, isLast: length == done + count)
        }
    }

    private func open(
        _ harness: any DeviceHarness,
        _ source: any PlaybackSource,
        rate: Double
    ) throws -> any DeviceStream {
        try harness.host.openPlayback(
            StreamRequest(
                sampleRate: rate,
                channelCount: 2,
                deviceID: harness.output,
                fragment: .milliseconds(60),
                title: "test"
            ),
            source: source
        ) { _ in }
    }

    private func ear(_ harness: any DeviceHarness, _ sink: RecordingSink) throws -> any DeviceStream {
        let request = StreamRequest(sampleRate: 48_000, channelCount: 2, deviceID: harness.input, title: "ear")
        let stream = try harness.host.openCapture(request, sink: sink) { _ in }
        try stream.start()
        return stream
    }

    /// The frame at which a channel first passes half of the step.
    private func edge(_ samples: [Float]) -> Int? { samples.firstIndex { abs($0) > 0.25 } }

    /// How far apart, in frames of the ear, two streams begin that are given one moment.
    private func distance(_ harness: any DeviceHarness, _ rates: (Double, Double), lead: Double) throws -> Int {
        let sink = RecordingSink(channelCount: 2)
        let capture = try ear(harness, sink)
        defer { capture.close() }
        let sources = [StepSource(channel: 0), StepSource(channel: 1)]
        let streams = [
            try open(harness, sources[0], rate: rates.0), try open(harness, sources[1], rate: rates.1),
        ]
        defer { for stream in streams { stream.close() } }
        harness.pass(0.1)
        let moment = harness.now + .seconds(lead)
        for stream in streams { try stream.start(at: moment) }
        #expect(sources.allSatisfy { $0.rendered == 0 }, "silence until its place is known")
        let isHeard = harness.pass(atMost: 5) {
            edge(sink.last(24_000, channel: 0)) != nil && edge(sink.last(24_000, channel: 1)) != nil
        }
        #expect(isHeard)
        let left = try #require(edge(sink.samples(channel: 0)))
        let right = try #require(edge(sink.samples(channel: 1)))
        return right - left
    }

    @Test("two streams that are given one moment begin in the same frame", arguments: HarnessKind.allCases)
    func sameFrame(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        for lead in [0.3, 0.45, 0.6] {
            let distance = try distance(harness, (48_000, 48_000), lead: lead)
            #expect(distance == 0)
        }
    }

    /// What converts a rate delays what it converts, by its own amount for each rate.
    @Test(
        "where the server converts rates, streams of different rates begin within 2 ms",
        arguments: HarnessKind.allCases
    )
    func converted(_ kind: HarnessKind) throws {
        let harness = try kind.make()
        for rates in [(44_100.0, 44_100.0), (48_000, 44_100), (22_050, 48_000)] {
            let distance = try distance(harness, rates, lead: 0.4)
            #expect(rates.0 == rates.1 ? distance == 0 : abs(distance) <= 96, "\(rates): \(distance)")
        }
    }
}
