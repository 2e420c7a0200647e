package import AudioCore

/// Whether packets of a codec really lie where a table says.
///
/// After a power cut the sectors of a table that were not synchronised may be old or noise. A wrong size moves everything
/// behind it: so a few packets in every hundred tell, and of the last ones all.
package enum PacketTableCheck {
    /// Packets between looks.
    private static let stride = 64
    /// Packets of a look.
    private static let looks = 3

    /// Looks at what `reader` says from its position on.
    /// - Parameter source: what `reader` reads.
    package static func isRight(_ reader: any PacketRunReader, of source: any ByteSource, _ finder: any PacketFinder)
        throws(AudioFailure) -> Bool
    {
        var last: PacketRun?
        while let run = try reader.nextRun(atMost: stride) {
            if run.sizes.isEmpty { return true }
            guard try areThere(Array(run.sizes.prefix(looks)), at: run.offset, source, finder) else { return false }
            last = run
        }
        guard let last else { return true }
        return try areThere(last.sizes, at: last.offset, source, finder)
    }

    /// How many packets of a table that lie one behind the other from `start` on are to be believed.
    static func believable(_ table: PacketSizes, at start: Int64, of source: any ByteSource, _ finder: any PacketFinder)
        throws(AudioFailure) -> Int
    {
        var index = 0
        while index < table.count {
            let end = min(table.count, index + stride)
            let sizes = table[index..<end]
            let offset = start + table.start(of: index)
            let looked = end == table.count ? sizes : Array(sizes.prefix(looks))
            let isFine = try areThere(looked, at: offset, source, finder)
            // What made this one wrong lies in the stretch before it.
            if !isFine { return max(0, index - stride) }
            index = end
        }
        return table.count
    }

    /// Whether these packets, and no others, lie at `offset`.
    private static func areThere(
        _ sizes: [UInt32],
        at offset: Int64,
        _ source: any ByteSource,
        _ finder: any PacketFinder
    ) throws(AudioFailure) -> Bool {
        let count = sizes.reduce(Int64(0)) { $0 + Int64($1) }
        guard count > 0, count <= Int64(sizes.count) * Int64(finder.longestPacket),
            let bytes = try source.bytes(at: offset, count: Int(count))
        else { return false }
        return try finder.sizes(in: bytes, isEnd: false).elementsEqual(sizes.map(Int.init))
    }
}
