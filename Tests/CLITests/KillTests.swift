import Foundation
import RecordingKit
import TestSupport
import Testing

/// `kill -9` of a running recorder: the file plays as it lies there, and lacks no more than the last checkpoint.
///
/// `KAYIT_TEST_KILLS` sets the number of kills in every format; the result is printed.
@Suite(.serialized)
struct KillTests {
    private static let kills = Int(ProcessInfo.processInfo.environment["KAYIT_TEST_KILLS"] ?? "") ?? 1

    /// Between two checkpoints of the recorder, with the longest packet (4096 frames of ALAC and FLAC) still open.
    private static let allowedLoss = 0.2

    /// Waits, and gives the longest time for which the busy machine let a thread stand that was ready to run: the
    /// recorder's threads fare no better.
    private func wait(_ seconds: Double) -> Double {
        let end = Date().addingTimeInterval(seconds)
        var longest = 0.0
        while Date() < end {
            let beat = Date()
            Thread.sleep(forTimeInterval: 0.005)
            longest = max(longest, Date().timeIntervalSince(beat) - 0.005)
        }
        return longest
    }

    @Test(arguments: [
        ("m4a", "aac"), ("m4a", "alac"), ("caf", "aac"), ("caf", "alac"), ("caf", "ima4"), ("wav", "pcm"),
        ("aiff", "pcm"), ("flac", "flac"), ("opus", "opus"),
    ])
    func theFilePlaysAsItLiesThere(ending: String, format: String) throws {
        var worst = 0.0
        var random = SeededGenerator(seed: 9)
        for kill in 0..<Self.kills {
            let folder = try TemporaryFolder()
            let name = "take.\(ending)"
            let kayit = try RunningKayit(["record", name, "--format", format], in: folder)
            #expect(kayit.hasStarted())
            let start = Date()
            let stall = wait(Double.random(in: 0.3...1.5, using: &random))
            // Before the signal: what was heard until here may not be lost.
            let heard = Date().timeIntervalSince(start)
            kayit.process.kill()

            let report = try RecordingReport(contentsOf: folder.file(name), waveformBins: 1)
            #expect(report.damagedPackets == 0)
            let loss = heard - report.duration
            worst = max(worst, loss)
            #expect(loss < Self.allowedLoss + stall, "kill \(kill) after \(heard) s")
            let other = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", folder.path(name), "-f", "s16le", "-"])
            #expect(other.status == 0)
            let frames = Double(other.output.count / 2)
            // Ours reads WAV, AIFF and FLAC to the end of what was written, others to the last checkpoint: 40 ms of 44.1 kHz,
            // rounded up to the deliveries of 20 ms, or a packet of 4096 frames. Readers that count the encoder's delay and
            // padding have at most two packets more.
            #expect(frames >= Double(report.frames) - 4096)
            #expect(frames <= Double(report.frames) + 2 * 4096)
        }
        print("\(format) in \(ending): \(Self.kills) kills, at most \(Int((worst * 1000).rounded())) ms lost")
    }
}
