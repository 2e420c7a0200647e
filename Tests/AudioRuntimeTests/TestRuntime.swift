import AudioCore
import AudioRuntime
import PlatformLinux
import TestSupport

extension Runtime {
    /// Real files and codecs, devices that do what the test says, and callbacks on a queue of their own.
    static func test(
        devices: any AudioDeviceHost = ManualHost(),
        desktop: any DesktopServices = NoDesktopServices()
    ) -> Runtime {
        Runtime(
            devices: devices,
            media: .system,
            files: LinuxFileStore(),
            clock: MonotonicClock(),
            callbacks: SerialQueueExecutor(label: "test"),
            desktop: desktop
        )
    }
}
