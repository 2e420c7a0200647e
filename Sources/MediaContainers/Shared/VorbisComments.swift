import AudioCore

/// Tags as FLAC and Ogg streams carry them: a vendor, then `NAME=value` in UTF-8, all lengths little-endian.
///
/// Markers and gaps are chapters (`CHAPTER001=00:00:01.500`, `CHAPTER001NAME=…`). Exact lines of our own may follow each:
/// `CHAPTER001FRAME=66150`, and for gaps `CHAPTER001GAP=` with their length in frames and their reason.
enum VorbisComments {
    private static var fields: [(name: String, field: WritableKeyPath<MediaMetadata, String?>)] {
        [
            ("TITLE", \.title), ("ARTIST", \.artist), ("ALBUM", \.album), ("COMMENT", \.comment), ("DATE", \.date),
            ("ENCODER", \.encoder),
        ]
    }

    static let vendor = "kayit"
    private static let longestText = 16 << 10
    static let mostMarkers = 999
    static let omittedField = "KAYIT_NOTES_OMITTED"
    private static let mostComments = 20_000

    /// How the comments of our writers begin.
    static var vendorField: [UInt8] {
        var writer = ByteWriter()
        append(vendor, to: &writer)
        return writer.bytes
    }

    /// The list with all notes, exact.
    static func bytes(for metadata: MediaMetadata, sampleRate: Double) -> [UInt8] {
        var comments = texts(of: metadata)
        for (index, note) in metadata.notes.prefix(mostMarkers).enumerated() {
            comments += chapter(index + 1, note, sampleRate: sampleRate)
        }
        let omitted = metadata.omittedNotes + max(metadata.notes.count - mostMarkers, 0)
        if omitted > 0 { comments.append("\(omittedField)=\(omitted)") }
        return list(of: comments)
    }

    /// The texts, and places for other programs.
    static func bytes(for metadata: MediaMetadata, places: [MediaMetadata.Marker], sampleRate: Double) -> [UInt8] {
        var comments = texts(of: metadata)
        for (index, place) in places.prefix(mostMarkers).enumerated() {
            comments += chapter(index + 1, place, sampleRate: sampleRate)
        }
        return list(of: comments)
    }

    private static func list(of comments: [String]) -> [UInt8] {
        var writer = ByteWriter()
        append(vendor, to: &writer)
        writer.little(UInt32(comments.count))
        for comment in comments { append(comment, to: &writer) }
        return writer.bytes
    }

    private static func texts(of metadata: MediaMetadata) -> [String] {
        fields.compactMap { name, field in
            metadata[keyPath: field].flatMap { $0.isEmpty ? nil : "\(name)=\($0)" }
        }
    }

    /// The lines of a note: time, name, and the exact statement.
    static func chapter(_ number: Int, _ note: RecordingNote, sampleRate: Double) -> [String] {
        switch note {
        case .marker(let marker):
            return chapter(number, marker, sampleRate: sampleRate)
                + ["CHAPTER\(padded(Int64(number), 3))FRAME=\(marker.frame.value)"]
        case .gap(let gap):
            let name = "CHAPTER\(padded(Int64(number), 3))"
            let place = MediaMetadata.Marker(frame: gap.start, name: gap.summary(at: sampleRate))
            return chapter(number, place, sampleRate: sampleRate)
                + ["\(name)FRAME=\(gap.start.value)", "\(name)GAP=\(gap.length.value) \(gap.reason.rawValue)"]
        }
    }

    private static func chapter(_ number: Int, _ place: MediaMetadata.Marker, sampleRate: Double) -> [String] {
        let name = "CHAPTER\(padded(Int64(number), 3))"
        return ["\(name)=\(time(place.frame, sampleRate))", "\(name)NAME=\(place.name)"]
    }

    static func append(_ text: String, to writer: inout ByteWriter) {
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
        var chapters: [String: Chapter] = [:]
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
            } else if name == omittedField {
                metadata.omittedNotes = min(max(Int(value) ?? 0, 0), 1 << 32)
            } else if name.hasPrefix("CHAPTER"), chapters.count < mostMarkers {
                takeChapter(name.dropFirst("CHAPTER".count), value, sampleRate, &chapters)
            }
        }
        for (_, chapter) in chapters.sorted(by: { ($0.value.frame, $0.key) < ($1.value.frame, $1.key) }) {
            if let gap = chapter.gap {
                let found = RecordingGap(start: chapter.frame, length: gap.length, reason: gap.reason)
                if let found { metadata.gaps.append(found) }
            } else {
                metadata.markers.append(MediaMetadata.Marker(frame: FrameCount(chapter.frame), name: chapter.name))
            }
        }
        return metadata
    }

    /// What the lines of one number say.
    private struct Chapter {
        var frame: Int64 = 0
        var name = ""
        var gap: (length: Int64, reason: String)?
    }

    private static func next(_ reader: inout ByteReader) -> String? {
        guard let length = try? reader.little(UInt32.self), let bytes = try? reader.raw(Int(length)) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func takeChapter(
        _ name: Substring,
        _ value: String,
        _ sampleRate: Double,
        _ chapters: inout [String: Chapter]
    ) {
        let number = String(name.prefix { $0.isASCII && $0.isNumber })
        if number.isEmpty { return }
        var chapter = chapters[number] ?? Chapter()
        switch name.dropFirst(number.count) {
        case "NAME": chapter.name = value
        case "FRAME":
            guard let frame = Int64(value), frame >= 0 else { return }
            chapter.frame = frame
        case "GAP":
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let length = Int64(parts[0]) else { return }
            chapter.gap = (length, String(parts[1]))
        case "":
            // The exact frame, which stands behind the time, wins.
            guard let seconds = seconds(value) else { return }
            chapter.frame = FrameCount(seconds: seconds, sampleRate: sampleRate).value
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
