import AudioCore

/// A box as it lies in a file that nobody vouches for: its body is clipped to what contains it.
struct MP4Box {
    var type: FourCC
    /// Where the content starts.
    var body: Int64
    /// Where it ends, not behind the end of the file.
    var end: Int64
    /// The content should be longer than what contains it.
    var isCut = false
    /// The size field says "to the end of the file".
    var isOpen = false

    var size: Int64 { end - body }

    /// More boxes on one level than any file has.
    private static let countLimit = 20_000

    /// The boxes one after the other from `start` to `end`; ends early where what follows is not a box.
    static func all(_ window: inout SourceWindow, from start: Int64, to end: Int64) throws(AudioFailure) -> [MP4Box] {
        var boxes: [MP4Box] = []
        var offset = start
        while offset < end, boxes.count < countLimit, let box = try at(offset, limit: end, &window) {
            boxes.append(box)
            offset = box.end
        }
        return boxes
    }

    func children(_ window: inout SourceWindow, skipping: Int64 = 0) throws(AudioFailure) -> [MP4Box] {
        try Self.all(&window, from: body + min(skipping, size), to: end)
    }

    /// The content, where it is not longer than `limit` bytes.
    func content(_ window: inout SourceWindow, limit: Int64 = 1 << 20) throws(AudioFailure) -> ByteReader? {
        size <= limit ? try window.reader(at: body, count: Int(size)) : nil
    }

    private static func at(_ offset: Int64, limit: Int64, _ window: inout SourceWindow) throws(AudioFailure) -> MP4Box?
    {
        guard limit - offset >= 8, var head = try window.reader(at: offset, count: 8) else { return nil }
        let size = Int64(try head.big(UInt32.self))
        let type = try head.code()
        if size == 0 { return MP4Box(type: type, body: offset + 8, end: limit, isOpen: true) }
        if size != 1 {
            if size < 8 { return nil }
            return MP4Box(type: type, body: offset + 8, end: min(limit, offset + size), isCut: size > limit - offset)
        }
        guard limit - offset >= 16, var more = try window.reader(at: offset + 8, count: 8) else { return nil }
        let large = try more.big(Int64.self)
        if large < 16 { return nil }
        let isCut = large > limit - offset
        return MP4Box(type: type, body: offset + 16, end: isCut ? limit : offset + large, isCut: isCut)
    }
}

extension [MP4Box] {
    func first(_ type: FourCC) -> MP4Box? { first { $0.type == type } }
}
