import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// A recorder on simulated microphones in stepped time.
final class MicrophoneBench: Sendable {
    static let rate = 16_000.0
    static let amplitude = 0.5
    /// Of the tone, as a root mean square.
    static let level = -9.03

    let host: SimulatedHost
    let runtime: Runtime
    let scratch: TemporaryFolder
    let notices = Recorded<TakeNotice>()
    let reports = Recorded<String>()

    init(_ host: SimulatedHost) throws {
        self.host = host
        scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = host
        runtime.clock = host.clock
        runtime.callbacks = SerialQueueExecutor(label: "test.callbacks")
        self.runtime = runtime
    }

    convenience init(_ audio: SimulatedAudio) throws { try self.init(audio.host) }

    static func tone() -> SimulatedAudio {
        SimulatedAudio(.init(input: .sine(frequency: 440, amplitude: amplitude), time: .stepped))
    }

    func engine(
        _ policy: MicrophoneLossPolicy,
        device: String? = nil,
        channels: Int = 1,
        selection: ChannelSelection? = .automatic
    ) -> RecorderEngine {
        let layout = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
        let engine = RecorderEngine(
            TakeConfiguration(
                path: scratch.path("a.wav"),
                container: .wav,
                encoding: EncodingRequest(
                    codec: .linearPCM(layout),
                    sampleRate: Self.rate,
                    channelCount: channels
                )
            ),
            runtime: runtime,
            plan: { TakePlan(deviceID: device) },
            report: { [reports] report in
                switch report {
                case .finished(let successfully): reports.append("finished \(successfully)")
                case .interruptionBegan, .interruptionEnded: break
                case .failed(let failure): reports.append("failed \(failure.code)")
                }
            }
        )
        engine.options.microphoneLossPolicy = policy
        engine.options.channelSelection = selection
        _ = engine.observers.add { [notices] notice in if let notice { notices.append(notice) } }
        return engine
    }

    func advance(_ seconds: Double) { host.clock.advance(by: .nanoseconds(Int64((seconds * 1e9).rounded()))) }

    /// Waits until something has been told, as short texts.
    func told(_ expected: String...) async -> Bool { await eventually { self.texts == expected } }

    /// What was told, without gaps.
    var texts: [String] {
        notices.all.compactMap { notice in
            switch notice {
            case .microphoneLost: "lost"
            case .microphoneChanged: "changed"
            case .microphoneAsleep(let isAsleep): isAsleep ? "asleep" : "awake"
            case .microphoneStalled(let isStalled): isStalled ? "stalled" : "flowing"
            case .signal(.silent(let isSilent)): isSilent ? "silent" : "sound"
            case .signal(.dead(let channel, let isDead)): isDead ? "dead \(channel)" : "alive \(channel)"
            default: nil
            }
        }
    }

    /// The samples of each channel of the file, full scale 1.
    func samples() throws -> [[Float]] {
        let reader = try FrameReader(try runtime.files.open(scratch.path("a.wav"), .reading), media: runtime.media)
        let channels = reader.format.channelCount
        let length = try #require(reader.length)
        let buffer = PCMBuffer(format: reader.format, capacity: Int(length.value) + 1)
        while try reader.read(into: buffer) > 0 {}
        var samples = [[Float]](repeating: [], count: channels)
        for (index, sample) in buffer.samples(as: Int16.self).prefix(buffer.frameLength * channels).enumerated() {
            samples[index % channels].append(Float(sample) / 32_768)
        }
        return samples
    }

    /// Checks that a stretch of sound, in seconds, is the tone at its pitch and level.
    static func expectTone(_ samples: [Float], _ range: ClosedRange<Double>, level: Double = level) {
        let first = Int(range.lowerBound * rate)
        let last = min(Int(range.upperBound * rate), samples.count)
        guard last > first else {
            Issue.record("There is no sound from \(range.lowerBound) s on.")
            return
        }
        let stretch = Array(samples[first..<last])
        let frequency = Measure.frequency(stretch, near: 440, sampleRate: rate)
        #expect(abs(frequency - 440) < 0.5, "\(frequency) Hz in \(range)")
        let measured = Measure.decibels(stretch)
        #expect(abs(measured - level) < 0.5, "\(measured) dBFS in \(range)")
    }
}
