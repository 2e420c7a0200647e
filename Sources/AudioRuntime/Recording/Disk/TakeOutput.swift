import AudioCore
import Glibc

/// Where the packets of a take go: the container, what of them is not in a checkpoint yet, and what to do when the disk
/// fails. Writer thread only.
struct TakeOutput {
    private let container: any ContainerWriter
    private let closeFile: () -> Void
    private let rescue: RescueFolders
    var watch: RoomWatch
    /// What happened that is worth telling; whoever tells it takes it away.
    var notices: [TakeNotice] = []

    /// Packets that no checkpoint has made part of the file, in order, and how many of them the container has.
    private var waiting: [EncodedPacket] = []
    private var appended = 0
    private var appendedBytes = 0
    private var hasFailed = false
    private var isCompleted = false
    /// Why the recording is in more files than one, and where.
    private var moved: AudioFailure?
    /// Frames of the whole take, once they are known.
    private var length: FrameCount?

    /// Bytes after which a checkpoint is made whatever else was asked for, and how many fewer are tried on a full disk, so
    /// that it is full to the last.
    private static let pieces = [256 << 10, 16 << 10, 1 << 10]

    init(
        container: any ContainerWriter,
        watch: RoomWatch,
        rescue: RescueFolders,
        closeFile: @escaping () -> Void
    ) {
        self.container = container
        self.watch = watch
        self.rescue = rescue
        self.closeFile = closeFile
    }

    /// Makes packets and notes part of the file. After a failure the file is completed with what is in it, and what is not
    /// goes to the next one where there is a folder for that; otherwise nothing more is taken.
    mutating func write(
        _ packets: [EncodedPacket],
        notes: [RecordingNote],
        checkpoint: TakeWriter.Checkpoint
    ) throws(AudioFailure) {
        if hasFailed { return }
        for packet in packets { watch.written(packet) }
        waiting += packets
        var failure: AudioFailure?
        do throws(AudioFailure) {
            for note in notes { try container.note(note) }
            try commit(Self.pieces[0], checkpoint)
        } catch {
            failure = squeeze(error, checkpoint)
        }
        while let reason = failure {
            try moveOn(after: reason)
            do throws(AudioFailure) {
                try commit(Self.pieces[0], max(checkpoint, .visible))
                failure = nil
            } catch {
                failure = squeeze(error, checkpoint)
            }
        }
    }

    /// Completes the file.
    /// - Parameter packets: the last, which end with padding.
    /// - Throws: what failed; also why the recording is not all in the first of its files.
    mutating func finish(with packets: [EncodedPacket], validFrames: FrameCount) throws(AudioFailure) {
        length = validFrames
        if hasFailed { return complete() }
        waiting += packets
        while !isCompleted {
            do throws(AudioFailure) {
                try commit(.max, .none)
                try container.finish(validFrames: validFrames)
                isCompleted = true
            } catch {
                // All that is missing is the form of a finished file: that is not worth another one.
                if container.checkpointedFrames >= validFrames { try giveUp(after: error) }
                try moveOn(after: error)
            }
        }
        if let moved { throw moved }
    }

    /// Goes on in another folder.
    /// - Throws: `failure` where there is none, after the file was completed with what is in it.
    private mutating func moveOn(after failure: AudioFailure) throws(AudioFailure) {
        abandon()
        let frames = container.checkpointedFrames
        // A largest size of files holds everywhere.
        guard failure.errno != EFBIG, let container = container as? PartedWriter else { try giveUp(after: failure) }
        do throws(AudioFailure) {
            try rescue.move(container, after: failure)
        } catch {
            try giveUp(after: failure)
        }
        guard let path = rescue.path else { return }
        watch.path = path
        notices.append(.continued(in: path, because: failure))
        let reason = failure.errno.map { String(cString: strerror($0)) + "." } ?? failure.message
        let seconds = (frames.seconds(at: watch.sampleRate) * 10).rounded() / 10
        let before = moved.map { $0.message + " " } ?? ""
        moved = AudioFailure(
            failure.code,
            "\(before)\(reason) What follows after \(seconds) s is in '\(path)'.",
            path: watch.path
        )
    }

    /// The file has lost its name: what is written would be lost with the last hold on it.
    mutating func fileIsGone() throws(AudioFailure) {
        if hasFailed { return }
        try moveOn(
            after: AudioFailure(.inputOutput, "The file was removed while it was recorded.", path: watch.path)
        )
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

    private mutating func giveUp(after failure: AudioFailure) throws(AudioFailure) -> Never {
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
