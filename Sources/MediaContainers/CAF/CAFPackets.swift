import AudioCore

/// The packets of a CAF file's `data`, and where the next one is.
struct CAFPackets {
    /// Packets that are wholly in the file.
    private(set) var count: Int64
    private let audioStart: Int64
    private let framesPerPacket: Int64
    private let layout: Layout
    private var lastPacketFrames: Int64

    private var next: Int64 = 0
    private var nextOffset: Int64

    private enum Layout {
        /// All of the same bytes; `atOnce` of them are given as one run.
        case constant(bytes: Int64, atOnce: Int64)
        case sized(PacketSizes)
        /// Sizes and frames both differ; `starts` has the first frame of every packet and, last, the end.
        case sizedAndTimed(PacketSizes, starts: [Int64])
    }

    /// Bytes of a run of small packets at most.
    private static let runLimit: Int64 = 1 << 20

    init(format: CAFFormat, data: CAFChunks.Span, chunks: CAFChunks, _ window: inout SourceWindow)
        throws(AudioFailure)
    {
        audioStart = data.offset
        nextOffset = data.offset
        framesPerPacket = Int64(format.framesPerPacket)
        lastPacketFrames = framesPerPacket
        if format.bytesPerPacket > 0 {
            guard framesPerPacket > 0 else {
                throw AudioFailure(.malformedMedia, "The CAF file states packets without frames.")
            }
            let bytes = Int64(format.bytesPerPacket)
            // Single frames come in runs; everything else packet by packet.
            let atOnce = framesPerPacket == 1 ? max(1, min(4096, Self.runLimit / bytes)) : 1
            layout = .constant(bytes: bytes, atOnce: atOnce)
            // No file is that long, but a sparse one can claim it: frames must stay countable.
            count = min(data.size / bytes, (1 << 62) / framesPerPacket)
            return
        }
        guard let table = chunks.packetTable else {
            throw AudioFailure(.malformedMedia, "The CAF file lacks the packet table (pakt) that its codec needs.")
        }
        // Whatever follows the table, the audio ends with the file. In a file that was never finished a table may be
        // newer than the length of `data`, where `data` is the last chunk.
        let room = max(data.size, data.offset < table.entries.offset ? data.size : window.size - data.offset)
        let entries = try Self.entries(table, timed: framesPerPacket == 0, &window)
        let present = entries.sizes.count(within: room)
        count = Int64(present)
        if framesPerPacket == 0 {
            layout = .sizedAndTimed(entries.sizes, starts: entries.starts)
        } else {
            layout = .sized(entries.sizes)
        }
    }

    var isConstant: Bool {
        if case .constant = layout { true } else { false }
    }

    var byteCount: Int64 {
        switch layout {
        case .constant(let bytes, _): count * bytes
        case .sized(let sizes), .sizedAndTimed(let sizes, _): sizes.start(of: Int(count))
        }
    }

    var decodedFrames: Int64 { startFrame(of: count) }

    /// Takes the frames of the last packet from its own header: writers differ in whether the table's remainder counts a
    /// short one.
    mutating func measureLastPacket(_ window: inout SourceWindow) throws(AudioFailure) {
        guard case .sized(let sizes) = layout, count == sizes.count, count > 0 else { return }
        let index = Int(count) - 1
        let head = try window.bytes(at: audioStart + sizes.start(of: index), count: min(8, sizes[index]))
        if let head, let frames = ALACCookie.frames(inPacket: head, full: Int(framesPerPacket)) {
            lastPacketFrames = Int64(frames)
        }
    }

    mutating func next(_ window: inout SourceWindow) throws(AudioFailure) -> EncodedPacket? {
        guard next < count else { return nil }
        let taken: Int64
        let size: Int
        switch layout {
        case .constant(let bytes, let atOnce):
            taken = min(atOnce, count - next)
            size = Int(taken * bytes)
        case .sized(let sizes), .sizedAndTimed(let sizes, _):
            taken = 1
            size = sizes[Int(next)]
        }
        guard let bytes = try window.bytes(at: nextOffset, count: size) else {
            throw AudioFailure(.inputOutput, "The file has become shorter while it was read.")
        }
        let frames = startFrame(of: next + taken) - startFrame(of: next)
        next += taken
        nextOffset += Int64(size)
        return EncodedPacket(bytes: bytes, frames: Int(frames))
    }

    mutating func nextRun(atMost limit: Int) -> PacketRun? {
        guard next < count, limit > 0 else { return nil }
        let start = next
        let bytes: Int64
        var sizes: [UInt32] = []
        switch layout {
        case .constant(let size, _):
            next = count
            bytes = (next - start) * size
        case .sized(let all), .sizedAndTimed(let all, _):
            next = min(count, start + Int64(limit))
            bytes = all.start(of: Int(next)) - all.start(of: Int(start))
            sizes = all[Int(start)..<Int(next)]
        }
        defer { nextOffset += bytes }
        return PacketRun(
            offset: nextOffset,
            byteCount: bytes,
            packets: next - start,
            sizes: sizes,
            frames: startFrame(of: next) - startFrame(of: start),
            lastPacketFrames: startFrame(of: next) - startFrame(of: next - 1)
        )
    }

    /// Moves to the packet that holds `frame`, `preroll` packets earlier where there are that many.
    /// - Returns: the frame at which the next packet starts.
    mutating func seek(toFrame frame: Int64, preroll: Int) -> Int64 {
        let target = max(0, min(frame, decodedFrames))
        var packet: Int64
        switch layout {
        case .constant, .sized:
            packet = target == decodedFrames ? count : target / framesPerPacket
        case .sizedAndTimed(_, let starts):
            packet = Int64(Self.lastIndex(in: starts[0...Int(count)], notAbove: target))
        }
        packet = max(0, packet - Int64(max(0, preroll)))
        next = packet
        switch layout {
        case .constant(let bytes, _): nextOffset = audioStart + packet * bytes
        case .sized(let sizes), .sizedAndTimed(let sizes, _):
            nextOffset = audioStart + sizes.start(of: Int(packet))
        }
        return startFrame(of: packet)
    }

    /// The frame at which packet `index` (0 … `count`) starts.
    private func startFrame(of index: Int64) -> Int64 {
        if case .sizedAndTimed(_, let starts) = layout { return starts[Int(index)] }
        if index == 0 || index < count { return index * framesPerPacket }
        return (count - 1) * framesPerPacket + lastPacketFrames
    }

    private static func lastIndex(in starts: ArraySlice<Int64>, notAbove value: Int64) -> Int {
        var low = starts.startIndex
        var high = starts.endIndex
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    private static func entries(_ table: CAFChunks.PacketTable, timed: Bool, _ window: inout SourceWindow)
        throws(AudioFailure) -> (sizes: PacketSizes, starts: [Int64])
    {
        // Every entry takes a byte or more, so the table's own length bounds what is allocated.
        let claimed = max(0, table.counts.packetCount)
        let wanted = Int(min(claimed, table.entries.size))
        guard wanted <= PacketSizes.limit else {
            throw AudioFailure(.limitReached, "The CAF file has more than \(PacketSizes.limit) packets.")
        }
        // At most five bytes hold a number of 32 bits.
        let bytes = min(table.entries.size, Int64(wanted) * (timed ? 10 : 5))
        var sizes = PacketSizes()
        var starts: [Int64] = [0]
        sizes.reserveCapacity(wanted)
        guard let raw = try window.bytes(at: table.entries.offset, count: Int(bytes)) else { return (sizes, starts) }
        raw.withUnsafeBytes { buffer in
            var position = 0
            while sizes.count < wanted, let size = CAFVariableInteger.read(buffer, at: &position) {
                guard size <= CAFFormat.packetLimit else { return }
                if timed {
                    guard let frames = CAFVariableInteger.read(buffer, at: &position), frames <= 1 << 20 else { return }
                    starts.append((starts.last ?? 0) + Int64(frames))
                }
                sizes.append(size)
            }
        }
        return (sizes, starts)
    }
}
