import Foundation
import RecordingKit
import TestSupport
import Testing

/// `kayit record` on the simulated microphone.
@Suite(.serialized)
struct RecordTests {
    private func report(_ path: String) throws -> RecordingReport {
        try RecordingReport(contentsOf: URL(fileURLWithPath: path))
    }

    @Test(
        arguments: [
            ("a.m4a", [], "aac", 44_100.0, 22_050), ("a.caf", ["-f", "alac", "-c", "2"], "alac", 44_100, 22_050),
            ("a.caf", ["-f", "ima4"], "ima4", 44_100, 22_050), ("a.wav", ["-r", "8000"], "pcm", 8000, 4000),
            ("a.aiff", ["--bit-depth", "24"], "pcm", 44_100, 22_050), ("a.flac", ["-c", "2"], "flac", 44_100, 22_050),
            ("a.opus", [], "opus", 48_000, 24_000), ("a.caf", ["-r", "12000"], "aac", 12_000, 6000),
        ] as [(String, [String], String, Double, Int64)]
    )
    func aSetTimeIsExactInEveryFormat(
        name: String,
        options: [String],
        codec: String,
        rate: Double,
        frames: Int64
    ) throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", name, "--duration", "0.5"] + options, in: folder)
        #expect(kayit.wait() == 0)
        #expect(kayit.output.contains("(\(frames) frames)"))
        let report = try report(folder.path(name))
        #expect(report.codec == codec)
        #expect(report.sampleRate == rate)
        #expect(report.frames == frames)
        #expect(report.integrity == .complete)
        // An independent look; some of its readers count the encoder's padding, too.
        let probe = try ExternalTool.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", folder.path(name)]
        )
        let seconds = try #require(Double(probe.text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(abs(seconds - 0.5) < 0.2)
    }

    @Test func scriptsGetOneObjectALine() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "--json", "a.wav", "-d", "2.2"], in: folder)
        #expect(kayit.wait() == 0)
        let objects = try #require(kayit.objects)
        #expect(objects.map { $0["event"] as? String } == ["started", "progress", "progress", "finished"])
        #expect(objects.first?["path"] as? String == folder.path("a.wav"))
        #expect(objects.last?["frames"] as? Int == 97_020)
        #expect(objects.last?["seconds"] as? Double == 2.2)
        #expect(objects.last?["reason"] as? String == "duration")
        #expect(objects.last?["complete"] as? Bool == true)
        let levels = try #require(objects[1]["peakPower"] as? [Double])
        #expect(levels.count == 1)
        #expect(levels.allSatisfy { $0 > -60 && $0 <= 0 })
        #expect(kayit.errors.isEmpty)
    }

    @Test(arguments: [(0.1, -20.0, -23.01, false), (0.988_553, -0.1, -3.11, false), (1, 0, -3.01, true)])
    func levelsAreThoseOfTheSignal(amplitude: Double, peak: Double, average: Double, clips: Bool) throws {
        let folder = try TemporaryFolder()
        let tone = folder.path("tone.wav")
        // An integer number of samples in each period, so that samples meet the crest.
        try ExternalTool.run(
            "sox",
            ["-D", "-n", "-r", "48000", "-b", "24", tone, "synth", "4", "sine", "1000", "vol", "\(amplitude)"]
        )
        let environment = Kayit.simulated.merging(["KAYIT_SIMULATED_INPUT": tone]) { $1 }
        let line = ["record", "--json", "a.wav", "-r", "48000", "-d", "1.3", "--device", "micro"]
        let kayit = try RunningKayit(line, in: folder, environment: environment)
        #expect(kayit.wait() == 0)
        let progress = try #require(kayit.objects?.first { $0["event"] as? String == "progress" })
        let shownPeak = try #require((progress["peakPower"] as? [Double])?.first)
        let shownAverage = try #require((progress["averagePower"] as? [Double])?.first)
        #expect(abs(shownPeak - peak) < 0.2)
        #expect(abs(shownAverage - average) < 0.5)
        #expect(progress["clipped"] as? Bool == clips)
    }

    @Test func whatExistsIsNotReplaced() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("kept".utf8), to: "a.wav")
        let refused = try RunningKayit(["record", "a.wav", "-d", "0.2"], in: folder)
        #expect(refused.wait() == 73)
        #expect(refused.errors.contains("'a.wav' exists"))
        #expect(refused.errors.contains("--force"))
        #expect(try folder.read("a.wav") == Array("kept".utf8))

        let forced = try RunningKayit(["record", "a.wav", "-d", "0.2", "--force"], in: folder)
        #expect(forced.wait() == 0)
        #expect(try report(folder.path("a.wav")).frames == 8820)
        #expect(folder.names == ["a.wav"])
    }

    @Test func ofTwoInTheSameInstantOneGetsTheName() throws {
        let folder = try TemporaryFolder()
        let both = try (0..<2).map { _ in try RunningKayit(["record", "a.wav", "-d", "0.4"], in: folder) }
        #expect(both.map { $0.wait() }.sorted() == [0, 73])
        #expect(try report(folder.path("a.wav")).frames == 17_640)
        #expect(folder.names == ["a.wav"])
    }

    @Test func datedNamesNeverMeet() throws {
        let folder = try TemporaryFolder()
        let environment = Kayit.simulated.merging(["KAYIT_NOTES": folder.path("my/notes")]) { $1 }
        let all = try (0..<3).map { _ in
            try RunningKayit(["record", "-d", "0.2"], in: folder, environment: environment)
        }
        #expect(all.map { $0.wait() } == [0, 0, 0])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("my/notes"))
        #expect(names.count == 3)
        for name in names {
            #expect(name.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d( \(\d\))?\.m4a/) != nil)
            #expect(try report(folder.path("my/notes/" + name)).frames == 8820)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func signalsCompleteTheFile(number: Int32) throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "a.m4a"], in: folder)
        #expect(kayit.hasStarted())
        let start = Date()
        Thread.sleep(forTimeInterval: 0.4)
        let heard = Date().timeIntervalSince(start)
        kayit.process.signal(number)
        // Impatience does no harm.
        kayit.process.signal(number)
        kayit.process.signal(SIGTERM)
        #expect(kayit.wait() == 0)
        let report = try report(folder.path("a.m4a"))
        #expect(report.integrity == .complete)
        // Up to the signal, less what was on its way from the device.
        #expect(report.duration > heard - 0.05)
        #expect(folder.names == ["a.m4a"])
    }

    @Test func aReaderThatDoesNotReadHoldsNothingUp() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(descriptor) }
        let filling = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, filling, filling.count) > 0 {}
        let kayit = try RunningKayit(["record", "--json", "a.wav", "-d", "1"], in: folder, output: pipe)
        #expect(kayit.wait() == 0)
        #expect(try report(folder.path("a.wav")).frames == 44_100)
    }

    @Test func aReaderThatGoesAwayEndsNothing() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK)
        let kayit = try RunningKayit(["record", "--json", "a.wav", "-d", "1.2"], in: folder, output: pipe)
        close(descriptor)
        #expect(kayit.wait() == 0)
        #expect(try report(folder.path("a.wav")).frames == 52_920)
    }

    @Test func namesThatAreNoTextAreRefused() throws {
        let folder = try TemporaryFolder()
        let line = "cd '\(folder.url.path)' && exec '\(Kayit.path)' record -d 0.1 \"$(printf 'a\\377.wav')\""
        let process = try ChildProcess(["sh", "-c", line], environment: Kayit.simulated, errors: folder.path("errors"))
        #expect(process.wait(within: 10) == 64)
        #expect(folder.names == ["errors"])
        #expect(String(decoding: try folder.read("errors"), as: UTF8.self).contains("not valid UTF-8"))
    }

    @Test(arguments: [
        "ελληνικά.wav", "日本語 🎙️.wav", "#%?'\"\\.wav", "line\nbreak.wav", "memo:1.wav", "12:30 note.wav", "~.wav",
        "file:x.wav", " .wav",
    ])
    func anyNameIsAName(name: String) throws {
        let folder = try TemporaryFolder()
        let record = try RunningKayit(["record", name, "-d", "0.1"], in: folder)
        #expect(record.wait() == 0)
        #expect(folder.names == [name])
        #expect(record.output.split(separator: "\n").count == 1)
        let info = try RunningKayit(["info", "--json", name], in: folder)
        #expect(info.wait() == 0)
        #expect(info.objects?.first?["frames"] as? Int == 4410)
        #expect(info.objects?.first?["path"] as? String == name)
        #expect(try RunningKayit(["play", "--json", name], in: folder).wait() == 0)
    }

    @Test func hyphensGoBehindTwoHyphens() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "-d", "0.1", "--", "-x.wav"], in: folder).wait() == 0)
        #expect(folder.names == ["-x.wav"])
        #expect(try RunningKayit(["record", "-x.wav"], in: folder).wait() == 64)
    }

    @Test(arguments: [
        (["a.m4a", "--rate", "22000"], 64, "--rate"), (["a.wav", "--format", "aac"], 64, "--format"),
        (["a.m4a", "-r", "8000", "-b", "320000"], 64, "--bitrate"), (["no/folder/a.wav"], 73, "no/folder"),
        (["a.wav", "--device", "nobody's"], 69, "'nobody's'"),
    ])
    func whatCannotBeIsToldAndLeavesNothing(arguments: [String], code: Int32, message: String) throws {
        let folder = try TemporaryFolder()
        let start = Date()
        let kayit = try RunningKayit(["record"] + arguments, in: folder)
        #expect(kayit.wait() == code)
        #expect(kayit.errors.contains(message))
        #expect(Date().timeIntervalSince(start) < 2)
        #expect(folder.names.isEmpty)
    }

    @Test func withoutAServerNothingIsRecordedAndNothingLost() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("kept".utf8), to: "old.wav")
        let environment = ["KAYIT_AUDIO": "pulse", "PULSE_SERVER": "unix:" + folder.path("nobody")]
        for arguments in [["a.wav"], ["old.wav", "--force"]] {
            let start = Date()
            let kayit = try RunningKayit(["record", "--json"] + arguments, in: folder, environment: environment)
            #expect(kayit.wait() == 69)
            #expect(Date().timeIntervalSince(start) < 3)
            #expect(kayit.objects?.map { $0["code"] as? String } == ["serverUnavailable"])
            #expect(kayit.errors.hasPrefix("kayit: "))
        }
        #expect(folder.names == ["old.wav"])
        #expect(try folder.read("old.wav") == Array("kept".utf8))
    }
}
