import AudioCore

/// Writes M4A that is a plain, complete file at every checkpoint, with the index in front of the audio:
///
///     ftyp moov(page of counts, size table with room) uuid(notes, with room) free mdat(to the end of the file)
///
/// A recording that outgrows the table gets a larger index behind the audio so far, and goes on behind that. Until it is
/// published the new index is only bytes of an `mdat` that runs to the end of the file. One write of 16 bytes publishes
/// it: it turns the head of the old `moov` into an `mdat` that ends where the new `moov` starts.
///
///     ftyp mdat(old index, audio) moov(…) free mdat(to the end of the file)
///
/// The next audio goes into the room of the old index, so that nothing of it is left over, and only then behind the new one.
/// What a larger index has more is about what a finished file may carry. So `finish` has the same to do after a day as after
/// a minute: it gives back what the last table did not use, see `MP4Compaction`. Only where a recording ends just behind a
/// growth, some of the old room stays unused: up to four bytes for each packet.
final class MP4Writer: PacketRunWriter {
    private let file: any StoredFile
    private let keptSlack: Int64
    private var index: MP4Index
    private var notes: NoteLog?
    private var place: MP4IndexPlace
    private var counts: MP4Index.Counts
    /// The room of the last index that is no longer in use, inside some `mdat`; nil once it is full.
    private var abandoned: Range<Int64>?
    private var pending = Pending()
    private var isSynchronized = false
    private var isFinished = false
    private var compactionFailure: AudioFailure?

    private struct Pending {
        var audio: [UInt8] = []
        var entries = ByteWriter()
        var packets: Int64 = 0
        var frames: Int64 = 0
        var shortPacket: Int64?
    }

    /// Where the recording's length is not known: about as long as most recordings are at most.
    private static let defaultSeconds = 5400.0
    /// Packets; below this the table's room does not matter in a finished file.
    static let leastCapacity: Int64 = 12 << 10
    /// Packets; where there is hardly any room.
    private static let scarceCapacity: Int64 = 1 << 10
    /// Bytes of scarce room for each packet of the table: it takes a sixteenth of the file.
    private static let scarceShare: Int64 = 64
    private static let fewestPackets: Int64 = 64
    /// Packets up to which a table grows to the double: 256 KiB of entries.
    private static let doubledCapacity: Int64 = 64 << 10
    /// Bytes of an old index that are not worth another run.
    private static let leftover: Int64 = 16 << 10
    private static let packetLimit = 16 << 20

    init(
        stream: StreamDescription,
        file: any StoredFile,
        options: WriterOptions,
        leastCapacity: Int64 = MP4Writer.leastCapacity,
        keptSlack: Int64 = MP4Compaction.keptSlack
    ) throws(AudioFailure) {
        self.keptSlack = keptSlack
        try RecordingLength.checkPriming(stream)
        guard stream.framesPerPacket > 0, stream.framesPerPacket <= 1 << 20 else {
            throw AudioFailure(.invalidArgument, "M4A needs to know how many frames every packet holds.")
        }
        self.file = file
        index = MP4Index(codec: try MP4Codec(stream), stream: stream, metadata: options.metadata)
        try index.check()
        if options.noteRoom > 0 || !options.metadata.notes.isEmpty || options.metadata.omittedNotes > 0 {
            notes = NoteLog(options)
            index.reserveChapters()
        }
        counts = MP4Index.Counts(length: RecordingLength(priming: stream.primingFrames))
        let expected =
            options.expectedFrames ?? FrameCount(seconds: Self.defaultSeconds, sampleRate: stream.sampleRate)
        // Two packets more for priming and remainder.
        let packets = max(0, expected.value) / Int64(stream.framesPerPacket) + 2
        var wanted = min(max(packets, leastCapacity), Int64(PacketSizes.limit))
        if let room = options.scarceRoom { wanted = min(wanted, max(room / Self.scarceShare, Self.fewestPackets)) }
        let noteBytes = notes.map { MP4IndexPlace.noteBytes($0.capacity) } ?? 0
        place = MP4IndexPlace(position: 0, capacity: wanted, noteBytes: noteBytes)
        // A disk, quota or largest file too small for the table of a long recording has room for a shorter one, which grows.
        for capacity in [wanted, leastCapacity, Self.scarceCapacity] where capacity <= wanted {
            place = MP4IndexPlace(position: 0, capacity: capacity, noteBytes: noteBytes)
            do throws(AudioFailure) {
                try makeIndex(at: place)
                break
            } catch {
                if error.code != .noSpace || capacity <= min(wanted, Self.scarceCapacity) { throw error }
                // What was written far behind would count as part of the file.
                try file.truncate(to: 0)
            }
        }
    }

    var checkpointedFrames: FrameCount { FrameCount(counts.length.valid) }

    func append(_ packet: EncodedPacket) throws(AudioFailure) {
        let full = index.stream.framesPerPacket
        guard !isFinished, pending.shortPacket == nil, counts.shortPacket == nil, !packet.bytes.isEmpty,
            packet.bytes.count <= Self.packetLimit, (0...full).contains(packet.frames)
        else {
            throw AudioFailure(
                .invalidArgument,
                isFinished
                    ? "The file is finished; nothing can be appended."
                    : "Only the last packet of an M4A stream can hold fewer than \(full) frames."
            )
        }
        pending.audio += packet.bytes
        pending.entries.big(UInt32(packet.bytes.count))
        pending.packets += 1
        pending.frames += Int64(packet.frames)
        if packet.frames < full { pending.shortPacket = Int64(packet.frames) }
    }

    func note(_ note: RecordingNote) throws(AudioFailure) { notes?.add(note) }

    func checkpoint(synchronize: Bool) throws(AudioFailure) { try publish(synchronize: synchronize) }

    /// - Parameter end: the final number of frames, so that the padding of the last packets is never part of the recording.
    private func publish(synchronize: Bool, end: FrameCount? = nil) throws(AudioFailure) {
        if try notes?.write(to: file, at: place.noteLog) ?? false { isSynchronized = false }
        if pending.packets > 0 {
            let (grown, offset) = try room(
                for: pending.packets,
                frames: pending.frames,
                bytes: Int64(pending.audio.count),
                shortPacket: pending.shortPacket
            )
            var after = grown
            if let end { try after.length.state(end) }
            isSynchronized = false
            try file.write(pending.audio, at: offset)
            try file.write(pending.entries.bytes, at: place.entry(counts.packets))
            if synchronize { try file.synchronize() }
            try publish(after)
            pending.audio.removeAll(keepingCapacity: pending.audio.count < 1 << 20)
            pending.entries = ByteWriter()
            pending.packets = 0
            pending.frames = 0
        }
        if synchronize, !isSynchronized {
            try file.synchronize()
            isSynchronized = true
        }
    }

    func abandonPending() { pending = Pending() }

    func append(_ run: PacketRun, from source: any StoredFile) throws(AudioFailure) {
        let full = Int64(index.stream.framesPerPacket)
        guard !isFinished, pending.shortPacket == nil, counts.shortPacket == nil, run.packets > 0,
            run.frames == (run.packets - 1) * full + run.lastPacketFrames, (0...full).contains(run.lastPacketFrames)
        else {
            throw AudioFailure(
                .invalidArgument,
                "Only the last packet of an M4A stream can hold fewer than \(full) frames."
            )
        }
        try checkpoint(synchronize: false)
        let (after, offset) = try room(
            for: run.packets,
            frames: run.frames,
            bytes: run.byteCount,
            shortPacket: run.lastPacketFrames < full ? run.lastPacketFrames : nil
        )
        var entries = ByteWriter(capacity: Int(run.packets) * 4)
        if run.sizes.isEmpty {
            for _ in 0..<run.packets { entries.big(UInt32(clamping: run.byteCount / run.packets)) }
        } else {
            for size in run.sizes { entries.big(size) }
        }
        isSynchronized = false
        try file.copyRange(from: source, sourceOffset: run.offset, count: run.byteCount, to: offset)
        try file.write(entries.bytes, at: place.entry(counts.packets))
        try publish(after)
    }

    /// Makes room for packets; gives the counts that have them, and where their bytes go.
    private func room(
        for packets: Int64,
        frames: Int64,
        bytes: Int64,
        shortPacket: Int64?
    ) throws(AudioFailure) -> (after: MP4Index.Counts, offset: Int64) {
        if counts.packets + packets > place.capacity { try grow(by: packets) }
        var after = counts
        after.packets += packets
        after.length.decoded += frames
        after.shortPacket = shortPacket
        let offset = nextOffset(for: bytes)
        if let last = after.runs.last, last.offset + last.bytes == offset {
            after.runs[after.runs.count - 1].packets += packets
            after.runs[after.runs.count - 1].bytes += bytes
        } else {
            after.runs.append(MP4Run(offset: offset, packets: packets, bytes: bytes))
        }
        return (after, offset)
    }

    /// In the room of the last old index while that lasts, then at the end of the file.
    private func nextOffset(for bytes: Int64) -> Int64 {
        guard let room = abandoned else { return audioEnd }
        let next = counts.runs.filter { room.contains($0.offset) }.map { $0.offset + $0.bytes }.max() ?? room.lowerBound
        let left = room.upperBound - next
        if bytes <= left { return next }
        // What gathered while the disk stood still may be too much for a room that others will fill.
        if left < Self.leftover || counts.runs.count > MP4Index.runLimit / 2 { abandoned = nil }
        return audioEnd
    }

    /// Behind the last packet in the file, which need not be the last in time.
    private var audioEnd: Int64 { counts.end(notBefore: place.audioStart) }

    private func publish(_ after: MP4Index.Counts) throws(AudioFailure) {
        try file.write(index.render(after, at: place.position, capacity: place.capacity), at: place.position)
        counts = after
    }

    func finish(validFrames: FrameCount) throws(AudioFailure) {
        // Where packets had begun to move, the file is whole, but not as it is known here.
        if let failure = compactionFailure { throw failure }
        file.beginEnding()
        try publish(synchronize: true, end: validFrames)
        var final = counts
        try final.length.state(validFrames)
        if let notes, !notes.notes.isEmpty {
            index.chapters.fill(notes.metadata.places(at: index.stream.sampleRate), sampleRate: index.stream.sampleRate)
            try publish(counts)
            try file.synchronize()
            index.chapters.show()
        }
        var compaction = MP4Compaction(
            index: index,
            file: file,
            place: place,
            counts: final,
            notes: notes,
            keptSlack: keptSlack
        )
        do throws(AudioFailure) {
            try compaction.run()
        } catch {
            compactionFailure = error
            throw error
        }
        place = compaction.place
        counts = compaction.counts
        isFinished = true
    }

    // MARK: The index

    /// Blocks for all of the table, which would be a hole in the file until it is used, and the index itself.
    private func makeIndex(at place: MP4IndexPlace) throws(AudioFailure) {
        try file.reserve(upTo: place.audioStart)
        try writeIndex(at: place)
    }

    /// Writes the index of the last checkpoint at a place that nothing else uses: what follows the table first, the page
    /// last.
    private func writeIndex(at place: MP4IndexPlace) throws(AudioFailure) {
        try file.write(place.tail(notes) + place.gapHeader, at: place.tableEnd)
        try file.write(MP4Header.openMediaData, at: place.mediaDataHeader)
        try file.write(index.render(counts, at: place.position, capacity: place.capacity), at: place.position)
    }

    private func grow(by packets: Int64) throws(AudioFailure) {
        let needed = counts.packets + packets
        let end = audioEnd
        var next = MP4IndexPlace(
            position: MP4IndexPlace.pageAligned(end),
            capacity: capacity(for: needed),
            noteBytes: place.noteBytes
        )
        guard next.capacity < MP4IndexPlace.capacityLimit else {
            throw AudioFailure(.limitReached, "An M4A file holds at most \(MP4IndexPlace.capacityLimit) packets.")
        }
        // Two for each growth, and one for the end.
        guard counts.runs.count + 3 <= MP4Index.runLimit else {
            throw AudioFailure(.limitReached, "The M4A file has grown too often to grow again.")
        }
        isSynchronized = false
        do throws(AudioFailure) {
            try makeIndex(at: next)
        } catch {
            guard error.code == .noSpace else { throw error }
            // What is left of the disk is for sound.
            next.capacity = needed + Self.scarceCapacity
            try file.truncate(to: end)
            try makeIndex(at: next)
        }
        try file.copyRange(from: file, sourceOffset: place.table, count: counts.packets * 4, to: next.table)
        try file.synchronize()
        let head = place.position == 0 ? Int64(MP4Index.fileType.count) : place.position
        try file.write(MP4Header.large("mdat", size: next.position - head), at: head)
        // From here on nothing refers to the old index, on the disk too.
        try file.synchronize()
        abandoned = head + 16..<place.audioStart
        place = next
    }

    /// What a larger table has more stays unused in a recording that ends just then: for packets of usual size it is within
    /// what a finished file may carry. A quarter more at least, and in the end the double, so that there is a run for every
    /// growth.
    private func capacity(for packets: Int64) -> Int64 {
        let bytes = counts.runs.reduce(0) { $0 + $1.bytes } + 4 * packets
        let unused = (MP4Compaction.keptSlack / 2 + bytes / 160) / 4
        let least = counts.runs.count < MP4Index.runLimit / 2 ? packets / 4 : packets
        return packets + max(unused, least, min(packets, Self.doubledCapacity))
    }
}

/// Where an index is and what room it has.
struct MP4IndexPlace: Equatable {
    /// The page of counts; a multiple of its size.
    var position: Int64
    /// Packets that the size table has room for.
    var capacity: Int64
    /// Bytes of the box behind the table that holds the notes; 0 for none.
    var noteBytes: Int64 = 0

    /// Keeps every size in `moov` below 4 GiB.
    static let capacityLimit: Int64 = 1_000_000_000

    static func pageAligned(_ offset: Int64) -> Int64 {
        let page = Int64(MP4Index.page)
        return (offset + page - 1) / page * page
    }

    var table: Int64 { position + Int64(MP4Index.page) }
    var tableEnd: Int64 { entry(capacity) }
    /// Behind the table lies a `free` box, which can grow to the front, and then the box of the notes.
    var noteBox: Int64 { tableEnd + 8 }
    var noteLog: Int64 { noteBox + Int64(MP4Metadata.noteHeadBytes) }
    var end: Int64 { noteBytes > 0 ? noteBox + noteBytes : tableEnd }
    /// Audio starts on a page, behind a `free` box and the head of the `mdat`.
    var audioStart: Int64 { Self.pageAligned(end + 24) }
    var mediaDataHeader: Int64 { audioStart - 16 }
    /// The head of the `free` box in front of the `mdat`.
    var gapHeader: [UInt8] { MP4Header.small("free", size: mediaDataHeader - end) }

    static func noteBytes(_ logBytes: Int) -> Int64 { Int64((MP4Metadata.noteHeadBytes + logBytes + 7) / 8 * 8) }

    /// What lies between the table and `end`.
    func tail(_ notes: NoteLog?) -> [UInt8] {
        guard let notes, noteBytes > 0 else { return [] }
        return MP4Header.small("free", size: 8) + MP4Metadata.noteBox(notes, size: Int(noteBytes))
    }

    func entry(_ packet: Int64) -> Int64 { table + 4 * packet }
}
