public import AVFAudio
import AudioCore
import AudioRuntime

/// A stretch of a recording in which nothing was captured. The file holds silence there.
public struct RecordingGap: Sendable, Hashable {
    /// Why nothing was captured.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The microphone or the sound server was gone.
        case deviceLost
        /// The sound server had put the microphone to sleep.
        case suspended
        /// The sound server or the recorder could not keep up.
        case overrun
        /// The machine slept, or the program stood still.
        case asleep
        /// Something of higher priority had the microphone.
        case interrupted
        /// The disk took nothing for longer than there was room in memory.
        case disk
        /// A reason that only a later version knows.
        case other

        /// For people: "microphone lost".
        public var summary: String { AudioCore.RecordingGap.Reason(rawValue: rawValue)?.words ?? rawValue }
    }

    /// The first frame of the gap, counted from the first of the recording.
    public var start: Int64
    /// Its length in frames.
    public var length: Int64
    /// Why nothing was captured.
    public var reason: Reason

    init(_ gap: AudioCore.RecordingGap) {
        start = gap.start.value
        length = gap.length.value
        reason = Reason(rawValue: gap.reason.rawValue) ?? .other
    }
}

/// A named place in a recording.
public struct RecordingMarker: Sendable, Hashable {
    /// The frame at which it stands, counted from the first of the recording.
    public var frame: Int64
    /// What it is called; may be empty.
    public var name: String

    init(_ marker: MediaMetadata.Marker) {
        frame = marker.frame.value
        name = marker.name
    }
}

extension AVAudioRecorder {
    /// Names the place in the recording that is being heard now.
    ///
    /// It becomes part of the file at once, safe from the death of the program and from a power cut, and other programs show
    /// it in the finished file. A file has room for a few hundred; `RecordingReport.omittedNotes` counts those that found
    /// none. Any thread; waits for nobody.
    /// - Parameter name: may be empty; at most 160 bytes of UTF-8 are surely kept.
    /// - Returns: where it stands; nil where nothing is being recorded (not started, stopped, failed), or after ten thousand
    ///   markers.
    @discardableResult
    public func addMarker(_ name: String) -> RecordingMarker? { engine?.addMarker(name).map(RecordingMarker.init) }

    /// The markers of the running recording, in the order in which they were set; empty when stopped. Any thread.
    public var markers: [RecordingMarker] { (engine?.markers ?? []).map(RecordingMarker.init) }

    /// What the running recording misses so far, in the order of time; empty when stopped. Any thread.
    public var gaps: [RecordingGap] { (engine?.gaps ?? []).map { RecordingGap($0) } }
}
