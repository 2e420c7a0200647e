import AudioCore

/// The packets of a track: where each is, how long it is, and when it is.
///
/// Chunks that lie one behind the other are one run, so that what remains of most files' tables are the sizes.
struct MP4SampleTable {
    /// Packets that the tables speak of.
    private(set) var statedCount = 0
    /// Packets that are wholly in the file, from the first on without a break.
    private(set) var count = 0
    private(set) var sizes = PacketSizes()
    private var runs: [Run] = []
    private var times: [Times] = []

    private struct Run {
        var firstPacket: Int
        var offset: Int64
    }

    private struct Times {
        var firstPacket: Int
        var firstFrame: Int64
        var frames: Int64
    }

    private static let framesLimit: Int64 = 1 << 20
    private static let packetLimit: UInt32 = 16 << 20

    /// - Parameter fixedFrames: Frames of every packet where the time table is not to be believed, because it counts in
    ///   other units.
    init(_ boxes: [MP4Box], fixedFrames: Int?, _ window: inout SourceWindow) throws(AudioFailure) {
        try readSizes(boxes, &window)
        statedCount = sizes.count
        if let fixedFrames {
            times = [Times(firstPacket: 0, firstFrame: 0, frames: Int64(fixedFrames))]
        } else if let stts = boxes.first("stts") {
            try readTimes(stts, &window)
        }
        if statedCount > 0, times.isEmpty {
            // Of the very first packets a cut of the power may have kept the count and not yet their length.
            if boxes.contains(where: { $0.type == "stts" && $0.size <= 8 }) { return }
            throw AudioFailure(.malformedMedia, "The track does not say how long its packets are.")
        }
        if statedCount > 0 { try readPlaces(boxes, &window) }
    }

    /// Bytes of audio that can be read.
    var byteCount: Int64 { sizes.start(of: count) }

    var decodedFrames: Int64 { startFrame(of: count) }

    /// Frames of every packet but the last; 0 where they differ.
    var framesPerPacket: Int {
        let different = times.filter { $0.firstPacket + 1 < statedCount && $0.frames != times[0].frames }
        return different.isEmpty ? Int(times.first?.frames ?? 0) : 0
    }

    /// The frame at which packet `index` (0 … `count`) starts.
    func startFrame(of index: Int) -> Int64 {
        guard let time = last(times, notBehind: index, by: \.firstPacket) else { return 0 }
        return time.firstFrame + Int64(index - time.firstPacket) * time.frames
    }

    /// The packet that holds `frame`; `count` at the end.
    func packet(at frame: Int64) -> Int {
        guard frame > 0, let first = times.first else { return 0 }
        if frame >= decodedFrames { return count }
        var low = 0
        var high = times.count
        while low < high {
            let middle = (low + high) / 2
            if times[middle].firstFrame <= frame { low = middle + 1 } else { high = middle }
        }
        let time = low > 0 ? times[low - 1] : first
        return min(count, time.firstPacket + (time.frames > 0 ? Int((frame - time.firstFrame) / time.frames) : 0))
    }

    /// Where packet `index` (0 ..< `count`) lies.
    func offset(of index: Int) -> Int64 {
        guard let run = last(runs, notBehind: index, by: \.firstPacket) else { return 0 }
        return run.offset + sizes.start(of: index) - sizes.start(of: run.firstPacket)
    }

    /// True where packet `index` does not follow the one before it in the file.
    func startsRun(_ index: Int) -> Bool { last(runs, notBehind: index, by: \.firstPacket)?.firstPacket == index }

    /// Behind the last packet that lies in one run with packet `index` (0 ..< `count`).
    func endOfRun(_ index: Int) -> Int {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].firstPacket <= index { low = middle + 1 } else { high = middle }
        }
        return low < runs.count ? min(runs[low].firstPacket, count) : count
    }

    private func last<Element>(_ elements: [Element], notBehind index: Int, by key: KeyPath<Element, Int>) -> Element? {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if elements[middle][keyPath: key] <= index { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? elements[low - 1] : nil
    }

    // MARK: Reading

    /// The entries of a table, clipped to what is in the file.
    private static func entries(
        _ box: MP4Box,
        head: Int,
        entryBits: Int,
        count: UInt32,
        _ window: inout SourceWindow
    ) throws(AudioFailure) -> [UInt8] {
        let room = max(0, box.size - Int64(head))
        let wanted = (Int64(count) * Int64(entryBits) + 7) / 8
        let bytes = min(room, wanted)
        guard bytes <= Int64(PacketSizes.limit) * 12 else {
            throw tooMany
        }
        return try window.bytes(at: box.body + Int64(head), count: Int(bytes)) ?? []
    }

    private mutating func readSizes(_ boxes: [MP4Box], _ window: inout SourceWindow) throws(AudioFailure) {
        guard let box = boxes.first("stsz") ?? boxes.first("stz2"),
            var head = try window.reader(at: box.body, count: Int(min(12, box.size)))
        else { throw AudioFailure(.malformedMedia, "The track has no table of packet sizes.") }
        try head.skip(4)
        let field = try head.big(UInt32.self)
        let stated = try head.big(UInt32.self)
        if box.type == "stsz", field > 0 {
            guard field <= Self.packetLimit, Int64(stated) <= window.size / Int64(field) + 1,
                stated <= UInt32(PacketSizes.limit)
            else { throw AudioFailure(.malformedMedia, "The track states more packets than its file can hold.") }
            sizes.reserveCapacity(Int(stated))
            for _ in 0..<stated { sizes.append(field) }
            return
        }
        let bits = box.type == "stsz" ? 32 : Int(field & 0xFF)
        guard [4, 8, 16, 32].contains(bits) else {
            throw AudioFailure(.malformedMedia, "The track has packet sizes of \(bits) bits.")
        }
        if bits == 32 { return try readLongSizes(box, stated: Int(stated), &window) }
        let raw = try Self.entries(box, head: 12, entryBits: bits, count: stated, &window)
        let available = min(Int(stated), raw.count * 8 / bits)
        guard available <= PacketSizes.limit else { throw Self.tooMany }
        sizes.reserveCapacity(available)
        raw.withUnsafeBytes { bytes in
            for index in 0..<available {
                let size: UInt32 =
                    switch bits {
                    case 16: UInt32(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
                    case 8: UInt32(bytes[index])
                    default: UInt32(index % 2 == 0 ? bytes[index / 2] >> 4 : bytes[index / 2] & 15)
                    }
                sizes.append(size)
            }
        }
    }

    /// In pieces: the table of a day's recording is long.
    private mutating func readLongSizes(_ box: MP4Box, stated: Int, _ window: inout SourceWindow) throws(AudioFailure) {
        let room = min(max(0, box.size - 12), window.size - box.body - 12)
        let available = Int(min(Int64(stated), max(room, 0) / 4))
        guard available <= PacketSizes.limit else { throw Self.tooMany }
        sizes.reserveCapacity(available)
        while sizes.count < available {
            let wanted = min(Self.sizesAtOnce, available - sizes.count)
            let place = box.body + 12 + 4 * Int64(sizes.count)
            guard let raw = try window.bytes(at: place, count: 4 * wanted) else { return }
            // What follows a size that no packet has cannot be found.
            if sizes.append(bigEndian: raw, count: wanted, limit: Self.packetLimit) < wanted { return }
        }
    }

    private static let sizesAtOnce = 16 << 10

    private static var tooMany: AudioFailure {
        AudioFailure(.limitReached, "The track has more than \(PacketSizes.limit) packets.")
    }

    private mutating func readTimes(_ box: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) {
        var reader = try Self.table(box, entryBits: 64, &window)
        var packet = 0
        var frame: Int64 = 0
        while reader.remaining >= 8, packet < statedCount {
            let packets = Int(try reader.big(UInt32.self))
            let frames = Int64(try reader.big(UInt32.self))
            guard frames <= Self.framesLimit else {
                throw AudioFailure(.malformedMedia, "The track states a packet of \(frames) frames.")
            }
            if packets == 0 { continue }
            if times.last?.frames != frames {
                try Self.checkLimit(times.count)
                times.append(Times(firstPacket: packet, firstFrame: frame, frames: frames))
            }
            let taken = min(packets, statedCount - packet)
            packet += taken
            frame += Int64(taken) * frames
        }
    }

    private static func table(_ box: MP4Box, entryBits: Int, _ window: inout SourceWindow) throws(AudioFailure)
        -> ByteReader
    {
        guard var head = try window.reader(at: box.body, count: Int(min(8, box.size))) else { return ByteReader([]) }
        try head.skip(4)
        let count = try head.big(UInt32.self)
        return ByteReader(try entries(box, head: 8, entryBits: entryBits, count: count, &window))
    }

    /// Follows the chunks: how many packets each has (`stsc`) and where it starts (`stco`, `co64`).
    private mutating func readPlaces(_ boxes: [MP4Box], _ window: inout SourceWindow) throws(AudioFailure) {
        guard let stsc = boxes.first("stsc"), let chunks = boxes.first("co64") ?? boxes.first("stco") else {
            throw AudioFailure(.malformedMedia, "The track does not say where its packets are.")
        }
        var counts = try Self.table(stsc, entryBits: 96, &window)
        var offsets = try Self.table(chunks, entryBits: chunks.type == "co64" ? 64 : 32, &window)
        let offsetBytes = chunks.type == "co64" ? 8 : 4
        var perChunk = 0
        var upcoming = try Self.nextCount(&counts)
        var chunk: UInt32 = 0
        var end: Int64 = -1
        while offsets.remaining >= offsetBytes, count < statedCount {
            chunk += 1
            while let next = upcoming, next.firstChunk <= chunk {
                perChunk = next.packets
                upcoming = try Self.nextCount(&counts)
            }
            let offset =
                offsetBytes == 8 ? try offsets.big(Int64.self) : Int64(try offsets.big(UInt32.self))
            if perChunk == 0 { continue }
            guard offset >= 0, offset <= window.size else { return }
            if offset != end || runs.isEmpty {
                try Self.checkLimit(runs.count)
                runs.append(Run(firstPacket: count, offset: offset))
            }
            let start = sizes.start(of: count)
            let past = min(statedCount, count + perChunk)
            let bytes = sizes.start(of: past) - start
            // Chunks that overlap could make a small file endless.
            if start + bytes > window.size { return }
            if bytes > window.size - offset {
                count = max(count, min(past, sizes.count(within: start + window.size - offset)))
                return
            }
            count = past
            end = offset + bytes
        }
    }

    /// Runs and changes of duration; far more than any file has, and a bound for what they take in memory.
    private static func checkLimit(_ count: Int) throws(AudioFailure) {
        if count >= 1 << 22 { throw AudioFailure(.limitReached, "The track's tables have more than 4 million runs.") }
    }

    private static func nextCount(_ reader: inout ByteReader) throws(AudioFailure)
        -> (firstChunk: UInt32, packets: Int)?
    {
        guard reader.remaining >= 12 else { return nil }
        let first = try reader.big(UInt32.self)
        let packets = Int(try reader.big(UInt32.self))
        try reader.skip(4)
        return (first, packets)
    }
}
