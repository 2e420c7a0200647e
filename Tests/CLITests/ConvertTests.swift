import AVFAudio
import Foundation
import Glibc
import RecordingKit
import TestSupport
import Testing

/// `kayit convert`, and what is left of it when it is killed.
@Suite(.serialized)
struct ConvertTests {
    /// `KAYIT_TEST_CONVERT_MINUTES=180` is the whole campaign: three hours of PCM.
    private static let minutes =
        Int(ProcessInfo.processInfo.environment["KAYIT_TEST_CONVERT_MINUTES"] ?? "") ?? 2

    /// Minutes of a tone that never repeats, in WAV.
    private func makeTalk(_ name: String, in folder: TemporaryFolder, minutes: Int) throws -> Int64 {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 16,
        ]
        let file = try AVAudioFile(forWriting: folder.file(name), settings: settings)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 441_000))
        buffer.frameLength = 441_000
        let samples = try #require(buffer.floatChannelData?[0])
        for index in 0..<441_000 {
            let time = Double(index) / 44_100
            samples[index] = Float(0.4 * sin((1_300 + 150 * time) * time))
        }
        for _ in 0..<6 * minutes { try file.write(from: buffer) }
        file.close()
        return Int64(441_000 * 6 * minutes)
    }

    @Test func aRecordingIsConvertedToTheFrame() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.wav", "-d", "0.3"], in: folder).wait() == 0)
        let frames = try RecordingReport(contentsOf: folder.file("a.wav")).frames
        let kayit = try RunningKayit(["convert", "--json", "a.wav", "a.m4a"], in: folder)
        #expect(kayit.wait() == 0)
        #expect(kayit.objects?.last?["frames"] as? Int64 == frames)
        #expect(try RecordingReport(contentsOf: folder.file("a.m4a")).frames == frames)
        let again = try RunningKayit(["convert", "a.wav", "a.m4a"], in: folder)
        #expect(again.wait() == 73)
        #expect(again.errors.contains("there already"))
        #expect(
            try RunningKayit(["convert", "--force", "-c", "2", "-r", "16000", "a.wav", "a.m4a"], in: folder).wait() == 0
        )
        let report = try RecordingReport(contentsOf: folder.file("a.m4a"))
        #expect(report.channelCount == 2)
        #expect(report.sampleRate == 16_000)
        #expect(folder.names == ["a.m4a", "a.wav"])
    }

    @Test func whatIsImpossibleIsToldBeforeAnythingIsMade() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.wav", "-d", "0.2"], in: folder).wait() == 0)
        let cases: [([String], Int32, String)] = [
            (["convert", "a.wav", "a.txt"], 64, "kind of file"),
            (["convert", "--format", "aac", "a.wav", "b.wav"], 64, "--format"),
            (["convert", "missing.wav", "b.wav"], 66, "missing.wav"),
            (["convert", "--force", "a.wav", "a.wav"], 73, "cannot replace"),
            (["convert", "a.wav"], 64, "IN OUT"),
            (["convert", "a.wav", "b.wav", "c.wav"], 64, "one more"),
        ]
        for (arguments, status, word) in cases {
            let kayit = try RunningKayit(arguments, in: folder)
            #expect(kayit.wait() == status, "\(arguments): \(kayit.errors)")
            #expect(kayit.errors.contains(word), "\(arguments): \(kayit.errors)")
        }
        #expect(folder.names == ["a.wav"])
    }

    /// Killed half-way, taken up by the next process: the source is untouched, the result has every frame.
    @Test func aKilledConversionIsEndedByTheNextStart() throws {
        let folder = try TemporaryFolder()
        let frames = try makeTalk("talk.wav", in: folder, minutes: Self.minutes)
        let before = try FileManager.default.attributesOfItem(atPath: folder.path("talk.wav"))
        let kayit = try RunningKayit(["convert", "--json", "talk.wav", "talk.m4a"], in: folder)
        let half = eventually(within: Double(60 + 30 * Self.minutes)) {
            (kayit.objects?.last?["done"] as? Double ?? 0) >= 0.5 || folder.names.contains("talk.m4a")
        }
        try #require(half)
        kayit.process.kill()
        let wasKilled = !folder.names.contains("talk.m4a")
        #expect(wasKilled, "the machine was too fast for this test")
        #expect(try RecordingReport(contentsOf: folder.file("talk.wav")).frames == frames)

        let results = try RecordingJobs.resume(in: folder.url)
        #expect(results.map(\.outcome) == [.finished])
        #expect(results.first?.url?.lastPathComponent == "talk.m4a")
        #expect(folder.names == ["talk.m4a", "talk.wav"])
        let report = try RecordingReport(contentsOf: folder.file("talk.m4a"), waveformBins: 1)
        #expect(report.frames == frames)
        #expect(report.integrity == .complete)
        #expect(report.damagedPackets == 0)
        let after = try FileManager.default.attributesOfItem(atPath: folder.path("talk.wav"))
        #expect(after[.modificationDate] as? Date == before[.modificationDate] as? Date)
        #expect(after[.size] as? Int == before[.size] as? Int)
        #expect(try RecordingJobs.resume(in: folder.url).isEmpty)
    }

    @Test func ctrlCGivesUpAndLeavesNothing() throws {
        let folder = try TemporaryFolder()
        _ = try makeTalk("talk.wav", in: folder, minutes: 2)
        let kayit = try RunningKayit(["convert", "--json", "talk.wav", "talk.m4a"], in: folder)
        #expect(eventually(within: 60) { (kayit.objects?.last?["done"] as? Double ?? 0) > 0 })
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 130)
        #expect(folder.names == ["talk.wav"])
    }
}
