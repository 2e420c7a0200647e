import AudioCore

/// Brings the notes of a recording to the part in which each lies.
///
/// A gap that crosses the end of a part is stated in both, cut at the edge; joining makes one of the two again.
struct PartNotes {
    private let partLength: Int64
    /// Frames of the parts before the open one.
    private var start: Int64 = 0
    private struct Waiting {
        /// With frames counted from the start of the recording.
        var note: RecordingNote
        /// The end of what the open part has of it, as far as it has any: a change of parts that failed is tried again.
        var given: Int64?
    }

    /// In the order in which they came.
    private var waiting: [Waiting] = []

    init(partLength: Int64) { self.partLength = partLength }

    mutating func add(_ note: RecordingNote) { waiting.append(Waiting(note: note)) }

    /// Gives what surely lies in the open part.
    /// - Parameter frames: that the part has so far.
    mutating func deliver(upTo frames: Int64, to writer: any ContainerWriter) throws(AudioFailure) {
        while let first = waiting.first, first.note.end - start <= max(frames, partLength) {
            try give(first, before: .max, to: writer)
            waiting.removeFirst()
        }
    }

    /// The part ends with `frames` frames: gives everything of it.
    mutating func deliverAll(within frames: Int64, to writer: any ContainerWriter) throws(AudioFailure) {
        for index in waiting.indices where waiting[index].note.frame.value - start < frames {
            try give(waiting[index], before: frames, to: writer)
            waiting[index].given = min(waiting[index].note.end - start, frames)
        }
    }

    mutating func partEnded(frames: Int64) {
        start += frames
        // Gaps that go on beyond the edge stay, for the next part.
        waiting.removeAll { $0.note.end <= start && $0.note.frame.value < start }
        for index in waiting.indices { waiting[index].given = nil }
    }

    /// - Parameter end: frames of the part, where it ends now.
    private func give(_ waiting: Waiting, before end: Int64, to writer: any ContainerWriter) throws(AudioFailure) {
        switch waiting.note {
        case .marker(var marker):
            if waiting.given != nil { return }
            marker.frame = FrameCount(max(marker.frame.value - start, 0))
            try writer.note(.marker(marker))
        case .gap(var gap):
            // What of it was given before an end that did not come stays as it is.
            let from = max(gap.start.value - start, waiting.given ?? 0, 0)
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
