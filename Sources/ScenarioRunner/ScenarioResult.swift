package import AudioSimulation
package import Foundation
package import RecordingKit

/// What came of a scenario.
package struct ScenarioResult: Sendable, Equatable {
    /// One line of what happened.
    package struct Entry: Sendable, Equatable {
        package enum Kind: String, Sendable, Encodable {
            /// The scenario did it.
            case event
            /// The program was told.
            case notice
            /// The program did it.
            case action
        }

        package var time: Duration
        /// Frames in all files so far.
        package var frames: Int64
        package var kind: Kind
        package var text: String
        /// Of a notice.
        package var notice: SimulationScenario.Notice?
    }

    /// A file that was recorded.
    package struct Take: Sendable, Equatable {
        package var url: URL
        package var frames: Int64
        package var bytes: Int64
        /// What the recorder said that it had, just before the end; nil where it had ended by itself.
        package var clock: Int64?
        /// What must be in it, by the times at which it recorded.
        package var expectedFrames: Int64
        /// Times at which it began or went on; each may cost a frame where its moment falls between two.
        package var starts: Int
        /// As the recorder listed them, who has room for all.
        package var gaps: [RecordingGap]
        /// As the file has them.
        package var fileGaps: [RecordingGap]
        /// Those that found no room in the file.
        package var omittedGaps: Int
        /// Frames that its microphone was away or asleep for, by the same times.
        package var expectedGapFrames: Int64
        /// Frames at which it must have been interrupted and gone on.
        package var expectedInterruptions: [Int64]
        package var isComplete: Bool
        /// The disk failed it: it ends where the disk did.
        package var isCutShort: Bool
    }

    package var entries: [Entry] = []
    package var takes: [Take] = []
    /// What the recorder did when the time was over.
    package var state = SimulationScenario.State.stopped
    /// Whatever did not hold, as sentences; empty where all did.
    package var failures: [String] = []

    package var frames: Int64 { takes.reduce(0) { $0 + $1.frames } }
    package var notices: [SimulationScenario.Notice] { entries.compactMap(\.notice) }
}
