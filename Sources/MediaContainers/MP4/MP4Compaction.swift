import AudioCore

/// The end of a recording: gives back the room that tables did not use, without copying more audio than that room, and
/// without a moment in which a kill loses anything.
///
/// Packets from the end of the audio are copied into the unused rooms, the page of counts publishes where they are, and
/// only then is the file cut. Where the unused room is within what a finished file may carry, nothing is moved.
struct MP4Compaction {
    private let index: MP4Index
    private let file: any StoredFile
    /// Rooms of indexes that are no longer in use, from the first to the last.
    private let abandoned: [Range<Int64>]
    private(set) var place: MP4IndexPlace
    private(set) var counts: MP4Index.Counts

    /// A finished file may carry 64 KiB + 1 %; less than this and 1/128 is not worth moving audio for.
    static let keptSlack: Int64 = 60 << 10
    private let keptSlack: Int64

    init(
        index: MP4Index,
        file: any StoredFile,
        abandoned: [Range<Int64>],
        place: MP4IndexPlace,
        counts: MP4Index.Counts,
        keptSlack: Int64
    ) {
        self.keptSlack = keptSlack
        self.index = index
        self.file = file
        self.abandoned = abandoned
        self.place = place
        self.counts = counts
    }

    /// Publishes the counts as final and gives back room. A disk too full for that is no failure: the file is complete.
    mutating func run() throws(AudioFailure) {
        try publish()
        let content = Int64(MP4Index.page) + 4 * counts.packets + counts.runs.reduce(0) { $0 + $1.bytes }
        if audioEnd - content <= keptSlack + content / 128 { return try keep() }
        do throws(AudioFailure) {
            if abandoned.isEmpty { try moveToFront() } else { try moveToHoles() }
        } catch {
            guard error.code == .noSpace else { throw error }
            // Behind a moved index there is nothing left to close.
            if place.capacity > counts.packets { try keep() }
        }
    }

    private var audioEnd: Int64 {
        max(place.audioStart, counts.runs.map { $0.offset + $0.bytes }.max() ?? 0)
    }

    // MARK: Nothing moves

    /// The unused room becomes a `free` box.
    private mutating func keep() throws(AudioFailure) {
        let exact = MP4IndexPlace(position: place.position, capacity: counts.packets)
        let gap = MP4Header.small("free", size: place.mediaDataHeader - exact.tableEnd)
        let (header, end) = (place.mediaDataHeader, audioEnd)
        try file.write(gap, at: exact.tableEnd)
        try file.synchronize()
        place = exact
        try publish()
        // Behind the audio may lie what a failed write left.
        if try file.size() > end { try file.truncate(to: end) }
        try writeMediaData(at: header, to: end)
    }

    // MARK: The index stays in front

    /// One `mdat` from the end of the exact table on holds the unused room, with packets in it, and the audio behind.
    private mutating func moveToFront() throws(AudioFailure) {
        let exact = MP4IndexPlace(position: 0, capacity: counts.packets)
        let packing = try MP4Packing(counts, rooms: [exact.tableEnd + 16..<place.audioStart], file, place)
        try packing.copy(in: file)
        try file.write(MP4Header.openMediaData, at: exact.tableEnd)
        try file.synchronize()
        counts.runs = packing.runs
        place = exact
        try publish()
        let end = counts.runs.map { $0.offset + $0.bytes }.max() ?? exact.tableEnd + 16
        try file.truncate(to: end)
        try file.synchronize()
        try writeMediaData(at: exact.tableEnd, to: end)
    }

    // MARK: The index is behind the audio

    /// The index goes far behind everything, all audio and holes in front of it become one `mdat`, the last packets fill
    /// the holes, and the index follows to where the audio then ends.
    private mutating func moveToHoles() throws(AudioFailure) {
        let head = Int64(MP4Index.fileType.count)
        let rooms = abandoned + [place.position..<place.audioStart]
        let sizes = place
        let end = MP4IndexPlace.pageAligned(audioEnd)
        // So far behind that the index fits between, wherever the audio will end.
        let behind = MP4IndexPlace(
            position: MP4IndexPlace.pageAligned(end + Int64(MP4Index.page) + 4 * counts.packets),
            capacity: counts.packets
        )
        try writeIndex(at: behind)
        try file.synchronize()
        try writeMediaData(at: place.position, to: behind.position)
        place = behind
        try writeMediaData(at: head, to: behind.position)

        let packing = try MP4Packing(counts, rooms: rooms, file, sizes)
        try packing.copy(in: file)
        try file.synchronize()
        counts.runs = packing.runs
        try publish()

        let used = counts.runs.map { $0.offset + $0.bytes }.max() ?? head + 16
        let final = MP4IndexPlace(position: MP4IndexPlace.pageAligned(used), capacity: counts.packets)
        try writeIndex(at: final)
        let rest = MP4Header.large("free", size: behind.tableEnd - final.tableEnd)
        try file.write(rest, at: final.tableEnd)
        try file.synchronize()
        try writeMediaData(at: head, to: final.position)
        place = final
        try file.truncate(to: final.tableEnd)
        try file.synchronize()
    }

    /// The exact index, where nothing refers to yet.
    private func writeIndex(at target: MP4IndexPlace) throws(AudioFailure) {
        try file.copyRange(from: file, sourceOffset: place.table, count: 4 * counts.packets, to: target.table)
        let page = index.render(counts, at: target.position, capacity: target.capacity)
        try file.write(page, at: target.position)
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

/// Which packets from the end of the audio go into which rooms.
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
    ///   - rooms: From the lowest to the highest; none overlaps audio.
    ///   - place: The index whose table has the packets' sizes.
    init(_ counts: MP4Index.Counts, rooms: [Range<Int64>], _ file: any StoredFile, _ place: MP4IndexPlace)
        throws(AudioFailure)
    {
        runs = counts.runs
        // Taken from the end, so in reverse.
        var taken: [(source: Int64, size: Int64)] = []
        var bytes: Int64 = 0
        var largest: Int64 = 0
        var sizes = SizesFromTheEnd(file: file, place: place, left: counts.packets)
        scan: while var run = runs.last {
            let usable = rooms.filter { $0.lowerBound < run.offset }
            while run.packets > 0 {
                let size = try sizes.next()
                largest = max(largest, size)
                // At the end of each room less than one packet's room stays empty.
                let surely = usable.reduce(0) { $0 + max(0, Int64($1.count) - largest) }
                if bytes + size > surely { break scan }
                bytes += size
                run.bytes -= size
                run.packets -= 1
                taken.append((run.offset + run.bytes, size))
                runs[runs.count - 1] = run
            }
            runs.removeLast()
        }
        distribute(taken.reversed(), in: rooms)
    }

    private mutating func distribute(_ packets: some Sequence<(source: Int64, size: Int64)>, in rooms: [Range<Int64>]) {
        var remaining = rooms[...]
        var run: MP4Run?
        for packet in packets {
            while let room = remaining.first,
                (run ?? MP4Run(offset: room.lowerBound, packets: 0, bytes: 0)).bytes + packet.size > Int64(room.count)
            {
                if let full = run { runs.append(full) }
                run = nil
                remaining.removeFirst()
            }
            guard let room = remaining.first else { return }
            var current = run ?? MP4Run(offset: room.lowerBound, packets: 0, bytes: 0)
            let target = current.offset + current.bytes
            if let last = moves.last, last.source + last.bytes == packet.source, last.target + last.bytes == target {
                moves[moves.count - 1].bytes += packet.size
            } else {
                moves.append(Move(source: packet.source, target: target, bytes: packet.size))
            }
            current.packets += 1
            current.bytes += packet.size
            run = current
        }
        if let run { runs.append(run) }
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
