package import AudioCore

/// Puts the packets of several files of one recording into one, without decoding any.
///
/// The parts of a codec whose packets depend on those before (AAC, Opus) begin with a lead-in: the last packets of the
/// part before, which their priming trims off. It is left out, after a look whether it really is the same: files of
/// several encoders have a priming too, but nothing could be trimmed in the middle of a joined file.
package struct PacketJoin {
    /// A finished or unfinished file, at its first packet.
    package struct Part {
        package var name: String
        package var reader: any ContainerReader
        package var file: any StoredFile

        package init(name: String, reader: any ContainerReader, file: any StoredFile) {
            self.name = name
            self.reader = reader
            self.file = file
        }
    }

    /// What the joined file must hold; also counted from a file to verify it.
    package struct Content: Equatable, Sendable {
        package var bytes: Int64 = 0
        /// Decoded frames of all packets.
        package var decoded: Int64 = 0
        /// Packets, or for formats of single frames the frames.
        package var packets: Int64 = 0
    }

    package private(set) var content = Content()
    /// Frames of the recording.
    package private(set) var frames: Int64 = 0

    private let writer: any ContainerWriter
    private var renumbering: FLACRenumbering?
    private var previous: (part: Part, decoded: Int64)?
    /// What only the last part may have: an end within a packet.
    private var openEnd: String?

    /// More packets at once than this would only take memory: 256 KiB of sizes.
    private static let packetsAtOnce = 64 << 10
    /// No lead-in is longer: eight of the longest packets of Opus.
    private static let longestLeadIn: Int64 = 8 * 5_760
    /// Bytes that wait in a writer between checkpoints.
    private static let pendingBytes: Int64 = 1 << 20

    /// - Parameters:
    ///   - writer: made for `stream`.
    ///   - stream: `JoinSetUp.stream`.
    package init(writer: any ContainerWriter, stream: StreamDescription) throws(AudioFailure) {
        self.writer = writer
        renumbering = stream.codec == .flac ? try FLACRenumbering(stream) : nil
    }

    /// Appends the next part. Its file and that of the part before must stay open until this returns.
    /// - Throws: `unsupported` with the reason where the part does not follow exactly.
    package mutating func append(_ part: Part) throws(AudioFailure) {
        guard let valid = part.reader.validFrames?.value else {
            throw AudioFailure(.unsupported, "'\(part.name)' does not say how long it is.", path: part.name)
        }
        if valid == 0 { return }
        if let openEnd { throw AudioFailure(.unsupported, openEnd, path: previous?.part.name) }
        let priming = part.reader.stream.primingFrames.value
        if previous != nil { try skipLeadIn(of: part, frames: priming) }
        let before = content
        let last = try copy(part)
        let decoded = content.decoded - before.decoded + (previous == nil ? 0 : priming)
        let remainder = decoded - priming - valid
        guard remainder >= 0 else {
            throw AudioFailure(.malformedMedia, "'\(part.name)' promises more than it has.", path: part.name)
        }
        let full = Int64(part.reader.stream.framesPerPacket)
        if remainder > 0 || (renumbering == nil && full > 1 && last < full) {
            openEnd =
                "'\(part.name)' ends within a packet, so nothing can follow it without decoding: "
                + "it was recorded on its own, not as a part. PCM and FLAC files of any lengths can be joined."
        }
        frames += valid
        previous = (part, decoded)
    }

    /// Completes the file.
    package mutating func finish() throws(AudioFailure) { try writer.finish(validFrames: FrameCount(frames)) }

    /// Passes over the packets that repeat the end of the part before.
    private func skipLeadIn(of part: Part, frames: Int64) throws(AudioFailure) {
        guard let previous else { return }
        let codec = part.reader.stream.codec
        if frames == 0, codec != .aac, codec != .opus { return }
        let refusal = AudioFailure(
            .unsupported,
            "'\(part.name)' does not begin where '\(previous.part.name)' ends: they are not consecutive parts of one "
                + "\(codec.name) recording. Files that were recorded one by one cannot be joined without decoding.",
            path: part.name
        )
        guard (1...Self.longestLeadIn).contains(frames), frames <= previous.decoded else { throw refusal }
        var lead: [EncodedPacket] = []
        var counted: Int64 = 0
        while counted < frames, let packet = try part.reader.nextPacket() {
            lead.append(packet)
            counted += Int64(packet.frames)
        }
        let start = previous.decoded - frames
        guard counted == frames,
            try previous.part.reader.seek(toDecodedFrame: FrameCount(start), preroll: 0).value == start
        else { throw refusal }
        for packet in lead {
            guard try previous.part.reader.nextPacket()?.bytes == packet.bytes else { throw refusal }
        }
    }

    /// Appends what is left of a part. Returns the frames of its last packet.
    private mutating func copy(_ part: Part) throws(AudioFailure) -> Int64 {
        let runs = (part.reader as? any PacketRunReader).flatMap { reader in
            (writer as? any PacketRunWriter).map { (reader, $0) }
        }
        var last: Int64 = 0
        var pending: Int64 = 0
        while true {
            if let (reader, writer) = runs, let run = try reader.nextRun(atMost: Self.packetsAtOnce) {
                try writer.append(run, from: part.file)
                content.add(run)
                last = run.lastPacketFrames
                continue
            }
            guard var packet = try part.reader.nextPacket() else { break }
            if packet.frames == 0 { continue }
            if part.reader.stream.codec == .opus, OpusPacket.frames(packet.bytes) == 0 {
                throw AudioFailure(.malformedMedia, "'\(part.name)' has a hole or a damaged page.", path: part.name)
            }
            packet = try renumbering?.next(packet, of: part.name) ?? packet
            try writer.append(packet)
            content.add(packet, of: part.reader.stream)
            last = Int64(packet.frames)
            pending += Int64(packet.bytes.count)
            if pending >= Self.pendingBytes {
                try writer.checkpoint(synchronize: false)
                pending = 0
            }
        }
        return last
    }
}

extension PacketJoin.Content {
    fileprivate mutating func add(_ run: PacketRun) {
        bytes += run.byteCount
        decoded += run.frames
        packets += run.packets
    }

    fileprivate mutating func add(_ packet: EncodedPacket, of stream: StreamDescription) {
        bytes += Int64(packet.bytes.count)
        decoded += Int64(packet.frames)
        packets += stream.framesPerPacket == 1 ? Int64(packet.frames) : 1
    }

    /// Counts everything from the reader's position on; the audio itself is read only where a format needs that.
    package init(of reader: any ContainerReader) throws(AudioFailure) {
        let runs = reader as? any PacketRunReader
        while true {
            if let run = try runs?.nextRun(atMost: 64 << 10) {
                add(run)
            } else if let packet = try reader.nextPacket() {
                add(packet, of: reader.stream)
            } else {
                return
            }
        }
    }
}
