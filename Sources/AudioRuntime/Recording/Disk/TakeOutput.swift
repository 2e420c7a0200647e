import AudioCore

/// Where the packets of a take go: the container, what of them is not in a checkpoint yet, and what to do when the disk
/// fails. Writer thread only.
struct TakeOutput {
    private let container: any ContainerWriter
    private let closeFile: () -> Void
    var watch: RoomWatch

    /// Packets that no checkpoint has made part of the file, in order, and how many of them the container has.
    private var waiting: [EncodedPacket] = []
    private var appended = 0
    private var appendedBytes = 0
    private var hasFailed = false
    private var isCompleted = false
    /// Frames of the whole take, once they are known.
    private var length: FrameCount?

    /// Bytes after which a checkpoint is made whatever else was asked for, and how many fewer are tried on a full disk, so
    /// that it is full to the last.
    private static let pieces = [256 << 10, 16 << 10, 1 << 10]

    init(container: any ContainerWriter, watch: RoomWatch, closeFile: @escaping () -> Void) {
        self.container = container
        self.watch = watch
        self.closeFile = closeFile
    }

    /// Makes packets and notes part of the file. After a failure the file is completed with what is in it, and takes no more.
    mutating func write(
        _ packets: [EncodedPacket],
        notes: [RecordingNote],
        checkpoint: TakeWriter.Checkpoint
    ) throws(AudioFailure) {
        if hasFailed { return }
        for packet in packets { watch.written(packet) }
        waiting += packets
        do throws(AudioFailure) {
            for note in notes { try container.note(note) }
            try commit(Self.pieces[0], checkpoint)
        } catch {
            if let failure = squeeze(error, checkpoint) { try giveUp(after: failure) }
        }
    }

    /// Completes the file.
    /// - Parameter packets: the last, which end with padding.
    mutating func finish(with packets: [EncodedPacket], validFrames: FrameCount) throws(AudioFailure) {
        length = validFrames
        if hasFailed { return complete() }
        waiting += packets
        do throws(AudioFailure) {
            try commit(.max, .none)
            try container.finish(validFrames: validFrames)
            isCompleted = true
        } catch {
            try giveUp(after: error)
        }
    }

    func close() { closeFile() }

    /// Appends what waits, `piece` bytes at a time: what gathered while the disk stood still is no single risk.
    private mutating func commit(_ piece: Int, _ checkpoint: TakeWriter.Checkpoint) throws(AudioFailure) {
        while appended < waiting.count {
            try container.append(waiting[appended])
            appendedBytes += waiting[appended].bytes.count
            appended += 1
            if appendedBytes >= piece {
                try container.checkpoint(synchronize: false)
                forgetAppended()
            }
        }
        if checkpoint > .none {
            try container.checkpoint(synchronize: checkpoint == .synchronized)
            forgetAppended()
        }
    }

    private mutating func forgetAppended() {
        waiting.removeFirst(appended)
        appended = 0
        appendedBytes = 0
    }

    private mutating func abandon() {
        container.abandonPending()
        appended = 0
        appendedBytes = 0
    }

    /// A full disk takes smaller pieces than the one that did not fit.
    /// - Returns: what is in the way in the end; nil where everything fits after all.
    private mutating func squeeze(_ failure: AudioFailure, _ checkpoint: TakeWriter.Checkpoint) -> AudioFailure? {
        var failure: AudioFailure? = failure
        for piece in Self.pieces.dropFirst() where failure?.code == .noSpace {
            abandon()
            do throws(AudioFailure) {
                try commit(piece, max(checkpoint, .visible))
                failure = nil
            } catch {
                failure = error
            }
        }
        return failure
    }

    private mutating func giveUp(after failure: AudioFailure) throws(AudioFailure) {
        hasFailed = true
        abandon()
        complete()
        throw failure
    }

    /// Finishes the file with what is in it for certain. A disk that does not take even that leaves it as it is: whole up
    /// to there, and stated as unfinished.
    private mutating func complete() {
        if isCompleted { return }
        do throws(AudioFailure) {
            let frames = container.checkpointedFrames
            try container.finish(validFrames: length.map { min($0, frames) } ?? frames)
            isCompleted = true
        } catch {
            RuntimeLog.note("The recording could not be completed", error)
        }
    }
}
