import AVFAudio
import AudioCore
import Dispatch
import Foundation
import Synchronization
import TestSupport

/// A device layer whose devices and failures a test sets.
final class FakeDeviceHost: AudioDeviceHost {
    private struct State {
        var devices: [DeviceDescription] = []
        var failure: AudioFailure?
        var observers: [UUID: @Sendable () -> Void] = [:]
        var questions = 0
    }

    private final class Token: Sendable {
        let release: @Sendable () -> Void
        init(release: @escaping @Sendable () -> Void) { self.release = release }
        deinit { release() }
    }

    let name = "fake"
    private let state = Mutex(State())

    init(_ devices: [DeviceDescription], failure: AudioFailure? = nil) {
        state.withLock {
            $0.devices = devices
            $0.failure = failure
        }
    }

    /// Changes what the layer answers and tells its observers.
    func become(_ devices: [DeviceDescription], failure: AudioFailure? = nil) {
        let observers = state.withLock { state in
            state.devices = devices
            state.failure = failure
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    var questionCount: Int { state.withLock { $0.questions } }
    var observerCount: Int { state.withLock { $0.observers.count } }

    func devices() throws(AudioFailure) -> [DeviceDescription] {
        let (devices, failure) = state.withLock { state in
            state.questions += 1
            return (state.devices, state.failure)
        }
        if let failure { throw failure }
        return devices
    }

    func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        let id = UUID()
        state.withLock { $0.observers[id] = changed }
        return Token { [weak self] in self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
    }

    func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream { throw AudioFailure(.unsupported, "The fake opens no streams.") }

    func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream { throw AudioFailure(.unsupported, "The fake opens no streams.") }
}

/// A clock that stands still until a test steps it.
final class FakeClock: HostClock {
    private let nanoseconds = Mutex<Int64>(0)
    var now: HostTime { HostTime(nanoseconds: nanoseconds.withLock { $0 }) }
    func sleep(until time: HostTime) {}
    func step(_ duration: Duration) { nanoseconds.withLock { $0 += duration.inNanoseconds } }
}

/// Callbacks in order, on a queue that a test can wait for.
final class FakeExecutor: CallbackExecutor {
    private let queue = DispatchQueue(label: "tests.callbacks")
    func enqueue(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
    func settle() { queue.sync {} }
}

/// The session has nothing to do with files.
private struct NoFiles: FileStore {
    private let failure = AudioFailure(.unsupported, "No files in this test.")
    func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile { throw failure }
    func status(_ path: String) throws(AudioFailure) -> FileStatus? { throw failure }
    func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) { throw failure }
    func remove(_ path: String) throws(AudioFailure) { throw failure }
    func makeFolder(_ path: String) throws(AudioFailure) { throw failure }
    func removeFolder(_ path: String) throws(AudioFailure) { throw failure }
    func contents(of path: String) throws(AudioFailure) -> [String] { throw failure }
    func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) { throw failure }
    func synchronizeFolder(_ path: String) throws(AudioFailure) { throw failure }
    func freeSpace(at path: String) throws(AudioFailure) -> Int64 { throw failure }
}

/// A session on fakes.
struct SessionStage {
    let host: FakeDeviceHost
    let clock = FakeClock()
    let executor = FakeExecutor()
    let arbiter = ScriptedArbiter()
    let session: AVAudioSession

    init(_ devices: [DeviceDescription] = .desktop, failure: AudioFailure? = nil) {
        host = FakeDeviceHost(devices, failure: failure)
        session = AVAudioSession(
            runtime: Runtime(
                devices: host,
                media: MediaRegistry(providers: []),
                files: NoFiles(),
                clock: clock,
                callbacks: executor,
                arbiter: arbiter
            )
        )
    }

    /// Returns when everything that was caused so far has been told.
    func settle() {
        session.core.settleRoutes()
        executor.settle()
    }
}

extension DeviceDescription {
    static let microphone = DeviceDescription(
        id: "mic",
        name: "Microphone",
        direction: .input,
        isDefault: true,
        port: .builtInMicrophone,
        sampleRate: 48_000,
        channelCount: 2,
        volume: 0.125
    )
    static let usbMicrophone = DeviceDescription(
        id: "usb",
        name: "USB microphone",
        direction: .input,
        port: .usb,
        bus: "usb",
        sampleRate: 44_100,
        channelCount: 1
    )
    static let speaker = DeviceDescription(
        id: "speaker",
        name: "Loudspeaker",
        direction: .output,
        isDefault: true,
        port: .builtInSpeaker,
        sampleRate: 48_000,
        channelCount: 2,
        volume: 0.25
    )
    static let headphones = DeviceDescription(
        id: "headphones",
        name: "Headphones",
        direction: .output,
        isDefault: true,
        port: .headphones,
        sampleRate: 96_000,
        channelCount: 2
    )
    static let monitor = DeviceDescription(
        id: "speaker.monitor",
        name: "Monitor of loudspeaker",
        direction: .input,
        isMonitor: true,
        port: .monitor,
        sampleRate: 48_000,
        channelCount: 2
    )

    func with(_ change: (inout DeviceDescription) -> Void) -> DeviceDescription {
        var copy = self
        change(&copy)
        return copy
    }
}

extension [DeviceDescription] {
    /// A machine with a built-in microphone and loudspeaker.
    static let desktop: [DeviceDescription] = [.microphone, .monitor, .speaker]

    /// The same with headphones plugged in and made the default.
    static let withHeadphones: [DeviceDescription] = [
        .microphone, .monitor, .speaker.with { $0.isDefault = false }, .headphones,
    ]
}

/// A recorder or player that only counts what the session does to it.
final class FakeClient: SessionClient {
    let sessionUse: SessionUse
    let sessionLatency: Double?
    private let stops = Mutex<[AudioFailure]>([])

    init(_ use: SessionUse, latency: Double? = nil) {
        sessionUse = use
        sessionLatency = latency
    }

    var stopReasons: [AudioFailure] { stops.withLock { $0 } }
    func sessionStops(_ reason: AudioFailure) { stops.withLock { $0.append(reason) } }
}

/// What `work` throws, as Apple's error.
func error(of work: () throws -> Void) -> NSError? {
    do {
        try work()
        return nil
    } catch {
        return error as NSError
    }
}

func code(of work: () throws -> Void) -> AVAudioSession.ErrorCode? {
    error(of: work).flatMap { AVAudioSession.ErrorCode(rawValue: $0.code) }
}
