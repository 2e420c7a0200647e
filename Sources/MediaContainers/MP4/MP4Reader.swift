import AudioCore

/// Reads M4A and the audio of other files of its family, also where they were never finished or are cut.
final class MP4Reader: PacketRunReader {
    let container = ContainerKind.m4a
    let stream: StreamDescription
    let validFrames: FrameCount?
    let integrity: MediaIntegrity
    let metadata: MediaMetadata

    private var window: SourceWindow
    private let table: MP4SampleTable
    /// Frames of every packet where the codec fixes them, so that a shortened last entry of the time table does not count.
    private let codecFrames: Int?
    private var next = 0
    private var nextOffset: Int64 = 0

    private static let topLevel: Set<FourCC> = [
        "ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp", "sidx", "uuid",
    ]

    static func recognizes(_ opening: [UInt8]) -> Bool {
        var reader = ByteReader(opening)
        do {
            try reader.skip(4)
            return topLevel.contains(try reader.code())
        } catch {
            return false
        }
    }

    /// Nil where the file has no audio of a codec that is read here, or is fragmented.
    static func open(_ source: any ByteSource) throws(AudioFailure) -> MP4Reader? {
        var window = try SourceWindow(source)
        let boxes = try MP4Box.all(&window, from: 0, to: window.size)
        guard let moov = boxes.first("moov") else {
            if boxes.contains(where: { $0.type == "moof" }) { return nil }
            throw AudioFailure(.malformedMedia, "The MP4 file has no index (moov): its audio cannot be found.")
        }
        let movie = try MP4Movie(moov, &window)
        guard let track = movie.track, !movie.isFragmented else { return nil }
        let rates = track.entry.sampleRates
        let scale = Double(track.timescale)
        let isInFrames = rates.contains(scale)
        // A time scale that is not a rate of the codec leaves the packets' own length as the measure.
        let fixed = isInFrames ? nil : track.entry.framesPerPacket
        guard let rate = isInFrames ? scale : rates.first, rate >= 1, fixed != 0 else { return nil }
        guard rate <= 1e8, (1...255).contains(track.entry.channelCount) else {
            throw AudioFailure(
                .malformedMedia,
                "The track states \(track.entry.channelCount) channels at \(rate) Hz."
            )
        }
        let table = try MP4SampleTable(track.tables, fixedFrames: fixed, &window)
        let notes = try noteLog(boxes, &window)
        return MP4Reader(window, boxes, movie, track, table, notes, rate: rate)
    }

    /// What the log of notes says, if there is one.
    private static func noteLog(_ boxes: [MP4Box], _ window: inout SourceWindow) throws(AudioFailure) -> MediaMetadata {
        let id = CAFMetadata.noteID
        for box in boxes where box.type == "uuid" && box.size >= id.count {
            guard try window.bytes(at: box.body, count: id.count) == id else { continue }
            let count = min(Int(clamping: box.size) - id.count, NoteLog.longest)
            return NoteLog.read(try window.bytes(at: box.body + Int64(id.count), count: count) ?? [])
        }
        return MediaMetadata()
    }

    private init(
        _ window: SourceWindow,
        _ boxes: [MP4Box],
        _ movie: MP4Movie,
        _ track: MP4Movie.Track,
        _ table: MP4SampleTable,
        _ notes: MediaMetadata,
        rate: Double
    ) {
        self.window = window
        self.table = table
        let trims = MP4Trims(movie, track, rate: rate, decoded: table.decodedFrames)
        validFrames = FrameCount(trims.valid)
        var metadata = movie.metadata
        metadata.markers = movie.markers(at: rate)
        metadata.replaceNotes(with: notes)
        self.metadata = metadata
        // No packet, or a single one that may be a short last one, does not say how long the others are.
        let full = track.entry.framesPerPacket
        let frames = table.statedCount <= 1 && full > 0 ? full : table.framesPerPacket
        codecFrames = track.entry.codec == .aac && frames > 0 ? frames : nil
        let bytes = table.byteCount
        let mean = table.decodedFrames > 0 ? Double(bytes) * 8 * rate / Double(table.decodedFrames) : 0
        stream = StreamDescription(
            codec: track.entry.codec,
            sampleRate: rate,
            channelCount: track.entry.channelCount,
            framesPerPacket: frames,
            bitsPerChannel: track.entry.bitsPerChannel,
            configuration: track.entry.configuration,
            primingFrames: FrameCount(trims.priming),
            bitRate: Int(min(1e12, mean.rounded()))
        )
        if table.count < table.statedCount {
            integrity = .unfinished(reason: "\(table.count) of \(table.statedCount) packets are in the file.")
        } else if boxes.contains(where: { $0.type == "moov" && $0.isCut }) {
            integrity = .unfinished(reason: "The file ends within its index.")
        } else if boxes.contains(where: { $0.type == "mdat" && $0.isOpen }) {
            integrity = .unfinished(reason: "The length of the audio was never written.")
        } else {
            integrity = .complete
        }
        if table.count > 0 { nextOffset = table.offset(of: 0) }
    }

    var audioByteCount: Int64 { table.byteCount }

    func nextPacket() throws(AudioFailure) -> EncodedPacket? {
        guard next < table.count else { return nil }
        if table.startsRun(next) { nextOffset = table.offset(of: next) }
        let size = table.sizes[next]
        guard let bytes = try window.bytes(at: nextOffset, count: size) else {
            throw AudioFailure(.inputOutput, "The file has become shorter while it was read.")
        }
        let frames = codecFrames ?? Int(table.startFrame(of: next + 1) - table.startFrame(of: next))
        nextOffset += Int64(size)
        next += 1
        return EncodedPacket(bytes: bytes, frames: frames)
    }

    func nextRun(atMost limit: Int) throws(AudioFailure) -> PacketRun? {
        guard next < table.count, limit > 0 else { return nil }
        let end = min(table.endOfRun(next), next + min(limit, table.count - next))
        let (bytes, packets) = (table.sizes.start(of: end) - table.sizes.start(of: next), end - next)
        let run = PacketRun(
            offset: table.offset(of: next),
            byteCount: bytes,
            packets: Int64(packets),
            sizes: table.sizes[next..<end],
            frames: codecFrames.map { Int64($0 * packets) } ?? table.startFrame(of: end) - table.startFrame(of: next),
            lastPacketFrames: codecFrames.map { Int64($0) } ?? table.startFrame(of: end) - table.startFrame(of: end - 1)
        )
        next = end
        nextOffset = run.offset + bytes
        return run
    }

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        let target = table.packet(at: frame.value)
        next = max(0, target - max(0, min(preroll, target)))
        if next < table.count { nextOffset = table.offset(of: next) }
        return FrameCount(table.startFrame(of: next))
    }
}

/// What is cut off at either end, from the edit list and iTunes' statement.
struct MP4Trims {
    var priming: Int64 = 0
    var valid: Int64

    init(_ movie: MP4Movie, _ track: MP4Movie.Track, rate: Double, decoded: Int64) {
        let sounding = track.edits.filter { $0.mediaTime >= 0 }
        guard let first = sounding.first else {
            // Only iTunes' statement is left. Where there is none either, nothing is cut on a guess.
            if let stated = movie.iTunesTrims {
                priming = min(stated.priming, decoded)
                valid = min(stated.valid, decoded - priming)
            } else {
                valid = decoded
            }
            return
        }
        priming = min(Self.frames(Double(first.mediaTime), of: Double(track.timescale), rate: rate), decoded)
        let readable = decoded - priming
        // Several edits that cut pieces out of the middle are not followed: all of it plays.
        guard sounding.count == 1, first.duration > 0, movie.timescale > 0 else {
            valid = readable
            return
        }
        let scale = Double(movie.timescale)
        valid = Self.frames(Double(first.duration), of: scale, rate: rate)
        // A coarse movie time scale rounds: whatever exact count lies within its tick is meant.
        let tick = scale == rate ? 0 : Int64((rate / scale).rounded(.up))
        if let stated = movie.iTunesTrims, stated.priming == priming, abs(stated.valid - valid) <= tick {
            valid = stated.valid
        } else if abs(readable - valid) <= tick {
            valid = readable
        }
        valid = min(valid, readable)
    }

    private static func frames(_ time: Double, of scale: Double, rate: Double) -> Int64 {
        scale > 0 ? FrameCount(seconds: time / scale, sampleRate: rate).value : 0
    }
}
