import AudioCore

/// Writes CAF whose packets differ in size (AAC, ALAC): every packet has an entry in `pakt`.
///
/// A file starts with room for entries in front of the audio:
///
///     desc kuki chan pakt(reserved) info free data
///
/// A longer recording gets a larger table *behind* a hole that the audio grows into. `data` is then as long as audio and
/// hole together; readers go by the table, so they stop where its entries stop:
///
///     desc kuki chan free           info free data(audio, hole) pakt(reserved)
///
/// The move is published by one write of the length of `data`, after the new table has reached the disk. When the hole or
/// the table is full, the next table goes behind the next hole, over which the audio then runs. `finish` puts an exact
/// table right behind the audio and cuts off the rest.
final class CAFTableWriter: ContainerWriter {
    private let file: any StoredFile
    private let format: CAFFormat
    private let dataHeader: Int64
    private let markPosition: Int64
    /// Bytes of entries that a larger table has more, at least.
    private let leastGrowth: Int
    private var notes: NoteRegion?
    private var table: Table
    private var entryBytes = 0
    private var packetCount: Int64 = 0
    private var audioBytes: Int64 = 0
    private var length: RecordingLength
    private var pending = Pending()
    private var isSynchronized = false
    private var isFinished = false

    /// Where the entries are.
    private struct Table {
        var position: Int64
        /// Bytes of entries that fit.
        var capacity: Int
        /// Behind the audio rather than in front.
        var isBehind: Bool

        var entries: Int64 { position + Int64(CAFChunk.headerSize + CAFPacketTableHeader.size) }
        var end: Int64 { entries + Int64(capacity) }
    }

    private struct Pending {
        var audio: [UInt8] = []
        var entries: [UInt8] = []
        var packets: Int64 = 0
        var frames: Int64 = 0
        var hasShortPacket = false
    }

    /// Room in front: small enough to stay behind as slack in any finished file, and for libsndfile, which gives up on a
    /// header of more than 50 KB.
    static let frontCapacity = 40 << 10
    /// Of that room, what notes to come take at most.
    private static let noteRoom = 16 << 10

    init(
        stream: StreamDescription,
        format: CAFFormat,
        file: any StoredFile,
        options: WriterOptions,
        frontCapacity: Int = CAFTableWriter.frontCapacity
    ) throws(AudioFailure) {
        self.file = file
        self.format = format
        length = RecordingLength(priming: stream.primingFrames)
        leastGrowth = 2 * frontCapacity
        var head = ByteWriter()
        head.raw(try CAFHead.fixedChunks(stream, format))
        let tableRoom = options.noteRoom > 0 ? min(frontCapacity, Self.frontCapacity - Self.noteRoom) : frontCapacity
        table = Table(position: Int64(head.count), capacity: tableRoom, isBehind: false)
        if let expected = options.expectedFrames?.value, expected >= 0 {
            // Three bytes hold an entry of any packet below 2 MiB.
            let packets = expected / Int64(format.framesPerPacket)
            let entries = min(packets, Int64(tableRoom) / 3)
            table.capacity = min(tableRoom, Int(entries) * 3 + 64)
        }
        guard table.entries <= CAFHead.page else {
            throw AudioFailure(.invalidArgument, "The codec's set-up is too long for a CAF file.")
        }
        head.raw(Self.tableHeader(table, CAFHead.packetTable(0, length, format)))
        head.zeros(table.capacity)
        head.raw(CAFMetadata.infoChunk(options.metadata))
        var noteOptions = options
        noteOptions.noteRoom = min(options.noteRoom, Self.noteRoom)
        notes = NoteRegion(
            noteOptions,
            form: CAFMetadata.notes,
            sampleRate: stream.sampleRate,
            at: head.count,
            trailer: CAFChunk.headerSize + CAFHead.recordingMark.count + CAFHead.dataHeaderSize
        )
        head.raw(notes?.bytes ?? [])
        markPosition = Int64(head.count + CAFChunk.headerSize)
        let audioStart = CAFHead.pageAligned(
            markPosition + Int64(CAFHead.recordingMark.count + CAFHead.dataHeaderSize)
        )
        dataHeader = audioStart - Int64(CAFHead.dataHeaderSize)
        head.raw(CAFHead.padding(from: head.count, to: dataHeader))
        head.raw(CAFHead.dataHeader(audioBytes: 0))
        try file.write(head.bytes, at: 0)
    }

    private var audioStart: Int64 { dataHeader + Int64(CAFHead.dataHeaderSize) }

    var checkpointedFrames: FrameCount { FrameCount(length.valid) }

    func append(_ packet: EncodedPacket) throws(AudioFailure) {
        // A short packet is expressed by the remainder, so only the last can be one.
        guard !isFinished, !pending.hasShortPacket, !packet.bytes.isEmpty,
            packet.bytes.count <= Int(CAFFormat.packetLimit),
            (0...Int(format.framesPerPacket)).contains(packet.frames)
        else { throw CAFHead.misfit(packet, isFinished: isFinished) }
        pending.audio += packet.bytes
        CAFVariableInteger.append(packet.bytes.count, to: &pending.entries)
        pending.packets += 1
        pending.frames += Int64(packet.frames)
        pending.hasShortPacket = packet.frames < Int(format.framesPerPacket)
    }

    func note(_ note: RecordingNote) throws(AudioFailure) { notes?.add(note) }

    func checkpoint(synchronize: Bool) throws(AudioFailure) { try publish(synchronize: synchronize) }

    /// - Parameter end: the final number of frames, so that the padding of the last packets is never part of the recording.
    private func publish(synchronize: Bool, end: FrameCount? = nil) throws(AudioFailure) {
        if try notes?.write(to: file) ?? false { isSynchronized = false }
        if pending.packets > 0 {
            var after = length
            after.decoded += pending.frames
            if let end { try after.state(end) }
            if !hasRoom(audio: pending.audio.count, entries: pending.entries.count) { try grow() }
            isSynchronized = false
            try file.write(pending.audio, at: audioStart + audioBytes)
            try file.write(pending.entries, at: table.entries + Int64(entryBytes))
            if synchronize { try file.synchronize() }
            // A `data` longer than its packets is harmless, one that is shorter is not: so its length goes first.
            if !table.isBehind { try writeDataSize(audioBytes + Int64(pending.audio.count) + 4) }
            try publish(packets: packetCount + pending.packets, after)
            audioBytes += Int64(pending.audio.count)
            entryBytes += pending.entries.count
            packetCount += pending.packets
            length = after
            clearPending()
        }
        if synchronize, !isSynchronized {
            try file.synchronize()
            isSynchronized = true
        }
    }

    func abandonPending() {
        clearPending()
        pending.hasShortPacket = false
    }

    private func clearPending() {
        pending.audio.removeAll(keepingCapacity: pending.audio.count < 1 << 20)
        pending.entries.removeAll(keepingCapacity: pending.entries.count < 1 << 20)
        pending.packets = 0
        pending.frames = 0
    }

    func finish(validFrames: FrameCount) throws(AudioFailure) {
        file.beginEnding()
        try publish(synchronize: true, end: validFrames)
        try notes?.finish(in: file)
        var final = length
        try final.state(validFrames)
        if table.isBehind {
            try finishBehind(final)
        } else {
            try finishInFront(final)
        }
        try CAFHead.clearMark(at: markPosition, in: file)
        length = final
        isFinished = true
    }

    /// The chunk's unused room becomes `free`, in the same write as the final counts.
    private func finishInFront(_ final: RecordingLength) throws(AudioFailure) {
        let unused = table.capacity - entryBytes
        var exact = table
        if unused >= CAFChunk.headerSize {
            let free = CAFChunk("free", size: Int64(unused - CAFChunk.headerSize))
            try file.write(free.header, at: table.entries + Int64(entryBytes))
            try file.synchronize()
            exact.capacity = entryBytes
        }
        let counts = CAFHead.packetTable(packetCount, final, format)
        try file.write(Self.tableHeader(exact, counts), at: table.position)
        // A failed write leaves more than what the counts speak of.
        try writeDataSize(audioBytes + 4)
        if try file.size() > audioStart + audioBytes { try file.truncate(to: audioStart + audioBytes) }
        try file.synchronize()
    }

    /// Puts the exact table where the audio ends, inside the hole, publishes it by the length of `data`, and only then
    /// cuts the file.
    private func finishBehind(_ final: RecordingLength) throws(AudioFailure) {
        let exact = Table(position: audioStart + audioBytes, capacity: entryBytes, isBehind: true)
        let counts = CAFHead.packetTable(packetCount, final, format)
        try copyEntries(to: exact)
        try file.write(Self.tableHeader(exact, counts), at: exact.position)
        let rest = table.end - exact.end - Int64(CAFChunk.headerSize)
        try file.write(CAFChunk("free", size: rest).header, at: exact.end)
        try file.synchronize()
        try writeDataSize(audioBytes + 4)
        try file.synchronize()
        try file.truncate(to: exact.end)
        try file.synchronize()
        table = exact
    }

    // MARK: Growth

    /// What `finishBehind` needs between the audio and the table.
    private func finalRoom(entries: Int) -> Int64 {
        Int64(2 * CAFChunk.headerSize + CAFPacketTableHeader.size + entries)
    }

    private func hasRoom(audio: Int, entries: Int) -> Bool {
        guard entryBytes + entries <= table.capacity else { return false }
        if !table.isBehind { return true }
        let end = audioStart + audioBytes + Int64(audio)
        return end + finalRoom(entries: entryBytes + entries) <= table.position
    }

    private func grow() throws(AudioFailure) {
        let gapStart = table.isBehind ? table.end : audioStart + audioBytes
        let entries = entryBytes + pending.entries.count
        // Half as many entries again.
        var next = larger(by: max(entries / 2, leastGrowth), hole: 65536, from: gapStart)
        isSynchronized = false
        // Blocks for all of the hole: a disk that fills up meanwhile must have room for the audio in it.
        do throws(AudioFailure) {
            try file.reserve(upTo: next.end)
        } catch {
            guard error.code == .noSpace else { throw error }
            // What is left of the disk is for sound.
            next = larger(by: leastGrowth / 64, hole: 0, from: gapStart)
            try file.reserve(upTo: next.end)
        }
        // While it is made, the new table is inside a chunk that readers pass over.
        let free = CAFChunk("free", size: next.end - gapStart - Int64(CAFChunk.headerSize))
        try file.write(free.header, at: gapStart)
        try file.synchronize()
        try file.write([0], at: next.end - 1)
        try copyEntries(to: next)
        let counts = CAFHead.packetTable(packetCount, length, format)
        try file.write(Self.tableHeader(next, counts), at: next.position)
        try file.synchronize()
        try writeDataSize(next.position - dataHeader - Int64(CAFChunk.headerSize))
        if !table.isBehind {
            // Until here there are two tables that say the same.
            try file.synchronize()
            try file.write(CAFChunk("free", size: 0).header.prefix(4).map { $0 }, at: table.position)
        }
        try file.synchronize()
        table = next
    }

    /// A table with room for more entries, behind a hole for as much audio as they stand for at the mean so far.
    private func larger(by growth: Int, hole least: Int64, from gapStart: Int64) -> Table {
        let entries = entryBytes + pending.entries.count
        let capacity = entries + growth
        let audio = audioBytes + Int64(pending.audio.count)
        let hole = audio / Int64(max(1, entries)) * Int64(growth) + least
        let behind = max(gapStart + Int64(CAFChunk.headerSize), audioStart + audio + finalRoom(entries: capacity))
        return Table(position: CAFHead.pageAligned(behind + hole), capacity: capacity, isBehind: true)
    }

    private func copyEntries(to target: Table) throws(AudioFailure) {
        try file.copyRange(
            from: file,
            sourceOffset: table.entries,
            count: Int64(entryBytes),
            to: target.entries
        )
    }

    // MARK: Counts

    private func writeDataSize(_ size: Int64) throws(AudioFailure) {
        try file.write(CAFChunk("data", size: size).header, at: dataHeader)
    }

    private func publish(packets: Int64, _ length: RecordingLength) throws(AudioFailure) {
        try file.write(
            Self.tableHeader(table, CAFHead.packetTable(packets, length, format)),
            at: table.position
        )
    }

    private static func tableHeader(_ table: Table, _ counts: CAFPacketTableHeader) -> [UInt8] {
        CAFChunk("pakt", size: Int64(CAFPacketTableHeader.size + table.capacity)).header + counts.bytes
    }
}
