package import AudioCore
package import Synchronization

/// A device layer that does nothing by itself: the test is the device thread.
package final class ManualHost: AudioDeviceHost {
    package static let microphone = DeviceDescription(
        id: "microphone",
        name: "Microphone",
        direction: .input,
        isDefault: true,
        sampleRate: 48_000,
        channelCount: 1
    )

    package init() {}

    package let name = "manual"

    package struct State {
        package var captures: [ManualStream] = []
        package var playbacks: [ManualStream] = []
        /// What there is; tests may take everything away.
        package var devices = [ManualHost.microphone]
        package var openFailure: AudioFailure?
        package var startFailure: AudioFailure?
        var onOpen: (@Sendable () -> Void)?
        var observers: [@Sendable () -> Void] = []
    }

    package let state = Mutex(State())

    package func devices() throws(AudioFailure) -> [DeviceDescription] { state.withLock { $0.devices } }

    package func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        try open(request, sink: sink, source: nil, events: events, list: \.captures)
    }

    package func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        try open(request, sink: nil, source: source, events: events, list: \.playbacks)
    }

    /// Observers are never taken away: a host lives as long as its test.
    package func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        state.withLock { $0.observers.append(changed) }
        return Token()
    }

    private final class Token: Sendable {}

    /// Changes what there is and tells the observers.
    package func become(_ devices: [DeviceDescription]) {
        let observers = state.withLock { state in
            state.devices = devices
            return state.observers
        }
        for observer in observers { observer() }
    }

    /// Runs while a stream is being opened.
    package func onOpen(_ body: (@Sendable () -> Void)?) { state.withLock { $0.onOpen = body } }

    private func open(
        _ request: StreamRequest,
        sink: (any CaptureSink)?,
        source: (any PlaybackSource)?,
        events: @escaping @Sendable (StreamEvent) -> Void,
        list: WritableKeyPath<State, [ManualStream]>
    ) throws(AudioFailure) -> any DeviceStream {
        let (openFailure, startFailure, onOpen) = state.withLock { ($0.openFailure, $0.startFailure, $0.onOpen) }
        onOpen?()
        if let openFailure { throw openFailure }
        let stream = ManualStream(request, sink: sink, source: source, events: events, startFailure: startFailure)
        state.withLock { $0[keyPath: list].append(stream) }
        return stream
    }

    package var capture: ManualStream? { state.withLock { $0.captures.last } }
    package var playback: ManualStream? { state.withLock { $0.playbacks.last } }
    package var openStreams: Int {
        state.withLock { ($0.captures + $0.playbacks).filter { !$0.isClosed }.count }
    }
}

package final class ManualStream: DeviceStream {
    package let sampleRate: Double
    package let channelCount: Int
    package let device: DeviceDescription? = ManualHost.microphone
    private let sink: (any CaptureSink)?
    private let source: (any PlaybackSource)?
    private let events: @Sendable (StreamEvent) -> Void
    /// What was asked for.
    package let request: StreamRequest
    private let startFailure: AudioFailure?
    private let flags = Mutex((isRunning: false, isClosed: false))
    private let isDead = Atomic<Bool>(false)

    init(
        _ request: StreamRequest,
        sink: (any CaptureSink)?,
        source: (any PlaybackSource)?,
        events: @escaping @Sendable (StreamEvent) -> Void,
        startFailure: AudioFailure?
    ) {
        self.request = request
        sampleRate = request.sampleRate
        channelCount = request.channelCount
        self.sink = sink
        self.source = source
        self.events = events
        self.startFailure = startFailure
    }

    package var isRunning: Bool { flags.withLock { $0.isRunning } }
    package var isClosed: Bool { flags.withLock { $0.isClosed } }

    package func start() throws(AudioFailure) {
        if let startFailure { throw startFailure }
        flags.withLock { $0.isRunning = true }
    }

    /// The moments that starts were asked for.
    package let moments = Recorded<HostTime>()

    package func start(at moment: HostTime) throws(AudioFailure) {
        try start()
        moments.append(moment)
    }

    package func pause() throws(AudioFailure) {
        if isDead.load(ordering: .relaxed) { throw AudioFailure(.deviceUnavailable, "The microphone is gone.") }
        flags.withLock { $0.isRunning = false }
    }

    /// From now on `pause()` fails, as that of a device that is gone.
    package func failsToPause() { isDead.store(true, ordering: .relaxed) }
    package func flush() throws(AudioFailure) {}
    package func close() { flags.withLock { $0 = (false, true) } }
    package func latency() -> FrameCount { 0 }
    package var deviceTime: Double { 0 }

    /// Hears samples as the device thread would; false when the stream does not flow.
    @discardableResult
    package func hear(_ samples: [Float]) -> Bool {
        guard isRunning, let sink else { return false }
        let frames = samples.count / channelCount
        let accepted = samples.withUnsafeBytes { bytes in
            bytes.baseAddress.map { sink.capture($0, frames: frames) } ?? 0
        }
        if accepted < frames { sink.lost(frames: frames - accepted) }
        return true
    }

    package func lose(frames: Int, _ reason: RecordingGap.Reason = .overrun) { sink?.lost(frames: frames, reason) }

    /// Plays up to `frames` frames as the device thread would.
    package func play(_ frames: Int) -> (samples: [Float], isLast: Bool) {
        guard isRunning, let source else { return ([], false) }
        var samples = [Float](repeating: .nan, count: frames * channelCount)
        let result = samples.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { source.render(into: $0, frames: frames) } ?? RenderResult(frames: 0, isLast: false)
        }
        return (Array(samples.prefix(result.frames * channelCount)), result.isLast)
    }

    package func tell(_ event: StreamEvent) { events(event) }
}

/// Remembers what was told, on whatever thread.
package final class Recorded<Element: Sendable>: Sendable {
    package init() {}

    private let elements = Mutex<[Element]>([])
    package func append(_ element: Element) { elements.withLock { $0.append(element) } }
    package var all: [Element] { elements.withLock { $0 } }
}
