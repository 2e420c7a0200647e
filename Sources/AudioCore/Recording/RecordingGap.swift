/// What a recorder does when its microphone goes away while it records.
package enum MicrophoneLossPolicy: String, Sendable, CaseIterable {
    /// Ends the recording, with everything heard, and says so.
    case stop
    /// Waits for the same microphone (the default, where none was chosen) and goes on in the same file.
    case wait
    /// Goes on with the same microphone if it is there, else with the default one, else waits for any.
    case fallBack
}

/// Frames that were not captured and are silence in the file.
package struct RecordingGap: Sendable, Hashable {
    package enum Reason: String, Sendable, CaseIterable, BitwiseCopyable {
        /// The microphone or the sound server was gone.
        case deviceLost
        /// The server had put the microphone to sleep.
        case suspended
        /// The server or the recorder could not keep up.
        case overrun
        /// The machine slept, or the process stood still.
        case asleep
        /// Something of higher priority had the microphone.
        case interrupted
        /// The disk took nothing for longer than there was room in memory.
        case disk
        /// A reason that only a later version knows. Read from files, never written.
        case other
    }

    /// The first frame of the gap, counted from the start of the recording.
    package var start: FrameCount
    /// 0 only where the recording was interrupted and went on without silence: the time is not in the file.
    package var length: FrameCount
    package var reason: Reason

    package init(start: FrameCount, length: FrameCount, reason: Reason) {
        self.start = start
        self.length = length
        self.reason = reason
    }

    /// The first frame behind the gap.
    package var end: FrameCount { start + length }

    /// "gap 12.3 s: microphone lost"
    package func summary(at sampleRate: Double) -> String {
        length == 0 ? reason.words : "gap \(Self.seconds(length.seconds(at: sampleRate))) s: \(reason.words)"
    }

    /// Three significant digits at least, without Foundation: "0.021", "1.25", "12.3", "360.0".
    private static func seconds(_ seconds: Double) -> String {
        let digits = seconds < 1 ? 3 : seconds < 10 ? 2 : 1
        let scale = [10, 100, 1_000][digits - 1]
        let units = FrameCount(seconds: seconds, sampleRate: Double(scale)).value
        let fraction = String(abs(units % Int64(scale)))
        return "\(units / Int64(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}

extension RecordingGap.Reason {
    /// For people: "microphone lost".
    package var words: String {
        switch self {
        case .deviceLost: "microphone lost"
        case .suspended: "microphone suspended"
        case .overrun: "overrun"
        case .asleep: "asleep"
        case .interrupted: "interrupted"
        case .disk: "disk too slow"
        case .other: "unknown"
        }
    }
}

/// Something that is known of a place in a recording and is kept in its file.
package enum RecordingNote: Sendable, Hashable {
    case marker(MediaMetadata.Marker)
    case gap(RecordingGap)

    /// The frame at which it stands, counted from the start of the recording.
    package var frame: FrameCount {
        switch self {
        case .marker(let marker): marker.frame
        case .gap(let gap): gap.start
        }
    }
}
