import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

/// What Apple's Foundation says of a low-power mode. In this process nothing else overrides the runtime.
@Suite("Low-power mode", .serialized)
struct PowerStateTests {
    @Test("it is told and posted when it changes, with the process info as its object, and not on the main thread")
    func changes() throws {
        let conditions = SystemConditions()
        RuntimeOverride.current.withLock {
            $0 = RuntimeOverride(devices: ManualHost(), clock: Runtime.system.clock, conditions: conditions)
        }
        defer { RuntimeOverride.current.withLock { $0 = nil } }
        #expect(!ProcessInfo.processInfo.isLowPowerModeEnabled)
        let posted = Recorded<Bool>()
        let token = NotificationCenter.default.addObserver(
            forName: .NSProcessInfoPowerStateDidChange,
            object: ProcessInfo.processInfo,
            queue: nil
        ) { _ in posted.append(Thread.isMainThread) }
        defer { NotificationCenter.default.removeObserver(token) }
        conditions.power { $0 = PowerState(batteryLevel: 0.2) }
        conditions.power { $0.isLowPowerMode = true }
        #expect(ProcessInfo.processInfo.isLowPowerModeEnabled)
        #expect(eventually { posted.all == [false] })
        conditions.power { $0.isLowPowerMode = false }
        #expect(eventually { posted.all == [false, false] })
        #expect(
            NSNotification.Name.NSProcessInfoPowerStateDidChange.rawValue
                == "NSProcessInfoPowerStateDidChangeNotification"
        )
    }
}
