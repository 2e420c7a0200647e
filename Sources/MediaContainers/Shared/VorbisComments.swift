import AudioCore

/// Tags as FLAC and Ogg streams carry them: a vendor, then `NAME=value` in UTF-8, all lengths little-endian.
///
/// Markers are chapters (`CHAPTER001=00:00:01.500`, `CHAPTER001NAME=…`) with the exact frame beside the time.
enum VorbisComments {
    private static var fields: [(name: String, field: WritableKeyPath<MediaMetadata, String?>)] {
        [
            ("TITLE", \.title), ("ARTIST", \.artist), ("ALBUM", \.album), ("COMMENT", \.comment), ("DATE", \.date),
            ("ENCODER", \.encoder),
        ]
    }

    private static let vendor = "kayit"
    private static let longestText = 16 << 10
    private static let mostMarkers = 999
    private static let mostComments = 20_000

    /// How the comments of our writers begin.
    static var vendorField: [UInt8] {
        var writer = ByteWriter()
        append(vendor, to: &writer)
        return writer.bytes
    }

    static func bytes(for metadata: MediaMetadata, sampleRate: Double) -> [UInt8] {
        var comments: [String] = []
        for (name, field) in fields {
            guard let text = metadata[keyPath: field], !text.isEmpty else { continue }
            comments.append("\(name)=\(text)")
        }
        for (index, marker) in metadata.markers.prefix(mostMarkers).enumerated() {
            let number = padded(Int64(index + 1), 3)
            comments.append("CHAPTER\(number)=\(time(marker.frame, sampleRate))")
            comments.append("CHAPTER\(number)NAME=\(marker.name)")
            comments.append("CHAPTER\(number)FRAME=\(marker.frame.value)")
        }
        var writer = ByteWriter()
        append(vendor, to: &writer)
        writer.little(UInt32(comments.count))
        for comment in comments { append(comment, to: &writer) }
        return writer.bytes
    }

    private static func append(_ text: String, to writer: inout ByteWriter) {
        let bytes = LegacyText.bytes(of: text, limit: longestText)
        writer.little(UInt32(bytes.count))
        writer.raw(bytes)
    }

    private static func time(_ frame: FrameCount, _ sampleRate: Double) -> String {
        let milliseconds = FrameCount(seconds: max(frame.seconds(at: sampleRate), 0), sampleRate: 1_000).value
        let seconds = milliseconds / 1_000
        return "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))."
            + padded(milliseconds % 1_000, 3)
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }

    /// What can be read; the rest of damaged comments is left out.
    static func metadata(reading reader: ByteReader, sampleRate: Double) -> MediaMetadata {
        var reader = reader
        var metadata = MediaMetadata()
        var chapters: [String: MediaMetadata.Marker] = [:]
        guard next(&reader) != nil, let count = try? reader.little(UInt32.self) else { return metadata }
        for _ in 0..<min(Int(count), mostComments) {
            guard let comment = next(&reader) else { break }
            guard let equals = comment.firstIndex(of: "=") else { continue }
            let name = comment[..<equals].uppercased()
            let value = String(comment[comment.index(after: equals)...])
            if let field = fields.first(where: { $0.name == name })?.field {
                if metadata[keyPath: field] == nil, !value.isEmpty { metadata[keyPath: field] = value }
            } else if name == "DESCRIPTION" {
                metadata.comment = metadata.comment ?? value
            } else if name.hasPrefix("CHAPTER"), chapters.count < mostMarkers {
                takeChapter(name.dropFirst("CHAPTER".count), value, sampleRate, &chapters)
            }
        }
        metadata.markers = chapters.sorted { ($0.value.frame, $0.key) < ($1.value.frame, $1.key) }.map(\.value)
        return metadata
    }

    private static func next(_ reader: inout ByteReader) -> String? {
        guard let length = try? reader.little(UInt32.self), let bytes = try? reader.raw(Int(length)) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func takeChapter(
        _ name: Substring,
        _ value: String,
        _ sampleRate: Double,
        _ chapters: inout [String: MediaMetadata.Marker]
    ) {
        let number = String(name.prefix { $0.isASCII && $0.isNumber })
        if number.isEmpty { return }
        var chapter = chapters[number] ?? MediaMetadata.Marker(frame: 0, name: "")
        switch name.dropFirst(number.count) {
        case "NAME": chapter.name = value
        case "FRAME":
            guard let frame = Int64(value), frame >= 0 else { return }
            chapter.frame = FrameCount(frame)
        case "":
            // The exact frame, which stands behind the time, wins.
            guard let seconds = seconds(value) else { return }
            chapter.frame = FrameCount(seconds: seconds, sampleRate: sampleRate)
        default: return
        }
        chapters[number] = chapter
    }

    /// `HH:MM:SS.mmm`.
    private static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Double(parts[0]), let minutes = Double(parts[1]),
            let seconds = Double(parts[2])
        else { return nil }
        let total = hours * 3_600 + minutes * 60 + seconds
        return total >= 0 && total < 1e9 ? total : nil
    }
}
