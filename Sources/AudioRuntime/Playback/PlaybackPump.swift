import AudioCore
import PlatformLinux
import Synchronization

/// Decodes a recording into a playback queue, ahead of what is heard, on a thread of its own.
final class PlaybackPump: Sendable {
    private struct Work {
        var reader: FrameReader
        let decoded: PCMBuffer
        let converted: PCMBuffer
        let converter: SampleConverter
        var loopsLeft: Int
        var hasEnded = false
        var damagedInARow = 0
        /// Frames in the ring since the last seek, over all passes.
        var written: Int64 = 0
        /// The frame of the recording at which the last seek landed.
        var start: FrameCount = 0
        /// Frames of a whole pass: stated by the file, or counted when the end was first reached.
        var length: FrameCount?
    }

    private static let chunk = 2048
    /// Damaged packets without a good one between them, after which a sound counts as undecodable.
    private static let damageLimit = 1_000

    private let queue: PlaybackQueue
    /// Owner of the reader: the decoder thread, or control while it seeks. Never held while anything outside is called.
    private let work: Mutex<Work>
    private let wake: Wakeup
    private let isEnding = Atomic<Bool>(false)
    private let thread = Mutex<NamedThread?>(nil)
    private let onFailure: @Sendable (AudioFailure) -> Void

    /// - Parameter onFailure: called on the decoder thread when nothing more can be decoded.
    init(
        reader: sending FrameReader,
        queue: PlaybackQueue,
        wake: Wakeup,
        loops: Int,
        onFailure: @escaping @Sendable (AudioFailure) -> Void
    ) {
        self.queue = queue
        self.wake = wake
        self.onFailure = onFailure
        let heard = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: queue.channelCount)
        let decoded = PCMBuffer(format: reader.format, capacity: Self.chunk)
        let converted = PCMBuffer(format: heard, capacity: Self.chunk)
        let converter = SampleConverter(from: reader.format, to: heard)
        let length = reader.length
        work = Mutex(
            Work(
                reader: reader,
                decoded: decoded,
                converted: converted,
                converter: converter,
                loopsLeft: loops,
                length: length
            )
        )
    }

    /// Starts the thread.
    func run() {
        thread.withLock { thread in
            thread = NamedThread(name: "kayit-decoder") { [self] in
                while !isEnding.load(ordering: .acquiring) {
                    fillReportingFailure()
                    wake.wait(atMost: .milliseconds(200))
                }
            }
        }
    }

    /// Ends the thread.
    func end() {
        isEnding.store(true, ordering: .releasing)
        wake.signal()
        thread.withLock { $0 }?.join()
    }

    /// Passes left behind the one that is decoded now; negative means for ever.
    func setLoops(_ loops: Int) {
        work.withLock { $0.loopsLeft = loops }
    }

    /// Moves to `frame` and decodes the first frames from there. Only while the queue is closed.
    func seek(to frame: FrameCount) throws(AudioFailure) {
        let result: Result<Void, AudioFailure> = work.withLock { work in
            do throws(AudioFailure) {
                queue.reset()
                try work.reader.seek(to: frame)
                work.start = work.reader.position
                work.written = 0
                work.hasEnded = false
                try fill(&work, atMost: 4 * Self.chunk)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        wake.signal()
        try result.get()
    }

    /// The frame of the recording that is `rendered` frames behind the last seek.
    func position(rendered: Int64) -> FrameCount {
        work.withLock { work in
            let frame = work.start.value + max(rendered, 0)
            guard let length = work.length?.value, length > 0, frame >= length else { return FrameCount(frame) }
            // Behind the end of the last pass there is nothing; behind that of an earlier one, the next pass.
            let isLastPass = work.hasEnded && rendered >= work.written
            return isLastPass ? FrameCount(length) : FrameCount(frame % length)
        }
    }

    /// Frames of the recording; nil until they are known.
    var length: FrameCount? { work.withLock { $0.length } }

    private func fillReportingFailure() {
        let failure: AudioFailure? = work.withLock { work in
            do throws(AudioFailure) {
                try fill(&work, atMost: .max)
                return nil
            } catch {
                work.hasEnded = true
                queue.setEnded(true)
                return error
            }
        }
        if let failure { onFailure(failure) }
    }

    private func fill(_ work: inout Work, atMost limit: Int) throws(AudioFailure) {
        var filled = 0
        while !work.hasEnded, filled < limit, queue.ring.capacity - queue.ring.count >= Self.chunk {
            work.decoded.setFrameLength(0)
            let frames: Int
            do throws(AudioFailure) {
                frames = try work.reader.read(into: work.decoded)
                work.damagedInARow = 0
            } catch {
                // A damaged packet: the reader has put silence of its length in its place, so that the rest is heard in time.
                work.damagedInARow += 1
                guard error.code == .malformedMedia, work.damagedInARow < Self.damageLimit else { throw error }
                RuntimeLog.note("Playing goes on behind damage", error)
                continue
            }
            if frames == 0 {
                try finishPass(&work)
                continue
            }
            work.converter.convert(work.decoded, into: work.converted)
            _ = queue.ring.write(work.converted.bytes, frames: frames)
            work.written += Int64(frames)
            filled += frames
        }
    }

    private func finishPass(_ work: inout Work) throws(AudioFailure) {
        let length = work.reader.position
        work.length = length
        // A recording without a frame cannot be repeated: it would be repeated for ever at once.
        guard work.loopsLeft != 0, length > 0 else {
            work.hasEnded = true
            queue.setEnded(true)
            return
        }
        if work.loopsLeft > 0 { work.loopsLeft -= 1 }
        try work.reader.seek(to: 0)
    }
}
