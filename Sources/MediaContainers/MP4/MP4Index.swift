import AudioCore

/// A run of packets that lie one behind the other: a chunk, in the words of the format.
struct MP4Run: Equatable {
    var offset: Int64
    var packets: Int64
    var bytes: Int64
}

/// Everything in `moov` but the table of packet sizes, rendered into one page.
///
/// The page holds all counts, so that writing it publishes a checkpoint at once. It always has the same length: `free`
/// boxes take what is not used. The size table is the last box and starts where the page ends.
///
/// A power cut may leave some sectors of the page old and some new. So every box stays where it is while the counts
/// change, but for those whose entries become more: they begin with a sector and are followed by the `free` box that
/// they grow into, so that one sector holds all that moves.
struct MP4Index {
    static let page = 4096
    /// The smallest piece that a disk writes as a whole.
    private static let sector = 512
    /// Runs that a page always has room for: the growths of the longest recording, two each, and the move at the end.
    static let runLimit = 48

    let codec: MP4Codec
    let stream: StreamDescription
    let metadata: MediaMetadata
    var chapters = MP4ChapterArea(byteCount: 0)

    /// What changes from checkpoint to checkpoint.
    struct Counts {
        var packets: Int64 = 0
        var length: RecordingLength
        var runs: [MP4Run] = []
        /// Frames of the last packet where it is shorter than the others.
        var shortPacket: Int64?

        /// Behind the last packet in the file, which need not be the last in time.
        func end(notBefore start: Int64) -> Int64 { runs.reduce(start) { max($0, $1.offset + $1.bytes) } }
    }

    /// At the start of a file only.
    static let fileType: [UInt8] = {
        var writer = ByteWriter()
        writer.box("ftyp") { box in
            box.code("M4A ")
            box.big(UInt32(0))
            for brand in ["M4A ", "mp42", "isom"] as [FourCC] { box.code(brand) }
        }
        return writer.bytes
    }()

    init(codec: MP4Codec, stream: StreamDescription, metadata: MediaMetadata) {
        self.codec = codec
        self.stream = stream
        self.metadata = metadata
    }

    /// What the counts will never need becomes room for chapters.
    mutating func reserveChapters() {
        let spare = Self.page - largestSize - Self.sector - 8
        chapters = MP4ChapterArea(byteCount: spare >= 64 ? spare : 0)
    }

    /// - Throws: `invalidArgument` where the metadata leave no room for the counts.
    func check() throws(AudioFailure) {
        if largestSize + 8 > Self.page {
            throw AudioFailure(
                .invalidArgument,
                "The metadata are \(largestSize + 8 - Self.page) bytes too long for an M4A file that is safe at every "
                    + "moment."
            )
        }
    }

    /// Bytes of the page with as many runs as it may ever have.
    private var largestSize: Int {
        let run = MP4Run(offset: 0, packets: 1, bytes: 1)
        var counts = Counts(length: RecordingLength(priming: 0))
        counts.packets = Int64(Self.runLimit)
        counts.runs = Array(repeating: run, count: Self.runLimit)
        counts.shortPacket = 1
        return Self.fileType.count + 8 + parts(counts, tableBytes: 0).joined().count
    }

    /// The page that stands at `position`, in front of a table with room for `capacity` packets.
    func render(_ counts: Counts, at position: Int64, capacity: Int64) -> [UInt8] {
        let tableBytes = Int(capacity) * 4
        var writer = ByteWriter(capacity: Self.page)
        if position == 0 { writer.raw(Self.fileType) }
        var parts = parts(counts, tableBytes: tableBytes)
        let before = writer.count + 8 + parts[0].count + parts[1].count + 8
        let spare = Self.page - before - parts[2].count
        let misfit = (before + growingOffset(counts)) % Self.sector
        let alignment = misfit == 0 ? 0 : Self.sector - misfit
        let padding = alignment <= spare ? alignment : 0
        parts[2] = track(counts, tableBytes: tableBytes, padding: spare - padding)
        writer.big(UInt32(clamping: Self.page - writer.count + tableBytes))
        writer.code("moov")
        writer.raw(parts[0])
        writer.raw(parts[1])
        writer.box("free") { $0.zeros(padding) }
        writer.raw(parts[2])
        return writer.bytes
    }

    /// `mvhd`, `udta`, `trak`.
    private func parts(_ counts: Counts, tableBytes: Int) -> [[UInt8]] {
        let valid = counts.length.valid * codec.scale
        let remainder = counts.length.decoded - counts.length.priming - counts.length.valid
        let trims = ITunesTrims(
            priming: counts.length.priming,
            remainder: max(0, remainder),
            valid: counts.length.valid
        )
        var movie = ByteWriter()
        movie.fullBox("mvhd", version: 1) { box in
            box.zeros(16)
            box.big(codec.timescale)
            box.big(valid)
            box.big(UInt32(0x10000))  // rate 1.0
            box.big(UInt16(0x100))  // volume 1.0
            box.zeros(10)
            box.raw(Self.unityMatrix)
            box.zeros(24)
            box.big(UInt32(2))  // the next track's number
        }
        return [
            movie.bytes,
            MP4Metadata.box(
                metadata,
                trims: codec.hasITunesTrims ? trims : nil,
                chapters: chapters.bytes
            ),
            track(counts, tableBytes: tableBytes, padding: 0),
        ]
    }

    /// Where in the track the boxes begin whose entries become more.
    private func growingOffset(_ counts: Counts) -> Int {
        let table = sampleTable(counts, tableBytes: 0, padding: 0).count
        return track(counts, tableBytes: 0, padding: 0).count - table + 8 + description.count
    }

    /// - Parameter padding: bytes of the `free` box in it, beyond its head.
    private func track(_ counts: Counts, tableBytes: Int, padding: Int) -> [UInt8] {
        let valid = counts.length.valid * codec.scale
        var track = ByteWriter()
        track.box("trak", extra: tableBytes) { track in
            track.fullBox("tkhd", version: 1, flags: 7) { box in
                box.zeros(16)
                box.big(UInt32(1))
                box.zeros(4)
                box.big(valid)
                box.zeros(12)
                box.big(UInt16(0x100))  // volume 1.0
                box.zeros(2)
                box.raw(Self.unityMatrix)
                box.zeros(8)
            }
            track.box("edts") { edits in
                edits.fullBox("elst", version: 1) { box in
                    box.big(UInt32(1))
                    box.big(valid)
                    box.big(counts.length.priming * codec.scale)
                    box.big(UInt32(0x10000))  // rate 1.0
                }
            }
            track.box("mdia", extra: tableBytes) { media in
                media.fullBox("mdhd", version: 1) { box in
                    box.zeros(16)
                    box.big(codec.timescale)
                    box.big(counts.length.decoded * codec.scale)
                    box.big(UInt16(0x55C4))  // language: undetermined
                    box.zeros(2)
                }
                media.fullBox("hdlr") { box in
                    box.zeros(4)
                    box.code("soun")
                    box.zeros(12)
                    box.text("SoundHandler\0")
                }
                media.box("minf", extra: tableBytes) { info in
                    info.fullBox("smhd") { $0.zeros(4) }
                    info.box("dinf") { box in
                        box.fullBox("dref") { references in
                            references.big(UInt32(1))
                            references.fullBox("url ", flags: 1) { _ in }
                        }
                    }
                    info.raw(sampleTable(counts, tableBytes: tableBytes, padding: padding))
                }
            }
        }
        return track.bytes
    }

    private var description: [UInt8] {
        var writer = ByteWriter()
        writer.fullBox("stsd") { box in
            box.big(UInt32(1))
            box.raw(codec.sampleEntry)
        }
        return writer.bytes
    }

    private func sampleTable(_ counts: Counts, tableBytes: Int, padding: Int) -> [UInt8] {
        var table = ByteWriter()
        table.box("stbl", extra: tableBytes) { table in
            table.raw(description)
            table.fullBox("stts") { box in
                let durations = self.durations(counts)
                box.big(UInt32(durations.count))
                for (packets, frames) in durations {
                    box.big(UInt32(clamping: packets))
                    box.big(UInt32(clamping: frames * codec.scale))
                }
            }
            table.fullBox("stsc") { box in
                box.big(UInt32(counts.runs.count))
                for (index, run) in counts.runs.enumerated() {
                    box.big(UInt32(index + 1))
                    box.big(UInt32(clamping: run.packets))
                    box.big(UInt32(1))
                }
            }
            table.fullBox("co64") { box in
                box.big(UInt32(counts.runs.count))
                for run in counts.runs { box.big(run.offset) }
            }
            table.box("free") { $0.zeros(padding) }
            if codec.rollPackets > 0 {
                table.fullBox("sgpd", version: 1) { box in
                    box.code("roll")
                    box.big(UInt32(2))
                    box.big(UInt32(1))
                    box.big(Int16(clamping: -codec.rollPackets))
                }
                table.fullBox("sbgp") { box in
                    box.code("roll")
                    box.big(UInt32(1))
                    box.big(UInt32(clamping: counts.packets))
                    box.big(UInt32(1))
                }
            }
            table.fullBox("stsz", extra: tableBytes) { box in
                box.big(UInt32(0))  // sizes differ
                box.big(UInt32(clamping: counts.packets))
            }
        }
        return table.bytes
    }

    private func durations(_ counts: Counts) -> [(packets: Int64, frames: Int64)] {
        let frames = Int64(stream.framesPerPacket)
        guard counts.packets > 0 else { return [] }
        guard let short = counts.shortPacket else { return [(counts.packets, frames)] }
        if counts.packets == 1 { return [(1, short)] }
        return [(counts.packets - 1, frames), (1, short)]
    }

    private static let unityMatrix: [UInt8] = {
        var writer = ByteWriter()
        for value in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] as [UInt32] { writer.big(value) }
        return writer.bytes
    }()
}
