import Foundation
import RecordingKit

/// A file that `join` or `convert` has made of others: what is said about it, and how its failures are told.
struct MadeFile: Encodable {
    /// For a command that tells of its progress, too.
    var event: String?
    /// As it was named.
    var path: String
    var frames: Int64
    var seconds: Double
    var sampleRate: Double
    /// Of how many files it was made.
    var parts: Int?
    /// Packets that became silence.
    var damagedPackets: Int?

    init(_ joined: JoinedRecording, path: String) {
        self.path = path
        frames = joined.frames
        seconds = joined.duration
        sampleRate = joined.sampleRate
        parts = joined.partCount
    }

    init(_ converted: ConvertedRecording, path: String) {
        event = "finished"
        self.path = path
        frames = converted.frames
        seconds = converted.duration
        sampleRate = converted.sampleRate
        damagedPackets = converted.damagedPackets
    }

    /// For people.
    private var text: String {
        var text = "\(path.printable): \(frames) frames, \(TimeText.clock(seconds))"
        if let parts { text += ", of \(parts) parts" }
        if let damagedPackets, damagedPackets > 0 {
            text += ", with silence for \(damagedPackets) packets that could not be decoded"
        }
        return text
    }

    @MainActor
    func tell(_ console: Console) -> ExitCode {
        console.record(self)
        console.result(text)
        return .success
    }

    /// The option that allows to replace one; `convert` has another use for the letter.
    static func force(_ letter: Character? = nil) -> OptionSyntax {
        OptionSyntax("force", letter, "replace OUT where it is there already")
    }

    /// Tells why there is no such file.
    @MainActor
    static func fail(_ error: RecordingError, _ purpose: ExitCode.Purpose, _ console: Console) -> ExitCode {
        var error = error
        error.message = RecordOptions.explaining(error.message)
        console.fail(error)
        return ExitCode(error, purpose)
    }
}
