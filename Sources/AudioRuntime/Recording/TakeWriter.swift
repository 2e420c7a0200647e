import AudioCore
import PlatformLinux
import Synchronization

/// The thread that brings packets of one take to the disk. It alone waits for the disk.
///
/// Packets wait in a bounded queue while the disk stalls. Control waits for it only so long: whoever gives up leaves the
/// thread to itself, which completes and closes the file when the disk answers again.
final class TakeWriter: Sendable {
    /// How much of a checkpoint is asked for.
    enum Checkpoint: Int, Sendable, Comparable {
        case none, visible, synchronized
        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    enum Event: Sendable {
        /// The file cannot be written; told once.
        case failed(AudioFailure)
        case notice(TakeNotice)
    }

    private struct Work {
        var packets: [EncodedPacket] = []
        var notes: [RecordingNote] = []
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
        /// Since when the thread has been busy with the disk; nil while it waits for work.
        var busySince: SuspendingClock.Instant?
        var isStalled = false
    }

    /// After how long a disk that does not answer is told of.
    private static let stallTime = Duration.seconds(1)

    /// Bytes of encoded audio that may wait for the disk.
    private let queueLimit: Int

    /// Lock of everything that the encoder thread, control and the writer thread share.
    private let state = Mutex(State())
    /// Keeps what is told of stalls in order. Held around `state`, never the other way round.
    private let telling = Mutex(())
    private let wake = Wakeup()
    private let answer = Wakeup()
    private let room = Wakeup()
    private let thread = Mutex<NamedThread?>(nil)
    private let onEvent: @Sendable (Event) -> Void

    /// - Parameters:
    ///   - output: belongs to the writer thread from now on.
    ///   - queueLimit: bytes of encoded audio that may wait for the disk.
    ///   - onEvent: called on the writer thread, stalls on others.
    init(
        _ output: sending TakeOutput,
        queueLimit: Int,
        onEvent: @escaping @Sendable (Event) -> Void
    ) {
        self.queueLimit = queueLimit
        self.onEvent = onEvent
        let owned = Mutex(output)
        thread.withLock { thread in
            thread = NamedThread(name: "kayit-writer") { [self] in owned.withLock { run(&$0) } }
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
            watch()
        }
        wake.signal()
    }

    /// Hands over a note, which becomes part of the file at once. Any thread; waits for nothing.
    func note(_ note: RecordingNote, checkpoint: Checkpoint) {
        state.withLock { state in
            if state.failure != nil || state.isEnded { return }
            state.work.notes.append(note)
            state.work.checkpoint = max(state.work.checkpoint, checkpoint)
        }
        wake.signal()
    }

    /// Has the file completed with the encoder's last packets and its exact length, then closed. Does not wait. Encoder
    /// thread.
    func finish(_ last: [EncodedPacket], validFrames: FrameCount) {
        state.withLock { state in
            state.work.ending = (last, validFrames)
            state.work.requested += 1
        }
        wake.signal()
    }

    /// Has everything that was handed over brought to the disk.
    /// - Returns: false where it is not there at `deadline`.
    func flush(until deadline: SuspendingClock.Instant) throws(AudioFailure) -> Bool {
        let number = state.withLock { state in
            state.work.checkpoint = .synchronized
            state.work.requested += 1
            return state.work.requested
        }
        wake.signal()
        return try wait(until: deadline) { $0.answered >= number }
    }

    /// Waits for the end that `finish` has asked for.
    /// - Returns: false where it has not come at `deadline`: the thread then ends by itself some time.
    func end(until deadline: SuspendingClock.Instant) throws(AudioFailure) -> Bool {
        defer { if state.withLock({ $0.isEnded }) { thread.withLock { $0 }?.join() } }
        return try wait(until: deadline) { _ in false }
    }

    private func wait(until deadline: SuspendingClock.Instant, _ isDone: (State) -> Bool) throws(AudioFailure) -> Bool {
        while true {
            let (done, failure) = state.withLock { (isDone($0) || $0.isEnded, $0.failure) }
            if done {
                if let failure { throw failure }
                return true
            }
            let left = SuspendingClock.now.duration(to: deadline)
            if left <= .zero { return false }
            answer.wait(atMost: min(left, .milliseconds(100)))
            watch()
        }
    }

    /// Notices that the disk does not answer. Any thread but the writer's, often.
    func watch() {
        telling.withLock { _ in
            let hasStalled = state.withLock { state in
                guard !state.isStalled, let since = state.busySince,
                    since.duration(to: SuspendingClock.now) >= Self.stallTime
                else { return false }
                state.isStalled = true
                return true
            }
            if hasStalled { onEvent(.notice(.diskStalled)) }
        }
    }

    // MARK: Writer thread

    private func run(_ output: inout TakeOutput) {
        state.withLock { $0.busySince = SuspendingClock.now }
        look(&output, isFirst: true)
        answers()
        while true {
            wake.wait(atMost: .seconds(1))
            let work = state.withLock { state in
                defer {
                    state.work.packets = []
                    state.work.notes = []
                    state.work.checkpoint = .none
                }
                state.busySince = SuspendingClock.now
                return state.work
            }
            perform(work, &output)
            let isEnded = work.ending != nil
            if isEnded { output.close() }
            answers()
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

    private func perform(_ work: Work, _ output: inout TakeOutput) {
        do throws(AudioFailure) {
            // The ending synchronises by itself.
            let checkpoint = work.ending == nil ? work.checkpoint : min(work.checkpoint, .visible)
            try output.write(work.packets, notes: work.notes, checkpoint: checkpoint)
            if let ending = work.ending { try output.finish(with: ending.last, validFrames: ending.validFrames) }
        } catch {
            note(error)
        }
        if work.ending == nil { look(&output) }
        for notice in output.notices { onEvent(.notice(notice)) }
        output.notices = []
    }

    private func look(_ output: inout TakeOutput, isFirst: Bool = false) {
        for finding in output.watch.look(isFirst: isFirst) {
            switch finding {
            case .low(let seconds): onEvent(.notice(.diskLow(secondsLeft: seconds)))
            case .moved(let path): onEvent(.notice(.fileMoved(to: path)))
            case .gone:
                do throws(AudioFailure) { try output.fileIsGone() } catch { note(error) }
            }
        }
    }

    private func note(_ failure: AudioFailure) {
        let isFirst = state.withLock { state in
            defer { state.failure = state.failure ?? failure }
            return state.failure == nil
        }
        if isFirst { onEvent(.failed(failure)) }
    }

    /// The disk is not waited for any more. Together with the end of a stall, so that none is seen between the two.
    private func answers() {
        telling.withLock { _ in
            let didStall = state.withLock { state in
                defer { (state.isStalled, state.busySince) = (false, nil) }
                return state.isStalled
            }
            if didStall { onEvent(.notice(.diskAnswers)) }
        }
    }
}
