import RecordingKit

/// How many frames each recording must have, by the times at which the recorder recorded.
struct FrameLedger {
    struct Take {
        var frames: Int64 = 0
        /// Of these, frames for which there was nothing to hear.
        var deafFrames: Int64 = 0
        var starts = 0
        /// Frames at which it was interrupted and went on.
        var interruptions: [Int64] = []
    }

    private let sampleRate: Int
    private(set) var takes: [Int: Take] = [:]
    /// What the recorder itself said just before the end, in frames.
    var clock: [Int: Int64] = [:]
    /// What the recorder itself listed then.
    var gaps: [Int: [RecordingGap]] = [:]
    private var take = 0
    private var start: Duration?
    private var deafSince: Duration?
    /// The recording that was interrupted last and has not gone on.
    private var interruptedTake: Int?

    init(sampleRate: Int) { self.sampleRate = sampleRate }

    /// Notes what the recorder does from now on.
    /// - Parameters:
    ///   - isDeaf: its microphone is away or asleep.
    ///   - take: the number of the recording.
    ///   - wasInterrupted: where it records no more: somebody else took the sound.
    mutating func note(
        _ isRecording: Bool,
        isDeaf: Bool,
        take: Int,
        at time: Duration,
        wasInterrupted: Bool = false
    ) {
        if let start, !isRecording || take != self.take {
            // Nothing follows a microphone that has gone when the recording ends.
            let frames = self.frames(time - start)
            takes[self.take, default: Take()].frames += frames
            closeDeafness(at: time)
            self.start = nil
            if wasInterrupted { interruptedTake = self.take }
        }
        self.take = take
        if isRecording, start == nil {
            start = time
            takes[take, default: Take()].starts += 1
            if interruptedTake == take, let place = takes[take]?.frames {
                takes[take, default: Take()].interruptions.append(place)
            }
            interruptedTake = nil
        }
        if isRecording, isDeaf, deafSince == nil { deafSince = time }
        if !isDeaf { closeDeafness(at: time) }
    }

    /// The recording was stopped while there was nothing to hear: that stretch is not part of it.
    mutating func dropDeafEnd(at time: Duration) {
        guard let since = deafSince else { return }
        takes[take, default: Take()].frames -= frames(time - since)
        deafSince = nil
    }

    private mutating func closeDeafness(at time: Duration) {
        guard let since = deafSince else { return }
        takes[take, default: Take()].deafFrames += frames(time - since)
        deafSince = nil
    }

    func total(at time: Duration) -> Int64 {
        takes.values.reduce(0) { $0 + $1.frames } + (start.map { frames(time - $0) } ?? 0)
    }

    private func frames(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let rate = Int64(sampleRate)
        return seconds * rate + attoseconds / 1_000_000_000 * rate / 1_000_000_000
    }
}
