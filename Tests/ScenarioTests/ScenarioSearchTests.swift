import AudioCore
import AudioSimulation
import Foundation
import ScenarioRunner
import Synchronization
import TestSupport
import Testing

/// The search for scenarios that do not come out right.
struct ScenarioSearchTests {
    /// `KAYIT_SCENARIOS=10000` for more, `KAYIT_SEED` for others.
    @Test func randomScenariosComeOutRight() async {
        let environment = ProcessInfo.processInfo.environment
        let count = environment["KAYIT_SCENARIOS"].flatMap { Int($0) } ?? 200
        let seed = environment["KAYIT_SEED"].flatMap { UInt64($0) } ?? 1
        var search = ScenarioSearch()
        search.length = .seconds(10)
        let finding = await search.run(seed: seed, count: count)
        #expect(
            finding == nil,
            """
            Seed \(finding?.seed ?? 0): \(finding?.failures.joined(separator: " ") ?? "")
            \(finding?.smallest.text ?? "")
            """
        )
    }

    @Test func anArbiterThatForgetsTheEndIsFoundAndReduced() async throws {
        var search = ScenarioSearch()
        search.length = .seconds(10)
        search.defect = {
            // Forgets the end of every second alarm or call.
            let ends = Mutex(0)
            return { event in
                guard case .ended(let who, _) = event, who != .otherProgram else { return event }
                return ends.withLock { count in
                    count += 1
                    return count % 2 == 0 ? nil : event
                }
            }
        }
        let finding = try #require(await search.run(seed: 1, count: 200))
        let consequences = ["never ended", "nothing could be recorded any more"]
        #expect(finding.failures.contains { failure in consequences.contains { failure.contains($0) } })
        // Press record, and two interruptions.
        #expect(finding.smallest.steps.count <= 4, "\(finding.smallest.text)")
        #expect(try SimulationScenario(parsing: finding.smallest.text) == finding.smallest)
    }
}
