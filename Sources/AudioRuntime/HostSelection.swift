import AudioCore
import Glibc

/// Chooses the device layer.
enum HostSelection {
    /// `KAYIT_AUDIO` names it; otherwise the sound server. The simulation is taken only when it is asked for by name: a
    /// recorder that records invented sound unasked is the worst failure.
    static func fromEnvironment() -> any AudioDeviceHost {
        switch environment("KAYIT_AUDIO") {
        default:
            return UnavailableHost(
                name: "none",
                failure: AudioFailure(.serverUnavailable, "No device layer is built in.")
            )
        }
    }

    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

/// The host of a choice that cannot be met: every use says why.
struct UnavailableHost: AudioDeviceHost {
    let name: String
    let failure: AudioFailure

    func devices() throws(AudioFailure) -> [DeviceDescription] { throw failure }

    func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream { throw failure }

    func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream { throw failure }

    func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable { NoObservation() }

    private final class NoObservation: Sendable {}
}
