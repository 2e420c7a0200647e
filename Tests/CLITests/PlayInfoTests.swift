import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// `kayit play`, `info`, `devices` and `demo` on simulated devices.
@Suite(.serialized)
struct PlayInfoTests {
    @Test func filesArePlayedToTheirEndOneAfterTheOther() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.wav", "-d", "0.3"], in: folder).wait() == 0)
        #expect(try RunningKayit(["record", "b.m4a", "-d", "0.2"], in: folder).wait() == 0)
        let kayit = try RunningKayit(["play", "--json", "a.wav", "missing.wav", "b.m4a"], in: folder)
        #expect(kayit.wait() == 66)
        let objects = try #require(kayit.objects)
        #expect(
            objects.map { $0["event"] as? String } == ["started", "finished", "error", "started", "finished"]
        )
        #expect(objects.compactMap { $0["path"] as? String }.first == "a.wav")
        #expect(objects.last?["duration"] as? Double == 0.2)
        #expect(kayit.errors.contains("missing.wav"))
    }

    @Test func playingCanBeginInTheMiddle() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.wav", "-d", "1"], in: folder).wait() == 0)
        let start = Date()
        let kayit = try RunningKayit(["play", "--json", "--from", "0.8", "a.wav"], in: folder)
        #expect(kayit.wait() == 0)
        #expect(Date().timeIntervalSince(start) < 0.9)
        let first = try #require(kayit.objects?.first?["seconds"] as? Double)
        #expect(abs(first - 0.8) < 0.05)
        let behind = try RunningKayit(["play", "--from", "5", "a.wav"], in: folder)
        #expect(behind.wait() == 64)
        #expect(behind.errors.contains("--from 5.0 lies behind the end"))
    }

    @Test func infoTellsAndDraws() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.wav", "-d", "0.5"], in: folder).wait() == 0)
        let kayit = try RunningKayit(["info", "-w", "40", "a.wav"], in: folder)
        #expect(kayit.wait() == 0)
        for row in ["container   wav", "codec       pcm", "frames      22050", "duration    0.500000 s", "complete"] {
            #expect(kayit.output.contains(row))
        }
        let drawing = kayit.output.split(separator: "\n").filter {
            $0.contains("█") || $0.contains("▀") || $0.contains("▄")
        }
        #expect(!drawing.isEmpty)
        #expect(drawing.allSatisfy { $0.count <= 42 })

        let plain = try RunningKayit(["info", "-w", "40", "a.wav"], in: folder, environment: ["LC_ALL": "C"])
        #expect(plain.wait() == 0)
        #expect(plain.output.utf8.allSatisfy { $0 < 128 })
        #expect(plain.output.contains("#"))
        let none = try RunningKayit(["info", "-w", "0", "a.wav"], in: folder)
        #expect(none.wait() == 0)
        #expect(!none.output.contains("█"))
    }

    @Test func infoTellsWhatIsMissing() throws {
        let folder = try TemporaryFolder()
        let runtime = Runtime.system
        let request = EncodingRequest(codec: .aac, sampleRate: 8_000, channelCount: 1)
        let encoder = try runtime.media.makeEncoder(request)
        let file = try runtime.files.open(folder.path("a.m4a"), .creatingExclusively)
        var metadata = MediaMetadata()
        metadata.markers = [MediaMetadata.Marker(frame: 4_000, name: "here")]
        metadata.gaps = [AudioCore.RecordingGap(start: 2_400_000, length: 98_400, reason: .deviceLost)]
        metadata.omittedNotes = 3
        let options = WriterOptions(metadata: metadata)
        let writer = try runtime.media.makeWriter(.m4a, stream: encoder.stream, file: file, options: options)
        try writer.finish(validFrames: 0)
        file.close()

        let kayit = try RunningKayit(["info", "a.m4a"], in: folder)
        #expect(kayit.wait() == 0)
        for row in [
            "marker      0.500000 s here", "missing     12.3 s at 5:00.0 (microphone lost)",
            "omitted     3 markers or gaps, for which the file had no room",
        ] { #expect(kayit.output.contains(row), "\(kayit.output)") }
        let json = try RunningKayit(["info", "--json", "a.m4a"], in: folder)
        #expect(json.wait() == 0)
        let object = try #require(json.objects?.first)
        let gap = try #require((object["gaps"] as? [[String: Any]])?.first)
        #expect(gap["frame"] as? Int == 2_400_000 && gap["length"] as? Int == 98_400)
        #expect(gap["missingSeconds"] as? Double == 12.3 && gap["reason"] as? String == "deviceLost")
        #expect(object["omittedNotes"] as? Int == 3)
    }

    @Test func killedRecordingsAreToldWithTheirFrames() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "a.m4a"], in: folder)
        #expect(kayit.hasStarted())
        Thread.sleep(forTimeInterval: 1)
        // While it is recorded, and when nobody does any more.
        let live = try RunningKayit(["info", "a.m4a"], in: folder)
        #expect(live.wait() == 0)
        #expect(
            live.output.contains("being recorded now, ") && !live.output.contains("kayit recover"),
            "\(live.output)"
        )
        let object = try RunningKayit(["info", "--json", "a.m4a"], in: folder)
        #expect(object.wait() == 0)
        #expect(object.objects?.first?["inUse"] as? Bool == true)
        kayit.process.kill()
        let dead = try RunningKayit(["info", "a.m4a"], in: folder)
        #expect(dead.wait() == 0)
        #expect(dead.output.contains("unfinished, ") && dead.output.contains("'kayit recover' makes"), "\(dead.output)")
        let info = try RunningKayit(["info", "--json", "a.m4a"], in: folder)
        #expect(info.wait() == 0)
        #expect(info.objects?.first?["inUse"] as? Bool == false)
        let frames = try #require(info.objects?.first?["frames"] as? Int)
        #expect(frames > 44_100 / 2)
    }

    @Test func devicesAreListed() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["devices", "--json", "--levels", "--seconds", "1.5"], in: folder)
        #expect(kayit.wait() == 0)
        let objects = try #require(kayit.objects)
        let inputs = try #require(objects.first?["inputs"] as? [[String: Any]])
        #expect(inputs.filter { $0["isDefault"] as? Bool == true }.count == 1)
        #expect(objects.first?["layer"] as? String == "simulated")
        let levels = objects.dropFirst().compactMap { $0["peakPower"] as? Double }
        #expect(levels.count == inputs.count)
        #expect(levels.contains { $0 > -60 })
        let text = try RunningKayit(["devices"], in: folder)
        #expect(text.wait() == 0)
        #expect(text.output.contains("Inputs:\n") && text.output.contains("Outputs:\n"))
        #expect(text.output.contains("\n* "))
    }

    @Test func anUnknownLayerIsRefused() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["devices"], in: folder, environment: ["KAYIT_AUDIO": "alsa"])
        #expect(kayit.wait() == 69)
        #expect(kayit.errors.contains("alsa"))
    }

    @Test func theDemoSaysThatItIsSimulated() throws {
        let folder = try TemporaryFolder()
        let environment = [
            "PULSE_SERVER": "unix:" + folder.path("nobody"), "KAYIT_AUDIO": "", "LC_ALL": "C.UTF-8",
            "TMPDIR": folder.url.path,
        ]
        let kayit = try RunningKayit(["demo", "--seconds", "0.5"], in: folder, environment: environment)
        #expect(kayit.wait() == 0)
        #expect(kayit.errors.contains("KAYIT_AUDIO=simulated"))
        #expect(kayit.errors.contains("SIMULATED"))
        #expect(kayit.output.contains("Recorded 0.500000 s"))
        #expect(kayit.output.contains("frames      22050"))
        #expect(kayit.errors.contains("Playing "))
    }
}
