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
        let stage: RateStage
        /// Frames in the ring beyond which no more are decoded.
        var ahead: Int
        /// All of the recording is decoded; the stage gives the rest.
        var isFinishing = false
        var loopsLeft: Int
        var hasEnded = false
        var damagedInARow = 0
        /// Frames of a whole pass: stated by the file, or counted when the end was first reached.
        var length: FrameCount?
    }

    private static let chunk = 2048
    /// Damaged packets without a good one between them, after which a sound counts as undecodable.
    private static let damageLimit = 1_000
    /// How far ahead is decoded where the rate can change: so long it takes at least until a change is heard.
    private static let aheadOfRate = 0.25
    /// How long ago a frame may have been given to the device whose place is asked for.
    private static let longestLatency = 10.0

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
        stretchers: any StretcherProvider,
        onFailure: @escaping @Sendable (AudioFailure) -> Void
    ) {
        self.queue = queue
        self.wake = wake
        self.onFailure = onFailure
        let heard = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: queue.channelCount)
        let decoded = PCMBuffer(format: reader.format, capacity: Self.chunk)
        let converted = PCMBuffer(format: heard, capacity: Self.chunk)
        let converter = SampleConverter(from: reader.format, to: heard)
        let stage = RateStage(sampleRate: heard.sampleRate, channelCount: heard.channelCount, provider: stretchers)
        let length = reader.length
        work = Mutex(
            Work(
                reader: reader,
                decoded: decoded,
                converted: converted,
                converter: converter,
                stage: stage,
                ahead: queue.ring.capacity,
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

    /// The speed at which what is decoded from now on is heard.
    /// - Parameter isAdjustable: whether it will change soon, so that not much is to be decoded ahead.
    /// - Throws: `unsupported` where the sound can be played at its own speed only; nothing has changed then.
    func setRate(_ rate: Double, isAdjustable: Bool) throws(AudioFailure) {
        let result: Result<Void, AudioFailure> = work.withLock { work in
            do throws(AudioFailure) {
                try work.stage.setRate(rate)
                let ahead = FrameCount(seconds: Self.aheadOfRate, sampleRate: work.converted.format.sampleRate)
                work.ahead = isAdjustable ? max(Int(ahead.value), Self.chunk) : queue.ring.capacity
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Moves to `frame` and decodes the first frames from there. Only while the queue is closed.
    func seek(to frame: FrameCount) throws(AudioFailure) {
        let result: Result<Void, AudioFailure> = work.withLock { work in
            do throws(AudioFailure) {
                queue.reset()
                try work.reader.seek(to: frame)
                work.stage.reset(to: work.reader.position.value)
                work.hasEnded = false
                work.isFinishing = false
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
            let timeline = work.stage.timeline
            let frame = Int64(timeline.source(at: max(rendered, 0)))
            guard let length = work.length?.value, length > 0, frame >= length else { return FrameCount(frame) }
            // Behind the end of the last pass there is nothing; behind that of an earlier one, the next pass.
            let isLastPass = work.hasEnded && rendered >= timeline.given
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
                end(&work)
                return error
            }
        }
        if let failure { onFailure(failure) }
    }

    private func fill(_ work: inout Work, atMost limit: Int) throws(AudioFailure) {
        var filled = 0
        let latency = Self.longestLatency * work.converted.format.sampleRate
        work.stage.forget(before: queue.rendered - Int64(latency))
        while !work.hasEnded, filled < limit, queue.ring.count < work.ahead,
            queue.ring.capacity - queue.ring.count >= Self.chunk
        {
            if !work.stage.passesThrough {
                let frames = try work.stage.take(into: samples(work.converted), frames: Self.chunk)
                if frames > 0 {
                    _ = queue.ring.write(work.converted.bytes, frames: frames)
                    filled += frames
                    continue
                }
                if work.isFinishing {
                    end(&work)
                    continue
                }
            }
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
            if work.stage.passesThrough {
                _ = queue.ring.write(work.converted.bytes, frames: frames)
                work.stage.pass(frames)
                filled += frames
            } else {
                try work.stage.put(samples(work.converted), frames: frames)
            }
        }
    }

    private func samples(_ buffer: PCMBuffer) -> UnsafeMutablePointer<Float> {
        buffer.bytes.assumingMemoryBound(to: Float.self)
    }

    private func end(_ work: inout Work) {
        work.hasEnded = true
        queue.setEnded(true)
    }

    private func finishPass(_ work: inout Work) throws(AudioFailure) {
        let length = work.reader.position
        work.length = length
        // A recording without a frame cannot be repeated: it would be repeated for ever at once.
        guard work.loopsLeft != 0, length > 0 else {
            work.stage.finish()
            work.isFinishing = true
            return
        }
        if work.loopsLeft > 0 { work.loopsLeft -= 1 }
        try work.reader.seek(to: 0)
    }
}
