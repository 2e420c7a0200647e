import AudioCore
import DesktopLinux
import Foundation
import Synchronization
import TestSupport

/// A bus of the test's own, and programs on it.
struct ArbiterBench {
    let bus: PrivateBus

    init() throws { bus = try PrivateBus() }

    func program(_ name: String, host: (any AudioDeviceHost)? = nil) -> TestProgram {
        TestProgram(name, address: bus.address, host: host)
    }

    static let exclusive = SessionClaim(manner: .exclusive, mayRecord: false, mayPlay: true)
    static let speech = SessionClaim(manner: .exclusive, mayRecord: false, mayPlay: true, isSpeech: true)
    static let prompt = SessionClaim(manner: .interruptingSpeech, mayRecord: false, mayPlay: true)
    static let mixing = SessionClaim(manner: .mixing, mayRecord: true, mayPlay: true)
    static let call = SessionClaim(manner: .exclusive, mayRecord: true, mayPlay: true, isCall: true)
}

/// An arbiter and everything that it told.
final class TestProgram: Sendable {
    let arbiter: BusArbiter
    private let told: Record<ArbiterEvent>
    private let log: Record<String>

    init(_ name: String, address: String, host: (any AudioDeviceHost)?) {
        let told = Record<ArbiterEvent>()
        let log = Record<String>()
        arbiter = BusArbiter(program: name, address: address, host: host, log: { log.append($0) })
        arbiter.listen { told.append($0) }
        self.told = told
        self.log = log
    }

    var events: [ArbiterEvent] { told.all }

    /// Beginnings and ends alone.
    var interruptions: [ArbiterEvent] {
        told.all.filter {
            switch $0 {
            case .began, .ended: true
            case .othersChanged, .ducked: false
            }
        }
    }

    var notes: [String] { log.all }

    func hears(_ interruptions: [ArbiterEvent], within seconds: Double = 10) -> Bool {
        eventually(within: seconds) { self.interruptions == interruptions }
    }

    func hears(_ event: ArbiterEvent) -> Bool { eventually(within: 10) { events.contains(event) } }
}

/// What came, in order.
final class Record<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func append(_ element: Element) { elements.withLock { $0.append(element) } }
}

/// A sound server of which nothing but the streams of others is known.
final class StreamsHost: AudioDeviceHost {
    let name = "streams"
    private let listener = Mutex<(@Sendable ([OtherStream]) -> Void)?>(nil)
    private let first: [OtherStream]

    init(_ first: [OtherStream] = []) { self.first = first }

    func tell(_ streams: [OtherStream]) { listener.withLock { $0 }?(streams) }

    func devices() throws(AudioFailure) -> [DeviceDescription] { [] }

    func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream { throw AudioFailure(.unsupported, "No streams.") }

    func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream { throw AudioFailure(.unsupported, "No streams.") }

    func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable { Token() }

    func observeOtherStreams(_ changed: @escaping @Sendable ([OtherStream]) -> Void) -> (any AnyObject & Sendable)? {
        listener.withLock { $0 = changed }
        changed(first)
        return Token()
    }

    private final class Token: Sendable {}
}
