import AudioCore
import Synchronization

/// Answers "which devices are there?" for properties that cannot throw.
final class DeviceDirectory: Sendable {
    private let runtime: @Sendable () -> Runtime
    /// When the last question found nobody to answer. A dead server costs 2 seconds per question: properties asked in a row
    /// must not pay that each time.
    private let lastFailure = Mutex<HostTime?>(nil)

    init(runtime: @escaping @Sendable () -> Runtime) { self.runtime = runtime }

    /// The devices now; nil where nobody answers. After a failure the next second is answered with nil at once.
    func devices() -> [DeviceDescription]? {
        let runtime = runtime()
        let now = runtime.clock.now
        let isRecent = lastFailure.withLock { failure in
            guard let failure else { return false }
            return now - failure < .seconds(1)
        }
        if isRecent { return nil }
        do throws(AudioFailure) {
            let devices = try runtime.devices.devices()
            lastFailure.withLock { $0 = nil }
            return devices
        } catch {
            let failed = runtime.clock.now
            lastFailure.withLock { $0 = failed }
            return nil
        }
    }
}
