import Foundation
package import RecordingKit

/// `kayit info`.
@MainActor
package struct InfoCommand {
    static let waveform = OptionSyntax(
        "waveform",
        "w",
        value: "COLUMNS",
        "width of the drawing, 0 for none (the terminal's; with --json 0)"
    )

    package static let syntax = CommandSyntax(
        name: "info",
        summary: "tell what is in a file, to the frame",
        operands: "FILE…",
        operandCount: 1...Int.max,
        options: [waveform],
        notes: [
            """
            Frames are exact: without the encoder's delay and the padding at the end. A file that was
            never finished is told as "unfinished", with the frames that can be read, or as "being
            recorded now" while its recorder runs. The waveform decodes the whole file; --waveform 0
            looks at its head only. Of a folder of parts (FILE.parts) every part is told, and how far
            the recording has come.
            """
        ],
        examples: [
            ("kayit info talk.m4a", "everything, with a waveform"),
            ("kayit info --json *.caf | jq .frames", "the lengths of many files"),
        ]
    )

    private let files: [String]
    private let columns: Int
    private let console: Console

    package init(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
        let asked = try arguments.integer(Self.waveform, in: 0...10_000, unit: "")
        self.init(files: arguments.operands, columns: asked, console)
    }

    init(files: [String], columns: Int? = nil, _ console: Console) {
        self.files = files
        self.columns = columns ?? (console.isJSON ? 0 : max(console.columns - 3, 16))
        self.console = console
    }

    /// Tells about every file; one that cannot be read is told and left out.
    package func run() -> ExitCode {
        var status = ExitCode.success
        for (index, file) in files.enumerated() {
            do {
                if let parted = try parted(file) {
                    console.record(PartsLine(file, parted))
                    let rows = PartsText.rows(parted)
                    if !console.isJSON { console.layout((index > 0 ? "\n" : "") + layout(file, rows)) }
                    continue
                }
                let report = try RecordingReport(contentsOf: FileArgument.url(file), waveformBins: columns)
                console.record(InfoLine(file, report))
                if !console.isJSON { console.layout((index > 0 ? "\n" : "") + text(file, report)) }
            } catch {
                let failure = fail(error, file)
                if status == .success { status = failure }
            }
        }
        return status
    }

    private func fail(_ error: any Error, _ file: String) -> ExitCode {
        if let error = error as? UsageError {
            console.fail(error)
            return .usage
        }
        var error = RecordingError(error)
        if !error.message.contains(file) { error.message = "'\(file)': \(error.message)" }
        error.path = error.path ?? file
        console.fail(error)
        return ExitCode(error, .reading)
    }

    /// A recording in parts, where the name is that of a folder.
    private func parted(_ file: String) throws -> PartedRecording? {
        let url = try FileArgument.url(file)
        return FileArgument.isFolder(url) ? try PartedRecording(contentsOf: url) : nil
    }

    private func layout(_ file: String, _ rows: [(name: String, value: String)]) -> String {
        let lines = rows.map { name, value in
            "  " + name + String(repeating: " ", count: max(12 - name.count, 1)) + value.printable
        }
        return ([file.printable] + lines).joined(separator: "\n") + "\n"
    }

    private func text(_ file: String, _ report: RecordingReport) -> String {
        var lines = [String(layout(file, InfoText.rows(report)).dropLast())]
        if let waveform = report.waveform, !waveform.bins.isEmpty {
            let level = WaveformDrawing.peakLevel(waveform).map { fixed($0, digits: 1) + " dBFS" } ?? "silence"
            lines.append("  " + "peak        " + level)
            let drawing = WaveformDrawing.lines(waveform, columns: columns, rows: 6, isUnicode: console.isUnicode)
            lines += drawing.map { "  " + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// A report in words.
package enum InfoText {
    /// Names and values, in the order in which they are shown.
    package static func rows(_ report: RecordingReport) -> [(name: String, value: String)] {
        var rows = [
            ("container", report.container),
            ("codec", report.codec + (report.isLossless ? ", lossless" : "")),
        ]
        if let layout = report.sampleLayout {
            rows.append(("samples", layout))
        } else if report.bitsPerChannel > 0 {
            rows.append(("samples", "\(report.bitsPerChannel)-bit"))
        }
        rows += [
            ("rate", kilo(report.sampleRate, "Hz")),
            ("channels", String(report.channelCount)),
            ("frames", String(report.frames)),
            ("duration", "\(TimeText.exact(report.duration)) (\(TimeText.clock(report.duration)))"),
        ]
        if let bitRate = report.bitRate { rows.append(("bit rate", kilo(bitRate, "bit/s"))) }
        rows.append(("priming", "\(report.primingFrames) frames"))
        rows += report.markers.map { marker in
            ("marker", "\(TimeText.exact(Double(marker.frame) / report.sampleRate)) \(marker.name)")
        }
        rows += missing(report).map { ("missing", $0) }
        if report.omittedNotes > 0 {
            rows.append(("omitted", "\(report.omittedNotes) markers or gaps, for which the file had no room"))
        }
        rows += report.tags.map { ($0.name, $0.value) }
        rows.append(("integrity", integrity(report)))
        if report.integrity != .complete, !report.isInUse {
            rows.append(("", "'kayit recover' makes a complete file of it"))
        }
        return rows
    }

    /// What is missing, one line for each gap: "12.3 s at 0:05:00.0 (microphone lost)". Of very many the first only.
    package static func missing(_ report: RecordingReport) -> [String] {
        let shown = report.gaps.prefix(20).map { missing($0, rate: report.sampleRate) }
        let rest = report.gaps.dropFirst(20)
        if rest.isEmpty { return shown }
        let seconds = Double(rest.reduce(Int64(0)) { $0 + $1.length }) / report.sampleRate
        return shown + ["\(fixed(seconds, digits: 3)) s in \(rest.count) more places (--json has all)"]
    }

    static func missing(_ gap: RecordingGap, rate: Double) -> String {
        let place = TimeText.clock(Double(gap.start) / rate)
        if gap.length == 0 { return "what was said in a pause at \(place) (\(gap.reason.summary))" }
        let seconds = Double(gap.length) / rate
        let length = fixed(seconds, digits: seconds < 1 ? 3 : 1)
        return "\(length) s at \(place) (\(gap.reason.summary))"
    }

    private static func integrity(_ report: RecordingReport) -> String {
        let damaged = report.damagedPackets ?? 0
        let damage = damaged > 0 ? ", \(damaged) damaged packets heard as silence" : ""
        return switch report.integrity {
        case .complete: "complete" + damage
        case .unfinished where report.isInUse: "being recorded now, \(report.frames) frames so far" + damage
        case .unfinished(let reason): "unfinished, \(report.frames) frames readable (\(reason))" + damage
        }
    }
}

/// What `info --json` prints for each file.
private struct InfoLine: Encodable {
    struct Marker: Encodable {
        var frame: Int64
        var seconds: Double
        var name: String
    }

    struct Gap: Encodable {
        var frame: Int64
        var seconds: Double
        var length: Int64
        var missingSeconds: Double
        var reason: String
    }

    var path: String
    var container: String
    var codec: String
    var lossless: Bool
    var sampleLayout: String?
    var sampleRate: Double
    var channelCount: Int
    var bitsPerChannel: Int
    var frames: Int64
    var seconds: Double
    var bitRate: Double?
    var primingFrames: Int64
    var markers: [Marker]
    var gaps: [Gap]
    var omittedNotes: Int
    var tags: [String: String]
    var integrity: String
    var integrityReason: String?
    var inUse: Bool
    var damagedPackets: Int?
    var waveform: [[Float]]?

    init(_ file: String, _ report: RecordingReport) {
        path = file
        container = report.container
        codec = report.codec
        lossless = report.isLossless
        sampleLayout = report.sampleLayout
        sampleRate = report.sampleRate
        channelCount = report.channelCount
        bitsPerChannel = report.bitsPerChannel
        frames = report.frames
        seconds = report.duration
        bitRate = report.bitRate
        primingFrames = report.primingFrames
        markers = report.markers.map {
            Marker(frame: $0.frame, seconds: Double($0.frame) / report.sampleRate, name: $0.name)
        }
        gaps = report.gaps.map {
            Gap(
                frame: $0.start,
                seconds: Double($0.start) / report.sampleRate,
                length: $0.length,
                missingSeconds: Double($0.length) / report.sampleRate,
                reason: $0.reason.rawValue
            )
        }
        omittedNotes = report.omittedNotes
        tags = Dictionary(report.tags.map { ($0.name, $0.value) }) { first, _ in first }
        switch report.integrity {
        case .complete: integrity = "complete"
        case .unfinished(let reason):
            integrity = "unfinished"
            integrityReason = reason
        }
        inUse = report.isInUse
        damagedPackets = report.damagedPackets
        waveform = report.waveform?.bins.map { [$0.minimum, $0.maximum, $0.rms] }
    }
}
