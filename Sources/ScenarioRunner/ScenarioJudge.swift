import AudioSimulation
import RecordingKit

/// Holds what came of a scenario against what must always be so, and against what the scenario expects.
struct ScenarioJudge {
    private let scenario: SimulationScenario
    private let result: ScenarioResult
    /// Ends of recordings that delegates have heard of.
    private let finished: Int

    init(_ scenario: SimulationScenario, _ result: ScenarioResult, finished: Int) {
        self.scenario = scenario
        self.result = result
        self.finished = finished
    }

    var failures: [String] {
        result.takes.enumerated().flatMap { failures(of: $0.element, number: $0.offset + 1) } + failuresOfNotices
            + scenario.expectations.compactMap(failure)
    }

    // MARK: What must always be so

    private func failures(of take: ScenarioResult.Take, number: Int) -> [String] {
        var found: [String] = []
        let name = "Recording \(number)"
        if !take.isComplete { found.append("\(name) was never finished.") }
        // What a failing disk did not take is not in the file.
        if take.isCutShort { return found }
        let tolerance = roundingFrames(take)
        if abs(take.frames - take.expectedFrames) > tolerance {
            found.append(
                "\(name) has \(take.frames) frames; by the times at which it ran it has \(take.expectedFrames)."
            )
        }
        if let clock = take.clock, clock != take.frames {
            found.append("\(name) has \(take.frames) frames, and its recorder said \(clock).")
        }
        let missing = take.gaps.reduce(0) { $0 + $1.length }
        if abs(missing - take.expectedGapFrames) > tolerance {
            found.append(
                "\(name) lists gaps of \(missing) frames; there was nothing to hear for \(take.expectedGapFrames)."
            )
        }
        let places = take.gaps.filter { $0.length == 0 }.map(\.start)
        let isInPlace = zip(places, take.expectedInterruptions).allSatisfy { abs($0 - $1) <= tolerance }
        if places.count != take.expectedInterruptions.count || !isInPlace {
            found.append("\(name) was interrupted at \(take.expectedInterruptions) and lists \(places).")
        }
        return found + disorder(in: take, name)
    }

    private func disorder(in take: ScenarioResult.Take, _ name: String) -> [String] {
        var found: [String] = []
        var end: Int64 = 0
        for gap in take.gaps {
            // Of no length only where it was interrupted: that time is not in the file.
            let isRight = gap.length > 0 || gap.reason == .interrupted
            if gap.start < end || !isRight || gap.start + gap.length > take.frames {
                found.append(
                    "\(name) has a gap of \(gap.length) frames at \(gap.start), which does not go with the others."
                )
            }
            end = gap.start + gap.length
        }
        let isListed = take.fileGaps.allSatisfy(take.gaps.contains)
        if !isListed || take.fileGaps.count + take.omittedGaps != take.gaps.count {
            found.append(
                "\(name): the recorder lists \(take.gaps.count) gaps, the file \(take.fileGaps.count), and says of "
                    + "\(take.omittedGaps) that they found no room."
            )
        }
        return found
    }

    /// A moment that falls between two frames costs one.
    private func roundingFrames(_ take: ScenarioResult.Take) -> Int64 {
        let rate = Int64(scenario.recording.sampleRate)
        let isEven = scenario.moments.allSatisfy { moment in
            let (_, attoseconds) = moment.time.components
            return attoseconds / 1_000_000_000 * rate % 1_000_000_000 == 0
        }
        return isEven ? 0 : Int64(2 * take.starts + 2 * take.gaps.count)
    }

    private var failuresOfNotices: [String] {
        var found: [String] = []
        // Nil after an attempt to take the sound back that may or may not have ended an interruption.
        var isInterrupted: Bool? = false
        for entry in result.entries {
            switch entry.notice {
            case .began where isInterrupted == true:
                found.append("At \(entry.time.scenarioText) an interruption began in another.")
            case .began: isInterrupted = true
            case .ended where isInterrupted == false, .endedResume where isInterrupted == false:
                found.append("At \(entry.time.scenarioText) an interruption ended that had not begun.")
            case .ended, .endedResume: isInterrupted = false
            default: break
            }
            if entry.kind == .action {
                // A program that takes the sound itself ends the interruption without a word.
                let isTaken = entry.text == "records" || entry.text == "plays"
                isInterrupted = isTaken ? false : isInterrupted == false ? false : nil
            }
        }
        if isInterrupted == true, !lastsToTheEnd { found.append("An interruption never ended.") }
        if finished != result.takes.count {
            found.append("Delegates heard of \(finished) ends of \(result.takes.count) recordings.")
        }
        return found
    }

    /// Somebody still has the sound when the time is over.
    private var lastsToTheEnd: Bool {
        var present: Set<SimulatedAudio.Interruption> = []
        for moment in scenario.moments {
            switch moment.action {
            case .begin(let who): present.insert(who)
            case .end(let who, _): present.remove(who)
            default: break
            }
        }
        return !present.isEmpty
    }

    // MARK: What is expected

    private func failure(_ expectation: SimulationScenario.Expectation) -> String? {
        let text = "Expected: \(expectation.text)"
        switch expectation {
        case .frames(let frames, let tolerance):
            return abs(result.frames - frames) <= tolerance ? nil : "\(text); there are \(result.frames)."
        case .gaps(let count):
            // Where it was interrupted and went on nothing is missing.
            let gaps = result.takes.flatMap(\.gaps).filter { $0.length > 0 }
            return gaps.count == count ? nil : "\(text); there are \(gaps.count)."
        case .gap(let start, let length, let reason):
            return hasGap(at: start, lasting: length, because: reason)
                ? nil : "\(text); there is none like it. \(gapsInWords)"
        case .state(let state):
            return result.state == state ? nil : "\(text); it was \(result.state.rawValue)."
        case .told(let notices):
            var rest = notices[...]
            for notice in result.notices where notice == rest.first { rest = rest.dropFirst() }
            guard let missing = rest.first else { return nil }
            return "\(text); '\(missing.text)' did not come in its turn."
        case .notTold(let notice):
            return result.notices.contains(notice) ? "\(text); it was." : nil
        }
    }

    private func hasGap(at start: Duration, lasting length: Duration, because reason: String?) -> Bool {
        var offset: Int64 = 0
        for take in result.takes {
            let isThere = take.gaps.contains { gap in
                abs(offset + gap.start - frames(start)) <= 1 && abs(gap.length - frames(length)) <= 1
                    && (reason == nil || reason == gap.reason.rawValue)
            }
            if isThere { return true }
            offset += take.frames
        }
        return false
    }

    private var gapsInWords: String {
        let gaps = result.takes.flatMap(\.gaps).map { gap in
            "\(time(gap.start)) for \(time(gap.length)) because \(gap.reason.rawValue)"
        }
        return gaps.isEmpty ? "There is no gap." : "Gaps: \(gaps.joined(separator: "; "))."
    }

    private func frames(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        let rate = Int64(scenario.recording.sampleRate)
        return seconds * rate + attoseconds / 1_000_000_000 * rate / 1_000_000_000
    }

    private func time(_ frames: Int64) -> String {
        let rate = Int64(scenario.recording.sampleRate)
        return (Duration.seconds(frames / rate) + .nanoseconds(frames % rate * 1_000_000_000 / rate)).scenarioText
    }
}
