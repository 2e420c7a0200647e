import AudioCore
import AudioRuntime
import AudioSimulation
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// Eight threads create, play and dispose of sounds at random, while the speaker comes and goes.
@Suite("System sounds from many threads", .serialized)
struct SoundStressTests {
    /// More for a campaign.
    private static let rounds = Int(ProcessInfo.processInfo.environment["KAYIT_SOUND_ROUNDS"] ?? "") ?? 2
    private static let threads = 8
    private static let callsOfThread = 150

    @Test("each call that plays is completed once, whatever happens", arguments: 0..<rounds)
    func everyCallIsCompleted(round: Int) throws {
        let bench = try SoundBench(.free)
        let paths = try [(8_000, 400), (48_000, 4_800), (44_100, 30_000)].map { rate, frames in
            try bench.scratch.write(WaveFile.tone(440, frames: frames, rate: rate), to: "\(rate).wav")
        }
        let played = Atomic<Int>(0)
        let completed = Atomic<Int>(0)
        let twice = Atomic<Int>(0)
        let shared = Mutex<[UInt32]>([])
        let group = DispatchGroup()
        for thread in 0..<Self.threads {
            group.enter()
            Thread.detachNewThread {
                var random = SeededGenerator(seed: UInt64(round * 100 + thread))
                for _ in 0..<Self.callsOfThread {
                    let some = shared.withLock { $0.randomElement(using: &random) } ?? 1
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0, 1:
                        let path = paths[Int.random(in: 0..<paths.count, using: &random)]
                        if let id = try? bench.services.create(path: path) { shared.withLock { $0.append(id) } }
                    case 2:
                        if bench.services.dispose(some) { shared.withLock { $0.removeAll { $0 == some } } }
                    case 3: _ = bench.services.setRoutine({}, of: some)
                    case 4: _ = bench.services.setOptions(.init(isUISound: false), of: some)
                    case 5 where thread == 0: bench.host.inject(.serverLoss)
                    case 6 where thread == 0: bench.host.inject(.serverReturn)
                    default:
                        played.add(1, ordering: .relaxed)
                        let once = Once()
                        bench.services.play(some, asAlert: Bool.random(using: &random)) { _ in
                            if once.isSecond { twice.add(1, ordering: .relaxed) }
                            completed.add(1, ordering: .relaxed)
                        }
                    }
                }
                group.leave()
            }
        }
        #expect(group.wait(timeout: .now() + 60) == .success)
        bench.host.inject(.serverReturn)
        let isComplete = eventually(within: 30) {
            completed.load(ordering: .relaxed) == played.load(ordering: .relaxed)
        }
        #expect(isComplete, "\(completed.load(ordering: .relaxed)) of \(played.load(ordering: .relaxed))")
        #expect(twice.load(ordering: .relaxed) == 0)
    }

    private final class Once: Sendable {
        private let isDone = Atomic<Bool>(false)

        /// True from the second question on.
        var isSecond: Bool { isDone.exchange(true, ordering: .relaxed) }
    }
}
