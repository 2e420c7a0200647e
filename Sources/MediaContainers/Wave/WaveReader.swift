import AudioCore

/// Reads WAV, RF64 and BW64 with linear PCM, floating point, µ-law and A-law.
///
/// Sizes are believed only as far as the file agrees: see `IFFChunks.audioLength`. Several `data` chunks are one recording.
final class WaveReader: PacketRunReader {
    let container = ContainerKind.wav
    let stream: StreamDescription
    let integrity: MediaIntegrity
    let metadata: MediaMetadata
    private var units: FixedSizeUnits

    var validFrames: FrameCount? { FrameCount(units.count) }
    var audioByteCount: Int64 { units.byteCount }

    static func recognizes(_ opening: [UInt8]) -> Bool {
        guard opening.count >= 12 else { return false }
        let kinds = ["RIFF", "RF64", "BW64"].map { Array($0.utf8) }
        return kinds.contains(Array(opening[0..<4])) && Array(opening[8..<12]) == Array("WAVE".utf8)
    }

    /// Nil for a codec that is not ours.
    init?(_ source: any ByteSource) throws(AudioFailure) {
        var chunks = IFFChunks(window: try SourceWindow(source), isBigEndian: false)
        let found = try Self.walk(&chunks)
        guard let formatChunk = found.format else {
            throw AudioFailure(.malformedMedia, "The WAV file has no format chunk.")
        }
        let body = try chunks.body(of: formatChunk, limit: 64)
        guard body.remaining >= 14 else {
            throw AudioFailure(.malformedMedia, "The format chunk of the WAV file is too short.")
        }
        guard let format = try WaveFormat(reading: body) else { return nil }
        guard found.hasAudio else {
            throw AudioFailure(.malformedMedia, "The WAV file has no audio.")
        }
        stream = format.stream
        metadata = found.metadata.result
        units = FixedSizeUnits(
            found.audio,
            of: chunks.window,
            unitBytes: format.bytesPerFrame,
            unitFrames: 1
        )
        integrity = found.unfinished.map { .unfinished(reason: $0) } ?? .complete
    }

    func nextPacket() throws(AudioFailure) -> EncodedPacket? { try units.nextPacket() }

    func nextRun(atMost limit: Int) throws(AudioFailure) -> PacketRun? { units.nextRun() }

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        units.seek(toFrame: frame, preroll: preroll)
    }

    // MARK: - Chunks

    private struct Found {
        var format: IFFChunks.Chunk?
        var audio: [FixedSizeUnits.Extent] = []
        var hasAudio = false
        var unfinished: String?
        var metadata = WaveMetadata.Gathered()
    }

    /// More chunks than any real file has.
    private static let mostChunks = 4_096

    private static func walk(_ chunks: inout IFFChunks) throws(AudioFailure) -> Found {
        var found = Found()
        var longAudioBytes: Int64?
        var isLive = false
        var next = try chunks.chunk(at: 12)
        for _ in 0..<mostChunks {
            guard let chunk = next else { break }
            var length: Int64?
            switch chunk.id {
            case "ds64":
                longAudioBytes = try longSize(chunk, &chunks)
            case "JUNK":
                // Only where our own writer puts it, and only in front of the audio.
                if !found.hasAudio, let mark = try chunks.window.reader(at: Int64(WaveFile.liveOffset), count: 4),
                    chunk.end == Int64(WaveFile.liveOffset) + 4
                {
                    var mark = mark
                    isLive = try mark.code() == WaveFile.live
                }
            case "fmt ":
                if found.format == nil { found.format = chunk }
            case "data":
                let declared = chunk.size == .max ? longAudioBytes ?? Int64(chunk.size) : Int64(chunk.size)
                let audio = try chunks.audioLength(from: chunk.body, declared: declared, isLive: isLive)
                found.hasAudio = true
                found.audio.append(FixedSizeUnits.Extent(start: chunk.body, length: audio.length))
                found.unfinished = found.unfinished ?? audio.unfinished
                length = audio.length
            default:
                try found.metadata.read(chunk, in: &chunks)
            }
            next = try chunks.next(after: chunk, length: length)
        }
        return found
    }

    /// The length of the audio out of a `ds64` chunk.
    private static func longSize(
        _ chunk: IFFChunks.Chunk,
        _ chunks: inout IFFChunks
    ) throws(AudioFailure) -> Int64? {
        var body = try chunks.body(of: chunk, limit: 28)
        guard body.remaining >= 16 else { return nil }
        try body.skip(8)
        return Int64(clamping: try body.little(UInt64.self))
    }
}
