import AudioCore
import PlatformLinux
import Synchronization

/// The thread that takes what the microphone heard, encodes it and hands packets to the writer.
final class TakeEncoder: Sendable {
    private enum Request { case flush, finish }

    private struct Requests {
        var waiting: [Request] = []
        var requested = 0
        var answered = 0
        var failure: AudioFailure?
    }

    /// What belongs to the thread alone.
    private struct Work {
        var encoder: any PacketEncoder
        let heard: PCMBuffer
        let converted: PCMBuffer
        let converter: SampleConverter
        var packets: [EncodedPacket] = []
        var silence = SteadySilence()
        /// Captured frames read so far, those skipped included.
        var read: Int64 = 0
        var sinceVisible: Int64 = 0
        /// Frames of all packets so far, the encoder's delay included; those of packets that the disk was asked to have.
        var packetFrames: Int64 = 0
        var synchronizedPacketFrames: Int64 = 0
        var isFinished = false
    }

    private static let chunk = 2048
    /// Markers, and gaps, that are kept in memory: far more than a file has room for.
    private static let mostNotes = 10_000

    private let queue: CaptureQueue
    private let writer: TakeWriter
    private let wake: Wakeup
    private let answer = Wakeup()
    private let thread = Mutex<NamedThread?>(nil)
    /// Lock of the requests between control and the encoder thread.
    private let requests = Mutex(Requests())
    private let priming: Int64
    private let visibleFrames: Int64
    private let synchronizedFrames: Int64
    private let onTurn: @Sendable () -> Void
    private let onLimit: @Sendable () -> Void
    private let onGap: @Sendable (RecordingGap) -> Void
    private let onFailure: @Sendable (AudioFailure) -> Void

    /// Gaps of the recording so far.
    private let gapList = Mutex<[RecordingGap]>([])
    private let markerList = Mutex<[MediaMetadata.Marker]>([])
    private let kept = Atomic<Int64>(0)
    private let limit = Atomic<Int64>(.max)
    private let skip = Atomic<Int64>(0)
    /// What `skip` was before the first frame.
    private let skippedAtStart = Atomic<Int64>(0)

    /// - Parameters:
    ///   - encoder: belongs to the encoder thread from now on.
    ///   - wake: signalled by `queue` after every delivery.
    ///   - onTurn: called on the encoder thread every 200 ms at least, also while nothing comes.
    ///   - onLimit: called once, on the encoder thread, when the limit is reached.
    ///   - onGap: called on the encoder thread, or by whoever resumes the recording, for each gap, once it is part of the recording.
    ///   - onFailure: called once, on the encoder thread, when the encoder fails.
    init(
        encoder: sending any PacketEncoder,
        queue: CaptureQueue,
        writer: TakeWriter,
        wake: Wakeup,
        durability: TakeOptions.Durability,
        onTurn: @escaping @Sendable () -> Void,
        onLimit: @escaping @Sendable () -> Void,
        onGap: @escaping @Sendable (RecordingGap) -> Void,
        onFailure: @escaping @Sendable (AudioFailure) -> Void
    ) {
        self.queue = queue
        self.writer = writer
        self.wake = wake
        self.onTurn = onTurn
        self.onLimit = onLimit
        self.onGap = onGap
        self.onFailure = onFailure
        let input = encoder.input
        priming = encoder.stream.primingFrames.value
        visibleFrames = FrameCount(seconds: durability.visibleEvery.inSeconds, sampleRate: input.sampleRate).value
        synchronizedFrames =
            FrameCount(seconds: durability.synchronizedEvery.inSeconds, sampleRate: input.sampleRate).value
        let heard = PCMFormat(sampleRate: input.sampleRate, channelCount: queue.channelCount)
        let owned = Mutex(
            Work(
                encoder: encoder,
                heard: PCMBuffer(format: heard, capacity: Self.chunk),
                converted: PCMBuffer(format: input, capacity: Self.chunk),
                converter: SampleConverter(from: heard, to: input)
            )
        )
        thread.withLock { thread in
            thread = NamedThread(name: "kayit-encoder") { [self] in owned.withLock { run(&$0) } }
        }
    }

    /// Frames of the recording so far. Any thread.
    var keptFrames: FrameCount { FrameCount(kept.load(ordering: .acquiring)) }

    /// Gaps of the recording so far, in order. Any thread.
    var gaps: [RecordingGap] { gapList.withLock { $0 } }

    /// Names the frame that is being heard now. The marker is on the disk with the next work of the writer thread. Any thread.
    /// - Returns: nil where the recording has more markers than are kept.
    func addMarker(_ name: String) -> MediaMetadata.Marker? {
        let marker = MediaMetadata.Marker(frame: nextFrame, name: name)
        let isKept = markerList.withLock { markers in
            if markers.count >= Self.mostNotes { return false }
            markers.append(marker)
            // In its turn, so that the file has them in the same order.
            writer.note(.marker(marker), checkpoint: .synchronized)
            return true
        }
        return isKept ? marker : nil
    }

    /// The frame that is being heard now. Any thread.
    var nextFrame: FrameCount {
        // Not what is kept and what waits: the encoder has frames in its hands that are neither.
        let heard = queue.heard - skippedAtStart.load(ordering: .acquiring)
        return FrameCount(min(max(heard, keptFrames.value), limit.load(ordering: .acquiring)))
    }

    /// The recording was interrupted here, and has gone on. The time between is not in the file. Any thread.
    func markInterruption(at frame: FrameCount) {
        let gap = RecordingGap(start: frame, length: 0, reason: .interrupted)
        let isKept = gapList.withLock { gaps in
            if gaps.count >= Self.mostNotes { return false }
            gaps.append(gap)
            writer.note(.gap(gap), checkpoint: .visible)
            return true
        }
        if isKept { onGap(gap) }
    }

    /// Markers of the recording so far, in the order in which they were set. Any thread.
    var markers: [MediaMetadata.Marker] { markerList.withLock { $0 } }

    /// The recording ends by itself after `frames` frames; nil takes the limit away. Any thread.
    func setLimit(_ frames: FrameCount?) {
        limit.store(frames?.value ?? .max, ordering: .releasing)
        wake.signal()
    }

    /// The next `frames` captured frames are not part of the recording. Before the device flows.
    func skip(_ frames: FrameCount) {
        skip.store(max(frames.value, 0), ordering: .releasing)
        skippedAtStart.store(max(frames.value, 0), ordering: .releasing)
    }

    /// Returns when everything captured so far is encoded and on the disk, or when the disk has let it wait until
    /// `deadline`: it then follows by itself.
    func flush(until deadline: SuspendingClock.Instant) throws(AudioFailure) {
        let number = request(.flush)
        while true {
            let (done, failure) = requests.withLock { ($0.answered >= number, $0.failure) }
            if let failure, done { throw failure }
            if done { break }
            let left = SuspendingClock.now.duration(to: deadline)
            if left <= .zero { return }
            answer.wait(atMost: min(left, .milliseconds(100)))
        }
        _ = try writer.flush(until: deadline)
    }

    /// Encodes what is left, completes the file and closes it, and ends the threads.
    /// - Returns: false where the disk has not answered until `deadline`. The threads then go on by themselves: when the disk
    ///   answers, the file is completed.
    func finish(until deadline: SuspendingClock.Instant) throws(AudioFailure) -> Bool {
        request(.finish)
        let failure: AudioFailure?
        do throws(AudioFailure) {
            guard try writer.end(until: deadline) else { return false }
            failure = nil
        } catch {
            failure = error
        }
        thread.withLock { $0 }?.join()
        if let failure { throw failure }
        if let failure = requests.withLock({ $0.failure }) { throw failure }
        return true
    }

    /// - Returns: the number that `answered` reaches with it.
    @discardableResult
    private func request(_ request: Request) -> Int {
        let number = requests.withLock { requests in
            requests.waiting.append(request)
            requests.requested += 1
            return requests.requested
        }
        wake.signal()
        return number
    }

    // MARK: Encoder thread

    private func run(_ work: inout Work) {
        while !work.isFinished {
            let isWoken = wake.wait(atMost: .milliseconds(200))
            writer.watch()
            onTurn()
            // Taken before the queue is read: a request speaks of everything that was captured before it.
            let waiting = requests.withLock { requests in
                defer { requests.waiting = [] }
                return requests.waiting
            }
            do throws(AudioFailure) {
                try drain(&work)
            } catch {
                fail(error)
            }
            // Whenever enough has come for the next file: what was left over of the last one waits no second time.
            deliver(&work, now: isWoken || !waiting.isEmpty)
            if waiting.contains(.finish) { end(&work) }
            if !waiting.isEmpty {
                requests.withLock { $0.answered += waiting.count }
                answer.signal()
            }
        }
    }

    private func fail(_ failure: AudioFailure) {
        let isFirst = requests.withLock { requests in
            defer { requests.failure = requests.failure ?? failure }
            return requests.failure == nil
        }
        if isFirst { onFailure(failure) }
    }

    private var hasFailed: Bool { requests.withLock { $0.failure != nil } }

    private func drain(_ work: inout Work) throws(AudioFailure) {
        while true {
            var count = Self.chunk
            if let gap = queue.nextGap {
                if gap.position <= work.read {
                    try encodeSilence(gap.frames, gap.reason, &work)
                    queue.removeGap()
                    continue
                }
                count = min(count, Int(clamping: gap.position - work.read))
            }
            let frames = queue.read(into: work.heard.bytes, frames: count)
            if frames == 0 { return }
            work.heard.setFrameLength(frames)
            work.read += Int64(frames)
            if hasFailed { continue }
            try encode(&work)
            if work.sinceVisible >= visibleFrames { deliver(&work, now: false) }
        }
    }

    /// Silence in the place of frames that are gone, so that the time of the file follows the time of the room.
    private func encodeSilence(
        _ frames: Int64,
        _ reason: RecordingGap.Reason,
        _ work: inout Work
    ) throws(AudioFailure) {
        let start = keptFrames
        noteGap(frames, reason, at: start)
        var left = frames
        work.silence = SteadySilence()
        while left > 0, !hasFailed {
            if work.silence.isSteady {
                left -= repeatSilence(left, &work)
                if left == 0 { break }
            }
            let part = Int(min(left, Int64(Self.chunk)))
            work.heard.bytes.initializeMemory(
                as: UInt8.self,
                repeating: 0,
                count: part * work.heard.format.bytesPerFrame
            )
            work.heard.setFrameLength(part)
            try encode(&work, isSilence: true)
            left -= Int64(part)
        }
        let length = keptFrames - start
        guard length > 0 else { return }
        let gap = RecordingGap(start: start, length: length, reason: reason)
        gapList.withLock { if $0.count < Self.mostNotes { $0.append(gap) } }
        onGap(gap)
    }

    /// Once an encoder gives the same packet for silence again and again, it is not asked for each one of the hours that a
    /// machine may sleep: what is said after them would have to wait for minutes.
    /// - Returns: the frames dealt with, whole packets, at most `frames`.
    private func repeatSilence(_ frames: Int64, _ work: inout Work) -> Int64 {
        guard let packet = work.silence.packet, packet.frames > 0, skip.load(ordering: .relaxed) == 0 else { return 0 }
        let before = kept.load(ordering: .relaxed)
        // One checkpoint's worth at once, so that they come as always; never to the limit, which ends the recording.
        let most = min(frames, limit.load(ordering: .acquiring) - before - 1, Int64(synchronizedFrames))
        let count = most / Int64(packet.frames)
        guard count > 0 else { return 0 }
        for _ in 0..<count { work.packets.append(packet) }
        let done = count * Int64(packet.frames)
        kept.store(before + done, ordering: .releasing)
        work.sinceVisible += done
        deliver(&work, now: false)
        return done
    }

    /// Tells the file of a gap before its silence is written, which may fill several parts.
    private func noteGap(_ frames: Int64, _ reason: RecordingGap.Reason, at start: FrameCount) {
        let heard = frames - skip.load(ordering: .relaxed)
        let length = min(heard, limit.load(ordering: .acquiring) - start.value)
        if length <= 0 || hasFailed { return }
        let gap = RecordingGap(start: start, length: FrameCount(length), reason: reason)
        writer.note(.gap(gap), checkpoint: .visible)
    }

    /// Encodes what lies in `heard`, without the frames that a schedule skips or a limit cuts off.
    private func encode(_ work: inout Work, isSilence: Bool = false) throws(AudioFailure) {
        let skipped = min(skip.load(ordering: .relaxed), Int64(work.heard.frameLength))
        if skipped > 0 {
            skip.subtract(skipped, ordering: .relaxed)
            work.heard.removeFirst(Int(skipped))
        }
        let before = kept.load(ordering: .relaxed)
        let end = limit.load(ordering: .acquiring)
        let room = max(end - before, 0)
        if Int64(work.heard.frameLength) > room { work.heard.setFrameLength(Int(room)) }
        let frames = work.heard.frameLength
        if frames > 0 {
            work.converter.convert(work.heard, into: work.converted)
            try work.encoder.encode(work.converted) { packet throws(AudioFailure) in
                work.packets.append(packet)
                if isSilence { work.silence.note(packet) }
            }
            kept.store(before + Int64(frames), ordering: .releasing)
            work.sinceVisible += Int64(frames)
        }
        if before < end, before + Int64(frames) >= end { onLimit() }
    }

    private func end(_ work: inout Work) {
        work.isFinished = true
        var last: [EncodedPacket] = []
        do throws(AudioFailure) {
            if !hasFailed { try work.encoder.finish { packet throws(AudioFailure) in last.append(packet) } }
        } catch {
            fail(error)
        }
        writer.finish(last, validFrames: keptFrames)
    }

    private func deliver(_ work: inout Work, now: Bool) {
        if work.packets.isEmpty { return }
        guard now || work.sinceVisible >= visibleFrames else { return }
        work.packetFrames += work.packets.reduce(0) { $0 + Int64($1.frames) }
        // What the disk is without, also because the encoder holds it, must not wait for the next file and be too old then.
        let unsure = keptFrames.value - max(work.synchronizedPacketFrames - priming, 0)
        let synchronize = unsure + visibleFrames > synchronizedFrames
        writer.enqueue(work.packets, checkpoint: synchronize ? .synchronized : .visible)
        work.packets.removeAll(keepingCapacity: true)
        work.sinceVisible = 0
        if synchronize { work.synchronizedPacketFrames = work.packetFrames }
    }
}
