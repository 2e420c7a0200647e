import AudioCore

/// Reads AIFF and AIFC with linear PCM, floating point, µ-law, A-law and IMA4.
///
/// Sizes are believed only as far as the file agrees: see `IFFChunks.audioLength`.
final class AIFFReader: PacketRunReader {
    let container: ContainerKind
    let stream: StreamDescription
    let integrity: MediaIntegrity
    let metadata: MediaMetadata
    let validFrames: FrameCount?
    private var units: FixedSizeUnits

    var audioByteCount: Int64 { units.byteCount }

    static func recognizes(_ opening: [UInt8]) -> Bool {
        guard opening.count >= 12, Array(opening[0..<4]) == Array("FORM".utf8) else { return false }
        let kind = Array(opening[8..<12])
        return kind == Array("AIFF".utf8) || kind == Array("AIFC".utf8)
    }

    /// Nil for a codec that is not ours.
    init?(_ source: any ByteSource) throws(AudioFailure) {
        var chunks = IFFChunks(window: try SourceWindow(source), isBigEndian: true)
        let isCompressed = try chunks.window.bytes(at: 8, count: 4) == Array("AIFC".utf8)
        container = isCompressed ? .aifc : .aiff
        let found = try Self.walk(&chunks)
        guard let common = found.common else {
            throw AudioFailure(.malformedMedia, "The AIFF file has no common chunk.")
        }
        guard let (format, stated) = try AIFFFormat.read(common, isCompressed: isCompressed) else { return nil }
        guard let audio = found.audio else {
            throw AudioFailure(.malformedMedia, "The AIFF file has no sound data chunk.")
        }
        stream = format.stream
        var metadata = found.metadata
        metadata.replaceNotes(with: found.notes)
        self.metadata = metadata
        integrity = found.unfinished.map { .unfinished(reason: $0) } ?? .complete
        let isWhole = found.unfinished == nil
        units = FixedSizeUnits(
            [audio],
            of: chunks.window,
            unitBytes: format.unitBytes,
            unitFrames: format.unitFrames,
            limit: isWhole && format.unitFrames == 1 && stated > 0 ? stated : .max
        )
        validFrames = FrameCount(
            Self.frames(units, stated: isWhole ? stated : 0, ownCount: isWhole ? found.state?.validFrames : nil)
        )
    }

    /// The frames that are valid. Of packets of more than one, the common chunk counts packets (Apple, FFmpeg), half of
    /// them (libsndfile with two channels) or frames: only the last tells more than the packets that are there.
    private static func frames(_ units: FixedSizeUnits, stated: Int64, ownCount: Int64?) -> Int64 {
        let frames = Int64(units.unitFrames)
        let whole = units.count * frames
        for candidate in [ownCount ?? 0, stated] where candidate <= whole && candidate > whole - frames {
            return candidate
        }
        return whole
    }

    func nextPacket() throws(AudioFailure) -> EncodedPacket? { try units.nextPacket() }

    func nextRun(atMost limit: Int) throws(AudioFailure) -> PacketRun? { units.nextRun() }

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        units.seek(toFrame: frame, preroll: preroll)
    }

    // MARK: - Chunks

    private struct Found {
        var common: ByteReader?
        var audio: FixedSizeUnits.Extent?
        var state: AIFFState?
        var unfinished: String?
        var metadata = MediaMetadata()
        var notes = MediaMetadata()
    }

    private static let mostChunks = 4_096

    private static func walk(_ chunks: inout IFFChunks) throws(AudioFailure) -> Found {
        var found = Found()
        var next = try chunks.chunk(at: 12)
        for _ in 0..<mostChunks {
            guard let chunk = next else { break }
            var length: Int64?
            switch chunk.id {
            case "COMM":
                if found.common == nil { found.common = try chunks.body(of: chunk, limit: 512) }
            case "APPL":
                try readApplication(chunk, &chunks, &found)
            case "SSND":
                length = try audio(chunk, &chunks, &found)
            default:
                try AIFFMetadata.read(chunk, in: &chunks, into: &found.metadata)
            }
            next = try chunks.next(after: chunk, length: length)
        }
        return found
    }

    /// What our own writer says of the file.
    private static func readApplication(
        _ chunk: IFFChunks.Chunk,
        _ chunks: inout IFFChunks,
        _ found: inout Found
    ) throws(AudioFailure) {
        let body = try chunks.body(of: chunk, limit: 16)
        found.state = AIFFState(reading: body) ?? found.state
        var head = body
        guard (try? head.code()) == NoteRegion.signature else { return }
        found.notes = NoteLog.read(Array(try chunks.body(of: chunk, limit: NoteLog.longest).bytes.dropFirst(4)))
    }

    /// Notes where the audio is and returns the length of its chunk. Of several, the first that has audio counts.
    private static func audio(
        _ chunk: IFFChunks.Chunk,
        _ chunks: inout IFFChunks,
        _ found: inout Found
    ) throws(AudioFailure) -> Int64? {
        guard (found.audio?.length ?? 0) == 0 else { return nil }
        var body = try chunks.body(of: chunk, limit: 8)
        // A chunk whose size was never written has its two fields all the same.
        let offset = try? body.big(UInt32.self)
        let fields = try chunks.window.bytes(at: chunk.body, count: 8) == nil ? 0 : 8 + Int64(offset ?? 0)
        let start = chunk.body + fields
        let audio = try chunks.audioLength(
            from: start,
            declared: Int64(chunk.size) - fields,
            isLive: found.state?.isLive ?? false
        )
        found.audio = FixedSizeUnits.Extent(start: start, length: audio.length)
        found.unfinished = audio.unfinished
        return fields + audio.length
    }
}
