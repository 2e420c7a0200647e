import AudioCore
import DevicePulse
import Foundation
import TestSupport

/// A real sound server that plays noise into a sink, and witnesses that hear its monitor beside the recorder.
final class Room: Sendable {
    /// The rate of the server, at which nothing is resampled.
    static let sampleRate = 44_100.0

    let server: PrivatePulseServer
    /// By the rate at which they listen.
    let witnesses: [Double: Witness]
    private let streams: [any DeviceStream]
    private let begin = Date()

    init(rates: Set<Double>, seed: UInt64) throws {
        server = try PrivatePulseServer(modules: [
            PrivatePulseServer.nullSink("room", rate: Int(Self.sampleRate), channels: 1)
        ])
        let host = PulseHost(applicationName: "kayit tests", serverAddress: server.address)
        let speaker = try host.openPlayback(
            StreamRequest(
                sampleRate: Self.sampleRate,
                channelCount: 1,
                deviceID: "room",
                fragment: .milliseconds(1000),
                title: "noise"
            ),
            source: NoiseSource(sampleRate: Self.sampleRate, seed: seed),
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

/// Plays noise again and again; half a minute of it, longer than any distance at which places are compared.
private final class NoiseSource: PlaybackSource, @unchecked Sendable {
    // Unchecked: `position` is touched by the device thread only.
    private let noise: [Float]
    private var position = 0

    init(sampleRate: Double, seed: UInt64) { noise = Noise.samples(seconds: 30, sampleRate: sampleRate, seed: seed) }

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
