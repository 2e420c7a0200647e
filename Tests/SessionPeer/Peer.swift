import AVFAudio
import Foundation

/// A client of the audio session as people write it: an observer, a recorder, and a button to resume.
@MainActor
final class Peer {
    private let session = AVAudioSession.sharedInstance()
    private var recorder: AVAudioRecorder?
    private var player: AVAudioPlayer?
    private var observers: [any NSObjectProtocol] = []

    init() {
        let center = NotificationCenter.default
        observers.append(
            center.addObserver(
                forName: AVAudioSession.interruptionNotification,
                object: session,
                queue: nil
            ) { notification in
                let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
                let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
                MainActor.assumeIsolated {
                    self.interrupted(type, AVAudioSession.InterruptionOptions(rawValue: options))
                }
            }
        )
        observers.append(
            center.addObserver(
                forName: AVAudioSession.silenceSecondaryAudioHintNotification,
                object: session,
                queue: nil
            ) { notification in
                let type = notification.userInfo?[AVAudioSessionSilenceSecondaryAudioHintTypeKey] as? UInt
                MainActor.assumeIsolated { self.say("hint \(type == 1 ? "begin" : "end")") }
            }
        )
    }

    private func interrupted(_ type: UInt?, _ options: AVAudioSession.InterruptionOptions) {
        if type == AVAudioSession.InterruptionType.began.rawValue {
            say("began \(recorder.map { frames($0.currentTime) } ?? 0)")
        } else {
            say("ended \(options.contains(.shouldResume) ? "resume" : "stay")")
        }
    }

    private func frames(_ seconds: TimeInterval) -> Int { Int((seconds * 44_100).rounded()) }

    /// Unbuffered: it may be killed behind any line.
    private func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    func obey(_ order: [String]) {
        do {
            switch order.first {
            case "category": try chooseCategory(Array(order.dropFirst()))
            case "activate": try session.setActive(true)
            case "deactivate":
                try session.setActive(false, options: order.last == "notify" ? .notifyOthersOnDeactivation : [])
            case "record": try record(order[1])
            case "resume":
                try session.setActive(true)
                if recorder?.record() == false { throw Refusal() }
            case "stop": stop()
            case "play": try play(order[1])
            case "playing": say("playing \(player?.isPlaying == true)")
            case "others": say("others \(session.isOtherAudioPlaying) \(session.secondaryAudioShouldBeSilencedHint)")
            default: throw Refusal()
            }
            say("ok \(order[0])")
        } catch {
            say("failed \(order.first ?? "") \((error as NSError).code)")
        }
    }

    private struct Refusal: Error {}

    private func chooseCategory(_ words: [String]) throws {
        let categories: [String: AVAudioSession.Category] = [
            "playback": .playback, "playAndRecord": .playAndRecord, "record": .record, "ambient": .ambient,
        ]
        let options: [String: AVAudioSession.CategoryOptions] = [
            "mix": .mixWithOthers, "duck": .duckOthers, "speech": .interruptSpokenAudioAndMixWithOthers,
        ]
        let modes: [String: AVAudioSession.Mode] = ["call": .voiceChat, "spoken": .spokenAudio]
        guard let category = words.first.flatMap({ categories[$0] }) else { throw Refusal() }
        try session.setCategory(
            category,
            mode: words.lazy.compactMap { modes[$0] }.first ?? .default,
            options: words.lazy.compactMap { options[$0] }.first ?? []
        )
    }

    private func record(_ path: String) throws {
        let recorder = try AVAudioRecorder(
            url: URL(fileURLWithPath: path),
            settings: [
                AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1,
                AVLinearPCMBitDepthKey: 16,
            ]
        )
        self.recorder = recorder
        if !recorder.record() { throw Refusal() }
    }

    private func play(_ path: String) throws {
        let player = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: path))
        self.player = player
        player.numberOfLoops = -1
        if !player.play() { throw Refusal() }
    }

    private func stop() {
        guard let recorder else { return }
        let length = frames(recorder.currentTime)
        recorder.stop()
        self.recorder = nil
        say("recorded \(length)")
    }
}
