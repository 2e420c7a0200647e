import AudioCore
import DevicePulse
import Glibc

/// Chooses the device layer.
enum HostSelection {
    /// `KAYIT_AUDIO` names it; otherwise the sound server. The simulation is taken only when it is asked for by name: a
    /// recorder that records invented sound unasked is the worst failure.
    static func fromEnvironment() -> any AudioDeviceHost { host(named: environment("KAYIT_AUDIO")) }

    static func host(named name: String?) -> any AudioDeviceHost {
        switch name {
        case nil, "pulse":
            return PulseHost(applicationName: programName)
        case "alsa":
            return UnavailableHost(
                name: "alsa",
                failure: AudioFailure(
                    .unsupported,
                    "KAYIT_AUDIO=alsa: recording without a sound server is not built yet. Use pulse or simulated."
                )
            )
        case let name?:
            return UnavailableHost(
                name: name,
                failure: AudioFailure(
                    .invalidArgument,
                    "KAYIT_AUDIO=\(name): there is no such device layer. Use pulse, alsa or simulated."
                )
            )
        }
    }

    /// What mixers show: the name of the program's file.
    private static var programName: String {
        let path = CommandLine.arguments.first ?? ""
        let name = FilePath.lastComponent(path)
        return name.isEmpty ? "Kayıt" : name
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
