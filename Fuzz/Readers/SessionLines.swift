import AudioCore
import AudioRuntime

/// Whatever the text of a session file is, its lines are entries or passed over; and an entry is what it is once more when
/// it is written and read again.
enum SessionLines {
    static func attempt(_ source: any ByteSource) {
        guard let size = try? source.size(), let bytes = try? source.bytes(at: 0, count: Int(min(size, 1 << 16))) else {
            return
        }
        check(CheckedLine.all(in: bytes))
        // No made-up line has the right checksum: what stands in it is tried without.
        check(
            bytes.split(separator: UInt8(ascii: "\n")).map { line in
                let pieces = String(decoding: line, as: UTF8.self).split(separator: " ")
                let fields = pieces.dropFirst().map { piece in
                    let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
                }
                return CheckedLine(pieces.first.map(String.init) ?? "", fields)
            }
        )
    }

    private static func check(_ lines: [CheckedLine]) {
        for line in lines {
            guard let entry = PartsLog.Entry(line) else { continue }
            let again = CheckedLine.all(in: entry.line.bytes)
            precondition(again.count == 1 && PartsLog.Entry(again[0]) == entry, "\(entry)")
        }
    }

    /// A line of each kind, with and without its checksum, to begin with.
    static var seed: [UInt8] {
        let mark = PartsLog.Entry.FileMark(size: 3, modified: 1.5)
        let stream = StreamDescription(
            codec: .aac,
            sampleRate: 8_000,
            channelCount: 1,
            framesPerPacket: 1_024,
            configuration: [0x15, 0x88],
            primingFrames: 1_024
        )
        let entries: [PartsLog.Entry] = [
            .recording(target: "a.m4a", keepsParts: true, replaces: mark), .stream(.m4a, stream),
            .begun(part: 1, start: 0), .finished(part: 1, frames: 100), .ended(frames: 100), .joining,
            .publishing(source: "joining", target: "a.m4a", frames: 100, mark: mark),
            .joined(target: "a.m4a", frames: 100),
        ]
        return entries.flatMap { $0.line.bytes + $0.line.bytes.dropFirst(9) }
    }
}
