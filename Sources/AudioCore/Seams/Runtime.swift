package import Synchronization

/// Everything that the public classes stand on: one value, wired once, replaceable in tests.
package struct Runtime: Sendable {
    package var devices: any AudioDeviceHost
    package var media: MediaRegistry
    package var files: any FileStore
    package var clock: any HostClock
    package var callbacks: any CallbackExecutor
    package var desktop: any DesktopServices
    package var arbiter: any SessionArbiter
    package var conditions: SystemConditions
    package var stretchers: any StretcherProvider

    package init(
        devices: any AudioDeviceHost,
        media: MediaRegistry,
        files: any FileStore,
        clock: any HostClock,
        callbacks: any CallbackExecutor,
        desktop: any DesktopServices = NoDesktopServices(),
        arbiter: any SessionArbiter = LoneArbiter(),
        conditions: SystemConditions = SystemConditions(),
        stretchers: any StretcherProvider = NoStretchers()
    ) {
        self.devices = devices
        self.media = media
        self.files = files
        self.clock = clock
        self.callbacks = callbacks
        self.desktop = desktop
        self.arbiter = arbiter
        self.conditions = conditions
        self.stretchers = stretchers
    }
}

/// What a program or a test puts in the place of the machine's own devices and clock, for all objects made afterwards.
///
/// Apple's classes are made without arguments, so the choice cannot be handed to them: this is the one value of the
/// process that they look at. Nothing sets it but a call that names the simulation.
package struct RuntimeOverride: Sendable {
    package var devices: any AudioDeviceHost
    package var clock: any HostClock
    package var files: (any FileStore)?
    package var callbacks: (any CallbackExecutor)?
    package var arbiter: any SessionArbiter
    package var conditions: SystemConditions
    package var desktop: any DesktopServices
    /// Puts something between the files and their users.
    package var onFiles: (@Sendable (any FileStore) -> any FileStore)?

    package init(
        devices: any AudioDeviceHost,
        clock: any HostClock,
        files: (any FileStore)? = nil,
        callbacks: (any CallbackExecutor)? = nil,
        arbiter: any SessionArbiter = LoneArbiter(),
        conditions: SystemConditions = SystemConditions(),
        desktop: any DesktopServices = NoDesktopServices(),
        onFiles: (@Sendable (any FileStore) -> any FileStore)? = nil
    ) {
        self.onFiles = onFiles
        self.devices = devices
        self.clock = clock
        self.files = files
        self.callbacks = callbacks
        self.arbiter = arbiter
        self.conditions = conditions
        self.desktop = desktop
    }

    /// The override in force; nil for the machine's own.
    package static let current = Mutex<RuntimeOverride?>(nil)
}
