import AudioCore
import Foundation
import Synchronization

/// How the session tells what happens to it.
extension SessionCore {
    /// Posts notifications in the name of `object` from now on, on the callback executor, in the order of events.
    func postNotifications(_ object: @escaping @Sendable () -> AVAudioSession?) {
        state.withLock { $0.poster = object }
        routes.listen(
            RouteMonitor.Listener(
                routeChanged: { [weak self] event in self?.routeChanged(event) },
                inputsChanged: { [weak self] in
                    self?.post(AVAudioSession.availableInputsChangeNotification) { [:] }
                },
                overrideEnded: { [weak self] in self?.state.withLock { $0.overrideOutputID = nil } },
                serverChanged: { [weak self] isThere in
                    self?.receive(isThere ? .servicesReset : .servicesLost)
                }
            )
        )
    }

    func post(_ notice: SessionNotice) {
        switch notice {
        case .interruptionBegan(let interruption):
            post(AVAudioSession.interruptionNotification) {
                var values: [AnyHashable: Any] = [
                    AVAudioSessionInterruptionTypeKey: Self.number(AVAudioSession.InterruptionType.began.rawValue),
                    AVAudioSessionInterruptionReasonKey: Self.number(interruption.appleReason.rawValue),
                ]
                if interruption == .suspended { values[Self.wasSuspendedKey] = NSNumber(value: true) }
                return values
            }
        case .interruptionEnded(let shouldResume):
            post(AVAudioSession.interruptionNotification) {
                let options: AVAudioSession.InterruptionOptions = shouldResume ? .shouldResume : []
                return [
                    AVAudioSessionInterruptionTypeKey: Self.number(AVAudioSession.InterruptionType.ended.rawValue),
                    AVAudioSessionInterruptionOptionKey: Self.number(options.rawValue),
                ]
            }
        case .silenceHint(let isOn):
            post(AVAudioSession.silenceSecondaryAudioHintNotification) {
                let type: AVAudioSession.SilenceSecondaryAudioHintType = isOn ? .begin : .end
                return [AVAudioSessionSilenceSecondaryAudioHintTypeKey: Self.number(type.rawValue)]
            }
        case .routeChanged(let change):
            let previous = state.withLock { $0.previousRoute }
            post(AVAudioSession.routeChangeNotification) {
                [
                    AVAudioSessionRouteChangeReasonKey: Self.number(change.appleReason.rawValue),
                    AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(previous),
                ]
            }
        case .servicesLost: post(AVAudioSession.mediaServicesWereLostNotification) { [:] }
        case .servicesReset: post(AVAudioSession.mediaServicesWereResetNotification) { [:] }
        }
    }

    /// - Parameter values: asked on the callback executor; a notification without any has no user info.
    func post(_ name: NSNotification.Name, _ values: @escaping @Sendable () -> [AnyHashable: Any]) {
        guard let poster = state.withLock({ $0.poster }) else { return }
        runtime.callbacks.enqueue {
            guard let session = poster() else { return }
            let userInfo = values()
            NotificationCenter.default.post(name: name, object: session, userInfo: userInfo.isEmpty ? nil : userInfo)
        }
    }

    /// On the monitor's queue.
    private func routeChanged(_ event: RouteMonitor.Event) {
        turns.sync {
            state.withLock { $0.previousRoute = event.previous }
            try? handle(.routeChanged(event.change, outputIsGone: event.outputIsGone, isPlaying: isPlaying))
        }
    }

    /// Client code casts it to `UInt`, `Int` and `NSNumber` alike.
    private static func number(_ value: UInt) -> NSNumber { NSNumber(value: value) }

    /// The string of `AVAudioSessionInterruptionWasSuspendedKey`, whose name the compiler warns of.
    private static let wasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
}

extension SessionInterruption {
    var appleReason: AVAudioSession.InterruptionReason {
        switch self {
        case .suspended: .appWasSuspended
        case .microphoneMuted: .builtInMicMuted
        case .routeDisconnected: .routeDisconnected
        case .otherProgram, .call, .assistant, .alarm, .server: .default
        }
    }
}
