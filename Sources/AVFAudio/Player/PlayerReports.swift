import AudioCore
import AudioRuntime
import Foundation
import Synchronization

/// Brings an engine's reports to the delegate of its player, if both are still there.
final class PlayerReports: Sendable {
    private let relay: DelegateRelay
    private let player = Mutex(WeakReference<AVAudioPlayer>())

    init(relay: DelegateRelay) { self.relay = relay }

    func connect(_ player: AVAudioPlayer) {
        let reference = WeakReference(object: player)
        self.player.withLock { $0 = reference }
    }

    /// On the runtime's callback executor, which is the main queue unless a program has put another in its place.
    func receive(_ report: PlayerEngine.Report) {
        guard let player = player.withLock({ Carried(object: $0.object) }).object else { return }
        player.playbackEnded(after: report)
        guard let delegate = relay.object as? any AVAudioPlayerDelegate else { return }
        let carried = Carried(object: (player: player, delegate: delegate))
        onMainActor {
            let (player, delegate) = carried.object
            switch report {
            case .finished(let successfully):
                delegate.audioPlayerDidFinishPlaying(player, successfully: successfully)
            case .failed(let failure):
                delegate.audioPlayerDecodeErrorDidOccur(player, error: failure.appleError)
            case .device: break
            }
        }
    }
}

/// Calls what belongs to the main actor from the callback executor.
///
/// The executor is the main queue, or what a program without a running main queue has put in its place and vouches for. The
/// check of `MainActor.assumeIsolated` would stop such a program, so it is left out.
private func onMainActor(_ body: @MainActor () -> Void) {
    withoutActuallyEscaping(body) { body in
        let plain = unsafeBitCast(body, to: (() -> Void).self)
        plain()
    }
}
