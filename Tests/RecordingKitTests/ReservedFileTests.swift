import Foundation
import RecordingKit
import TestSupport
import Testing

struct ReservedFileTests {
    @Test func aNameIsTakenOnce() throws {
        let scratch = try TemporaryFolder()
        let url = scratch.file("talk.wav")
        let first = try ReservedFile(url)
        #expect(first.url == url)
        let error = #expect(throws: RecordingError.self) { try ReservedFile(url) }
        #expect(error?.code == .alreadyExists)
    }

    @Test func whatIsThereStaysUntouched() throws {
        let scratch = try TemporaryFolder()
        let url = scratch.file("talk.wav")
        try Data("kept".utf8).write(to: url)
        let error = #expect(throws: RecordingError.self) { try ReservedFile(url) }
        #expect(error?.code == .alreadyExists)
        #expect(try Data(contentsOf: url) == Data("kept".utf8))
    }

    @Test func numbersFollowTheName() throws {
        let scratch = try TemporaryFolder()
        let names = try (0..<3).map { _ in
            try ReservedFile(name: "2025-06-14", fileExtension: "m4a", in: scratch.url).url.lastPathComponent
        }
        #expect(names == ["2025-06-14.m4a", "2025-06-14 (2).m4a", "2025-06-14 (3).m4a"])
    }

    @Test func ofManyInTheSameInstantOneGetsEachName() async throws {
        let scratch = try TemporaryFolder()
        let folder = scratch.url
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    try ReservedFile(name: "take", fileExtension: "caf", in: folder).url.lastPathComponent
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(names).count == 32)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 32)
    }

    @Test func releaseRemovesTheEmptyFileOnly() throws {
        let scratch = try TemporaryFolder()
        let empty = try ReservedFile(scratch.file("a.wav"))
        empty.release()
        #expect(!FileManager.default.fileExists(atPath: empty.url.path))
        empty.release()

        let filled = try ReservedFile(scratch.file("b.wav"))
        try Data("sound".utf8).write(to: filled.url)
        filled.release()
        #expect(try Data(contentsOf: filled.url) == Data("sound".utf8))
    }

    @Test func failuresSayWhy() throws {
        let scratch = try TemporaryFolder()
        let missing = #expect(throws: RecordingError.self) { try ReservedFile(scratch.file("no/folder/a.wav")) }
        #expect(missing?.code == .notFound)
        let long = #expect(throws: RecordingError.self) {
            try ReservedFile(scratch.file(String(repeating: "x", count: 300) + ".wav"))
        }
        #expect(long != nil)
        #expect(long?.code != .alreadyExists)
        let web = try #require(URL(string: "https://example.org/a.wav"))
        let notAFile = #expect(throws: RecordingError.self) { try ReservedFile(web) }
        #expect(notAFile?.code == .invalidArgument)
    }

    @Test(arguments: ["ελληνικά.wav", "日本語 🎙️.wav", "a#b%41?.wav", "memo:1.wav", "-x.wav", "line\nbreak.wav", "~.wav"])
    func namesAreBytes(name: String) throws {
        let scratch = try TemporaryFolder()
        _ = try ReservedFile(scratch.file(name))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == [name])
    }
}
