import AVFAudio
import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import RecordingKit
import Synchronization

/// A recorder app as Apple documents it, in the hands of a scenario. Lives on the callback queue of its simulation, as an app
/// lives on the main queue.
final class ScenarioClient: NSObject, AVAudioRecorderDelegate, @unchecked Sendable {
    // Unchecked: everything is used on the callback queue alone, and by the runner while that queue has nothing to do.

    private let scenario: SimulationScenario
    private let runtime: Runtime
    private let session: AVAudioSession
    private let folder: URL
    private let tell: (SimulationScenario.Notice?, ScenarioResult.Entry.Kind, String) -> Void
    private var observers: [any NSObjectProtocol] = []
    private(set) var recorder: AVAudioRecorder?
    private var player: AVAudioPlayer?
    private var ear: PlayerEar?
    private(set) var takes: [URL] = []
    /// A person wants it to record: pressed record, and neither pause nor stop since.
    private var isWanted = false
    private var isInterrupted = false
    /// Delegates have heard of the end of this many takes.
    private(set) var finished = 0
    /// The microphone is away or asleep.
    private(set) var isDeaf = false

    init(
        _ scenario: SimulationScenario,
        runtime: Runtime,
        folder: URL,
        tell: @escaping (SimulationScenario.Notice?, ScenarioResult.Entry.Kind, String) -> Void
    ) throws {
        self.scenario = scenario
        self.runtime = runtime
        self.folder = folder
        self.tell = tell
        session = AVAudioSession(runtime: runtime)
        super.init()
        observe()
        try session.setCategory(.playAndRecord)
    }

    func end() {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        observers = []
        recorder = nil
        player = nil
    }

    // MARK: Buttons

    func press(_ button: SimulationScenario.Button) {
        switch button {
        case .record:
            isWanted = true
            record()
        case .pause:
            isWanted = false
            recorder?.pause()
        case .stop:
            isWanted = false
            recorder?.stop()
        case .play: play()
        case .silence: player?.pause()
        }
    }

    var state: SimulationScenario.State {
        switch recorder?.engine?.phase {
        case .recording: .recording
        case .paused: .paused
        case .stopped, .prepared, nil: .stopped
        }
    }

    private func record() {
        if state == .stopped, !makeRecorder() { return }
        // One that went away meanwhile is opened anew, and one that sleeps says so again.
        if state != .recording { isDeaf = false }
        let isOn = recorder?.record() ?? false
        tell(nil, .action, isOn ? "records" : "cannot record")
    }

    /// Each recording in a file of its own.
    private func makeRecorder() -> Bool {
        let recording = scenario.recording
        let url = folder.appendingPathComponent("take-\(takes.count + 1).\(recording.codec.fileExtension)")
        do {
            let recorder = try AVAudioRecorder(
                url: url,
                settings: recording.settings,
                runtime: runtime,
                session: session.core
            )
            recorder.delegate = self
            recorder.options.microphoneLoss =
                switch scenario.microphoneLoss {
                case .stops: .stop
                case .waits: .wait
                case .changes: .fallBack
                }
            // Where hours pass in seconds, each checkpoint costs as much as in an hour that lasts one.
            if scenario.length > .seconds(3600) { recorder.options.durability = .longLife }
            _ = recorder.engine?.observers.add { [weak self] notice in if let notice { self?.hear(notice) } }
            self.recorder = recorder
            takes.append(url)
            isDeaf = false
            return true
        } catch {
            tell(.error, .notice, "error: \(error.localizedDescription)")
            return false
        }
    }

    private func hear(_ notice: TakeNotice) {
        switch notice {
        case .microphoneLost:
            isDeaf = true
            tell(nil, .notice, "microphone lost")
        case .microphoneChanged(_, let device):
            isDeaf = false
            tell(nil, .notice, "microphone is \(device.name)")
        case .microphoneAsleep(let isAsleep):
            isDeaf = isAsleep
            tell(nil, .notice, isAsleep ? "microphone asleep" : "microphone awake")
        // Told when a thread gets to it: no moment of the scenario belongs to these.
        default: break
        }
    }

    private func play() {
        do {
            let player =
                try self.player
                ?? AVAudioPlayer(
                    url: nil,
                    data: ScenarioTone.file,
                    hint: nil,
                    runtime: runtime,
                    session: session.core
                )
            let ear = PlayerEar { [weak self] flag in self?.playerEnded(flag) }
            player.delegate = ear
            self.ear = ear
            player.numberOfLoops = -1
            self.player = player
            tell(nil, .action, player.play() ? "plays" : "cannot play")
        } catch {
            tell(.error, .notice, "error: \(error.localizedDescription)")
        }
    }

    // MARK: Notifications

    private func observe() {
        func on(_ name: NSNotification.Name, _ body: @escaping @Sendable (ScenarioClient, Notification) -> Void) {
            // Without a queue: on the thread of the post, which is the callback queue.
            let observer = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                [weak self] notification in if let self { body(self, notification) }
            }
            observers.append(observer)
        }
        on(AVAudioSession.interruptionNotification) { $0.interrupted($1) }
        on(AVAudioSession.routeChangeNotification) { $0.routeChanged($1) }
        on(AVAudioSession.mediaServicesWereLostNotification) { client, _ in
            client.tell(.servicesLost, .notice, "media services lost")
        }
        on(AVAudioSession.mediaServicesWereResetNotification) { client, _ in
            client.tell(.servicesReset, .notice, "media services reset")
        }
        on(AVAudioSession.silenceSecondaryAudioHintNotification) { client, notification in
            let value = notification.userInfo?[AVAudioSessionSilenceSecondaryAudioHintTypeKey] as? UInt
            client.tell(
                value == 1 ? .silenceBegins : .silenceEnds,
                .notice,
                "silence hint \(value == 1 ? "begins" : "ends")"
            )
        }
    }

    private func interrupted(_ notification: Notification) {
        let number = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        guard let type = number.flatMap(AVAudioSession.InterruptionType.init) else { return }
        switch type {
        case .began:
            isInterrupted = true
            tell(.began, .notice, "interruption began")
        case .ended:
            let value = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
            let shouldResume = AVAudioSession.InterruptionOptions(rawValue: value).contains(.shouldResume)
            isInterrupted = false
            tell(
                shouldResume ? .endedResume : .ended,
                .notice,
                "interruption ended" + (shouldResume ? ", should resume" : "")
            )
            if shouldResume, scenario.client == .resumes, isWanted, state != .recording { resume() }
        @unknown default: break
        }
    }

    private func resume() {
        do {
            try session.setActive(true)
            record()
        } catch {
            tell(nil, .action, "cannot activate its session")
        }
    }

    private func routeChanged(_ notification: Notification) {
        let number = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        let reason = number.flatMap(AVAudioSession.RouteChangeReason.init) ?? .unknown
        let notice: SimulationScenario.Notice =
            switch reason {
            case .newDeviceAvailable: .deviceIn
            case .oldDeviceUnavailable: .deviceOut
            case .categoryChange: .category
            case .noSuitableRouteForCategory: .noRoute
            default: .routeOther
            }
        let ports = session.currentRoute.inputs + session.currentRoute.outputs
        let names = ports.map(\.portName).joined(separator: " + ")
        tell(notice, .notice, "\(notice.text): \(names.isEmpty ? "nothing" : names)")
    }

    // MARK: Delegate

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        finished += 1
        tell(flag ? .finished : .failed, .notice, flag ? "finished" : "failed")
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        tell(.error, .notice, "error: \(error?.localizedDescription ?? "unknown")")
    }

    fileprivate func playerEnded(_ flag: Bool) {
        tell(.played, .notice, flag ? "played to the end" : "cannot play on")
    }
}

/// Hears of the player's end. Apple binds its delegate to the main actor, which in a scenario is the callback queue.
private final class PlayerEar: NSObject, AVAudioPlayerDelegate {
    private nonisolated let ended: @Sendable (Bool) -> Void

    nonisolated init(_ ended: @escaping @Sendable (Bool) -> Void) {
        self.ended = ended
        super.init()
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { ended(flag) }
}

extension SimulationScenario.Recording {
    fileprivate var settings: [String: Any] {
        var settings: [String: Any] = [
            AVFormatIDKey: codec.formatID, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: channelCount,
        ]
        if codec == .pcm { settings[AVLinearPCMBitDepthKey] = 16 }
        return settings
    }
}

extension SimulationScenario.Recording.Codec {
    fileprivate var fileExtension: String {
        switch self {
        case .aac, .alac: "m4a"
        case .ima4: "caf"
        case .pcm: "wav"
        case .flac: "flac"
        case .opus: "opus"
        }
    }

    fileprivate var formatID: AudioFormatID {
        switch self {
        case .aac: kAudioFormatMPEG4AAC
        case .alac: kAudioFormatAppleLossless
        case .ima4: kAudioFormatAppleIMA4
        case .pcm: kAudioFormatLinearPCM
        case .flac: kAudioFormatFLAC
        case .opus: kAudioFormatOpus
        }
    }
}
