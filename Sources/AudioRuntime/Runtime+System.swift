package import AudioCore
import DesktopLinux
import MediaCodecs
import MediaContainers
import MediaFFmpeg
import PlatformLinux
import StretchSoundTouch
import Synchronization

extension Runtime {
    /// The machine's own adapters, unless a program or test has put others in their place.
    package static var current: Runtime {
        var runtime = Runtime.system
        if let override = RuntimeOverride.current.withLock({ $0 }) {
            runtime.devices = override.devices
            runtime.clock = override.clock
            runtime.arbiter = override.arbiter
            runtime.conditions = override.conditions
            // What is recorded in a time of its own does not need the machine awake: none, unless a test has its own.
            runtime.desktop = override.desktop
            if let files = override.files { runtime.files = files }
            if let onFiles = override.onFiles { runtime.files = onFiles(runtime.files) }
            if let callbacks = override.callbacks { runtime.callbacks = callbacks }
        }
        return runtime
    }

    /// The machine's own adapters, chosen once: devices by `KAYIT_AUDIO`, else the sound server.
    package static let system: Runtime = {
        let (host, clock) = HostSelection.fromEnvironment()
        return Runtime(
            devices: host,
            media: .system,
            files: LinuxFileStore(),
            clock: clock,
            callbacks: MainQueueExecutor(),
            desktop: LinuxDesktop(program: HostSelection.programName, log: { RuntimeLog.note($0) }),
            arbiter: HostSelection.arbiter(for: host),
            conditions: SystemConditions { conditions in ConditionsWatch(conditions, log: { RuntimeLog.note($0) }) },
            stretchers: SoundTouchProvider()
        )
    }()
}

extension MediaRegistry {
    /// All media adapters: ours first, other people's formats last.
    package static let system = MediaRegistry(providers: [PCMCodecProvider(), ContainerProvider(), FFmpegProvider()])
}
