import AudioCore

/// The end of a recording: gives back the room that the table did not use, without copying more audio than that room, and
/// without a moment in which a kill loses anything.
///
/// Packets from the end of the audio are copied into the unused room, the page of counts publishes where they are, and only
/// then is the file cut. Where the unused room is within what a finished file may carry, nothing is moved.
struct MP4Compaction {
    private let index: MP4Index
    private let file: any StoredFile
    private(set) var place: MP4IndexPlace
    private(set) var counts: MP4Index.Counts
    /// Nil where there are none and no room for any.
    private let notes: NoteLog?

    /// A finished file may carry 64 KiB + 1 %; less than this and 1/128 is not worth moving audio for.
    static let keptSlack: Int64 = 60 << 10
    private let keptSlack: Int64

    init(
        index: MP4Index,
        file: any StoredFile,
        place: MP4IndexPlace,
        counts: MP4Index.Counts,
        notes: NoteLog?,
        keptSlack: Int64
    ) {
        self.keptSlack = keptSlack
        self.index = index
        self.file = file
        self.place = place
        self.counts = counts
        self.notes = notes.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Publishes the counts as final and gives back room. A disk too full for that is no failure: the file is complete.
    mutating func run() throws(AudioFailure) {
        try publish()
        let content = Int64(MP4Index.page) + 4 * counts.packets + counts.runs.reduce(0) { $0 + $1.bytes }
        if audioEnd - content <= keptSlack + content / 128 { return try keep() }
        do throws(AudioFailure) {
            try move()
        } catch {
            guard error.code == .noSpace else { throw error }
            // With the exact table in place there is nothing left to close.
            if place.capacity > counts.packets { try keep() }
        }
    }

    private var audioEnd: Int64 { counts.end(notBefore: place.audioStart) }

    /// The unused room becomes a `free` box.
    private mutating func keep() throws(AudioFailure) {
        let exact = MP4IndexPlace(position: place.position, capacity: counts.packets)
        let gap = MP4Header.small("free", size: (notes == nil ? place.mediaDataHeader : place.noteBox) - exact.tableEnd)
        let (header, end) = (place.mediaDataHeader, audioEnd)
        try file.write(gap, at: exact.tableEnd)
        try file.synchronize()
        place = exact
        try publish()
        // Behind the audio may lie what a failed write left.
        if try file.size() > end { try file.truncate(to: end) }
        try writeMediaData(at: header, to: end)
    }

    /// One `mdat` from the end of the exact table on holds the unused room, with packets in it, and the audio behind.
    private mutating func move() throws(AudioFailure) {
        let exact = MP4IndexPlace(
            position: place.position,
            capacity: counts.packets,
            noteBytes: notes.map { MP4IndexPlace.noteBytes($0.used) } ?? 0
        )
        let start = exact.end + 16
        // The notes stay where they are until others are published: their old room is not filled.
        let end = notes == nil ? place.audioStart : place.noteBox
        guard start <= end else { return try keep() }
        let packing = try MP4Packing(counts, room: start..<end, file, place)
        try packing.copy(in: file)
        try file.write(exact.tail(notes) + MP4Header.openMediaData, at: exact.tableEnd)
        try file.synchronize()
        counts.runs = packing.runs
        place = exact
        try publish()
        let fileEnd = counts.end(notBefore: start)
        try file.truncate(to: fileEnd)
        try file.synchronize()
        try writeMediaData(at: exact.end, to: fileEnd)
    }

    private func publish() throws(AudioFailure) {
        try file.write(index.render(counts, at: place.position, capacity: place.capacity), at: place.position)
        try file.synchronize()
    }

    /// States the real length of an `mdat`.
    private func writeMediaData(at header: Int64, to end: Int64) throws(AudioFailure) {
        try file.write(MP4Header.large("mdat", size: end - header), at: header)
        try file.synchronize()
    }
}

/// Which packets from the end of the audio go into a room in front of it.
struct MP4Packing {
    /// Where all packets are afterwards, in the order of time.
    private(set) var runs: [MP4Run]
    private var moves: [Move] = []

    private struct Move {
        var source: Int64
        var target: Int64
        var bytes: Int64
    }

    /// - Parameters:
    ///   - room: overlaps no audio.
    ///   - place: The index whose table has the packets' sizes.
    init(_ counts: MP4Index.Counts, room: Range<Int64>, _ file: any StoredFile, _ place: MP4IndexPlace)
        throws(AudioFailure)
    {
        runs = counts.runs
        // Taken from the end, so in reverse.
        var taken: [(source: Int64, size: Int64)] = []
        var packed = MP4Run(offset: room.lowerBound, packets: 0, bytes: 0)
        var sizes = SizesFromTheEnd(file: file, place: place, left: counts.packets)
        scan: while var run = runs.last, run.offset > room.lowerBound {
            while run.packets > 0 {
                let size = try sizes.next()
                if packed.bytes + size > Int64(room.count) { break scan }
                packed.bytes += size
                packed.packets += 1
                run.bytes -= size
                run.packets -= 1
                taken.append((run.offset + run.bytes, size))
                runs[runs.count - 1] = run
            }
            runs.removeLast()
        }
        if packed.packets == 0 { return }
        runs.append(packed)
        var target = packed.offset
        for packet in taken.reversed() {
            if let last = moves.last, last.source + last.bytes == packet.source {
                moves[moves.count - 1].bytes += packet.size
            } else {
                moves.append(Move(source: packet.source, target: target, bytes: packet.size))
            }
            target += packet.size
        }
    }

    func copy(in file: any StoredFile) throws(AudioFailure) {
        for move in moves {
            try file.copyRange(from: file, sourceOffset: move.source, count: move.bytes, to: move.target)
        }
    }
}

/// The table of packet sizes, read backwards.
private struct SizesFromTheEnd {
    let file: any StoredFile
    let place: MP4IndexPlace
    var left: Int64
    private var block: [Int64] = []

    init(file: any StoredFile, place: MP4IndexPlace, left: Int64) {
        self.file = file
        self.place = place
        self.left = left
    }

    mutating func next() throws(AudioFailure) -> Int64 {
        if block.isEmpty {
            let count = min(left, 4096)
            guard let raw = try file.bytes(at: place.entry(left - count), count: Int(count) * 4) else {
                throw AudioFailure(.inputOutput, "The table of packet sizes cannot be read back.", path: file.path)
            }
            var reader = ByteReader(raw)
            while reader.remaining >= 4 { block.append(Int64(try reader.big(UInt32.self))) }
            left -= count
        }
        return block.removeLast()
    }
}
