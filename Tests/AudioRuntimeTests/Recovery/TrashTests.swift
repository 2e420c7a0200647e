import AudioCore
import AudioRuntime
import Foundation
import PlatformLinux
import TestSupport
import Testing

@Suite("Trash")
struct TrashTests {
    private let scratch: TemporaryFolder
    private let trash: Trash
    private let files = LinuxFileStore()

    init() throws {
        scratch = try TemporaryFolder()
        trash = Trash(
            files: files,
            owner: Trash.Owner(homeTrash: scratch.path("home/.local/share/Trash"), userID: 4711)
        )
    }

    @Test func whatIsThrownAwayComesBack() throws {
        let path = try scratch.write([1, 2, 3], to: "Mülltonne & 100 %\n.m4a")
        let item = try trash.discard(path)
        #expect(try files.status(path) == nil)
        #expect(item.path == scratch.path("home/.local/share/Trash/files/Mülltonne & 100 %\n.m4a"))
        let text = try String(contentsOfFile: item.information, encoding: .utf8)
        let lines = text.split(separator: "\n")
        #expect(lines.first == "[Trash Info]")
        #expect(lines.contains { $0.hasPrefix("Path=/") && $0.hasSuffix("/M%C3%BClltonne%20%26%20100%20%25%0A.m4a") })
        #expect(lines.contains { $0.hasPrefix("DeletionDate=20") && $0.count == "DeletionDate=".count + 19 })
        #expect(trash.items() == [item])
        #expect(try trash.restore(item) == path)
        #expect(try scratch.read("Mülltonne & 100 %\n.m4a") == [1, 2, 3])
        #expect(trash.items().isEmpty)
        #expect(try files.contents(of: scratch.path("home/.local/share/Trash/info")).isEmpty)
    }

    @Test func filesOfOneNameDoNotMeetInTheTrash() throws {
        let first = try trash.discard(try scratch.write([1], to: "a.wav"))
        let second = try trash.discard(try scratch.write([2], to: "a.wav"))
        #expect(first.path != second.path)
        _ = try scratch.write([3], to: "a.wav")
        #expect(try trash.restore(first) == scratch.path("a (2).wav"))
        #expect(try trash.restore(second) == scratch.path("a (3).wav"))
        #expect(try [scratch.read("a.wav"), scratch.read("a (2).wav"), scratch.read("a (3).wav")] == [[3], [1], [2]])
    }

    @Test func trashOfOtherProgramsIsNotTouched() throws {
        _ = try trash.discard(try scratch.write([1], to: "ours.wav"))
        let folder = scratch.path("home/.local/share/Trash")
        let theirs = "[Trash Info]\nPath=/somewhere/theirs.wav\nDeletionDate=2026-01-01T00:00:00\n"
        try theirs.write(toFile: folder + "/info/theirs.wav.trashinfo", atomically: false, encoding: .utf8)
        try Data([9]).write(to: URL(fileURLWithPath: folder + "/files/theirs.wav"))
        try Data((0..<200).map { UInt8($0) }).write(to: URL(fileURLWithPath: folder + "/info/noise.trashinfo"))
        #expect(trash.items().map(\.original) == [scratch.path("ours.wav")])
    }

    @Test func withoutATrashThatCanBeUsedTheFileStays() throws {
        let path = try scratch.write([1], to: "a.wav")
        _ = try scratch.write([], to: "file")
        let none = Trash(files: files, owner: Trash.Owner(homeTrash: scratch.path("file/Trash"), userID: 4711))
        #expect(throws: AudioFailure.self) { try none.discard(path) }
        #expect(try scratch.read("a.wav") == [1])
    }
}
