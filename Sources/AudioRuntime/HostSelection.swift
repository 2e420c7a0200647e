import AudioCore
import AudioSimulation
import DesktopLinux
import DevicePulse
import Glibc
import PlatformLinux

/// Chooses the device layer, and the clock that goes with it.
enum HostSelection {
    typealias Choice = (host: any AudioDeviceHost, clock: any HostClock)

    /// `KAYIT_AUDIO` names it; otherwise the sound server. The simulation is taken only when it is asked for by name: a
    /// recorder that records invented sound unasked is the worst failure.
    static func fromEnvironment() -> Choice {
        let name = environment("KAYIT_AUDIO")
        if name == "simulated" { return simulated() }
        return (host(named: name), MonotonicClock())
    }

    private static func host(named name: String?) -> any AudioDeviceHost {
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

    /// A simulated microphone that hears `KAYIT_SIMULATED_INPUT`, a sound file, or else a made-up voice. Its time is the
    /// machine's, or with `KAYIT_SIMULATED_TIME=free` runs as fast as what records and plays.
    private static func simulated() -> Choice {
        var configuration = SimulatedConfiguration()
        if environment("KAYIT_SIMULATED_TIME") == "free" { configuration.time = .free }
        if let path = environment("KAYIT_SIMULATED_INPUT") {
            let signal = SimulatedSignal.custom { format throws(AudioFailure) in
                try FileSound(path: path, format: format, media: .system, files: LinuxFileStore())
            }
            for index in configuration.devices.indices where configuration.devices[index].port == .builtInMicrophone {
                configuration.devices[index].signal = signal
            }
        }
        let host = SimulatedHost(configuration)
        return (host, host.clock)
    }

    /// Sound that is simulated disturbs nobody, and nobody is asked.
    static func arbiter(for host: any AudioDeviceHost) -> any SessionArbiter {
        if host is SimulatedHost { return LoneArbiter() }
        return BusArbiter(program: programName, host: host, log: { RuntimeLog.note($0) })
    }

    /// What mixers show: the name of the program's file.
    static var programName: String {
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
