extension SimulationScenario {
    /// The smallest scenario that can be found which still fails as this one does.
    ///
    /// Things are taken out, in halves, quarters and one by one, times are rounded and shortened, and settings go back to
    /// their defaults, for as long as that helps.
    /// - Parameters:
    ///   - isolation: where `fails` runs: with the caller.
    ///   - fails: runs a scenario and says whether it fails; it must answer the same for the same scenario. It is asked a
    ///     thousand times at most.
    /// - Returns: one that fails; this one where nothing can be left out.
    public func shrunk(
        isolation: isolated (any Actor)? = #isolation,
        while fails: (SimulationScenario) async -> Bool
    ) async -> SimulationScenario {
        var shrinking = Shrinking(best: self)
        while shrinking.isImproving {
            for candidate in shrinking.candidates() {
                guard shrinking.tries < Shrinking.mostTries else { return shrinking.best }
                shrinking.tries += 1
                if await fails(candidate) {
                    shrinking.best = candidate
                    shrinking.isImproving = true
                    break
                }
            }
        }
        return shrinking.best
    }
}

private struct Shrinking {
    static let mostTries = 1000

    var best: SimulationScenario
    var tries = 0
    var isImproving = true

    /// Smaller ones, the greatest steps first.
    mutating func candidates() -> [SimulationScenario] {
        isImproving = false
        return withoutSteps() + shorter() + withDefaults() + simpler()
    }

    private func withoutSteps() -> [SimulationScenario] {
        var found: [SimulationScenario] = []
        var size = best.steps.count
        while size > 0 {
            for start in stride(from: 0, to: best.steps.count, by: size) {
                var smaller = best
                for index in (start..<min(start + size, best.steps.count)).reversed() { smaller.remove(at: index) }
                found.append(smaller)
            }
            size /= 2
        }
        return found
    }

    /// Ends soon after what happens last, and at whole seconds.
    private func shorter() -> [SimulationScenario] {
        let last = best.moments.last?.time ?? .zero
        return [Duration.seconds(1), .seconds(10)].compactMap { pause in
            let length = Duration.seconds((last + pause).components.seconds + 1)
            if length >= best.length { return nil }
            var smaller = best
            smaller.length = length
            return smaller
        }
    }

    private func withDefaults() -> [SimulationScenario] {
        let plain = SimulationScenario(length: best.length)
        var found: [SimulationScenario] = []
        func add<Value: Equatable>(_ path: WritableKeyPath<SimulationScenario, Value>) {
            var smaller = best
            smaller[keyPath: path] = plain[keyPath: path]
            if smaller != best { found.append(smaller) }
        }
        add(\.recording)
        add(\.input)
        add(\.client)
        add(\.microphoneLoss)
        return found
    }

    /// Things that last a second, at whole seconds.
    private func simpler() -> [SimulationScenario] {
        var found: [SimulationScenario] = []
        for (index, step) in best.steps.enumerated() {
            for event in step.event.simpler {
                var smaller = best
                smaller.replace(at: index, event)
                found.append(smaller)
            }
            let (seconds, attoseconds) = step.time.components
            if attoseconds != 0 {
                var smaller = best
                smaller.remove(at: index)
                smaller.at(.seconds(seconds), step.event)
                if smaller != best { found.append(smaller) }
            }
        }
        return found
    }
}

extension SimulationScenario.Event {
    fileprivate var simpler: [Self] {
        switch self {
        case .interruption(let who, let lasting?, let shouldResume):
            let shorter: [Self] =
                lasting > .seconds(1)
                ? [.interruption(who, lasting: .seconds(1), shouldResume: shouldResume)] : []
            return shorter + (who == .call ? [] : [.interruption(.call, lasting: lasting, shouldResume: shouldResume)])
        case .serverDown(let duration) where duration > .seconds(1): return [.serverDown(.seconds(1))]
        case .disk(.stalled(let duration)) where duration > .seconds(1): return [.disk(.stalled(.seconds(1)))]
        default: return []
        }
    }
}
