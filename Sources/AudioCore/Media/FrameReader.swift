/// Exactly the frames of a recording: decoded, without the encoder's delay before the first frame and without the
/// padding behind the last. One thread at a time.
///
/// A damaged packet throws `malformedMedia` once, after the frames before it were given. Reading can go on: silence of
/// the packet's length takes its place, so that everything behind it stays where it belongs.
package final class FrameReader: FrameSource {
    /// The container that is read, for its description, metadata and integrity.
    package let reader: any ContainerReader
    /// What `read` gives.
    package let format: PCMFormat
    /// Frames of the recording; nil where only reading everything would tell.
    package let length: FrameCount?
    /// The frame that is read next, counted from the first of the recording.
    package private(set) var position: FrameCount = 0

    private let decoder: any PacketDecoder
    /// Of a file in several links: all frames come from there.
    private let chain: FrameChain?
    /// Decoded frames that do not belong to the recording, or lie before a position that was sought.
    private var skip: Int64
    /// Decoded frames that had no room yet. Ours: a decoder may use its buffers again.
    private var pending: PCMBuffer?
    private var pendingSilence = 0
    private var pendingFailure: AudioFailure?
    private var isDecoderFinished = false

    /// - Parameters:
    ///   - reader: at its first packet.
    ///   - decoder: fresh, made for `reader.stream`.
    package convenience init(reader: any ContainerReader, decoder: any PacketDecoder) {
        self.init(reader: reader, decoder: decoder, chain: nil)
    }

    private init(reader: any ContainerReader, decoder: any PacketDecoder, chain: FrameChain?) {
        self.reader = reader
        self.decoder = decoder
        self.chain = chain
        format = decoder.output
        length = chain?.length ?? reader.validFrames
        skip = max(reader.stream.primingFrames.value, 0)
    }

    /// Opens `source` with what `media` offers.
    package convenience init(_ source: any ByteSource, media: MediaRegistry, hint: ContainerKind? = nil)
        throws(AudioFailure)
    {
        let chain = try FrameChain(source, media: media)
        let reader = try media.openReader(chain?.first ?? source, hint: hint)
        self.init(reader: reader, decoder: try media.makeDecoder(reader.stream), chain: chain)
    }

    /// Appends frames to `buffer`, up to its room, and returns how many; 0 only at the end (or without room).
    /// - Parameter buffer: of `format`.
    package func read(into buffer: PCMBuffer) throws(AudioFailure) -> Int {
        guard buffer.format == format else {
            throw AudioFailure(.invalidArgument, "The buffer's format is not the format of the recording.")
        }
        if let chain {
            defer { position = chain.position }
            return try chain.read(into: buffer)
        }
        let before = buffer.frameLength
        while buffer.room > 0, remaining > 0 {
            if drainPending(into: buffer) { continue }
            if let failure = pendingFailure {
                if buffer.frameLength > before { break }
                pendingFailure = nil
                throw failure
            }
            do throws(AudioFailure) {
                if try !decodeNext(into: buffer) { break }
            } catch {
                if buffer.frameLength == before { throw error }
                pendingFailure = error
            }
        }
        return buffer.frameLength - before
    }

    /// Moves so that `frame` is read next, exactly; clamped to 0 … `length`.
    package func seek(to frame: FrameCount) throws(AudioFailure) {
        let target = min(max(frame, 0), length ?? FrameCount(.max - skipLimit))
        if let chain {
            defer { position = chain.position }
            return try chain.seek(to: target)
        }
        if target == position, pendingFailure == nil { return }
        let decoded = target + reader.stream.primingFrames
        let start = try reader.seek(toDecodedFrame: decoded, preroll: decoder.prerollPackets)
        decoder.reset()
        skip = max(decoded.value - start.value, 0)
        pending?.setFrameLength(0)
        pendingSilence = 0
        pendingFailure = nil
        isDecoderFinished = false
        position = target
    }

    /// Keeps the sum of a position and the priming inside `Int64`.
    private var skipLimit: Int64 { max(reader.stream.primingFrames.value, 0) }

    /// Frames until the known end.
    private var remaining: Int64 {
        guard let length else { return .max }
        return length.value - position.value
    }

    /// Decodes one packet; false at the end.
    private func decodeNext(into buffer: PCMBuffer) throws(AudioFailure) -> Bool {
        guard let packet = try reader.nextPacket() else {
            if isDecoderFinished { return false }
            isDecoderFinished = true
            try decoder.finish { frames throws(AudioFailure) in self.take(frames, into: buffer) }
            return true
        }
        var given = 0
        do throws(AudioFailure) {
            try decoder.decode(packet) { frames throws(AudioFailure) in
                given += frames.frameLength
                self.take(frames, into: buffer)
            }
        } catch {
            addSilence(packet.frames - given)
            throw error
        }
        return true
    }

    /// Silence in the place of a damaged packet. No codec has longer packets than FLAC's 65 535 frames: a damaged length must
    /// not become hours.
    private func addSilence(_ damaged: Int) {
        let frames = min(damaged, 65_535)
        guard frames > 0 else { return }
        let skipped = min(Int64(frames), skip)
        skip -= skipped
        pendingSilence = frames - Int(skipped)
    }

    /// Gives decoded frames to `buffer` and keeps those that have no room.
    private func take(_ frames: PCMBuffer, into buffer: PCMBuffer) {
        let first = Int(min(Int64(frames.frameLength), skip))
        skip -= Int64(first)
        var next = first
        // Frames wait behind those that wait already.
        if (pending?.frameLength ?? 0) == 0 {
            let count = min(frames.frameLength - next, buffer.room, Int(clamping: remaining))
            append(frames, from: next, count: count, to: buffer)
            position = FrameCount(position.value + Int64(count))
            next += count
        }
        let rest = frames.frameLength - next
        if rest > 0 { append(frames, from: next, count: rest, to: roomyPending(for: rest)) }
    }

    /// Moves what waits into `buffer`; false where nothing waits.
    private func drainPending(into buffer: PCMBuffer) -> Bool {
        if let pending, pending.frameLength > 0 {
            let count = min(pending.frameLength, buffer.room, Int(clamping: remaining))
            append(pending, from: 0, count: count, to: buffer)
            pending.removeFirst(count)
            position = FrameCount(position.value + Int64(count))
            return true
        }
        // A failure is told before the silence that stands for the damaged packet.
        if pendingSilence > 0, pendingFailure == nil {
            let count = min(pendingSilence, buffer.room, Int(clamping: remaining))
            let stride = format.bytesPerFrame
            (buffer.bytes + buffer.byteLength).initializeMemory(as: UInt8.self, repeating: 0, count: count * stride)
            buffer.setFrameLength(buffer.frameLength + count)
            pendingSilence -= count
            position = FrameCount(position.value + Int64(count))
            return true
        }
        return false
    }

    private func append(_ source: PCMBuffer, from first: Int, count: Int, to target: PCMBuffer) {
        guard count > 0 else { return }
        let stride = format.bytesPerFrame
        (target.bytes + target.byteLength).copyMemory(
            from: source.bytes + first * stride,
            byteCount: count * stride
        )
        target.setFrameLength(target.frameLength + count)
    }

    /// The waiting buffer with room for `frames` more.
    private func roomyPending(for frames: Int) -> PCMBuffer {
        if let pending, pending.room >= frames { return pending }
        let kept = pending?.frameLength ?? 0
        let larger = PCMBuffer(format: format, capacity: kept + frames)
        if let pending { append(pending, from: 0, count: kept, to: larger) }
        pending = larger
        return larger
    }
}
