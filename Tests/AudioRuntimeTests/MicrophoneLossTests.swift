import AudioCore
import AudioRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A microphone that goes away")
struct MicrophoneLossTests {
    let host = ManualHost()
    let scratch: TemporaryFolder
    let runtime: Runtime
    let reports = Recorded<String>()

    init() throws {
        scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = host
        runtime.callbacks = SerialQueueExecutor(label: "test")
        self.runtime = runtime
    }

    func engine(_ policy: MicrophoneLossPolicy, device: String? = nil) -> RecorderEngine {
        let reports = self.reports
        let layout = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
        let engine = RecorderEngine(
            TakeConfiguration(
                path: scratch.path("a.wav"),
                container: .wav,
                encoding: EncodingRequest(codec: .linearPCM(layout), sampleRate: 8_000, channelCount: 1)
            ),
            runtime: runtime,
            plan: { TakePlan(deviceID: device) },
            report: { report in
                switch report {
                case .finished(let successfully): reports.append("finished \(successfully)")
                case .interruptionBegan, .interruptionEnded: break
                case .failed(let failure): reports.append("failed \(failure.code)")
                }
            }
        )
        _ = engine.observers.add { notice in
            switch notice {
            case .microphoneLost: reports.append("lost")
            case .microphoneChanged: reports.append("back")
            case .microphoneAsleep, .machineAsleep: reports.append("other")
            case .microphoneStalled(let isStalled): reports.append(isStalled ? "stalled" : "flowing")
            case .signal(let change): reports.append("\(change)")
            default: break
            }
        }
        engine.options.microphoneLossPolicy = policy
        return engine
    }

    static let gone = StreamEvent.lost(AudioFailure(.deviceUnavailable, "unplugged"))
    static func ones(_ frames: Int) -> [Float] { [Float](repeating: 0.5, count: frames) }

    /// The lengths of the stretches of sound and silence in the file, in turn.
    func stretches() throws -> [Int] {
        let reader = try FrameReader(try runtime.files.open(scratch.path("a.wav"), .reading), media: runtime.media)
        let buffer = PCMBuffer(format: reader.format, capacity: 200_000)
        while try reader.read(into: buffer) > 0 {}
        var stretches: [Int] = []
        var wasLoud: Bool?
        for sample in buffer.samples(as: Int16.self).prefix(buffer.frameLength) {
            if (sample != 0) == wasLoud { stretches[stretches.count - 1] += 1 } else { stretches.append(1) }
            wasLoud = sample != 0
        }
        return stretches
    }

    @Test("the take goes on with the next one, behind a gap of the true length, which is listed and told")
    func goesOn() async throws {
        let engine = engine(.wait)
        try engine.record()
        let first = try #require(host.capture)
        first.hear(Self.ones(500))
        host.state.withLock { $0.devices = [] }
        let lost = runtime.clock.now
        first.tell(Self.gone)
        #expect(await eventually { reports.all == ["lost"] })
        #expect((runtime.clock.now - lost).inSeconds < 1, "told within a second")
        #expect(engine.phase == .recording)
        #expect(first.isClosed)
        try await Task.sleep(for: .milliseconds(500))
        host.state.withLock { $0.devices = [ManualHost.microphone] }
        #expect(await eventually { reports.all == ["lost", "back"] })
        let found = runtime.clock.now
        let second = try #require(host.capture)
        #expect(second !== first)
        second.hear(Self.ones(300))
        engine.pause()
        let gaps = engine.gaps
        engine.stop()
        let stretches = try stretches()
        #expect(stretches.count == 3)
        #expect(stretches.first == 500)
        #expect(stretches.last == 300)
        let gap = try #require(gaps.first)
        #expect(gaps.count == 1)
        #expect(gap.start == 500)
        #expect(gap.reason == .deviceLost)
        #expect(Int(gap.length.value) == stretches[1])
        let length = gap.length.seconds(at: 8_000)
        #expect(length > 0.45 && length <= (found - lost).inSeconds + 0.001)
        #expect(await eventually { reports.all == ["lost", "back", "finished true"] })
    }

    @Test("stopped while no microphone is there, the file ends with what was heard")
    func stopsWhileAbsent() async throws {
        let engine = engine(.fallBack)
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear(Self.ones(400))
        host.state.withLock { $0.devices = [] }
        stream.tell(Self.gone)
        #expect(await eventually { reports.all == ["lost"] })
        engine.stop()
        #expect(try stretches() == [400])
        #expect(await eventually { reports.all == ["lost", "finished true"] })
        try await Task.sleep(for: .milliseconds(300))
        #expect(host.openStreams == 0, "nobody looks for a microphone any more")
    }

    @Test("paused while it goes away, the recording resumes with the next one, without a gap")
    func resumes() async throws {
        let engine = engine(.fallBack)
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear(Self.ones(400))
        engine.pause()
        stream.tell(Self.gone)
        #expect(await eventually { stream.isClosed })
        host.state.withLock { $0.devices = [] }
        #expect(throws: AudioFailure.self) { try engine.record() }
        #expect(engine.phase == .paused, "everything is kept until there is one")
        host.state.withLock { $0.devices = [ManualHost.microphone] }
        try engine.record()
        host.capture?.hear(Self.ones(200))
        engine.stop()
        #expect(try stretches() == [600])
    }

    @Test("one that is found dead by pause() ends the recording only where the policy says so")
    func deadAtPause() async throws {
        for policy in [MicrophoneLossPolicy.wait, .stop] {
            let engine = engine(policy)
            try engine.record()
            let stream = try #require(host.capture)
            stream.hear(Self.ones(400))
            stream.failsToPause()
            engine.pause()
            #expect(engine.phase == (policy == .stop ? .stopped : .paused))
            #expect(stream.isClosed)
            if policy == .wait {
                try engine.record()
                host.capture?.hear(Self.ones(100))
                engine.stop()
            }
            #expect(try stretches() == [policy == .wait ? 500 : 400])
        }
    }

    @Test("a chosen microphone is waited for, or replaced by the default one, as the policy says; never by a monitor")
    func choice() async throws {
        var monitor = ManualHost.microphone
        monitor.id = "speaker.monitor"
        monitor.isMonitor = true
        var other = ManualHost.microphone
        other.id = "other"
        for (policy, expected) in [(MicrophoneLossPolicy.wait, ["usb", "usb"]), (.fallBack, ["usb", "default"])] {
            host.state.withLock { $0.captures = [] }
            let engine = engine(policy, device: "usb")
            try engine.record()
            let stream = try #require(host.capture)
            host.state.withLock { $0.devices = [monitor] }
            stream.tell(Self.gone)
            try await Task.sleep(for: .milliseconds(500))
            #expect(host.state.withLock { $0.captures.count } == 1, "a monitor is no microphone")
            host.state.withLock { $0.devices = [monitor, other] }
            if policy == .wait {
                try await Task.sleep(for: .milliseconds(500))
                #expect(host.state.withLock { $0.captures.count } == 1)
                var usb = other
                usb.id = "usb"
                host.state.withLock { $0.devices = [other, usb] }
            }
            #expect(await eventually { host.state.withLock { $0.captures.count } == 2 })
            #expect(host.state.withLock { $0.captures.map { $0.request.deviceID ?? "default" } } == expected)
            engine.stop()
        }
    }

    @Test("a device that was put to sleep leaves a gap of its sleep")
    func suspended() async throws {
        let engine = engine(.wait)
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear(Self.ones(100))
        let start = runtime.clock.now
        stream.tell(.suspended(true))
        #expect(await eventually { reports.all.count == 1 })
        let asleep = runtime.clock.now
        try await Task.sleep(for: .milliseconds(300))
        let awake = runtime.clock.now
        stream.tell(.suspended(false))
        #expect(await eventually { reports.all.count == 2 })
        let end = runtime.clock.now
        stream.hear(Self.ones(100))
        engine.pause()
        let gap = try #require(engine.gaps.first)
        engine.stop()
        #expect(gap.reason == .suspended)
        // From the first frames to those after the sleep, which were heard in its last 12.5 ms.
        let length = gap.length.seconds(at: 8_000)
        #expect(length >= (awake - asleep).inSeconds - 0.013 && length <= (end - start).inSeconds + 0.001)
        #expect(try stretches() == [100, Int(gap.length.value), 100])
    }

    @Test("fifty losses at the moment of stop() leave a complete file, no stream and no hang")
    func lossAtStop() async throws {
        for round in 0..<50 {
            let engine = engine(round % 2 == 0 ? .wait : .stop)
            try engine.record()
            let stream = try #require(host.capture)
            stream.hear(Self.ones(80))
            let unplug = Thread { stream.tell(Self.gone) }
            unplug.start()
            engine.stop()
            #expect(engine.phase == .stopped)
            #expect(try stretches() == [80])
        }
        try await Task.sleep(for: .milliseconds(300))
        #expect(host.openStreams == 0)
    }
}
