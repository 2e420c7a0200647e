import AudioCore

/// Reads native FLAC, frame by frame. Lengths are counted from the frames that are there, not from the header, so that
/// streams without a total, parts of longer streams and files of killed writers have exact lengths.
final class FLACReader: ContainerReader {
    let container = ContainerKind.flac
    let stream: StreamDescription
    let integrity: MediaIntegrity
    let metadata: MediaMetadata
    let validFrames: FrameCount?
    let audioByteCount: Int64
    private var frames: FLACFrames
    /// Where the stream starts to count; not zero in parts that were cut out of a longer stream.
    private let origin: Int64
    private var offset: Int64
    /// The position that the next frame should have.
    private var expected: Int64

    static func recognizes(_ opening: [UInt8]) -> Bool { opening.starts(with: Array("fLaC".utf8)) }

    init(_ source: any ByteSource) throws(AudioFailure) {
        var bytes = try SlidingBytes(source)
        let head = try Self.readHead(&bytes)
        frames = try FLACFrames(bytes, info: head.info, start: head.end)
        let info = head.info

        let first = try frames.nextHeader(from: head.end, before: frames.end)
        let last = try frames.lastFrame()
        let origin = first?.0.position ?? 0
        self.origin = origin
        offset = first?.1 ?? frames.end
        expected = origin
        // The smallest frame has 11 bytes: more frames of audio than that allows are nonsense.
        let most = max(frames.end - offset, 0) / 11 * Int64(info.largestBlock)
        let counted =
            last.map {
                min(max($0.frame.header.position + Int64($0.frame.header.blockSize) - origin, 0), most)
            } ?? 0
        let length = Self.length(counted: counted, isCut: last?.isCut ?? (offset < frames.end), head)
        validFrames = FrameCount(length.frames)
        integrity = length.unfinished.map { .unfinished(reason: $0) } ?? .complete
        metadata = head.metadata
        audioByteCount = max(frames.end - offset, 0)
        let seconds = Double(max(length.frames, 1)) / Double(info.sampleRate)
        stream = StreamDescription(
            codec: .flac,
            sampleRate: Double(info.sampleRate),
            channelCount: info.channelCount,
            framesPerPacket: info.leastBlock == info.largestBlock ? info.largestBlock : 0,
            bitsPerChannel: info.bitsPerSample,
            configuration: info.bytes,
            bitRate: length.frames > 0 ? Int(min(Double(audioByteCount * 8) / seconds, 1e12)) : 0
        )
    }

    private static func length(counted: Int64, isCut: Bool, _ head: Head) -> (frames: Int64, unfinished: String?) {
        if head.state == FLACState.done, head.info.total <= counted { return (head.info.total, nil) }
        if head.state == FLACState.live { return (counted, "The recording was not finished.") }
        if isCut || counted < head.info.total { return (counted, "The file is cut.") }
        if head.info.total == 0, counted > 0 { return (counted, "The length of the audio was never written.") }
        if counted > head.info.total { return (counted, "The header is older than the audio.") }
        return (counted, nil)
    }

    // MARK: - Packets

    /// What no decoder takes for a frame (its block size is reserved): stands for frames that are damaged or missing. As
    /// long as the longest header, because decoders wait for more behind a shorter one.
    private static let lost: [UInt8] = [0xFF, 0xF8] + [UInt8](repeating: 0, count: FLACFrameHeader.longest - 2)

    func nextPacket() throws(AudioFailure) -> EncodedPacket? {
        while let (header, place) = try frames.nextHeader(from: offset, before: frames.end) {
            guard let frame = try frames.frame(at: place) else {
                offset = place + 1
                continue
            }
            let hole = header.position - expected
            // Behind the end that was counted lies nothing.
            if hole > 0, header.position - origin < validFrames?.value ?? 0 {
                expected = header.position
                offset = place
                return EncodedPacket(bytes: Self.lost, frames: Int(hole))
            }
            offset = frame.end
            expected = header.position + Int64(header.blockSize)
            let bytes = frame.isIntact ? try frames.bytes(of: frame) : Self.lost
            return EncodedPacket(bytes: bytes, frames: header.blockSize)
        }
        offset = frames.end
        return nil
    }

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        let length = validFrames?.value ?? 0
        let back = Int64(max(preroll, 0)).multipliedReportingOverflow(by: Int64(frames.info.largestBlock))
        let wanted = min(max(frame.value, 0), length)
        let target = origin + max(wanted - (back.overflow ? wanted : back.partialValue), 0)
        // The frame starts somewhere from `low` on, before `high`.
        var (low, high) = (frames.start, frames.end)
        while high - low > 64 << 10 {
            let middle = low + (high - low) / 2
            if let found = try intactFrame(from: middle, before: high), found.header.position <= target {
                low = found.offset
            } else {
                high = middle
            }
        }
        offset = low
        expected = origin
        while let found = try intactFrame(from: offset, before: frames.end) {
            expected = found.header.position
            offset = found.offset
            if found.header.position + Int64(found.header.blockSize) > target { break }
            offset = found.end
            expected += Int64(found.header.blockSize)
        }
        return FrameCount(max(expected - origin, 0))
    }

    private func intactFrame(from offset: Int64, before limit: Int64) throws(AudioFailure) -> FLACFrames.Frame? {
        var place = offset
        while let (_, found) = try frames.nextHeader(from: place, before: limit) {
            if let frame = try frames.frame(at: found), frame.isIntact { return frame }
            place = found + 1
        }
        return nil
    }

    // MARK: - Metadata

    private struct Head {
        var info: FLACStreamInfo
        var metadata = MediaMetadata()
        var state: FourCC?
        /// Where the audio starts.
        var end: Int64
    }

    private static let mostBlocks = 1_024
    private static let largestComments = 1 << 20

    private static func readHead(_ bytes: inout SlidingBytes) throws(AudioFailure) -> Head {
        var head: Head?
        var log = MediaMetadata()
        var offset: Int64 = 4
        for _ in 0..<mostBlocks {
            let fields = try bytes.copy(at: offset, count: 4)
            guard fields.count == 4 else { break }
            let length = Int(fields[1]) << 16 | Int(fields[2]) << 8 | Int(fields[3])
            let body = offset + 4
            switch FLACBlock(rawValue: fields[0] & 0x7F) {
            case .streamInfo where head == nil:
                let content = try bytes.copy(at: body, count: FLACStreamInfo.byteCount)
                head = Head(info: try FLACStreamInfo(reading: content), end: body)
            case .application:
                var content = ByteReader(try bytes.copy(at: body, count: min(length, 8)))
                let application = try? content.code()
                if application == FLACState.signature { head?.state = try? content.code() }
                if application == NoteRegion.signature, length > 4 {
                    log = NoteLog.read(try bytes.copy(at: body + 4, count: min(length - 4, NoteLog.longest)))
                }
            case .comments where head != nil:
                let content = ByteReader(try bytes.copy(at: body, count: min(length, largestComments)))
                let rate = Double(head?.info.sampleRate ?? 1)
                head?.metadata = VorbisComments.metadata(reading: content, sampleRate: rate)
            default: break
            }
            offset = body + Int64(length)
            if fields[0] & 0x80 != 0 { break }
        }
        guard var head else {
            throw AudioFailure(.malformedMedia, "The FLAC file does not start with its stream information.")
        }
        head.metadata.replaceNotes(with: log)
        head.end = min(offset, bytes.size)
        return head
    }
}
