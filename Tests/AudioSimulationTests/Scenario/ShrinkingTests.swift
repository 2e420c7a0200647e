import AudioSimulation
import Testing

/// Scenarios are reduced to what matters.
struct ShrinkingTests {
    @Test func onlyWhatFailsIsLeft() async {
        let scenario = SimulationScenario.random(seed: 5, length: .seconds(300), events: 60)
        let smallest = await scenario.shrunk { candidate in
            // "Fails" with a call behind a start.
            let start = candidate.steps.firstIndex { $0.event == .press(.record) }
            let call = candidate.steps.lastIndex { step in
                if case .interruption(.call, .some, _) = step.event { return true }
                return false
            }
            guard let start, let call else { return false }
            return start < call
        }
        #expect(smallest.steps.count == 2, "\(smallest.text)")
        #expect(smallest.length < .seconds(310))
        #expect(smallest.recording == .init())
        guard case .interruption(.call, let lasting, _) = smallest.steps.last?.event else {
            Issue.record("\(smallest.text)")
            return
        }
        #expect(lasting == .seconds(1) || (lasting ?? .zero) < .seconds(1))
    }

    @Test func whatDoesNotFailAgainStaysAsItIs() async {
        let scenario = SimulationScenario.random(seed: 6)
        #expect(await scenario.shrunk { _ in false } == scenario)
    }

    @Test func theSameSeedGivesTheSameScenario() {
        #expect(SimulationScenario.random(seed: 9) == SimulationScenario.random(seed: 9))
        #expect(SimulationScenario.random(seed: 9) != SimulationScenario.random(seed: 10))
    }
}
