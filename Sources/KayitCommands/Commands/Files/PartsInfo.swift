import Foundation
import RecordingKit

/// A recording in parts, in words.
enum PartsText {
    /// Names and values, in the order in which they are shown.
    static func rows(_ recording: PartedRecording) -> [(name: String, value: String)] {
        var rows = [("state", state(recording.state))]
        if let target = recording.target { rows.append(("becomes", target.path)) }
        rows += [
            ("parts", String(recording.parts.count)),
            ("frames", String(recording.frames)),
            ("duration", "\(TimeText.exact(recording.duration)) (\(TimeText.clock(recording.duration)))"),
        ]
        rows += recording.parts.map { part in
            var text = "\(part.frames) frames"
            if case .unfinished(let reason) = part.integrity { text += ", unfinished (\(reason))" }
            return (part.url.lastPathComponent, text)
        }
        return rows
    }

    private static func state(_ state: PartedRecording.State) -> String {
        switch state {
        case .inUse: "being recorded or joined"
        case .unfinished: "its recorder was ended; 'kayit join' makes one file of it"
        case .complete: "complete; 'kayit join' makes one file of it"
        case .joined: "joined, and the parts kept"
        }
    }
}

/// What `info --json` prints for a recording in parts.
struct PartsLine: Encodable {
    struct Part: Encodable {
        var path: String
        var frames: Int64
        var integrity: String
        var integrityReason: String?
    }

    var path: String
    var state: String
    var target: String?
    var frames: Int64
    var seconds: Double
    var sampleRate: Double
    var parts: [Part]

    init(_ folder: String, _ recording: PartedRecording) {
        path = folder
        state = recording.state.rawValue
        target = recording.target?.path
        frames = recording.frames
        seconds = recording.duration
        sampleRate = recording.sampleRate
        parts = recording.parts.map { part in
            switch part.integrity {
            case .complete: Part(path: part.url.path, frames: part.frames, integrity: "complete")
            case .unfinished(let reason):
                Part(path: part.url.path, frames: part.frames, integrity: "unfinished", integrityReason: reason)
            }
        }
    }
}
