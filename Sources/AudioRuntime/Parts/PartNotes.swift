import AudioCore

/// Brings the notes of a recording to the part in which each lies.
///
/// A gap that crosses the end of a part is stated in both, cut at the edge; joining makes one of the two again.
struct PartNotes {
    private let partLength: Int64
    /// Frames of the parts before the open one.
    private var start: Int64 = 0
    /// With frames counted from the start of the recording, in the order in which they came.
    private var waiting: [RecordingNote] = []

    init(partLength: Int64) { self.partLength = partLength }

    mutating func add(_ note: RecordingNote) { waiting.append(note) }

    /// Gives what surely lies in the open part.
    /// - Parameter frames: that the part has so far.
    mutating func deliver(upTo frames: Int64, to writer: any ContainerWriter) throws(AudioFailure) {
        while let note = waiting.first, note.end - start <= max(frames, partLength) {
            try give(note, before: .max, to: writer)
            waiting.removeFirst()
        }
    }

    /// The part ends with `frames` frames: gives everything of it.
    mutating func deliverAll(within frames: Int64, to writer: any ContainerWriter) throws(AudioFailure) {
        for note in waiting where note.frame.value - start < frames { try give(note, before: frames, to: writer) }
    }

    mutating func partEnded(frames: Int64) {
        start += frames
        // Gaps that go on beyond the edge stay, for the next part.
        waiting.removeAll { $0.end <= start && $0.frame.value < start }
    }

    /// - Parameter end: frames of the part, where it ends now.
    private func give(_ note: RecordingNote, before end: Int64, to writer: any ContainerWriter) throws(AudioFailure) {
        switch note {
        case .marker(var marker):
            marker.frame = FrameCount(max(marker.frame.value - start, 0))
            try writer.note(.marker(marker))
        case .gap(var gap):
            let from = max(gap.start.value - start, 0)
            let to = min(gap.start.value + gap.length.value - start, end)
            // One that was told of only after its part had ended.
            guard to > from || gap.length == 0 && to == from else { return }
            gap.start = FrameCount(from)
            gap.length = FrameCount(to - from)
            try writer.note(.gap(gap))
        }
    }
}

extension RecordingNote {
    /// Behind its last frame.
    fileprivate var end: Int64 {
        switch self {
        case .marker(let marker): marker.frame.value
        case .gap(let gap): gap.start.value + gap.length.value
        }
    }
}
