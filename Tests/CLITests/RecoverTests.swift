import Foundation
import RecordingKit
import TestSupport
import Testing

/// `kayit recover`, and recovery at the next start.
struct RecoverTests {
    private func environment(_ folder: TemporaryFolder) -> [String: String] {
        var environment = Kayit.simulated
        environment["XDG_DATA_HOME"] = folder.path("share")
        environment["KAYIT_NOTES"] = folder.path("notes")
        return environment
    }

    private func makeNotes(_ folder: TemporaryFolder) throws {
        try FileManager.default.createDirectory(atPath: folder.path("notes"), withIntermediateDirectories: true)
    }

    /// Leaves what a killed recorder leaves.
    private func kill(_ file: String, in folder: TemporaryFolder, _ arguments: [String] = []) throws {
        let kayit = try RunningKayit(["record", file] + arguments, in: folder, environment: environment(folder))
        #expect(kayit.hasStarted())
        #expect(
            eventually(within: 10) {
                (try? RecordingReport(contentsOf: folder.file(file)).frames).map { $0 > 4410 } ?? false
            }
        )
        kayit.process.kill()
    }

    private func names(_ folder: TemporaryFolder, _ name: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(name))) ?? []).sorted()
    }

    /// As a terminal does that is killed with all that runs in it: a recorder of one file, one of parts, and recovery.
    @Test func aWholeProcessGroupIsKilled() throws {
        let folder = try TemporaryFolder()
        var environment = environment(folder)
        environment["KAYIT_TEST_PROGRAM"] = Kayit.path
        let script = """
            cd '\(folder.url.path)'
            "$KAYIT_TEST_PROGRAM" record a.m4a & "$KAYIT_TEST_PROGRAM" record b.wav --split 1s &
            while :; do "$KAYIT_TEST_PROGRAM" recover .; done
            """
        let group = try ChildProcess(["sh", "-c", script], environment: environment)
        let started = eventually(within: 30) {
            let frames = (try? RecordingReport(contentsOf: folder.file("a.m4a")).frames) ?? 0
            return frames > 44_100 && FileManager.default.fileExists(atPath: folder.path("b.wav.parts/0002.wav"))
        }
        #expect(started)
        group.kill()
        // The shell is gone first; the locks of the others go with them.
        let areGone = eventually(within: 30) {
            let parts = try? PartedRecording(contentsOf: folder.file("b.wav.parts"))
            return parts?.state == .unfinished
                && (try? RecordingReport(contentsOf: folder.file("a.m4a")).isInUse) == false
        }
        #expect(areGone)
        let before = try RecordingReport(contentsOf: folder.file("a.m4a")).frames
        let parts = try PartedRecording(contentsOf: folder.file("b.wav.parts"))
        let kayit = try RunningKayit(["recover", "."], in: folder, environment: environment)
        #expect(kayit.wait() == 0)
        #expect(names(folder, "").filter { $0 != "share" } == ["a.m4a", "b.wav"])
        for (name, frames) in [("a.m4a", before), ("b.wav", parts.frames)] {
            let report = try RecordingReport(contentsOf: folder.file(name))
            #expect(report.integrity == .complete && report.frames == frames, "\(name): \(report.frames) of \(frames)")
        }
    }

    @Test(arguments: ["m4a", "caf", "wav", "flac", "opus"])
    func aKilledRecordingIsCompleted(ending: String) throws {
        let folder = try TemporaryFolder()
        let name = "talk.\(ending)"
        try kill(name, in: folder)
        let before = try RecordingReport(contentsOf: folder.file(name))
        #expect(before.integrity != .complete)

        let look = try RunningKayit(["recover", "--dry-run", name], in: folder, environment: environment(folder))
        #expect(look.wait() == 0)
        #expect(look.output.contains("can be completed"))
        let kayit = try RunningKayit(["recover", "--json", name], in: folder, environment: environment(folder))
        #expect(kayit.wait() == 0)
        let line = try #require(kayit.objects?.first)
        #expect(line["state"] as? String == "unfinished")
        #expect(line["outcome"] as? String == "completed")
        #expect(line["frames"] as? Int == Int(before.frames))
        let after = try RecordingReport(contentsOf: folder.file(name))
        #expect(after.integrity == .complete)
        #expect(after.frames == before.frames)
        #expect(names(folder, "share/Trash/files") == [name])

        let back = try RunningKayit(["recover", "--restore", name], in: folder, environment: environment(folder))
        #expect(back.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("talk (2).\(ending)")).integrity != .complete)
        #expect(names(folder, "share/Trash/files").isEmpty)
    }

    @Test func theNextRecordingCompletesWhatACrashHasLeft() throws {
        let folder = try TemporaryFolder()
        try makeNotes(folder)
        try kill("notes/old.m4a", in: folder)
        let next = try RunningKayit(["record", "--json"], in: folder, environment: environment(folder))
        #expect(
            eventually(within: 20) {
                (try? RecordingReport(contentsOf: folder.file("notes/old.m4a")).integrity) == .complete
            }
        )
        next.process.signal(SIGINT)
        #expect(next.wait() == 0)
        #expect(next.objects?.contains { $0["event"] as? String == "recovery" } == true)
        // The new one is whole, too.
        #expect(names(folder, "notes").count == 2)
        for name in names(folder, "notes") {
            #expect(try RecordingReport(contentsOf: folder.file("notes/" + name)).integrity == .complete)
        }
    }

    @Test func aFolderOfManyFilesDoesNotKeepARecordingFromStarting() throws {
        let folder = try TemporaryFolder()
        try makeNotes(folder)
        #expect(try RunningKayit(["record", "a.m4a", "-d", "0.2"], in: folder).wait() == 0)
        let bytes = Data(try folder.read("a.m4a"))
        for number in 0..<1_000 { try bytes.write(to: folder.file("notes/\(number).m4a")) }
        try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: folder.file("notes/.kayit-1.part"))
        let kayit = try RunningKayit(["record"], in: folder, environment: environment(folder))
        #expect(kayit.hasStarted())
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
    }

    @Test func whatIsBeingRecordedIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "live.m4a"], in: folder, environment: environment(folder))
        #expect(kayit.hasStarted())
        let recover = try RunningKayit(["recover", "--json", "."], in: folder, environment: environment(folder))
        #expect(recover.wait() == 0)
        let line = recover.objects?.first { ($0["path"] as? String)?.hasSuffix("live.m4a") == true }
        #expect(line?["state"] as? String == "live")
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("live.m4a")).integrity == .complete)
    }

    @Test func whatCannotBeRecoveredIsSaid() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Array("no sound at all".utf8), to: "text.wav")
        let kayit = try RunningKayit(["recover", "text.wav"], in: folder, environment: environment(folder))
        #expect(kayit.wait() == 65)
        #expect(try RunningKayit(["recover", "gone.wav"], in: folder, environment: environment(folder)).wait() == 66)
        // Without a folder of recordings there is nothing to do.
        #expect(try RunningKayit(["recover"], in: folder, environment: environment(folder)).wait() == 0)
    }
}
