import Foundation
import KayitCommands
import RecordingKit
import TestSupport
import Testing

/// Keys, meters and the terminal's settings.
@Suite(.serialized)
struct TerminalTests {
    /// "REC   0:01.2 …" as seconds.
    private func seconds(_ line: String) -> Double? {
        guard let match = line.firstMatch(of: /(\d+):(\d\d\.\d)/) else { return nil }
        return (Double(match.1) ?? 0) * 60 + (Double(match.2) ?? 0)
    }

    @Test func spacePausesAndQStops() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "a.wav"], in: folder)
        let start = Date()
        #expect(kayit.shows("REC   0:00.4"))
        #expect(!kayit.isInLineMode)
        kayit.type(" ")
        #expect(kayit.shows("PAUSE"))
        Thread.sleep(forTimeInterval: 0.2)
        let held = try #require(seconds(kayit.progressLine))
        Thread.sleep(forTimeInterval: 0.5)
        #expect(seconds(kayit.progressLine) == held)
        kayit.type(" ")
        #expect(eventually(within: 5) { (seconds(kayit.progressLine) ?? 0) > held + 0.2 })
        #expect(kayit.progressLine.contains("REC"))
        kayit.type("q")
        #expect(kayit.wait() == 0)
        #expect(kayit.isInLineMode)
        #expect(kayit.shows("Recorded "))

        // The clock ends with the length of the file; the pause is in neither.
        let report = try RecordingReport(contentsOf: folder.file("a.wav"))
        #expect(kayit.progressLine.contains("DONE  " + TimeText.clock(report.duration)))
        #expect(report.duration >= held + 0.2)
        #expect(Date().timeIntervalSince(start) > report.duration + 0.6)
    }

    @Test func mSetsMarkersThatAreInTheFileAtOnce() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "a.m4a"], in: folder)
        #expect(kayit.shows("REC   0:00.4"))
        kayit.type("m")
        #expect(kayit.shows("Marker 1 at 0:0"))
        // As a kill would leave it.
        let hasMarker = try eventually(within: 5) {
            try RecordingReport(contentsOf: folder.file("a.m4a")).markers.map(\.name) == ["Marker 1"]
        }
        #expect(hasMarker)
        kayit.type("M")
        #expect(kayit.shows("Marker 2 at 0:0"))
        kayit.type("q")
        #expect(kayit.wait() == 0)
        let markers = try RecordingReport(contentsOf: folder.file("a.m4a")).markers
        #expect(markers.map(\.name) == ["Marker 1", "Marker 2"])
        let (first, second) = (try #require(markers.first), try #require(markers.last))
        #expect(first.frame > 44_100 / 4 && first.frame <= second.frame)
    }

    /// To the end and beyond: a resume that comes when the recording has just ended would begin a new one over it.
    @Test func pausesNeitherLengthenNorReplaceATimedRecording() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "a.wav", "-d", "0.5"], in: folder)
        #expect(kayit.shows("REC   0:00.0"))
        let hasEnded = eventually(within: 20) {
            kayit.type("  ")
            return kayit.screen.contains("Recorded ")
        }
        #expect(hasEnded)
        #expect(kayit.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("a.wav")).frames == 22_050)
        #expect(folder.names == ["a.wav"])
    }

    @Test func controlCStopsAndTheTerminalComesBack() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "-c", "2", "a.m4a"], in: folder)
        #expect(kayit.shows("REC   0:00.3"))
        // Two channels, each with its level.
        #expect(kayit.progressLine.components(separatedBy: " dB").count == 3)
        kayit.type("\u{3}\u{3}")
        #expect(kayit.wait() == 0)
        #expect(kayit.isInLineMode)
        #expect(try RecordingReport(contentsOf: folder.file("a.m4a")).integrity == .complete)
    }

    @Test(arguments: [SIGTERM, SIGHUP]) func theTerminalComesBackAfterASignal(number: Int32) throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "a.wav"], in: folder)
        #expect(kayit.shows("REC   0:00.1"))
        kayit.signal(number)
        #expect(kayit.wait() == 0)
        #expect(kayit.isInLineMode)
    }

    @Test func aFailureLeavesTheTerminalAlone() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "no/folder/a.wav"], in: folder)
        #expect(kayit.wait() == 73)
        #expect(kayit.isInLineMode)
    }

    @Test func controlZDoesNotStopARecording() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "a.wav", "-d", "0.8"], in: folder)
        #expect(kayit.shows("REC   0:00.1"))
        kayit.type("\u{1A}")
        #expect(kayit.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("a.wav")).frames == 35_280)
    }

    @Test func linesAreNoWiderThanTheTerminal() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "a.wav", "-d", "0.3"], in: folder, columns: 30)
        #expect(kayit.wait() == 0)
        let lines = kayit.screen.components(separatedBy: "\r").filter { $0.hasPrefix("REC") }
        #expect(!lines.isEmpty)
        #expect(lines.allSatisfy { $0.components(separatedBy: "\u{1B}")[0].count < 30 })
    }

    @Test func arrowsSeekAndQEndsPlaying() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.wav", "-d", "1.5"], in: folder).wait() == 0)
        let kayit = try KayitOnTerminal(["play", "--loops", "-1", "a.wav"], in: folder)
        #expect(kayit.shows("PLAY  0:00.5"))
        kayit.type(" ")
        #expect(kayit.shows("PAUSE"))
        kayit.type("\u{1B}[D")
        #expect(kayit.shows("PAUSE 0:00.0"))
        kayit.type("q")
        #expect(kayit.wait() == 0)
        #expect(kayit.isInLineMode)
    }

    @Test func controlCEndsPlayingWithTheSignalsCode() throws {
        let folder = try TemporaryFolder()
        #expect(try RunningKayit(["record", "a.wav", "-d", "0.3"], in: folder).wait() == 0)
        let kayit = try KayitOnTerminal(["play", "--loops", "-1", "a.wav", "a.wav"], in: folder)
        #expect(kayit.shows("PLAY  0:00.1"))
        kayit.type("\u{3}")
        #expect(kayit.wait() == 130)
        #expect(kayit.isInLineMode)
    }

    @Test func levelsAreDrawn() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["devices", "--levels", "-s", "0.5"], in: folder)
        #expect(kayit.wait() == 0)
        #expect(kayit.screen.contains(" dB"))
        #expect(kayit.isInLineMode)
    }
}
