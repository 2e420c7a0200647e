import AudioCore
import Synchronization

/// A device layer that does nothing by itself: the test is the device thread.
final class ManualHost: AudioDeviceHost {
    let name = "manual"

    struct State {
        var captures: [ManualStream] = []
        var playbacks: [ManualStream] = []
        var openFailure: AudioFailure?
        var startFailure: AudioFailure?
    }

    let state = Mutex(State())

    func devices() throws(AudioFailure) -> [DeviceDescription] { [] }

    func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        try open(request, sink: sink, source: nil, events: events, list: \.captures)
    }

    func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        try open(request, sink: nil, source: source, events: events, list: \.playbacks)
    }

    func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable { self }

    private func open(
        _ request: StreamRequest,
        sink: (any CaptureSink)?,
        source: (any PlaybackSource)?,
        events: @escaping @Sendable (StreamEvent) -> Void,
        list: WritableKeyPath<State, [ManualStream]>
    ) throws(AudioFailure) -> any DeviceStream {
        let (openFailure, startFailure) = state.withLock { ($0.openFailure, $0.startFailure) }
        if let openFailure { throw openFailure }
        let stream = ManualStream(request, sink: sink, source: source, events: events, startFailure: startFailure)
        state.withLock { $0[keyPath: list].append(stream) }
        return stream
    }

    var capture: ManualStream? { state.withLock { $0.captures.last } }
    var playback: ManualStream? { state.withLock { $0.playbacks.last } }
    var openStreams: Int {
        state.withLock { ($0.captures + $0.playbacks).filter { !$0.isClosed }.count }
    }
}

final class ManualStream: DeviceStream {
    let sampleRate: Double
    let channelCount: Int
    let device: DeviceDescription? = nil
    private let sink: (any CaptureSink)?
    private let source: (any PlaybackSource)?
    private let events: @Sendable (StreamEvent) -> Void
    private let startFailure: AudioFailure?
    private let flags = Mutex((isRunning: false, isClosed: false))

    init(
        _ request: StreamRequest,
        sink: (any CaptureSink)?,
        source: (any PlaybackSource)?,
        events: @escaping @Sendable (StreamEvent) -> Void,
        startFailure: AudioFailure?
    ) {
        sampleRate = request.sampleRate
        channelCount = request.channelCount
        self.sink = sink
        self.source = source
        self.events = events
        self.startFailure = startFailure
    }

    var isRunning: Bool { flags.withLock { $0.isRunning } }
    var isClosed: Bool { flags.withLock { $0.isClosed } }

    func start() throws(AudioFailure) {
        if let startFailure { throw startFailure }
        flags.withLock { $0.isRunning = true }
    }

    func pause() throws(AudioFailure) { flags.withLock { $0.isRunning = false } }
    func flush() throws(AudioFailure) {}
    func close() { flags.withLock { $0 = (false, true) } }
    func latency() -> FrameCount { 0 }
    var deviceTime: Double { 0 }

    /// Hears samples as the device thread would; false when the stream does not flow.
    @discardableResult
    func hear(_ samples: [Float]) -> Bool {
        guard isRunning, let sink else { return false }
        let frames = samples.count / channelCount
        let accepted = samples.withUnsafeBytes { bytes in
            bytes.baseAddress.map { sink.capture($0, frames: frames) } ?? 0
        }
        if accepted < frames { sink.lost(frames: frames - accepted) }
        return true
    }

    func lose(frames: Int) { sink?.lost(frames: frames) }

    /// Plays up to `frames` frames as the device thread would.
    func play(_ frames: Int) -> (samples: [Float], isLast: Bool) {
        guard isRunning, let source else { return ([], false) }
        var samples = [Float](repeating: .nan, count: frames * channelCount)
        let result = samples.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { source.render(into: $0, frames: frames) } ?? RenderResult(frames: 0, isLast: false)
        }
        return (Array(samples.prefix(result.frames * channelCount)), result.isLast)
    }

    func tell(_ event: StreamEvent) { events(event) }
}

/// Runs callbacks at once on a queue of its own and remembers what was told.
final class Recorded<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    func append(_ element: Element) { elements.withLock { $0.append(element) } }
    var all: [Element] { elements.withLock { $0 } }
}
