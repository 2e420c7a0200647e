import AudioCore
import Foundation
import MediaContainers
import TestSupport
import Testing

/// Other people's programs read files with notes as any other, to the frame, and show the notes where they know them.
@Suite(
    .enabled(
        if: ExternalTool.areInstalled(
            "ffmpeg",
            "ffprobe",
            "sox",
            "sndfile-info",
            "flac",
            "metaflac",
            "opusinfo",
            "opusdec"
        )
    )
)
struct NotesForOthersTests {
    private struct Made {
        var take: NoteTake
        var folder: TemporaryFolder
        var path: String
    }

    private func made(_ format: NoteTake.Format, notes: [RecordingNote], isFinished: Bool = true) throws -> Made {
        var take = try NoteTake(format, options: WriterOptions(noteRoom: WriterOptions.recordingNoteRoom))
        for note in notes { try take.writer.note(note) }
        if isFinished {
            try take.finish()
        } else {
            try take.append(upTo: 0.7)
            try take.writer.checkpoint(synchronize: false)
        }
        let folder = try TemporaryFolder()
        return Made(
            take: take,
            folder: folder,
            path: try folder.write(take.file.bytes, to: "a.\(format.container.name)")
        )
    }

    private static let three: [RecordingNote] = [
        .marker(MediaMetadata.Marker(frame: 4_410, name: "ölçü bir")),
        .gap(RecordingGap(start: 13_230, length: 12_300, reason: .deviceLost)),
        .marker(MediaMetadata.Marker(frame: 26_000, name: "two\nlines")),
    ]
    private static let gapName = "gap 0.279 s: microphone lost"

    /// Decodes with FFmpeg, which is to have nothing to say.
    private func decodedFrames(_ made: Made) throws -> Int {
        let result = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", made.path, "-f", "s16le", "-"])
        #expect(result.status == 0 && result.messages == "", "\(result.messages)")
        return result.output.count / 2
    }

    @Test(arguments: NoteTake.Format.all, [true, false])
    func everyFrameIsStillThere(format: NoteTake.Format, isFinished: Bool) throws {
        for count in [0, 300] { try checkFrames(format, notes: Notes.some(count), isFinished: isFinished) }
    }

    private func checkFrames(_ format: NoteTake.Format, notes: [RecordingNote], isFinished: Bool) throws {
        let made = try made(format, notes: notes, isFinished: isFinished)
        let valid = Int(try #require(try made.take.open(made.take.file).validFrames).value)
        let decoded = try decodedFrames(made)
        // FFmpeg takes off neither priming nor padding in CAF, nor the padding of IMA4 and AAC.
        let isPadded = format.container == .caf || format.codec == .ima4 || format.codec == .aac
        let allowed = isPadded ? 4_096 : 0
        #expect(decoded >= valid && decoded <= valid + allowed, "\(decoded) instead of \(valid)")
        switch format.container {
        case .wav, .aiff:
            let stated = try ExternalTool.run("sox", ["--i", "-s", made.path])
            #expect(stated.text == "\(valid)\n")
            let info = try ExternalTool.run("sndfile-info", [made.path])
            #expect(info.text.contains("Frames      : \(valid)"), "\(info.text)")
        case .caf where format.codec != .aac && format.codec != .ima4:
            let info = try ExternalTool.run("sndfile-info", [made.path])
            #expect(info.text.contains("Frames      : "), "\(info.text)")
        case .flac:
            let test = try ExternalTool.run("flac", ["-t", "-s", made.path])
            #expect(test.status == 0, "\(test.messages)")
        case .oggOpus:
            if isFinished {
                let info = try ExternalTool.run("opusinfo", [made.path])
                let isSilent = !info.text.contains("WARNING") && !info.messages.contains("WARNING")
                #expect(info.status == 0 && isSilent, "\(info.text) \(info.messages)")
            }
            let decoded = try ExternalTool.run("opusdec", ["--quiet", made.path, made.folder.path("b.wav")])
            #expect(decoded.status == 0, "\(decoded.messages)")
        default: break
        }
    }

    /// Start times in seconds and titles.
    private func chapters(_ made: Made) throws -> [(start: Double, title: String)] {
        let probed = try ExternalTool.run("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", made.path])
        struct Chapters: Decodable {
            struct Chapter: Decodable {
                var start_time: String
                var tags: [String: String]
            }
            var chapters: [Chapter]
        }
        let found = try JSONDecoder().decode(Chapters.self, from: Data(probed.output))
        return found.chapters.map { (Double($0.start_time) ?? .nan, $0.tags["title"] ?? "") }
    }

    @Test(arguments: NoteTake.Format.all.filter { [.m4a, .flac, .oggOpus].contains($0.container) })
    func chapters(format: NoteTake.Format) throws {
        let made = try made(format, notes: Self.three)
        let found = try chapters(made)
        try #require(found.count == 3)
        for (chapter, frame) in zip(found, [4_410, 13_230, 26_000]) {
            #expect(abs(chapter.start - Double(frame) / format.rate) < 0.001)
        }
        #expect(found[0].title == "ölçü bir")
        #expect(found[1].title.hasSuffix("s: microphone lost") && found[1].title.hasPrefix("gap 0.2"))
        #expect(found[2].title.hasPrefix("two"))
    }

    /// Chapters of Ogg are there while it records, too.
    @Test func chaptersOfAKilledOpusRecording() throws {
        let opus = try #require(NoteTake.Format.all.first { $0.container == .oggOpus })
        let found = try chapters(try made(opus, notes: Self.three, isFinished: false))
        #expect(found.map(\.title).first == "ölçü bir" && found.count == 3)
    }

    @Test func cuesOfWave() throws {
        let wave = try #require(NoteTake.Format.all.first { $0.container == .wav })
        let made = try made(wave, notes: Self.three)
        let info = try ExternalTool.run("sndfile-info", [made.path]).text
        #expect(info.contains("cue  : ") && info.contains("Count : 3"), "\(info)")
        for text in ["4410", "13230", "26000", "ölçü bir", Self.gapName, "two lines"] {
            #expect(info.contains(text), "\(text) in \(info)")
        }
    }

    @Test func marksOfAIFF() throws {
        let aiff = try #require(NoteTake.Format.all.first { $0.container == .aiff })
        let made = try made(aiff, notes: Self.three)
        let info = try ExternalTool.run("sndfile-info", [made.path]).text
        #expect(info.contains(" MARK : "), "\(info)")
        for text in ["4410", "13230", "26000", "ölçü bir", Self.gapName, "two lines"] {
            #expect(info.contains(text), "\(text) in \(info)")
        }
    }

    /// No tool here shows the markers of CAF: ours reads the standard chunks of a file whose log is gone.
    @Test(arguments: NoteTake.Format.all.filter { $0.container != .oggOpus })
    func theStandardFormAlone(format: NoteTake.Format) throws {
        let made = try made(format, notes: Self.three)
        var bytes = made.take.file.bytes
        let marks = (0..<bytes.count - 4).filter { bytes[$0] == 0x6B && bytes[$0 + 1] == 0x6E && bytes[$0 + 2] == 0 }
        #expect(marks.count >= 3)
        for mark in marks { bytes[mark] = 0 }
        let metadata = try made.take.open(MemoryFile(bytes, isRecording: false)).metadata
        #expect(metadata.markers.map(\.name) == ["ölçü bir", Self.gapName, "two lines"])
        let isNear = zip(metadata.markers, [4_410, 13_230, 26_000]).allSatisfy { abs(Int($0.frame.value) - $1) <= 44 }
        #expect(isNear, "\(metadata.markers.map(\.frame))")
        #expect(metadata.gaps.isEmpty)
    }

    @Test func commentsOfFLAC() throws {
        let flac = try #require(NoteTake.Format.all.first { $0.container == .flac })
        let made = try made(flac, notes: Self.three)
        let tags = try ExternalTool.run("metaflac", ["--export-tags-to=-", made.path]).text
        #expect(tags.contains("CHAPTER001=00:00:00.100") && tags.contains("CHAPTER001NAME=ölçü bir"), "\(tags)")
        #expect(tags.contains("CHAPTER002NAME=\(Self.gapName)"), "\(tags)")
        let blocks = try ExternalTool.run("metaflac", ["--list", made.path]).text
        #expect(blocks.ranges(of: "VORBIS_COMMENT").count == 1, "\(blocks)")
    }
}
