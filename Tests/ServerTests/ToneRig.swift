import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import Synchronization
import TestSupport
import Testing

/// A real server with microphones that hear a tone of 440 Hz: sources that are no monitors, made of sinks that a tone is
/// played into.
final class ToneRig: Sendable {
    static let rate = 44_100.0
    static let amplitude = 0.5

    let server: any SoundServer
    let host: CountingHost
    let runtime: Runtime
    let scratch: TemporaryFolder
    let notices = Recorded<TakeNotice>()
    let reports = Recorded<String>()
    private let tones = Mutex<[String: any DeviceStream]>([:])

    init(_ server: any SoundServer) throws {
        self.server = server
        scratch = try TemporaryFolder()
        host = CountingHost(PulseHost(applicationName: "kayit tests", serverAddress: server.address))
        var runtime = Runtime.system
        runtime.devices = host
        runtime.callbacks = SerialQueueExecutor(label: "test.callbacks")
        self.runtime = runtime
    }

    deinit {
        for tone in tones.withLock({ $0 }).values { tone.close() }
        server.kill()
    }

    /// Makes a sink of a rate and number of channels, and plays the tone into it.
    func addTone(_ sink: String, rate: Int = 48_000, channels: Int = 2) throws {
        try server.control(
            "load-module",
            "module-null-sink",
            "sink_name=\(sink)",
            "rate=\(rate)",
            "channels=\(channels)",
            server is PrivatePulseServer ? "norewinds=1" : "sink_properties=device.description=\(sink)"
        )
        _ = try eventually(within: 5) { try host.devices().contains { $0.id == "\(sink).monitor" } }
        let stream = try host.inner.openPlayback(
            StreamRequest(
                sampleRate: 48_000,
                channelCount: 2,
                deviceID: sink,
                fragment: .milliseconds(400),
                title: "tone"
            ),
            source: ToneSource(amplitude: Float(Self.amplitude), sampleRate: 48_000, channelCount: 2),
            events: { _ in }
        )
        try stream.start()
        tones.withLock { tones in
            tones[sink]?.close()
            tones[sink] = stream
        }
    }

    /// Plugs in a microphone that hears what is played into a sink; gives the number to unplug it by.
    /// - Parameters:
    ///   - rate: at which it runs; PipeWire runs everything at one rate of its own.
    ///   - channels: its channels.
    @discardableResult
    func plug(_ sink: String, as name: String, rate: Int = 48_000, channels: Int = 2) throws -> String {
        let map = channels == 1 ? "mono" : "front-left,front-right"
        let module = try server.control(
            "load-module",
            "module-remap-source",
            "source_name=\(name)",
            "master=\(sink).monitor",
            "rate=\(rate)",
            "channels=\(channels)",
            "channel_map=\(map)",
            "master_channel_map=\(map)",
            "source_properties=device.description=\(name)"
        )
        let found = try eventually(within: 5) { try host.devices().contains { $0.id == name && !$0.isMonitor } }
        if !found { throw SetupFailure("The microphone \(name) did not appear.") }
        return module
    }

    func engine(
        _ policy: MicrophoneLossPolicy,
        device: String? = nil,
        file: String = "a.wav",
        channels: Int = 1
    ) -> RecorderEngine {
        let layout = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
        let engine = RecorderEngine(
            TakeConfiguration(
                path: scratch.path(file),
                container: .wav,
                encoding: EncodingRequest(codec: .linearPCM(layout), sampleRate: Self.rate, channelCount: channels)
            ),
            runtime: runtime,
            plan: { TakePlan(deviceID: device) },
            report: { [reports] report in
                switch report {
                case .finished(let successfully): reports.append("finished \(successfully)")
                case .interruptionBegan, .interruptionEnded: break
                case .failed(let failure): reports.append("failed \(failure.code): \(failure.message)")
                }
            }
        )
        engine.options.microphoneLossPolicy = policy
        engine.options.channelSelection = .automatic
        _ = engine.observers.add { [notices] notice in if let notice { notices.append(notice) } }
        return engine
    }

    /// How often something was told.
    func count(_ matches: (TakeNotice) -> Bool) -> Int { notices.all.filter(matches).count }
    var losses: Int { count { if case .microphoneLost = $0 { true } else { false } } }
    var changes: Int { count { if case .microphoneChanged = $0 { true } else { false } } }

    /// Waits for what the server and its clients take their time for, on a busy machine.
    func eventually(within seconds: Double = 15, _ condition: () throws -> Bool) rethrows -> Bool {
        try TestSupport.eventually(within: seconds, condition)
    }

    /// The samples of the first channel of a file, full scale 1.
    func samples(_ file: String = "a.wav") throws -> [Float] {
        let reader = try FrameReader(try runtime.files.open(scratch.path(file), .reading), media: runtime.media)
        let channels = reader.format.channelCount
        let length = try #require(reader.length)
        let buffer = PCMBuffer(format: reader.format, capacity: Int(length.value) + 1)
        while try reader.read(into: buffer) > 0 {}
        #expect(reader.position == length)
        let samples = buffer.samples(as: Int16.self)
        return (0..<buffer.frameLength).map { Float(samples[$0 * channels]) / 32_768 }
    }

    /// Checks that the last 0.4 s are the tone.
    func expectToneAtTheEnd(_ samples: [Float]) {
        let last = Array(samples.suffix(Int(0.4 * Self.rate)))
        let frequency = Measure.frequency(last, near: 440, sampleRate: Self.rate)
        let purity = Measure.purity(last, at: 440, sampleRate: Self.rate)
        #expect(abs(frequency - 440) < 0.5 && purity > 0.9, "\(frequency) Hz, \(purity)")
    }

    /// Checks that what lies between the gaps, but for a margin at each, is the tone.
    /// - Parameter margin: seconds in which a device that is new settles.
    func expectTone(_ samples: [Float], gaps: [RecordingGap], margin: Double = 0.25) {
        var start = 0
        let ends = gaps.map { Int($0.start.value) } + [samples.count]
        for (index, end) in ends.enumerated() {
            let edge = Int(margin * Self.rate)
            if end - start > 3 * edge {
                let stretch = Array(samples[(start + edge)..<(end - edge)])
                let frequency = Measure.frequency(stretch, near: 440, sampleRate: Self.rate)
                #expect(abs(frequency - 440) < 0.5, "stretch \(index): \(frequency) Hz")
                let purity = Measure.purity(stretch, at: 440, sampleRate: Self.rate)
                #expect(purity > 0.9, "stretch \(index): \(purity)")
            } else {
                Issue.record("Stretch \(index) has \(end - start) frames.")
            }
            if index < gaps.count { start = Int((gaps[index].start + gaps[index].length).value) }
        }
    }
}

/// Passes everything on and counts how often a microphone is opened.
final class CountingHost: AudioDeviceHost {
    let inner: any AudioDeviceHost
    private let count = Atomic<Int>(0)

    init(_ inner: any AudioDeviceHost) { self.inner = inner }

    /// Microphones opened so far; tries that failed are not counted.
    var opened: Int { count.load(ordering: .relaxed) }

    var name: String { inner.name }

    func devices() throws(AudioFailure) -> [DeviceDescription] { try inner.devices() }

    func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        let stream = try inner.openCapture(request, sink: sink, events: events)
        count.add(1, ordering: .relaxed)
        return stream
    }

    func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        try inner.openPlayback(request, source: source, events: events)
    }

    func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        inner.observeDevices(changed)
    }

    func setVolume(_ volume: Double, ofInput id: String) throws(AudioFailure) {
        try inner.setVolume(volume, ofInput: id)
    }
}
