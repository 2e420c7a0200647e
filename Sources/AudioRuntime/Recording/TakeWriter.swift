import AudioCore
import PlatformLinux
import Synchronization

/// The thread that brings packets of one take to the disk. It alone waits for the disk.
///
/// Packets wait in a bounded queue while the disk stalls.
final class TakeWriter: Sendable {
    /// How much of a checkpoint is asked for.
    enum Checkpoint: Int, Sendable, Comparable {
        case none, visible, synchronized
        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    private struct Work {
        var packets: [EncodedPacket] = []
        var checkpoint = Checkpoint.none
        var ending: (last: [EncodedPacket], validFrames: FrameCount)?
        /// Counts calls of `flush` and `finish`; the thread answers with the number that it has dealt with.
        var requested = 0
    }

    private struct State {
        var work = Work()
        var queuedBytes = 0
        var answered = 0
        var failure: AudioFailure?
        var isEnded = false
    }

    /// Bytes after which a checkpoint is made whatever else was asked for.
    private static let piece = 256 << 10

    /// Bytes of encoded audio that may wait for the disk.
    private let queueLimit: Int

    /// Lock of everything that the encoder thread, control and the writer thread share.
    private let state = Mutex(State())
    private let wake = Wakeup()
    private let answer = Wakeup()
    private let room = Wakeup()
    private let thread = Mutex<NamedThread?>(nil)
    private let onFailure: @Sendable (AudioFailure) -> Void

    /// - Parameters:
    ///   - container: belongs to the writer thread from now on.
    ///   - queueLimit: bytes of encoded audio that may wait for the disk.
    ///   - onFailure: called once, on the writer thread, when the file cannot be written.
    init(
        container: sending any ContainerWriter,
        queueLimit: Int,
        onFailure: @escaping @Sendable (AudioFailure) -> Void
    ) {
        self.queueLimit = queueLimit
        self.onFailure = onFailure
        let owned = Mutex(container)
        thread.withLock { thread in
            thread = NamedThread(name: "kayit-writer") { [self] in owned.withLock { run($0) } }
        }
    }

    /// Hands over packets in order. Waits only when the queue is full. Encoder thread.
    func enqueue(_ packets: [EncodedPacket], checkpoint: Checkpoint) {
        let bytes = packets.reduce(0) { $0 + $1.bytes.count }
        while true {
            let accepted = state.withLock { state in
                if state.failure != nil || state.isEnded { return true }
                if state.queuedBytes > 0, state.queuedBytes + bytes > queueLimit { return false }
                state.work.packets += packets
                state.queuedBytes += bytes
                state.work.checkpoint = max(state.work.checkpoint, checkpoint)
                return true
            }
            if accepted { break }
            room.wait(atMost: .milliseconds(100))
        }
        wake.signal()
    }

    /// Returns when everything handed over is on the disk.
    func flush() throws(AudioFailure) { try request { $0.checkpoint = .synchronized } }

    /// Completes the file with the encoder's last packets and its exact length, and ends the thread.
    func finish(_ last: [EncodedPacket], validFrames: FrameCount) throws(AudioFailure) {
        defer { thread.withLock { $0 }?.join() }
        try request { $0.ending = (last, validFrames) }
    }

    private func request(_ change: (inout Work) -> Void) throws(AudioFailure) {
        let number = state.withLock { state in
            change(&state.work)
            state.work.requested += 1
            return state.work.requested
        }
        wake.signal()
        while true {
            let (done, failure) = state.withLock { ($0.answered >= number || $0.isEnded, $0.failure) }
            if done {
                if let failure { throw failure }
                return
            }
            answer.wait(atMost: .milliseconds(100))
        }
    }

    // MARK: Writer thread

    private func run(_ container: any ContainerWriter) {
        while true {
            wake.wait(atMost: .seconds(1))
            let (work, failed) = state.withLock { state in
                defer {
                    state.work.packets = []
                    state.work.checkpoint = .none
                }
                return (state.work, state.failure != nil)
            }
            do throws(AudioFailure) {
                try perform(work, on: container, afterFailure: failed)
            } catch {
                let isFirst = state.withLock { state in
                    defer { state.failure = state.failure ?? error }
                    return state.failure == nil
                }
                if isFirst { onFailure(error) }
            }
            let isEnded = work.ending != nil
            state.withLock { state in
                state.queuedBytes -= work.packets.reduce(0) { $0 + $1.bytes.count }
                state.answered = max(state.answered, work.requested)
                state.isEnded = isEnded
            }
            answer.signal()
            room.signal()
            if isEnded { return }
        }
    }

    private func perform(_ work: Work, on container: any ContainerWriter, afterFailure: Bool) throws(AudioFailure) {
        // After a failure the file stays as its last checkpoint left it, complete up to there; only the ending is tried.
        if afterFailure {
            if work.ending != nil { try container.finish(validFrames: container.checkpointedFrames) }
            return
        }
        // What gathered while the disk stood still is written in pieces: a disk that then fails loses one of them, not all.
        var bytes = 0
        for packet in work.packets {
            try container.append(packet)
            bytes += packet.bytes.count
            if bytes >= Self.piece {
                try container.checkpoint(synchronize: false)
                bytes = 0
            }
        }
        if let ending = work.ending {
            var last = ending.last
            try container.finish(appending: &last, validFrames: ending.validFrames)
        } else if work.checkpoint > .none {
            try container.checkpoint(synchronize: work.checkpoint == .synchronized)
        }
    }
}
