import AudioSimulation

/// Reads bytes as the text of a scenario.
enum ParsingScenarios {
    static func attempt(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let scenario = try? SimulationScenario(parsing: String(decoding: bytes, as: UTF8.self)) else { return }
        _ = scenario.moments
        // What was understood is printed so that it is understood as the same.
        let again = try? SimulationScenario(parsing: scenario.text)
        precondition(again == scenario, "A scenario is not what its own text says.")
    }
}
