package import AudioCore

/// What the parts of one recording have in common.
package struct JoinSetUp {
    /// The joined stream.
    package private(set) var stream: StreamDescription
    /// Of the first part; markers and gaps of all, moved to where they then are.
    package private(set) var metadata: MediaMetadata
    /// Frames of all parts.
    package private(set) var frames: Int64 = 0

    private let firstName: String
    /// FLAC: every block but the last of all has the same length.
    private var hasEqualBlocks = true

    package init(_ reader: any ContainerReader, name: String) throws(AudioFailure) {
        stream = reader.stream
        metadata = reader.metadata
        metadata.markers = []
        metadata.gaps = []
        metadata.omittedNotes = 0
        firstName = name
        try add(reader, name: name)
    }

    /// - Throws: `unsupported`, naming what differs.
    package mutating func add(_ reader: any ContainerReader, name: String) throws(AudioFailure) {
        if let difference = Self.difference(stream, reader.stream) {
            throw AudioFailure(
                .unsupported,
                "'\(name)' cannot be joined to '\(firstName)' without decoding: \(difference).",
                path: name
            )
        }
        let block = Int64(reader.stream.framesPerPacket)
        if block == 0 || block != Int64(stream.framesPerPacket) || frames % block != 0 { hasEqualBlocks = false }
        metadata.markers += reader.metadata.markers.map { marker in
            MediaMetadata.Marker(frame: marker.frame + FrameCount(frames), name: marker.name)
        }
        for gap in reader.metadata.gaps { addGap(gap) }
        metadata.omittedNotes += reader.metadata.omittedNotes
        // A part without frames has no priming that counts.
        if frames == 0 { stream.primingFrames = reader.stream.primingFrames }
        let (sum, isTooLong) = frames.addingReportingOverflow(max(reader.validFrames?.value ?? 0, 0))
        if isTooLong { throw AudioFailure(.limitReached, "The parts are too long together.", path: name) }
        frames = sum
        if stream.codec == .flac { try takeBlocks(of: reader.stream) }
    }

    /// A gap over a border of parts is one gap again.
    private mutating func addGap(_ gap: RecordingGap) {
        let start = gap.start + FrameCount(frames)
        if let last = metadata.gaps.last, last.reason == gap.reason, last.start + last.length == start {
            metadata.gaps[metadata.gaps.count - 1].length += gap.length
        } else {
            metadata.gaps.append(RecordingGap(start: start, length: gap.length, reason: gap.reason))
        }
    }

    private mutating func takeBlocks(of other: StreamDescription) throws(AudioFailure) {
        var info = try FLACStreamInfo(reading: stream.configuration)
        let more = try FLACStreamInfo(reading: other.configuration)
        info.largestBlock = max(info.largestBlock, more.largestBlock)
        // The smallest block that the format allows (RFC 9639, 8.2) says: of many lengths.
        info.leastBlock = hasEqualBlocks ? info.largestBlock : 16
        stream.configuration = info.bytes
        stream.framesPerPacket = hasEqualBlocks ? info.largestBlock : 0
    }

    /// Nil where packets of both can lie in one file.
    private static func difference(_ a: StreamDescription, _ b: StreamDescription) -> String? {
        if a.codec != b.codec {
            if case .linearPCM = a.codec, case .linearPCM = b.codec { return "its samples are stored in another way" }
            return "it is \(b.codec.name), not \(a.codec.name)"
        }
        if a.sampleRate != b.sampleRate { return "it has \(b.sampleRate) Hz, not \(a.sampleRate)" }
        if a.channelCount != b.channelCount { return "it has \(b.channelCount) channels, not \(a.channelCount)" }
        switch a.codec {
        case .flac:
            if a.bitsPerChannel != b.bitsPerChannel {
                return "it has \(b.bitsPerChannel) bits, not \(a.bitsPerChannel)"
            }
        case .opus:
            // Everything but the pre-skip and the rate of the source, which decoders do not use.
            if a.configuration.prefix(10) != b.configuration.prefix(10)
                || a.configuration.dropFirst(16) != b.configuration.dropFirst(16)
            {
                return "its channels or its gain are set up in another way"
            }
        default:
            if a.framesPerPacket != b.framesPerPacket || a.configuration != b.configuration {
                return "its encoder was set up in another way"
            }
        }
        return nil
    }
}
