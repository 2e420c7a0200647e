import AudioCore

/// The packets in a range of a source that has lost its table, by a `PacketFinder`, in bounded memory.
struct PacketScan {
    /// What was found: packets that lie one behind the other from `offset` on.
    struct Run {
        var offset: Int64
        var firstPacket: Int
    }

    private(set) var sizes = PacketSizes()
    private(set) var runs: [Run] = []
    /// Bytes between packets that belong to none.
    private(set) var skippedBytes: Int64 = 0

    private let source: any ByteSource
    private let finder: any PacketFinder
    private let end: Int64

    private static let windowBytes = 512 << 10
    /// Packets in a row that are taken for more than chance.
    private static let convincing = 6
    /// Places that are tried, in all, where packets are interrupted: bounds the time that damage can take.
    private static let tries = 200_000
    /// Zeros in a row that are no audio.
    private static let hole = 64

    init(_ source: any ByteSource, finder: any PacketFinder, end: Int64) {
        self.source = source
        self.finder = finder
        self.end = end
    }

    /// Takes packets whose sizes are known already, from `offset` on.
    mutating func take(_ known: PacketSizes, count: Int, at offset: Int64) {
        guard count > 0 else { return }
        begin(at: offset)
        for size in known[0..<count] { sizes.append(size) }
    }

    /// Looks for packets from `offset` on.
    mutating func run(from offset: Int64) throws(AudioFailure) {
        var place = offset
        var isFollowing = false
        var tries = 0
        while place < end, sizes.count < PacketSizes.limit {
            let count = Int(min(Int64(Self.windowBytes), end - place))
            guard let bytes = try source.bytes(at: place, count: count) else { return }
            let found = try finder.sizes(in: bytes, isEnd: place + Int64(count) == end)
            if !found.isEmpty, isFollowing || found.count >= min(Self.convincing, expected(in: count)) {
                if !isFollowing { begin(at: place) }
                isFollowing = true
                for size in found { sizes.append(UInt32(clamping: size)) }
                place += found.reduce(0) { $0 + Int64($1) }
                continue
            }
            // Nothing starts here: on to the next byte from which several do.
            guard let next = try search(in: bytes, at: place, &tries) else {
                if tries >= Self.tries || place + Int64(count) == end { return }
                place += Int64(max(1, count - finder.longestPacket * Self.convincing))
                isFollowing = false
                continue
            }
            if sizes.count > 0 { skippedBytes += next - place }
            place = next
            isFollowing = false
        }
    }

    /// Packets that so many bytes must hold.
    private func expected(in bytes: Int) -> Int { max(1, bytes / finder.longestPacket) }

    private mutating func search(in bytes: [UInt8], at place: Int64, _ tries: inout Int) throws(AudioFailure) -> Int64?
    {
        let reach = finder.longestPacket * (Self.convincing + 2)
        var index = 1
        while index < bytes.count, tries < Self.tries {
            if !finder.mayStart(with: bytes[index]) {
                index += 1
                continue
            }
            // Room that was reserved and never written.
            if bytes[index] == 0 {
                let next = Self.endOfZeros(bytes, from: index)
                if next - index >= Self.hole {
                    index = next - 2
                    continue
                }
            }
            tries += 1
            let piece = Array(bytes[index..<min(bytes.count, index + reach)])
            if try finder.sizes(in: piece, isEnd: false).count >= Self.convincing { return place + Int64(index) }
            index += 1
        }
        return nil
    }

    private static func endOfZeros(_ bytes: [UInt8], from index: Int) -> Int {
        bytes[index...].firstIndex { $0 != 0 } ?? bytes.endIndex
    }

    private mutating func begin(at offset: Int64) {
        let follows = runs.last.map { $0.offset + sizes.total - sizes.start(of: $0.firstPacket) == offset } ?? false
        if !follows { runs.append(Run(offset: offset, firstPacket: sizes.count)) }
    }
}
