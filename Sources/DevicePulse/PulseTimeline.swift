import AudioCore
import CPulse
import Glibc

/// Which frames of playback streams are heard when, as the streams of one connection agree on it. Under the loop lock.
///
/// What the server says of one stream's latency is right to a few tenths of a millisecond. So only the first stream that is to
/// begin at a moment goes by that. Every other one on the same device counts its frames against those of a stream that has
/// a place on the timeline already: the server takes frames of both in the same blocks, so that count is exact.
final class PulseTimeline {
    /// A frame of a stream and the moment at which it is heard; all others follow at the nominal rate.
    struct Anchor {
        var frame: Int64
        /// Nanoseconds of the machine's clock.
        var moment: Int64
        var sampleRate: Double
        /// The moment of the first stream in the row of those that counted their frames against each other.
        var origin: Int64

        func frame(at moment: Int64) -> Int64 {
            frame + Int64(((Double(moment) - Double(self.moment)) * sampleRate / 1e9).rounded())
        }

        func moment(of frame: Int64) -> Double {
            Double(moment) + Double(frame - self.frame) / sampleRate * 1e9
        }
    }

    private struct Member {
        weak var stream: PulsePlayback?
        var device: UInt32
        var anchor: Anchor
    }

    private var members: [Member] = []

    /// The place of a stream that nobody has interrupted since is known.
    func join(_ stream: PulsePlayback, device: UInt32, _ anchor: Anchor) {
        leave(stream)
        members.append(Member(stream: stream, device: device, anchor: anchor))
    }

    /// The stream was paused, emptied, moved, closed or ran dry: its frames are not where they were.
    func leave(_ stream: PulsePlayback) { members.removeAll { $0.stream == nil || $0.stream === stream } }

    /// A stream whose place on the timeline of `device` is known, besides `stream`; of its rate, if there is one.
    func reference(for stream: PulsePlayback, device: UInt32) -> (stream: PulsePlayback, anchor: Anchor)? {
        let others = members.compactMap { member -> (stream: PulsePlayback, anchor: Anchor)? in
            guard let other = member.stream, other !== stream, other.isRunning, member.device == device else {
                return nil
            }
            return (other, member.anchor)
        }
        return others.first { $0.anchor.sampleRate == stream.sampleRate } ?? others.first
    }
}

/// Where a playback stream is at one moment.
struct PulsePlace: Equatable {
    /// The frame that the device takes next.
    var read: Int64
    /// When that frame is heard by what the server says, in nanoseconds of the machine's clock.
    var heard: Int64
    var isPlaying: Bool

    init?(_ stream: OpaquePointer, bytesPerFrame: Int) {
        guard let information = pa_stream_get_timing_info(stream)?.pointee, information.read_index_corrupt == 0 else {
            return nil
        }
        read = information.read_index / Int64(bytesPerFrame)
        isPlaying = information.playing != 0
        var now = timeval()
        pa_gettimeofday(&now)
        var stamp = information.timestamp
        // The time of day may be set, so only how long ago it was is taken from it.
        let age = pa_timeval_cmp(&now, &stamp) > 0 ? Int64(clamping: pa_timeval_diff(&now, &stamp)) : 0
        let latency = Int64(clamping: information.sink_usec)
        heard = (Int64(clamping: MachineTime.microseconds) - min(age, 10_000_000) + min(latency, 60_000_000)) * 1_000
    }
}

/// One look at where streams are: asked in one go, so that a block of the device rarely falls between the answers. Made,
/// answered and let go under the loop lock.
final class PulseLook {
    /// One question, and its answer.
    private final class Question {
        let bytesPerFrame: Int
        var place: PulsePlace?

        init(bytesPerFrame: Int) { self.bytesPerFrame = bytesPerFrame }
    }

    private let questions: [Question]
    private var operations: [OpaquePointer] = []
    private let answered: ([PulsePlace?]) -> Void

    /// - Parameter answered: on the loop's thread, with the places in the order of the streams; nil for one that is gone.
    init(
        at streams: [(handle: OpaquePointer, bytesPerFrame: Int)],
        answered: @escaping ([PulsePlace?]) -> Void
    ) {
        self.answered = answered
        questions = streams.map { Question(bytesPerFrame: $0.bytesPerFrame) }
        for (stream, question) in zip(streams, questions) {
            let operation = pa_stream_update_timing_info(
                stream.handle,
                { stream, success, user in
                    guard let stream, success != 0, let user else { return }
                    Unmanaged<Question>.fromOpaque(user)._withUnsafeGuaranteedRef {
                        $0.place = PulsePlace(stream, bytesPerFrame: $0.bytesPerFrame)
                    }
                },
                Unmanaged.passUnretained(question).toOpaque()
            )
            if let operation { operations.append(operation) }
        }
        for operation in operations {
            pa_operation_set_state_callback(
                operation,
                { _, user in
                    guard let user else { return }
                    // A reference of our own: the owner drops its one when the last answer is in.
                    Unmanaged<PulseLook>.fromOpaque(user).takeUnretainedValue().check()
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }
    }

    deinit { for operation in operations { PulseConnection.abandon(operation) } }

    /// False where nothing could be asked: no answer comes.
    var isAsked: Bool { !operations.isEmpty }

    private func check() {
        if operations.contains(where: { pa_operation_get_state($0) == PA_OPERATION_RUNNING }) { return }
        answered(questions.map(\.place))
    }
}
