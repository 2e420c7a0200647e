import AudioCore

/// What a session file says, taken together. Of entries that were written twice the last one counts.
struct PartsSession {
    var target: String?
    var keepsParts = false
    var replaces: PartsLog.Entry.FileMark?
    var container: ContainerKind?
    var stream: StreamDescription?
    /// Frames of finished parts, by their numbers.
    var finished: [Int: FrameCount] = [:]
    /// The highest number of a part that was begun.
    var partCount = 0
    var ended: FrameCount?
    var publishing: (source: String, target: String, frames: FrameCount, mark: PartsLog.Entry.FileMark)?
    var joined: (target: String, frames: FrameCount)?

    /// Nothing was read.
    let isEmpty: Bool

    init(_ entries: [PartsLog.Entry]) {
        isEmpty = entries.isEmpty
        for entry in entries {
            switch entry {
            case .recording(let target, let keepsParts, let replaces):
                self.target = target
                self.keepsParts = keepsParts
                self.replaces = replaces
            case .stream(let container, let stream):
                self.container = container
                self.stream = stream
            case .begun(let part, _): partCount = max(partCount, part)
            case .finished(let part, let frames): finished[part] = frames
            case .ended(let frames): ended = frames
            case .joining: publishing = nil
            case .publishing(let source, let target, let frames, let mark): publishing = (source, target, frames, mark)
            case .joined(let target, let frames): joined = (target, frames)
            }
        }
    }
}
