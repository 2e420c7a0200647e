import AudioCore

/// The end of a recording: gives back the room that tables did not use, without copying more audio than that room, and
/// without a moment in which a kill loses anything.
///
/// Packets from the end of the audio are copied into the unused rooms, the page of counts publishes where they are, and
/// only then is the file cut. Where the unused room is within what a finished file may carry, nothing is moved.
struct MP4Compaction {
    let index: MP4Index
    let file: any StoredFile
    let place: MP4IndexPlace
    let abandoned: [Range<Int64>]

    /// A finished file may carry 64 KiB + 1 %; less is not worth moving audio for.
    private static func allowedSlack(_ fileSize: Int64) -> Int64 { (60 << 10) + fileSize / 128 }

    func run(_ counts: MP4Index.Counts) throws(AudioFailure) -> (MP4IndexPlace, MP4Index.Counts) {
        let exact = MP4IndexPlace(position: place.position, capacity: counts.packets)
        let tail = counts.runs.last.map { $0.offset >= place.audioStart ? $0.bytes : 0 } ?? 0
        let needed = Int64(MP4Index.page) + 4 * counts.packets + counts.runs.reduce(0) { $0 + $1.bytes }
        let slack = place.audioStart + tail - needed
        if slack <= Self.allowedSlack(needed) {
            try keep(counts, exact, end: place.audioStart + tail)
            return (exact, counts)
        }
        return (exact, try move(counts, exact, excess: slack))
    }

    /// The unused room becomes a `free` box.
    private func keep(_ counts: MP4Index.Counts, _ exact: MP4IndexPlace, end: Int64) throws(AudioFailure) {
        let gap = MP4Header.small("free", size: place.mediaDataHeader - exact.tableEnd)
        try file.write(gap, at: exact.tableEnd)
        try file.synchronize()
        try publish(counts, exact)
        try closeMediaData(at: place.mediaDataHeader, end: end)
    }

    /// One `mdat` from the end of the exact table on holds the unused room, with packets in it, and the audio behind.
    private func move(_ counts: MP4Index.Counts, _ exact: MP4IndexPlace, excess: Int64)
        throws(AudioFailure) -> MP4Index.Counts
    {
        let rooms = abandoned + [exact.tableEnd + 16..<place.audioStart]
        let plan = try plan(counts, rooms: rooms, excess: excess)
        for piece in plan.moves {
            try MP4IndexPlace.copy(file, from: piece.source, to: piece.target, count: piece.bytes)
        }
        try file.write(MP4Header.openMediaData, at: exact.tableEnd)
        try file.synchronize()
        var moved = counts
        moved.runs = plan.runs
        try publish(moved, exact)
        let end = max(exact.tableEnd + 16, plan.runs.map { $0.offset + $0.bytes }.max() ?? 0)
        try file.truncate(to: end)
        try file.synchronize()
        try closeMediaData(at: exact.tableEnd, end: end)
        return moved
    }

    private func publish(_ counts: MP4Index.Counts, _ exact: MP4IndexPlace) throws(AudioFailure) {
        try file.write(index.render(counts, at: exact.position, capacity: exact.capacity), at: exact.position)
        try file.synchronize()
    }

    /// States the real length of the last `mdat`.
    private func closeMediaData(at header: Int64, end: Int64) throws(AudioFailure) {
        try file.write(MP4Header.large("mdat", size: end - header), at: header)
        try file.synchronize()
    }

    // MARK: What goes where

    private struct Move {
        var source: Int64
        var target: Int64
        var bytes: Int64
    }

    /// Takes packets off the end of the last run and fills the rooms with them, in the order of time.
    private func plan(_ counts: MP4Index.Counts, rooms: [Range<Int64>], excess: Int64)
        throws(AudioFailure) -> (runs: [MP4Run], moves: [Move])
    {
        var runs = counts.runs
        guard var tail = runs.popLast(), tail.offset >= place.audioStart else { return (counts.runs, []) }
        let (sizes, bytes) = try lastSizes(of: tail, packets: counts.packets, rooms: rooms, excess: excess)
        tail.packets -= Int64(sizes.count)
        tail.bytes -= bytes
        var source = tail.offset + tail.bytes
        if tail.packets > 0 { runs.append(tail) }
        var moves: [Move] = []
        var rest = sizes[...]
        for room in rooms {
            var run = MP4Run(offset: room.lowerBound, packets: 0, bytes: 0)
            while let size = rest.first, run.bytes + size <= Int64(room.count) {
                run.packets += 1
                run.bytes += size
                rest.removeFirst()
            }
            if run.packets == 0 { continue }
            runs.append(run)
            moves.append(Move(source: source, target: run.offset, bytes: run.bytes))
            source += run.bytes
        }
        return (runs, moves)
    }

    /// The sizes of as many packets at the end of `tail` as surely fit into `rooms`, up to `excess` bytes.
    private func lastSizes(of tail: MP4Run, packets: Int64, rooms: [Range<Int64>], excess: Int64)
        throws(AudioFailure) -> (sizes: [Int64], bytes: Int64)
    {
        var reversed: [Int64] = []
        var bytes: Int64 = 0
        var largest: Int64 = 0
        var left = tail.packets
        while left > 0 {
            let count = min(left, 4096)
            let first = packets - Int64(reversed.count) - count
            guard let raw = try file.bytes(at: place.entry(first), count: Int(count) * 4) else {
                throw AudioFailure(.inputOutput, "The table of packet sizes cannot be read back.", path: file.path)
            }
            var reader = ByteReader(raw)
            var block: [Int64] = []
            while reader.remaining >= 4 { block.append(Int64(try reader.big(UInt32.self))) }
            for size in block.reversed() {
                largest = max(largest, size)
                // At the end of each room less than one packet's room stays empty.
                let surely = rooms.reduce(0) { $0 + max(0, Int64($1.count) - largest) }
                if bytes + size > min(excess, surely) { return (reversed.reversed(), bytes) }
                bytes += size
                reversed.append(size)
            }
            left -= count
        }
        return (reversed.reversed(), bytes)
    }
}
