import Foundation
import RecordingKit
import TestSupport
import Testing

/// `kayit record` on file systems that fill up, fail and go away. The simulated voice comes as fast as it is taken.
@Suite("Real disks", .serialized)
struct RealDiskTests {
    struct Form: Sendable, CustomTestStringConvertible {
        var file: String
        var arguments: [String] = []
        /// Seconds by which FFmpeg's length may differ: what it does not trim.
        var slack = 0.0
        var testDescription: String { ([file] + arguments).joined(separator: " ") }
    }

    static let forms = [
        Form(file: "a.m4a", slack: 0.1),
        Form(file: "a.m4a", arguments: ["--format", "alac"]),
        Form(file: "a.caf", arguments: ["--format", "aac"], slack: 0.1),
        Form(file: "a.caf", arguments: ["--format", "ima4"], slack: 0.1),
        Form(file: "a.wav"),
        Form(file: "a.aiff"),
        Form(file: "a.flac"),
        Form(file: "a.opus", slack: 0.1),
    ]

    static let free = Kayit.simulated.merging(["KAYIT_SIMULATED_TIME": "free"]) { $1 }

    /// What a recording said and left.
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    private static func record(
        _ arguments: [String],
        in folder: String,
        before: String = "",
        environment: [String: String] = free,
        rescue: String = "none"
    ) throws -> Result {
        let scratch = try TemporaryFolder()
        let words = ([Kayit.path, "record", "--json", "--rescue", rescue] + arguments).map { "'\($0)'" }.joined(
            separator: " "
        )
        let process = try ChildProcess(
            ["sh", "-c", "\(before) cd '\(folder)' && exec \(words)"],
            environment: environment,
            output: scratch.path("output"),
            errors: scratch.path("errors")
        )
        let status = process.wait(within: 60)
        return Result(
            status: status,
            output: String(decoding: try scratch.read("output"), as: UTF8.self),
            errors: String(decoding: try scratch.read("errors"), as: UTF8.self)
        )
    }

    /// The file is finished, and others read what we read.
    private static func check(_ url: URL, _ form: Form, _ result: Result) throws {
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.output.contains(#""code":"noSpace""#))
        #expect(result.output.contains(#""complete":true"#))
        let report = try RecordingReport(contentsOf: url)
        #expect(report.integrity == .complete)
        #expect(report.duration > 1)
        #expect(result.output.contains(#""frames":\#(report.frames)"#))
        guard ExternalTool.areInstalled("ffmpeg") else { return }
        let decoded = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-i", url.path, "-f", "s16le", "-ac", "1", "-ar", "44100", "-"]
        )
        #expect(decoded.status == 0)
        #expect(decoded.messages == "")
        let seconds = Double(decoded.output.count) / 88_200
        #expect(abs(seconds - report.duration) <= form.slack + 0.002, "\(seconds) of \(report.duration) s")
    }

    @Test(
        "a disk of 1 MB is full to the last, and the file is finished",
        .enabled(if: MountedDisk.canMount, "needs the right to mount"),
        arguments: forms
    )
    func fillsUp(_ form: Form) throws {
        let disk = try MountedDisk(.memory(bytes: 1 << 20))
        let result = try Self.record([form.file] + form.arguments, in: disk.path)
        try Self.check(disk.file(form.file), form, result)
        #expect(disk.names == [form.file])
        let size = try disk.file(form.file).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        #expect(size > (1 << 20) - (96 << 10), "\(size) bytes are used")
        #expect(result.output.contains(#""event":"disk-low""#))
    }

    @Test(
        "with another folder the recording goes on there, and both files are one",
        .enabled(if: MountedDisk.canMount, "needs the right to mount"),
        arguments: [("a.m4a", 300.0), ("a.wav", 30.0), ("a.flac", 120.0)]
    )
    func goesOn(_ file: String, _ seconds: Double) throws {
        let disk = try MountedDisk(.memory(bytes: 1 << 20))
        let folder = try TemporaryFolder()
        let result = try Self.record([file, "-d", "\(seconds)"], in: disk.path, rescue: folder.url.path)
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.output.contains(#""event":"continued""#))
        let rest = file.replacingOccurrences(of: ".", with: " (continued).")
        #expect(folder.names == [rest])
        #expect(result.errors.contains(rest))
        let parts = [disk.file(file), folder.file(rest)]
        let frames = try parts.map { try RecordingReport(contentsOf: $0).frames }
        #expect(frames.reduce(0, +) == Int64(seconds * 44_100), "\(frames)")
        let joined = try JoinedRecording(joining: parts, into: folder.file(file))
        #expect(joined.frames == Int64(seconds * 44_100))
    }

    @Test("the largest size of a file is reached, and the file is finished", arguments: forms)
    func sizeLimit(_ form: Form) throws {
        let folder = try TemporaryFolder()
        // Blocks of 512 bytes: 600 KiB.
        let result = try Self.record([form.file] + form.arguments, in: folder.url.path, before: "ulimit -f 1200;")
        try Self.check(folder.file(form.file), form, result)
        let size = try folder.read(form.file).count
        #expect(size > 500 << 10, "\(size) bytes are used")
    }

    /// Of 512 bytes each: around the tables and the room for notes.
    @Test(
        "a small largest size is refused with the reason, or used to the last",
        arguments: [20, 81, 161]
    )
    func smallSizeLimit(_ kibibytes: Int) throws {
        for form in Self.forms {
            let folder = try TemporaryFolder()
            let limit = "ulimit -f \(2 * kibibytes);"
            let result = try Self.record([form.file] + form.arguments, in: folder.url.path, before: limit)
            #expect(result.status == 74, "\(form): \(result.errors)")
            if folder.names.isEmpty {
                #expect(result.errors.contains("at most here (ulimit -f)"), "\(form): \(result.errors)")
                continue
            }
            #expect(folder.names == [form.file])
            let report = try RecordingReport(contentsOf: folder.file(form.file))
            #expect(report.integrity == .complete && report.duration > 1, "\(form): \(report.duration) s")
            #expect(try folder.read(form.file).count > kibibytes << 10 - 48 << 10, "\(form)")
        }
    }

    @Test(
        "no file is left when parts change: the parts that there are stay, complete",
        .enabled(if: MountedDisk.canMount, "needs the right to mount"),
        arguments: ["a.m4a", "a.wav"]
    )
    func noFilesLeftForAPart(_ file: String) throws {
        // The root, the reserved name, the folder, the session file and two parts.
        let disk = try MountedDisk(.memory(bytes: 16 << 20, files: 6))
        let result = try Self.record([file, "--split", "2s"], in: disk.path)
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.errors.contains("No space left on device"), "\(result.errors)")
        let recording = try PartedRecording(contentsOf: disk.file(file + ".parts"))
        #expect(recording.parts.count == 2)
        #expect(recording.parts.allSatisfy { $0.integrity == .complete })
        #expect(recording.duration > 3.9)
    }

    @Test(
        "a folder that can only be read is told, and what lies in it stays as it is",
        .enabled(if: MountedDisk.canMount, "needs the right to mount")
    )
    func readOnlyFolder() throws {
        let disk = try MountedDisk(.memory(bytes: 4 << 20))
        let scratch = try TemporaryFolder()
        let process = try ChildProcess(
            ["env", "-C", disk.path, Kayit.path, "record", "a.m4a"],
            environment: Kayit.simulated,
            output: scratch.path("output"),
            errors: scratch.path("errors")
        )
        #expect(
            eventually(within: 20) { ((try? RecordingReport(contentsOf: disk.file("a.m4a")).frames) ?? 0) > 22_050 }
        )
        process.kill()
        let before = try Data(contentsOf: disk.file("a.m4a"))
        try MountedDisk.run("mount", ["-o", "remount,ro", disk.path])
        let recover = try RunningKayit(["recover", "--json", disk.path], in: scratch)
        #expect(recover.wait() != 0)
        #expect(recover.output.contains("Read-only file system"), "\(recover.output)")
        #expect(try Data(contentsOf: disk.file("a.m4a")) == before)
        try MountedDisk.run("mount", ["-o", "remount,rw", disk.path])
        let again = try RunningKayit(["recover", disk.path], in: scratch)
        #expect(again.wait() == 0)
        #expect(try RecordingReport(contentsOf: disk.file("a.m4a")).integrity == .complete)
    }

    @Test(
        "a disk that is full at the start is told, and nothing is left",
        .enabled(if: MountedDisk.canMount, "needs the right to mount"),
        arguments: forms
    )
    func fullAtTheStart(_ form: Form) throws {
        let disk = try MountedDisk(.memory(bytes: 1 << 20))
        _ = try? MountedDisk.run("dd", ["if=/dev/zero", "of=\(disk.path)/other", "bs=4096"])
        let result = try Self.record([form.file] + form.arguments, in: disk.path)
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.errors.contains("No space left on device"))
        #expect(disk.names == ["other"])
    }

    @Test(
        "a disk that has room for no more files is told, and nothing is left",
        .enabled(if: MountedDisk.canMount, "needs the right to mount")
    )
    func noFilesLeft() throws {
        // The root is one, the reserved name another.
        let disk = try MountedDisk(.memory(bytes: 1 << 20, files: 2))
        let result = try Self.record(["a.m4a"], in: disk.path)
        #expect(result.status == 74, "\(result.errors)")
        #expect(result.errors.contains("No space left on device"))
        #expect(disk.names.isEmpty)
    }

    @Test(
        "a file system that stops working ends the recording, and after the next start what was safe is there",
        .enabled(if: MountedDisk.canMountImages, "needs the right to mount, and loop devices")
    )
    func stopsWorking() throws {
        let disk = try MountedDisk(.ext4(megabytes: 32))
        let scratch = try TemporaryFolder()
        let process = try ChildProcess(
            ["env", "-C", disk.path, Kayit.path, "record", "--json", "--rescue", "none", "a.m4a"],
            environment: Kayit.simulated,
            output: scratch.path("output"),
            errors: scratch.path("errors")
        )
        let lines = { String(decoding: (try? scratch.read("output")) ?? [], as: UTF8.self) }
        #expect(eventually(within: 20) { lines().contains(#""event":"progress""#) })
        try disk.shutDown()
        let start = Date()
        #expect(process.wait(within: 20) == 74)
        #expect(Date().timeIntervalSince(start) < 5)
        #expect(String(decoding: try scratch.read("errors"), as: UTF8.self).contains("Input/output error"))
        try disk.mountAgain()
        // The first second had been told; of it the last synchronisation and what AAC holds back may be missing.
        #expect(try RecordingReport(contentsOf: disk.file("a.m4a")).duration > 0.65)
    }
}
