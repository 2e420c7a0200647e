import AudioCore
import AudioRuntime

/// The stream of one recorder or player, as the session's route knows it. Any thread; returns at once.
final class SessionStream: Sendable {
    private let session: SessionCore
    private let use: SessionUse

    init(_ use: SessionUse, of session: SessionCore) {
        self.use = use
        self.session = session
    }

    deinit { isOn(nil) }

    /// It is on `device` now, because it was opened there or because the server moved it; nil once it is closed.
    func isOn(_ device: DeviceDescription?) {
        session.routes.place(ObjectIdentifier(self), use, on: device?.id)
    }

    func speakerChanged(_ change: SpeakerChange) {
        switch change {
        case .moved(let device): isOn(device)
        case .fellAsleepOrAwoke: deviceFellAsleepOrAwoke()
        }
    }

    /// The server has put its device to sleep while it runs, or has woken it.
    func deviceFellAsleepOrAwoke() { session.routes.deviceFellAsleepOrAwoke() }
}
