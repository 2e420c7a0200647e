internal import AudioCore
internal import CFFmpeg

/// Packets of a file in a format that is not ours, through libavformat. Counts and trims are made here: the library's own
/// are off in many formats.
final class ForeignReader: ContainerReader {
    let container: ContainerKind
    let stream: StreamDescription
    private(set) var validFrames: FrameCount?
    private(set) var integrity: MediaIntegrity = .complete
    let metadata: MediaMetadata
    private(set) var audioByteCount: Int64 = 0

    private let source: any ByteSource
    private let foreign: ForeignStream
    private var demuxer: Demuxer
    private var counter: FrameCounter
    private var index: PacketIndex?
    private var isTooLargeToScan = false
    private let packet: Packet
    /// Found by a seek, not given yet.
    private var isPacketPending = false

    /// Larger files are read whole only when they must be, for the first seek. Reading runs at some hundred MB/s.
    private static let scannedAtOpening: Int64 = 384 << 20

    /// Nil where the content is not of a kind that is read.
    init?(_ source: any ByteSource) throws(AudioFailure) {
        guard let probed = try Demuxer(source) else { return nil }
        self.source = source
        foreign = try ForeignStream(probing: probed)
        stream = foreign.description
        container = .foreign(probed.formatName)
        metadata = MediaMetadata(probed)
        packet = try Packet()
        demuxer = probed
        counter = FrameCounter(foreign.counting, demuxer: probed, sampleRate: Int(stream.sampleRate))
        try rewind()
        if try !countByHeader(), try source.size() <= Self.scannedAtOpening {
            try scan(within: .seconds(3))
            try rewind()
        }
    }

    // MARK: Reading

    func nextPacket() throws(AudioFailure) -> EncodedPacket? {
        if !isPacketPending {
            do throws(AudioFailure) {
                guard try demuxer.read(packet) else { return nil }
            } catch  where error.code == .malformedMedia {
                // As far as it can be read, as counted.
                if case .complete = integrity { integrity = .unfinished(reason: error.message) }
                return nil
            }
        }
        isPacketPending = false
        defer { packet.unreference() }
        let frames = counter.frames(of: packet)
        var bytes = packet.bytes
        if foreign.stripsADTS, let header = ADTSHeader(bytes) { bytes.removeFirst(header.byteCount) }
        // Wave64 pads its chunks to 8 bytes, which libavformat takes for audio.
        if stream.framesPerPacket == 1, stream.bytesPerPacket > 0 {
            bytes.removeLast(bytes.count % stream.bytesPerPacket)
        }
        return EncodedPacket(bytes: bytes, frames: frames)
    }

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        isPacketPending = false
        if isCountedByHeader, let start = try seekByTimestamp(frame) { return start }
        if index == nil, !isTooLargeToScan { try scan(within: .seconds(20)) }
        guard let target = index?.checkpoint(before: frame.value, preroll: preroll), target.ordinal > 0 else {
            try rewind()
            return 0
        }
        if try !land(on: target) {
            try rewind()
            // The container cannot be entered there: everything before is passed over.
            for _ in 0...target.ordinal {
                guard try demuxer.read(packet) else { break }
            }
            isPacketPending = true
        }
        counter.reset()
        return FrameCount(target.frame)
    }

    // MARK: Places

    /// Back to the start, whatever happened before.
    private func rewind() throws(AudioFailure) {
        guard let fresh = try Demuxer(source, like: demuxer) else {
            throw AudioFailure(.malformedMedia, "The file is no longer what it was.")
        }
        demuxer = fresh
        counter = FrameCounter(foreign.counting, demuxer: fresh, sampleRate: Int(stream.sampleRate))
        counter.reset()
        isPacketPending = false
    }

    /// Makes `target` the pending packet; false where the container does not lead there.
    private func land(on target: PacketIndex.Checkpoint) throws(AudioFailure) -> Bool {
        guard let index else { return false }
        let isElementary = demuxer.isElementary
        if isElementary {
            guard demuxer.seek(toByte: target.position) else { return false }
        } else {
            // A little earlier: only behind a packet from another position is it known which one of its position follows.
            guard let early = index.checkpoint(before: target.frame, preroll: 32),
                demuxer.seek(toTimestamp: early.timestamp)
            else { return false }
        }
        var ordinal: Int?
        var lastPosition: Int64? = isElementary ? -1 : nil
        while true {
            do throws(AudioFailure) {
                guard try demuxer.read(packet) else { return false }
            } catch  where error.code == .malformedMedia {
                return false
            }
            let position = packet.pointer.pointee.pos
            if let known = ordinal {
                ordinal = known + 1
            } else if let lastPosition, position != lastPosition {
                ordinal = index.checkpoint(atPosition: position)?.ordinal
            }
            lastPosition = position
            if ordinal == target.ordinal {
                isPacketPending = true
                return true
            }
            if let ordinal, ordinal > target.ordinal { return false }
            if ordinal == nil, position > target.position { return false }
        }
    }

    // MARK: Counts

    /// The length that the header states, where it counts in frames.
    private var statedFrames: Int64? {
        let base = demuxer.stream.pointee.time_base
        let duration = demuxer.stream.pointee.duration
        guard ["w64", "wav", "au", "aiff", "caf", "ircam", "mov", "tta", "wv", "ape"].contains(demuxer.formatName),
            base.num == 1, Double(base.den) == stream.sampleRate, duration > 0,
            demuxer.pointer.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
        else { return nil }
        return duration
    }

    /// True where header and sizes say all: PCM in the simple containers.
    private var isCountedByHeader: Bool {
        guard case .size = foreign.counting, stream.framesPerPacket == 1 else { return false }
        return demuxer.formatName != "mov" && statedFrames != nil
    }

    private func countByHeader() throws(AudioFailure) -> Bool {
        guard isCountedByHeader, let stated = statedFrames, stream.bytesPerPacket > 0 else { return false }
        let frames = min(stated, try source.size() / Int64(stream.bytesPerPacket))
        validFrames = FrameCount(frames)
        audioByteCount = frames * Int64(stream.bytesPerPacket)
        return true
    }

    /// For what is counted by its header: the packet that is found says where it starts.
    private func seekByTimestamp(_ frame: FrameCount) throws(AudioFailure) -> FrameCount? {
        guard demuxer.seek(toTimestamp: max(0, frame.value)) else { return nil }
        counter.reset()
        guard try demuxer.read(packet) else { return frame }
        let start = packet.pointer.pointee.pts
        guard start != kayit_nopts_value(), start >= 0, start <= max(0, frame.value) else { return nil }
        isPacketPending = true
        return FrameCount(start)
    }

    /// Reads everything once. A file that takes too long stays of unknown length, and is sought by reading from its start.
    private func scan(within time: Duration) throws(AudioFailure) {
        try rewind()
        let made: PacketIndex
        do throws(AudioFailure) {
            made = try PacketIndex(scanning: demuxer, foreign, counter: counter, within: time)
        } catch  where error.code == .limitReached {
            isTooLargeToScan = true
            return
        }
        index = made
        audioByteCount = made.byteCount
        if let damage = made.damage { integrity = .unfinished(reason: damage) }
        let decoded = made.totalFrames - stream.primingFrames.value - made.endSkip
        // The last packet may hold more than belongs to the recording.
        validFrames = FrameCount(max(0, min(decoded, statedFrames ?? decoded)))
    }
}

extension MediaMetadata {
    /// What the file says of itself, in the file's or in the stream's tags; chapters as markers.
    init(_ demuxer: Demuxer) {
        self.init()
        func tag(_ key: String) -> String? {
            let entry =
                av_dict_get(demuxer.pointer.pointee.metadata, key, nil, 0)
                ?? av_dict_get(demuxer.stream.pointee.metadata, key, nil, 0)
            return entry.map { String(cString: $0.pointee.value) }
        }
        title = tag("title")
        artist = tag("artist")
        album = tag("album")
        comment = tag("comment")
        date = tag("date")
        encoder = tag("encoder")
        let sampleRate = demuxer.parameters.pointee.sample_rate
        guard sampleRate > 0 else { return }
        for place in 0..<Int(demuxer.pointer.pointee.nb_chapters) {
            guard let chapter = demuxer.pointer.pointee.chapters[place]?.pointee, chapter.time_base.den > 0 else {
                continue
            }
            let frame = av_rescale_q(chapter.start, chapter.time_base, AVRational(num: 1, den: sampleRate))
            guard frame >= 0, frame < 1 << 53 else { continue }
            let name = av_dict_get(chapter.metadata, "title", nil, 0).map { String(cString: $0.pointee.value) }
            markers.append(Marker(frame: FrameCount(frame), name: name ?? ""))
        }
    }
}
