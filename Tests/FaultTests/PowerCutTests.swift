import AudioSimulation
import Foundation
import TestSupport
import Testing

/// The power fails between any two calls of a short take, and the disk kept what it liked of what was not synchronised.
@Suite("Power cut")
struct PowerCutTests {
    @Test("everything up to the last synchronisation is there", arguments: RecordedKind.all)
    func cut(_ kind: RecordedKind) throws {
        let trial = PowerCutTrial(kind: kind)
        var k = 1
        while try trial.cut(before: k) {
            k += 1
            try #require(k < 1_000, "a take this short ends")
        }
        #expect(k > 10, "a take makes more calls than that")
    }

    /// Every codec in every container, and its samples: every seventh call, or with `KAYIT_POWER_CUTS` in the environment
    /// each of them.
    @Test("of every pair, too", arguments: Array(RecordedPair.all.enumerated().map(NumberedPair.init)))
    func cutPair(_ numbered: NumberedPair) throws {
        let pair = numbered.pair
        let kind = RecordedKind(
            name: pair.description,
            container: pair.container,
            codec: pair.codec,
            heldBack: Int64(pair.heldFrames),
            bitDepth: pair.bitDepth
        )
        let step: Float? = if case .exact(let step) = pair.fidelity { step } else { nil }
        let isWhole = ProcessInfo.processInfo.environment["KAYIT_POWER_CUTS"] != nil
        let trial = PowerCutTrial(kind: kind, step: step, seeds: isWhole ? 0..<4 : 0..<1)
        // Another of the calls for each pair: together they are all of them.
        var k = isWhole ? 1 : 1 + numbered.number % 7
        while try trial.cut(before: k) {
            k += isWhole ? 1 : 7
            try #require(k < 1_000, "a take this short ends")
        }
    }

    struct NumberedPair: Sendable, CustomTestStringConvertible {
        var number: Int
        var pair: RecordedPair
        var testDescription: String { pair.description }

        init(_ entry: (offset: Int, element: RecordedPair)) { (number, pair) = (entry.offset, entry.element) }
    }
}
