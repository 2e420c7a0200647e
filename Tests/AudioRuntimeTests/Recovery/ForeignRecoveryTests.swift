import AudioCore
import AudioRuntime
import Foundation
import Glibc
import PlatformLinux
import TestSupport
import Testing

/// Files of other recorders that were never finished: the original stays, the repaired file is new and exact.
@Suite("Recovery of other recorders' files")
struct ForeignRecoveryTests {
    private let bench: FileRecoveryTests

    init() throws { bench = try FileRecoveryTests() }

    /// 16-bit frames that count upwards.
    private static func samples(_ frames: Int) -> [UInt8] {
        (0..<frames).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
    }

    private static func wave(riff: UInt32, junk: Int = 0, data: UInt32, frames: Int) -> [UInt8] {
        var bytes = Array("RIFF".utf8) + little(riff) + Array("WAVE".utf8)
        if junk > 0 { bytes += Array("JUNK".utf8) + little(UInt32(junk)) + [UInt8](repeating: 0, count: junk) }
        bytes += Array("fmt ".utf8) + little(16) + [1, 0, 1, 0] + little(48_000) + little(96_000) + [2, 0, 16, 0]
        return bytes + Array("data".utf8) + little(data) + samples(frames)
    }

    private static func aiff(frames: Int) -> [UInt8] {
        // 44100 as an 80-bit number.
        let rate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
        return Array("FORM".utf8) + big(0, 4) + Array("AIFFCOMM".utf8) + big(18, 4) + [0, 1] + big(0, 4) + [0, 16]
            + rate
            + Array("SSND".utf8) + big(0, 4) + big(0, 8) + samples(frames)
    }

    private static func caf(frames: Int, cut: Int) -> [UInt8] {
        let description =
            big(Double(44_100).bitPattern, 8) + Array("lpcm".utf8) + big(2, 4) + big(2, 4) + big(1, 4) + big(1, 4)
            + big(16, 4)
        let head = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description
        return (head + Array("data".utf8) + big(.max, 8) + big(0, 4) + samples(frames)).dropLast(cut)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var ending: String
        var bytes: [UInt8]
        var frames: Int64
    }

    static let cases = [
        Case(
            testDescription: "data 0, RIFF 36",
            ending: "wav",
            bytes: wave(riff: 36, data: 0, frames: 9_000),
            frames: 9_000
        ),
        Case(
            testDescription: "data 0, RIFF 4088 behind JUNK",
            ending: "wav",
            bytes: wave(riff: 4088, junk: 4044, data: 0, frames: 9_000),
            frames: 9_000
        ),
        Case(
            testDescription: "data FFFFFFFF",
            ending: "wav",
            bytes: wave(riff: .max, data: .max, frames: 9_000),
            frames: 9_000
        ),
        Case(testDescription: "AIFF without sizes", ending: "aiff", bytes: aiff(frames: 9_000), frames: 9_000),
        Case(
            testDescription: "CAF −1, cut in a frame",
            ending: "caf",
            bytes: caf(frames: 9_000, cut: 1),
            frames: 8_999
        ),
    ]

    @Test(arguments: cases)
    func anUnfinishedHeaderIsRepairedBesideTheOriginal(_ test: Case) throws {
        let path = try bench.scratch.write(test.bytes, to: "takes/old.\(test.ending)")
        try bench.runtime.files.setModified(path, FileRecoveryTests.date)
        let found = try #require(try bench.recovery().recover(file: path))
        #expect(found.result == .repaired(path: bench.folder + "/old (recovered).\(test.ending)"))
        #expect(found.frames?.value == test.frames)
        #expect(areEqual(try bench.content(path), test.bytes))
        let repaired = try packets(of: found.recording, bench.runtime).flatMap(\.self)
        #expect(areEqual(repaired, Array(Self.samples(Int(test.frames)))))
        #expect(try bench.runtime.files.status(found.recording)?.modified == FileRecoveryTests.date)
        // Again: it was repaired before.
        let again = try #require(try bench.recovery().recover(file: path))
        #expect(again.result == .repairedBefore(path: found.recording))
        #expect(try bench.names(bench.folder).count == 2)
        // The repaired file is fine.
        #expect(try bench.recovery().recover(file: found.recording)?.state == .complete)
    }

    @Test(.enabled(if: ExternalTool.areInstalled("ffmpeg")))
    func anM4AWithoutItsIndexIsRepairedByAnExample() throws {
        let good = bench.folder + "/good.m4a"
        let made = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=3:c=pink:r=44100", "-ac", "2", "-c:a", "aac", good]
        )
        try #require(made.status == 0)
        let whole = try packets(of: good, bench.runtime)
        let broken = bench.folder + "/broken.m4a"
        let head: [UInt8] = [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdat".utf8)
        _ = try bench.scratch.write(head + whole.flatMap(\.self), to: "takes/broken.m4a")
        guard case .unreadable(let reason) = try #require(try bench.recovery().recover(file: broken)).state else {
            Issue.record("An AAC stream without a description was taken for something.")
            return
        }
        #expect(reason.contains("--like"))
        let options = FileRecovery.Options(like: good, folder: bench.scratch.path("out"))
        try bench.runtime.files.makeFolder(bench.scratch.path("out"))
        let found = try #require(try bench.recovery(options).recover(file: broken))
        #expect(found.recording == bench.scratch.path("out/broken (recovered).m4a"))
        #expect(areEqual(try packets(of: found.recording, bench.runtime), whole))
        #expect(found.frames?.value == Int64(whole.count) * 1024 - 1024)
        // Another reader agrees.
        let decoded = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", found.recording, "-f", "s16le", "-"])
        #expect(decoded.messages.isEmpty)
        #expect(decoded.output.count / 4 >= (whole.count - 1) * 1024)
    }
}
