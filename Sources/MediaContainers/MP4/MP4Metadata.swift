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
    static func box(_ metadata: MediaMetadata, trims: ITunesTrims?, sampleRate: Double) -> [UInt8] {
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
            if !metadata.markers.isEmpty { udta.raw(chapters(metadata.markers, sampleRate: sampleRate)) }
        }
        return writer.bytes
    }

    /// Nero's chapter list: times in units of 100 ns, names of up to 255 bytes, up to 255 chapters.
    private static func chapters(_ markers: [MediaMetadata.Marker], sampleRate: Double) -> [UInt8] {
        var writer = ByteWriter()
        writer.fullBox("chpl", version: 1) { list in
            list.zeros(4)
            let listed = markers.prefix(255)
            list.big(UInt8(listed.count))
            for marker in listed {
                list.big(FrameCount(seconds: marker.frame.seconds(at: sampleRate), sampleRate: 1e7).value)
                let name = Array(marker.name.utf8.prefix(255))
                list.big(UInt8(name.count))
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
