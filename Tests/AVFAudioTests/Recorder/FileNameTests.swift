import AVFAudio
import Foundation
import TestSupport
import Testing

/// File names are bytes: whatever the file system takes works, and nothing is read as a protocol or an option.
@Suite("File names") struct FileNameTests {
    private let bench: RecordingBench

    init() throws { bench = try RecordingBench() }

    static let names = [
        "Μάθημα 1", "録音", "تسجيل", "🎙️ take", "a#b", "50%", "100%41", "what?", "it's \"quoted\"", "two\nlines",
        "-rf", "--help", "memo:1", "12:30 note", "file:a", "pipe:1", "concat:a|b", "a\\b", " ", "..a", "a;b&c|d", "*",
    ]

    @Test("recorded, read, written and played under any name", arguments: names, ["wav", "m4a"])
    func anyName(_ stem: String, _ kind: String) async throws {
        let name = "\(stem).\(kind)"
        let url = URL(fileURLWithPath: bench.scratch.path(name))
        let format = kind == "wav" ? kAudioFormatLinearPCM : kAudioFormatMPEG4AAC
        let settings: [String: Any] = [AVFormatIDKey: format, AVSampleRateKey: 8_000.0, AVNumberOfChannelsKey: 1]

        let recorder = try bench.recorder(name, settings)
        #expect(recorder.record())
        bench.host.capture?.hear(RecordingBench.sine(1_234, rate: 8_000, amplitude: 0.5))
        recorder.stop()
        #expect(bench.scratch.names == [name], "one file, of that very name")

        let file = try AVAudioFile(forReading: url)
        #expect(file.length == 1_234)
        let copy = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 2_000))
        try file.read(into: copy)
        #expect(copy.frameLength == 1_234)

        let player = try bench.player(name)
        #expect(player.duration == 1_234.0 / 8_000)
        #expect(player.play())
        let stream = try #require(bench.host.playback)
        var heard: [Float] = []
        #expect(
            await eventually {
                heard += stream.play(256).samples
                return heard.contains { abs($0) > 0.4 }
            }
        )
        player.stop()

        // A name without a folder, as it is typed.
        let relative = URL(fileURLWithPath: name, relativeTo: bench.scratch.url)
        let output = try AVAudioFile(forWriting: relative, settings: settings)
        try output.write(from: copy)
        output.close()
        #expect(try bench.frames(name) == 1_234)
        #expect(recorder.deleteRecording())
        #expect(bench.scratch.names.isEmpty)
    }
}
