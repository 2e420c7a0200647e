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
    package var length: FrameCount
    package var reason: Reason

    package init(start: FrameCount, length: FrameCount, reason: Reason) {
        self.start = start
        self.length = length
        self.reason = reason
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
