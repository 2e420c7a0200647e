package import AudioCore
package import AudioSimulation
import Dispatch
package import Foundation
import Synchronization

/// Looks for scenarios that do not come out as they must, among random ones.
package struct ScenarioSearch: Sendable {
    /// The first that was found, and how it fails when nothing more can be left out.
    package struct Finding: Sendable {
        package var seed: UInt64
        package var scenario: SimulationScenario
        package var smallest: SimulationScenario
        package var failures: [String]
    }

    /// How long each lasts.
    package var length = Duration.seconds(30)
    /// How many things happen in each.
    package var events = 10
    /// What a broken arbiter does, for tests of the search.
    package var defect: (@Sendable () -> (@Sendable (ArbiterEvent) -> ArbiterEvent?))?

    package init() {}

    package func scenario(_ seed: UInt64) -> SimulationScenario {
        .random(seed: seed, length: length, events: events)
    }

    /// Runs `count` scenarios, the seeds of which follow each other, as many at a time as there are processors.
    /// - Parameter progress: called after each, with their number so far, on some thread.
    /// - Returns: nil where all came out as they must.
    package func run(
        seed: UInt64,
        count: Int,
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) async -> Finding? {
        let found = await withCheckedContinuation { continuation in
            // Runs block their thread: none of Swift's pool.
            Thread.detachNewThread { continuation.resume(returning: first(seed, count, progress)) }
        }
        guard let found else { return nil }
        let smallest = await scenario(found).shrunk { candidate in
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: !failures(of: candidate).isEmpty) }
            }
        }
        return Finding(
            seed: found,
            scenario: scenario(found),
            smallest: smallest,
            failures: failures(of: smallest)
        )
    }

    /// The lowest seed that fails, of those that were tried before anybody noticed.
    private func first(_ seed: UInt64, _ count: Int, _ progress: @Sendable (Int) -> Void) -> UInt64? {
        let next = Atomic<Int>(0)
        let done = Atomic<Int>(0)
        let found = Mutex<UInt64?>(nil)
        let workers = max(min(ProcessInfo.processInfo.activeProcessorCount, count), 1)
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            while found.withLock({ $0 }) == nil {
                let index = next.add(1, ordering: .relaxed).oldValue
                if index >= count { return }
                let own = seed &+ UInt64(index)
                if !failures(of: scenario(own)).isEmpty { found.withLock { $0 = min($0 ?? own, own) } }
                progress(done.add(1, ordering: .relaxed).newValue)
            }
        }
        return found.withLock { $0 }
    }

    /// What does not hold in a scenario.
    package func failures(of scenario: SimulationScenario) -> [String] {
        do {
            return try ScenarioFolder().use { folder in
                try ScenarioRun(scenario, in: folder, provesLife: true, defect: defect?()).run().failures
            }
        } catch {
            return ["The simulation could not be set up: \(error)."]
        }
    }
}

/// A folder for the recordings of a scenario, for as long as they are looked at.
package struct ScenarioFolder {
    private let url: URL

    package init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("kayit-scenario-\(UUID().uuidString)")
    }

    package func use<Result>(_ body: (URL) throws -> Result) throws -> Result {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url)
    }
}
