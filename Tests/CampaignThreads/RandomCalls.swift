import AVFAudio
import AudioSimulation
import Foundation
import RecordingKit
import Synchronization
import TestSupport

/// Eight threads call everything at random on shared recorders, players and the session, while the devices come and go.
///
/// Nothing is expected of a single call but that it returns: calls contradict each other all the time.
final class RandomCalls: Sendable {
    private static let threads = 8
    private static let slots = 4

    private let audio: SimulatedAudio
    private let folder: TemporaryFolder
    private let seed: UInt64
    private let recorders: [RecorderSlot]
    private let players: [PlayerSlot]
    fileprivate let sounds: RandomSounds
    private let isOver = Atomic<Bool>(false)
    private let calls = Atomic<Int>(0)
    /// What each thread is in, and since when.
    private let under = Mutex<[Int: (call: String, since: Date)]>([:])
    private let running = Atomic<Int>(0)

    init(_ audio: SimulatedAudio, _ folder: TemporaryFolder, seed: UInt64) throws {
        self.audio = audio
        self.folder = folder
        self.seed = seed
        recorders = try (0..<Self.slots).map { try RecorderSlot(Self.recorder($0, folder)) }
        players = (0..<Self.slots).map { _ in PlayerSlot() }
        sounds = try RandomSounds(folder)
    }

    func run(seconds: Double) throws {
        for thread in 0..<Self.threads {
            running.add(1, ordering: .sequentiallyConsistent)
            Thread.detachNewThread { [self] in
                var random = SeededGenerator(seed: seed &* 1009 &+ UInt64(thread))
                while !isOver.load(ordering: .relaxed) { call(thread, &random) }
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
        running.add(1, ordering: .sequentiallyConsistent)
        Thread.detachNewThread { [self] in
            meterEveryMillisecond()
            running.subtract(1, ordering: .sequentiallyConsistent)
        }
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            Thread.sleep(forTimeInterval: 0.1)
            try checkProgress()
        }
        isOver.store(true, ordering: .relaxed)
        while running.load(ordering: .sequentiallyConsistent) > 0 {
            Thread.sleep(forTimeInterval: 0.05)
            try checkProgress()
        }
        audio.setServerRunning(true)
        for recorder in recorders { recorder.current.stop() }
        for player in players { player.use { $0 = nil } }
        try sounds.settle()
        print("\(calls.load(ordering: .relaxed)) calls from \(Self.threads) threads, seed \(seed)")
    }

    /// No call may take half a minute, however busy the machine is.
    private func checkProgress() throws {
        let stuck = under.withLock { under in under.values.first { $0.since.timeIntervalSinceNow < -30 } }
        if let stuck { throw SetupFailure("\(stuck.call) has not returned for 30 s.") }
    }

    private func meterEveryMillisecond() {
        while !isOver.load(ordering: .relaxed) {
            for slot in recorders {
                let recorder = slot.current
                recorder.isMeteringEnabled = true
                recorder.updateMeters()
                _ = recorder.averagePower(forChannel: 0) + recorder.peakPower(forChannel: 0)
                _ = recorder.currentTime
            }
            Thread.sleep(forTimeInterval: 0.001)
        }
    }

    private func call(_ thread: Int, _ random: inout SeededGenerator) {
        let kind = Kind.all[Int.random(in: 0..<Kind.all.count, using: &random)]
        under.withLock { $0[thread] = (kind.name, Date()) }
        calls.add(1, ordering: .relaxed)
        kind.body(self, &random)
        under.withLock { $0[thread] = nil }
        if Int.random(in: 0..<4, using: &random) == 0 {
            Thread.sleep(forTimeInterval: .random(in: 0...0.01, using: &random))
        }
    }

    // MARK: What is called

    struct Kind: Sendable {
        var name: String
        var body: @Sendable (RandomCalls, inout SeededGenerator) -> Void

        static func recorder(
            _ name: String,
            _ body: @escaping @Sendable (AVAudioRecorder, inout SeededGenerator) -> Void
        ) -> Kind {
            Kind(name: "recorder.\(name)") { calls, random in
                body(calls.recorders[Int.random(in: 0..<slots, using: &random)].current, &random)
            }
        }

        static func player(
            _ name: String,
            _ body: @escaping @Sendable (AVAudioPlayer, inout SeededGenerator) -> Void
        ) -> Kind {
            Kind(name: "player.\(name)") { calls, random in
                calls.players[Int.random(in: 0..<slots, using: &random)].use { player in
                    if let player { body(player, &random) }
                }
            }
        }

        static let all: [Kind] = recording + playing + session + devices + files
    }

    static func recorder(_ index: Int, _ folder: TemporaryFolder) throws -> AVAudioRecorder {
        let url = folder.file(["a.m4a", "b.wav", "c.flac", "d.caf"][index % 4])
        return try AVAudioRecorder(
            url: url,
            settings: [AVFormatIDKey: formatID(of: url), AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1]
        )
    }

    static func formatID(of url: URL) -> AudioFormatID {
        switch url.pathExtension {
        case "m4a": kAudioFormatMPEG4AAC
        case "flac": kAudioFormatFLAC
        case "opus": kAudioFormatOpus
        case "caf": kAudioFormatAppleLossless
        default: kAudioFormatLinearPCM
        }
    }

    /// Puts another object in the place of one that others may be calling.
    fileprivate func replaceRecorder(_ random: inout SeededGenerator) {
        let index = Int.random(in: 0..<Self.slots, using: &random)
        guard let recorder = try? Self.recorder(index, folder) else { return }
        recorders[index].replace(recorder)
    }

    fileprivate func replacePlayer(_ random: inout SeededGenerator) {
        let index = Int.random(in: 0..<Self.slots, using: &random)
        let url = recorders[Int.random(in: 0..<Self.slots, using: &random)].current.url
        players[index].use { $0 = try? AVAudioPlayer(contentsOf: url) }
    }

    fileprivate func look(_ random: inout SeededGenerator) {
        let url = recorders[Int.random(in: 0..<Self.slots, using: &random)].current.url
        _ = try? RecordingReport(contentsOf: url, waveformBins: Bool.random(using: &random) ? 20 : 0)
    }

    fileprivate func disturb(_ random: inout SeededGenerator) {
        let isGood = Int.random(in: 0..<3, using: &random) > 0
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: audio.setMicrophoneConnected(isGood)
        case 3..<6: audio.setMicrophoneMuted(!isGood)
        case 6..<9: audio.setMicrophoneSuspended(!isGood)
        case 9..<11: audio.dropMicrophoneFrames(.random(in: 1...2000, using: &random))
        default:
            audio.setServerRunning(false)
            audio.setServerRunning(true)
            audio.setMicrophoneConnected(true)
        }
    }
}

extension RandomCalls.Kind {
    fileprivate static let recording: [Self] = [
        .recorder("prepareToRecord") { recorder, _ in recorder.prepareToRecord() },
        .recorder("record") { recorder, _ in recorder.record() },
        .recorder("record") { recorder, _ in recorder.record() },
        .recorder("record(forDuration:)") { recorder, random in
            recorder.record(forDuration: .random(in: 0...0.2, using: &random))
        },
        .recorder("record(atTime:)") { recorder, random in
            recorder.record(atTime: recorder.deviceCurrentTime + .random(in: -0.1...0.1, using: &random))
        },
        .recorder("pause") { recorder, _ in recorder.pause() },
        .recorder("stop") { recorder, _ in recorder.stop() },
        .recorder("stop") { recorder, _ in recorder.stop() },
        .recorder("deleteRecording") { recorder, _ in recorder.deleteRecording() },
        .recorder("state") { recorder, _ in
            _ = (recorder.isRecording, recorder.currentTime, recorder.url, recorder.settings, recorder.format)
            _ = recorder.channelAssignments
        },
        .recorder("isMeteringEnabled") { recorder, random in
            recorder.isMeteringEnabled = .random(using: &random)
            recorder.updateMeters()
            _ = recorder.averagePower(forChannel: .random(in: -1...2, using: &random))
        },
        Self(name: "a new recorder") { calls, random in calls.replaceRecorder(&random) },
    ]

    fileprivate static let playing: [Self] = [
        Self(name: "a new player") { calls, random in calls.replacePlayer(&random) },
        .player("play") { player, _ in player.play() },
        .player("play(atTime:)") { player, random in
            player.play(atTime: player.deviceCurrentTime + .random(in: -0.1...0.3, using: &random))
        },
        .player("pause") { player, _ in player.pause() },
        .player("stop") { player, _ in player.stop() },
        .player("currentTime") { player, random in
            player.currentTime = .random(in: -1...1, using: &random) * max(player.duration, 0.1)
        },
        .player("settings") { player, random in
            player.volume = .random(in: 0...1, using: &random)
            player.pan = .random(in: -1...1, using: &random)
            player.numberOfLoops = .random(in: -1...2, using: &random)
        },
        .player("meters") { player, _ in
            player.isMeteringEnabled = true
            player.updateMeters()
            _ = (player.peakPower(forChannel: 0), player.isPlaying, player.duration)
        },
    ]

    fileprivate static let session: [Self] = [
        Self(name: "session.setCategory") { _, random in
            let categories: [AVAudioSession.Category] = [.playAndRecord, .playAndRecord, .record, .playback]
            try? AVAudioSession.sharedInstance().setCategory(
                categories[Int.random(in: 0..<categories.count, using: &random)]
            )
        },
        Self(name: "session.setActive") { _, random in
            try? AVAudioSession.sharedInstance().setActive(.random(using: &random))
        },
        Self(name: "session.route") { _, _ in
            let session = AVAudioSession.sharedInstance()
            _ = (session.currentRoute, session.availableInputs, session.inputLatency, session.isInputAvailable)
        },
        Self(name: "session.preferences") { _, random in
            let session = AVAudioSession.sharedInstance()
            try? session.setPreferredIOBufferDuration(.random(in: 0.005...0.1, using: &random))
            try? session.setPreferredInput(session.availableInputs?.first)
        },
    ]

    fileprivate static let devices: [Self] = [
        Self(name: "devices") { calls, random in calls.disturb(&random) },
        Self(name: "AudioDeviceList") { _, _ in _ = try? AudioDeviceList.current() },
        Self(name: "InputLevelMeter") { _, _ in
            guard let input = try? AudioDeviceList.current().inputs.first else { return }
            let meter = try? InputLevelMeter(input)
            _ = meter?.averagePower(forChannel: 0)
        },
    ]

    fileprivate static let files: [Self] = [
        Self(name: "RecordingReport") { calls, random in calls.look(&random) },
        Self(name: "AudioServices") { calls, random in calls.sounds.call(&random) },
        Self(name: "AudioServices") { calls, random in calls.sounds.call(&random) },
    ]
}

/// A recorder that several threads use at once, and that can be replaced meanwhile.
private final class RecorderSlot: Sendable {
    private let recorder: Mutex<AVAudioRecorder>

    init(_ recorder: AVAudioRecorder) { self.recorder = Mutex(recorder) }

    var current: AVAudioRecorder { recorder.withLock { $0 } }

    func replace(_ other: AVAudioRecorder) {
        // The old one goes away outside of the lock, which may be its last use.
        _ = recorder.withLock { recorder in
            defer { recorder = other }
            return recorder
        }
    }
}

/// A player, which one thread at a time may use.
private final class PlayerSlot: @unchecked Sendable {
    // Unchecked: `lock` guards `player`.
    private let lock = NSLock()
    private var player: AVAudioPlayer?

    func use(_ body: (inout AVAudioPlayer?) -> Void) { lock.withLock { body(&player) } }
}
