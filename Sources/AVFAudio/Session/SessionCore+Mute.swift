import AudioCore
import Foundation
import Synchronization

/// Silence that the program asks for, of what it records and of what it plays.
extension SessionCore {
    package var isInputMuted: Bool { state.withLock { $0.isInputMuted } }

    package var isOutputMuted: Bool { state.withLock { $0.isOutputMuted } }

    /// True while a player that still exists is running.
    var isPlaying: Bool { !runningClients { $0 == .playback }.isEmpty }

    /// System sounds and vibration are not to be heard in what is being recorded: the program has chosen a category for
    /// recording, records, and has not allowed them.
    package var holdsBackSystemSounds: Bool {
        let isMeant = state.withLock { state in
            [.record, .playAndRecord].contains(state.effective.category)
                && !state.preferences.allowsHapticsAndSystemSounds
        }
        return isMeant && !runningClients { $0 == .recording }.isEmpty
    }

    var promptManner: SessionMachine.PromptManner { state.withLock { $0.machine.promptManner } }

    func setOutputMuted(_ isMuted: Bool) {
        turns.sync {
            guard let clients = change(\.isOutputMuted, to: isMuted, of: .playback) else { return }
            for client in clients { client.sessionMutes(isMuted) }
            post(AVAudioSession.outputMuteStateChangeNotification) {
                [AVAudioSession.muteStateKey: NSNumber(value: isMuted ? 1 : 0)]
            }
        }
    }

    /// - Parameter tell: on the callback executor, where it is news.
    package func setInputMuted(_ isMuted: Bool, tell: @escaping @Sendable () -> Void) {
        turns.sync {
            guard let clients = change(\.isInputMuted, to: isMuted, of: .recording) else { return }
            for client in clients { client.sessionMutes(isMuted) }
            runtime.callbacks.enqueue(tell)
        }
    }

    /// - Returns: those that run; nil where nothing changed.
    private func change(
        _ flag: any WritableKeyPath<State, Bool> & Sendable,
        to value: Bool,
        of use: SessionUse
    ) -> [any SessionClient]? {
        state.withLock { state in
            if state[keyPath: flag] == value { return nil }
            state[keyPath: flag] = value
            return state.activities.values.filter { $0.use == use }.compactMap(\.client)
        }
    }
}
