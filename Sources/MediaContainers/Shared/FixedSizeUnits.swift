import AudioCore

/// Audio made of units of one size (a frame of PCM, a packet of IMA4) that lies in one or more places of a file.
struct FixedSizeUnits {
    struct Extent: Equatable {
        var start: Int64
        var length: Int64
    }

    let unitBytes: Int
    let unitFrames: Int
    /// Units that are there as a whole.
    let count: Int64

    private let extents: [Extent]
    private let unitsPerPacket: Int
    private var window: SourceWindow
    private var position: Int64 = 0

    /// - Parameters:
    ///   - extents: ranges within the file, in the order of time.
    ///   - unitBytes: above zero.
    ///   - limit: units that belong to the recording, where a header tells.
    init(
        _ extents: [Extent],
        of window: SourceWindow,
        unitBytes: Int,
        unitFrames: Int,
        limit: Int64 = .max
    ) {
        self.extents = extents
        self.window = window
        self.unitBytes = unitBytes
        self.unitFrames = unitFrames
        let bytes = extents.reduce(Int64(0)) { $0 + $1.length }
        count = min(bytes / Int64(unitBytes), max(limit, 0))
        // A packet of a codec stays one packet; frames of PCM come in runs of about 16 KiB.
        unitsPerPacket = unitFrames > 1 ? 1 : max(1, (16 << 10) / unitBytes)
    }

    var byteCount: Int64 { count * Int64(unitBytes) }

    mutating func nextPacket() throws(AudioFailure) -> EncodedPacket? {
        let units = min(Int64(unitsPerPacket), count - position)
        if units <= 0 { return nil }
        let bytes = try bytes(at: position * Int64(unitBytes), count: Int(units) * unitBytes)
        // The file may have become shorter since it was opened.
        let whole = bytes.count / unitBytes
        if whole == 0 { return nil }
        position += Int64(whole)
        let packet = whole * unitBytes == bytes.count ? bytes : Array(bytes.prefix(whole * unitBytes))
        return EncodedPacket(bytes: packet, frames: whole * unitFrames)
    }

    /// All whole units from the next one on that lie in one extent.
    mutating func nextRun() -> PacketRun? {
        var skip = position * Int64(unitBytes)
        for extent in extents {
            if skip >= extent.length {
                skip -= extent.length
                continue
            }
            let units = min((extent.length - skip) / Int64(unitBytes), count - position)
            if units <= 0 { return nil }
            position += units
            return PacketRun(
                offset: extent.start + skip,
                byteCount: units * Int64(unitBytes),
                packets: units,
                frames: units * Int64(unitFrames),
                lastPacketFrames: Int64(unitFrames)
            )
        }
        return nil
    }

    /// Moves to the unit that holds `frame`, or to an earlier one by `preroll`; clamped to the file.
    mutating func seek(toFrame frame: FrameCount, preroll: Int) -> FrameCount {
        let unit = min(max(frame.value, 0) / Int64(unitFrames), count)
        position = max(unit - Int64(max(preroll, 0)), 0)
        return FrameCount(position * Int64(unitFrames))
    }

    /// Bytes counted over all extents; fewer where the file ends.
    private mutating func bytes(at offset: Int64, count: Int) throws(AudioFailure) -> [UInt8] {
        var skip = offset
        var result: [UInt8] = []
        for extent in extents {
            if skip >= extent.length {
                skip -= extent.length
                continue
            }
            let part = Int(min(extent.length - skip, Int64(count - result.count)))
            guard let piece = try window.bytes(at: extent.start + skip, count: part) else { break }
            if piece.count == count { return piece }
            result += piece
            skip = 0
            if result.count == count { break }
        }
        return result
    }
}
