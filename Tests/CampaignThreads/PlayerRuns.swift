import AVFAudio
import Foundation
import Synchronization
import TestSupport

/// Short sounds that end, are paused just before their end, are stopped, sought, played again by their delegate or let go
/// while they play: every end is told exactly as often as it comes.
///
/// What a run does follows from its number and the seed. A machine that is slow may end a sound before it is paused or
/// stopped; then its end counts.
final class PlayerRuns: Sendable {
    private static let length = 0.25
    private static let lanes = 4

    private let sound: URL
    private let seed: UInt64
    private let failures = Mutex<[String]>([])
    private let finished = Atomic<Int>(0)
    private let next = Atomic<Int>(0)
    private let running = Atomic<Int>(0)

    init(_ folder: TemporaryFolder, seed: UInt64) throws {
        self.seed = seed
        sound = folder.file("short.wav")
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 12_000),
            let samples = buffer.floatChannelData?[0]
        else { throw SetupFailure("No buffer.") }
        for frame in 0..<12_000 { samples[frame] = 0.3 * Float(sin(Double(frame) * 0.05)) }
        buffer.frameLength = 12_000
        let file = try AVAudioFile(forWriting: sound, settings: format.settings)
        try file.write(from: buffer)
    }

    func run(count: Int) throws {
        for _ in 0..<Self.lanes {
            running.add(1, ordering: .sequentiallyConsistent)
            Thread.detachNewThread { [self] in
                while case let number = next.add(1, ordering: .relaxed).oldValue, number < count { run(number) }
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
        var progress = (runs: -1, since: Date())
        while running.load(ordering: .sequentiallyConsistent) > 0 {
            Thread.sleep(forTimeInterval: 0.05)
            let runs = next.load(ordering: .relaxed)
            if runs != progress.runs { progress = (runs, Date()) }
            if progress.since.timeIntervalSinceNow < -60 { throw SetupFailure("Run \(runs) hangs.") }
        }
        let failures = failures.withLock { $0 }
        if !failures.isEmpty { throw SetupFailure(failures.joined(separator: "\n")) }
        print("\(count) runs of players, \(finished.load(ordering: .relaxed)) ends, seed \(seed)")
    }

    private func run(_ number: Int) {
        var random = SeededGenerator(seed: seed &* 7_919 &+ UInt64(number))
        do {
            switch number % 8 {
            case 0: try naturalEnd(loops: number / 8 % 3)
            case 1, 2: try pauseBeforeTheEnd(by: .random(in: 0.005...0.06, using: &random))
            case 3: try stopInTheMiddle(after: .random(in: 0...0.2, using: &random))
            case 4: try againInTheCallback(from: .random(in: 0...0.2, using: &random))
            case 5: try letGo(after: .random(in: 0...0.26, using: &random))
            case 6: try seekAtTheEnd(before: .random(in: 0...0.03, using: &random))
            default: try tenAtOnce(at: .random(in: 0.05...0.1, using: &random))
            }
        } catch {
            failures.withLock { $0.append("Run \(number): \(error)") }
        }
    }

    // MARK: Runs

    private func naturalEnd(loops: Int) throws {
        let (player, ears) = try player()
        player.numberOfLoops = loops
        try expect(player.play(), "play")
        try ears.wait(for: 1)
        try expect(!player.isPlaying && player.currentTime == 0, "at the start after the end")
        try settle([ears], 1)
    }

    private func pauseBeforeTheEnd(by seconds: Double) throws {
        let (player, ears) = try player()
        try expect(player.play(), "play")
        Thread.sleep(forTimeInterval: Self.length - seconds)
        player.pause()
        let before = ears.settled
        try expect(!player.isPlaying, "paused")
        Thread.sleep(forTimeInterval: 0.1)
        try expect(ears.settled == before, "the end of a paused player was told")
        if before == 0 { try expect(player.play(), "play again") }
        try ears.wait(for: 1)
        try settle([ears], 1)
    }

    private func stopInTheMiddle(after seconds: Double) throws {
        let (player, ears) = try player()
        try expect(player.play(), "play")
        Thread.sleep(forTimeInterval: seconds)
        player.stop()
        try settle([ears], ears.settled)
    }

    private func againInTheCallback(from position: Double) throws {
        let (player, ears) = try player { player, count in
            guard count == 1 else { return true }
            let isStopped = !player.isPlaying && player.currentTime == 0
            player.currentTime = position
            return player.play() && isStopped && player.isPlaying
        }
        try expect(player.play(), "play")
        try ears.wait(for: 2)
        try settle([ears], 2)
    }

    private func letGo(after seconds: Double) throws {
        var (player, ears): (AVAudioPlayer?, PlayerEars) = try player()
        try expect(player?.play() == true, "play")
        Thread.sleep(forTimeInterval: seconds)
        player = nil
        try settle([ears], ears.settled)
    }

    /// Whatever comes first: an end that was told, or a sound that plays once more.
    private func seekAtTheEnd(before seconds: Double) throws {
        let (player, ears) = try player()
        try expect(player.play(), "play")
        Thread.sleep(forTimeInterval: Self.length + 0.01 - seconds)
        player.currentTime = 0.1
        let isOver = !player.isPlaying
        if isOver { try expect(ears.settled == 1, "ended, and told") }
        try ears.wait(for: 1)
        try settle([ears], 1)
        try expect(!player.isPlaying, "over")
    }

    private func tenAtOnce(at lead: Double) throws {
        let all = try (0..<10).map { _ in try player() }
        let moment = all[0].player.deviceCurrentTime + lead
        for (player, _) in all { try expect(player.play(atTime: moment), "play(atTime:)") }
        for (_, ears) in all { try ears.wait(for: 1) }
        try settle(all.map(\.ears), 1)
    }

    // MARK: What is expected

    private func player(
        onFinish: @escaping @MainActor (AVAudioPlayer, Int) -> Bool = { _, _ in true }
    ) throws -> (player: AVAudioPlayer, ears: PlayerEars) {
        let player = try AVAudioPlayer(contentsOf: sound)
        let ears = PlayerEars(onFinish)
        player.delegate = ears
        return (player, ears)
    }

    private func expect(_ isSo: Bool, _ what: String) throws { if !isSo { throw SetupFailure("Not so: \(what).") } }

    /// Nothing is told any more.
    private func settle(_ ears: [PlayerEars], _ count: Int) throws {
        Thread.sleep(forTimeInterval: 0.05)
        for ear in ears {
            let told = ear.settled
            if told != count { throw SetupFailure("\(told) ends instead of \(count).") }
            if let complaint = ear.complaint { throw SetupFailure(complaint) }
            finished.add(told, ordering: .relaxed)
        }
    }
}

/// Counts what a player's delegate is told.
private final class PlayerEars: NSObject, AVAudioPlayerDelegate {
    private let count = Atomic<Int>(0)
    private let complaints = Mutex<String?>(nil)
    private let onFinish: @MainActor (AVAudioPlayer, Int) -> Bool

    nonisolated init(_ onFinish: @escaping @MainActor (AVAudioPlayer, Int) -> Bool) {
        self.onFinish = onFinish
        super.init()
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        let number = count.add(1, ordering: .sequentiallyConsistent).newValue
        if !flag { complain("The end was no success.") }
        if !onFinish(player, number) { complain("The state in the callback is wrong.") }
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        complain(error.map { "\($0)" } ?? "An error without a reason.")
    }

    private nonisolated func complain(_ what: String) { complaints.withLock { $0 = what } }

    nonisolated var complaint: String? { complaints.withLock { $0 } }

    /// Ends told so far, those on their way to the main queue included.
    nonisolated var settled: Int {
        DispatchQueue.main.sync {}
        return count.load(ordering: .sequentiallyConsistent)
    }

    nonisolated func wait(for number: Int) throws {
        let end = Date(timeIntervalSinceNow: 30)
        while count.load(ordering: .sequentiallyConsistent) < number {
            if Date() > end { throw SetupFailure("\(settled) ends after 30 s instead of \(number).") }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }
}
