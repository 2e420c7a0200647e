import AudioCore
import AudioRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

/// When a recording keeps the machine awake, and what it does before the machine sleeps all the same.
@Suite("Wakefulness")
struct WakefulnessTests {
    /// A desktop whose sleep is the test's.
    final class ManualDesktop: DesktopServices {
        final class Inhibition: SleepInhibition {
            let events: @Sendable (SleepEvent) -> Void
            private let isReleased = Atomic<Bool>(false)

            init(_ events: @escaping @Sendable (SleepEvent) -> Void) { self.events = events }

            func release() { isReleased.store(true, ordering: .releasing) }

            var isHeld: Bool { !isReleased.load(ordering: .acquiring) }
        }

        let all = Mutex<[Inhibition]>([])

        func inhibitSleep(why: String, events: @escaping @Sendable (SleepEvent) -> Void) -> any SleepInhibition {
            let inhibition = Inhibition(events)
            all.withLock { $0.append(inhibition) }
            return inhibition
        }

        func showStatus(_ text: StatusText) -> any StatusDisplay { NoDesktopServices().showStatus(text) }

        var held: Int { all.withLock { $0.count(where: \.isHeld) } }
    }

    let host = ManualHost()
    let desktop = ManualDesktop()
    let scratch: TemporaryFolder
    let runtime: Runtime
    let notices = Recorded<TakeNotice>()

    init() throws {
        scratch = try TemporaryFolder()
        runtime = .test(devices: host, desktop: desktop)
    }

    func engine() -> RecorderEngine {
        let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
        let engine = RecorderEngine(
            TakeConfiguration(
                path: scratch.path("take.wav"),
                container: .wav,
                encoding: EncodingRequest(codec: .linearPCM(pcm), sampleRate: 8_000, channelCount: 1)
            ),
            runtime: runtime,
            report: { _ in }
        )
        _ = engine.observers.add { [notices] in if let notice = $0 { notices.append(notice) } }
        return engine
    }

    @Test("the machine is kept awake while it records, and neither before, in a pause, nor after")
    func onlyWhileRecording() throws {
        let engine = engine()
        try engine.prepare()
        #expect(desktop.held == 0)
        try engine.record()
        #expect(desktop.held == 1)
        try engine.record()
        #expect(desktop.held == 1)
        engine.pause()
        #expect(desktop.held == 0)
        try engine.record()
        #expect(desktop.held == 1)
        engine.stop()
        #expect(desktop.held == 0)
        #expect(desktop.all.withLock { $0.count } == 2)
    }

    @Test("a recording that does not start, that fails, or that is given up lets the machine sleep")
    func otherEnds() async throws {
        let engine = engine()
        host.state.withLock { $0.startFailure = AudioFailure(.deviceUnavailable, "no") }
        #expect(throws: AudioFailure.self) { try engine.record() }
        #expect(desktop.held == 0)
        host.state.withLock { $0.startFailure = nil }
        try engine.record()
        #expect(desktop.held == 1)
        host.capture?.tell(.lost(AudioFailure(.deviceUnavailable, "unplugged")))
        #expect(await eventually { desktop.held == 0 })
        try engine.record()
        engine.release()
        #expect(desktop.held == 0)
    }

    @Test("before the machine sleeps, everything heard is in the file; the take goes on after it")
    func beforeSleep() async throws {
        let engine = engine()
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear([Float](repeating: 0.5, count: 777))
        let inhibition = try #require(desktop.all.withLock { $0.first })
        let isReady = Atomic<Bool>(false)
        inhibition.events(.willSleep(ready: { isReady.store(true, ordering: .releasing) }))
        #expect(await eventually { isReady.load(ordering: .acquiring) })
        let reader = try FrameReader(try runtime.files.open(scratch.path("take.wav"), .reading), media: runtime.media)
        #expect(reader.length == 777, "fewer frames than a checkpoint of its own would wait for")
        inhibition.events(.didWake)
        #expect(engine.phase == .recording)
        stream.hear([Float](repeating: 0.5, count: 23))
        engine.stop()
        let whole = try FrameReader(try runtime.files.open(scratch.path("take.wav"), .reading), media: runtime.media)
        #expect(whole.length == 800)
        #expect(await eventually { notices.all == [.machineAsleep(true), .machineAsleep(false)] })
    }

    @Test("a machine that goes to sleep as the recording ends is let go at once")
    func sleepAtTheEnd() async throws {
        let engine = engine()
        try engine.record()
        let inhibition = try #require(desktop.all.withLock { $0.first })
        engine.stop()
        let isReady = Atomic<Bool>(false)
        inhibition.events(.willSleep(ready: { isReady.store(true, ordering: .releasing) }))
        #expect(await eventually { isReady.load(ordering: .acquiring) })
    }
}
