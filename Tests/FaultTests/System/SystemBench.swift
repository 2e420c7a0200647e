import AudioCore
import AudioRuntime
import AudioSimulation
import TestSupport
import Testing

/// A recorder in stepped time, on a machine whose battery, memory and sleep are the test's.
struct SystemBench {
    static let rate = 8_000.0
    let host: SimulatedHost
    let files = MemoryFileStore()
    let conditions = SystemConditions()
    let desktop = SimulatedDesktop()
    let runtime: Runtime
    let engine: RecorderEngine
    let notices = Recorded<TakeNotice>()
    let reports = Recorded<String>()

    init() {
        var configuration = SimulatedConfiguration()
        configuration.time = .stepped
        host = SimulatedHost(configuration)
        runtime = Runtime(
            devices: host,
            media: .system,
            files: files,
            clock: host.clock,
            callbacks: SerialQueueExecutor(label: "test"),
            desktop: desktop,
            conditions: conditions
        )
        let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
        engine = RecorderEngine(
            TakeConfiguration(
                path: "/a.wav",
                container: .wav,
                encoding: EncodingRequest(codec: .linearPCM(pcm), sampleRate: Self.rate, channelCount: 1)
            ),
            runtime: runtime,
            report: { [reports] report in
                switch report {
                case .finished(let successfully): reports.append("finished \(successfully)")
                case .interruptionBegan, .interruptionEnded: reports.append("interruption")
                case .failed(let failure): reports.append("failed \(failure.code)")
                }
            }
        )
        _ = engine.observers.add { [notices] notice in
            if let notice { notices.append(notice) }
        }
    }

    @discardableResult
    func pass(_ duration: Duration) -> Bool { host.clock.advance(by: duration) }

    /// Frames of the file.
    func length() throws -> FrameCount {
        try length(in: files)
    }

    /// The same on another disk.
    func length(in store: MemoryFileStore) throws -> FrameCount {
        try #require(FrameReader(try store.open("/a.wav", .reading), media: runtime.media).length)
    }

    func frames(_ seconds: Double) -> FrameCount { FrameCount(seconds: seconds, sampleRate: Self.rate) }
}
