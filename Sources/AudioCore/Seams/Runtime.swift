/// Everything that the public classes stand on: one value, wired once, replaceable in tests.
package struct Runtime: Sendable {
    package var devices: any AudioDeviceHost
    package var media: MediaRegistry
    package var files: any FileStore
    package var clock: any HostClock
    package var callbacks: any CallbackExecutor

    package init(
        devices: any AudioDeviceHost,
        media: MediaRegistry,
        files: any FileStore,
        clock: any HostClock,
        callbacks: any CallbackExecutor
    ) {
        self.devices = devices
        self.media = media
        self.files = files
        self.clock = clock
        self.callbacks = callbacks
    }
}
