import AudioCore
import AudioRuntime
import Dispatch
public import Foundation

// Names of Apple's Foundation that the one for Linux has not: programs that record long ask for them.

extension ProcessInfo {
    /// Whether the person asked that power be saved: the profile "power-saver" of power-profiles-daemon. False where nobody
    /// says. Any thread, without waiting.
    ///
    /// The first call begins to look, so that its answer may come too early; `NSProcessInfoPowerStateDidChange` is posted from
    /// then on.
    public var isLowPowerModeEnabled: Bool { PowerStateNotice.watch.now.power.isLowPowerMode }
}

extension Notification.Name {
    /// Posted when `ProcessInfo.isLowPowerModeEnabled` has changed, by a global dispatch queue, with the process info as its
    /// object. Ask once before you wait for it.
    public static let NSProcessInfoPowerStateDidChange = Notification.Name(
        "NSProcessInfoPowerStateDidChangeNotification"
    )
}

private enum PowerStateNotice {
    static let watch = LastingWatch { before, now in
        if before.power.isLowPowerMode == now.power.isLowPowerMode { return }
        DispatchQueue.global().async {
            NotificationCenter.default.post(
                name: .NSProcessInfoPowerStateDidChange,
                object: ProcessInfo.processInfo
            )
        }
    }
}
