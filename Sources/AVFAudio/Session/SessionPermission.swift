import AudioCore
import Dispatch
import Synchronization

/// What is known of the right to record. A desktop asks nobody: the sound server lets a program in or not.
package enum SessionPermission: Sendable, Hashable {
    /// Nobody has asked, or no server was there to answer.
    case undetermined
    case denied
    case granted
}

extension SessionCore {
    /// The answer so far. A refusal is never kept: it is asked for anew, so that a right given later works without a
    /// restart. Then this may wait for the server, 2 seconds at most.
    package func permission() -> SessionPermission {
        let known = state.withLock { $0.permission }
        return known == .denied ? askForPermission() : known
    }

    /// Asks the device layer unless it has allowed it already, and delivers the answer later on the callback executor.
    package func requestPermission(_ answer: @escaping @Sendable (Bool) -> Void) {
        let callbacks = runtime.callbacks
        if state.withLock({ $0.permission == .granted }) {
            callbacks.enqueue { answer(true) }
            return
        }
        // Asking may block for 2 seconds; never on the caller's thread.
        Self.questions.async {
            let isGranted = self.askForPermission() == .granted
            callbacks.enqueue { answer(isGranted) }
        }
    }

    /// Runs `body` on the callback executor.
    package func answerLater(_ body: @escaping @Sendable () -> Void) { runtime.callbacks.enqueue(body) }

    /// A recorder learnt that the server does not let it record.
    package func noteRecordingDenied() { state.withLock { $0.permission = .denied } }

    /// Returns when every question so far has been answered to the callback executor.
    package func settlePermission() { Self.questions.sync {} }

    private func askForPermission() -> SessionPermission {
        let answer: SessionPermission?
        do throws(AudioFailure) {
            _ = try runtime.devices.devices()
            answer = .granted
        } catch {
            answer = error.code == .permissionDenied ? .denied : nil
        }
        return state.withLock { state in
            if let answer { state.permission = answer }
            return state.permission
        }
    }

    private static let questions = DispatchQueue(label: "kayit.session.permission")
}
