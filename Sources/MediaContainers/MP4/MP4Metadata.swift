import AudioCore

/// Texts, trims and chapters in iTunes' form (`udta/meta/ilst`, `chpl`).
enum MP4Metadata {
    static var texts: [(FourCC, WritableKeyPath<MediaMetadata, String?>)] {
        [
            (copyright("nam"), \.title), (copyright("ART"), \.artist), (copyright("alb"), \.album),
            (copyright("cmt"), \.comment), (copyright("day"), \.date), (copyright("too"), \.encoder),
        ]
    }

    /// Names that start with the byte of the copyright sign in Mac Roman.
    private static func copyright(_ name: StaticString) -> FourCC {
        FourCC(rawValue: 0xA900_0000 | FourCC(stringLiteral: name).rawValue >> 8)
    }

    /// The `udta` box. With the same metadata its size is always the same, whatever `trims` says.
    /// - Parameter chapters: whole boxes.
    static func box(_ metadata: MediaMetadata, trims: ITunesTrims?, chapters: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.box("udta") { udta in
            udta.fullBox("meta") { meta in
                meta.fullBox("hdlr") { handler in
                    handler.zeros(4)
                    handler.code("mdir")
                    handler.code("appl")
                    handler.zeros(9)
                }
                meta.box("ilst") { list in
                    for (type, path) in texts {
                        guard let value = metadata[keyPath: path] else { continue }
                        list.box(type) { $0.textData(value) }
                    }
                    if let trims {
                        list.box("----") { item in
                            item.fullBox("mean") { $0.text("com.apple.iTunes") }
                            item.fullBox("name") { $0.text("iTunSMPB") }
                            item.textData(trims.text)
                        }
                    }
                }
            }
            udta.raw(chapters)
        }
        return writer.bytes
    }

    /// A `uuid` box that holds a log of notes, with room up to `size` bytes.
    static func noteBox(_ log: NoteLog, size: Int) -> [UInt8] {
        let content = MP4Header.small("uuid", size: Int64(size)) + CAFMetadata.noteID + log.body
        return content + [UInt8](repeating: 0, count: max(size - content.count, 0))
    }

    static let noteHeadBytes = 8 + 16
}

/// The chapters in `udta`: an area whose length never changes, a `free` box until the recording ends.
struct MP4ChapterArea {
    private let byteCount: Int
    private var content: [UInt8] = []
    private var isShown = false

    init(byteCount: Int) { self.byteCount = byteCount }

    /// Writes as many chapters into the `free` box as fit, unseen.
    mutating func fill(_ places: [MediaMetadata.Marker], sampleRate: Double) {
        guard byteCount >= 16, !places.isEmpty else { return }
        var count = min(places.count, 255)
        var box = Self.chapters(places.prefix(count), sampleRate: sampleRate)
        while count > 0, box.count + 8 > byteCount {
            count -= 1
            box = Self.chapters(places.prefix(count), sampleRate: sampleRate)
        }
        if count > 0 { content = box }
    }

    /// Turns the `free` box into the list of chapters: only its head changes.
    mutating func show() { isShown = !content.isEmpty }

    var bytes: [UInt8] {
        if byteCount == 0 { return [] }
        var area = MP4Header.small("free", size: Int64(byteCount))
        if !content.isEmpty {
            let rest = byteCount - content.count
            let head = isShown ? Array(content.prefix(8)) : area
            area = head + content.dropFirst(8) + MP4Header.small("free", size: Int64(rest))
        }
        return area + [UInt8](repeating: 0, count: byteCount - area.count)
    }

    /// Nero's chapter list: times in units of 100 ns, names of up to 255 bytes, up to 255 chapters.
    private static func chapters(_ places: ArraySlice<MediaMetadata.Marker>, sampleRate: Double) -> [UInt8] {
        var writer = ByteWriter()
        writer.fullBox("chpl", version: 1) { list in
            list.zeros(4)
            list.big(UInt8(clamping: places.count))
            for place in places {
                list.big(FrameCount(seconds: place.frame.seconds(at: sampleRate), sampleRate: 1e7).value)
                let name = LegacyText.bytes(of: place.name, limit: 255)
                list.big(UInt8(clamping: name.count))
                list.raw(name)
            }
        }
        return writer.bytes
    }
}

extension ByteWriter {
    fileprivate mutating func textData(_ text: String) {
        box("data") { data in
            data.big(UInt32(1))  // UTF-8
            data.zeros(4)
            data.text(text)
        }
    }
}

/// The trims of an AAC stream as iTunes states them: hexadecimal numbers in a text.
struct ITunesTrims: Equatable {
    var priming: Int64
    var remainder: Int64
    var valid: Int64

    init(priming: Int64, remainder: Int64, valid: Int64) {
        self.priming = priming
        self.remainder = remainder
        self.valid = valid
    }

    /// Nil where the text does not hold the three numbers.
    init?(text: String) {
        let fields = text.split(separator: " ", maxSplits: 5)
        guard fields.count >= 4, let priming = Int64(fields[1], radix: 16),
            let remainder = Int64(fields[2], radix: 16), let valid = Int64(fields[3], radix: 16),
            priming >= 0, remainder >= 0, valid >= 0
        else { return nil }
        self.init(priming: priming, remainder: remainder, valid: valid)
    }

    var text: String {
        let zeros = String(repeating: " 00000000", count: 8)
        return " 00000000 \(hex(priming, 8)) \(hex(remainder, 8)) \(hex(valid, 16))\(zeros)"
    }

    private func hex(_ value: Int64, _ width: Int) -> String {
        let digits = String(max(0, value), radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits.suffix(width)
    }
}
