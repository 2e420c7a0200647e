import Foundation
import KayitCommands
import TestSupport
import Testing

/// Where `kayit play --resume` goes on.
@Suite struct PlayPositionsTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write([1, 2, 3], to: "a.wav")
        file = folder.file("a.wav")
        environment = ["XDG_STATE_HOME": folder.path("state")]
    }

    private var store: URL { folder.file("state/kayit/positions.json") }

    @Test func aPlaceIsKeptForTheFileOfThatNameAndSize() throws {
        PlayPositions(environment).note(90, of: 3600, in: file)
        #expect(PlayPositions(environment).position(of: file) == 90)
        #expect(PlayPositions(environment).position(of: folder.file("b.wav")) == nil)
        PlayPositions(environment).note(100, of: 3600, in: file)
        #expect(PlayPositions(environment).position(of: file) == 100)
        // Another file under the same name.
        _ = try folder.write([1, 2, 3, 4], to: "a.wav")
        #expect(PlayPositions(environment).position(of: file) == nil)
    }

    @Test(arguments: [0, 2, 3598, 3600]) func beginningAndEndAreForgotten(seconds: Double) {
        PlayPositions(environment).note(90, of: 3600, in: file)
        PlayPositions(environment).note(seconds, of: 3600, in: file)
        #expect(PlayPositions(environment).position(of: file) == nil)
    }

    @Test(arguments: [
        "", "[", "{}", "[{\"path\":1}]", "[{\"path\":\"x\",\"size\":1e99,\"seconds\":1,\"turn\":1}]", "\u{0}",
    ])
    func aDamagedStoreCostsNothingButThePlaces(text: String) throws {
        try FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: store)
        #expect(PlayPositions(environment).position(of: file) == nil)
        PlayPositions(environment).note(90, of: 3600, in: file)
        #expect(PlayPositions(environment).position(of: file) == 90)
    }

    @Test func whatCannotBeWrittenIsNotKept() throws {
        // A file where the folder would be, and a folder where the file would be.
        _ = try folder.write([0], to: "state")
        PlayPositions(environment).note(90, of: 3600, in: file)
        #expect(PlayPositions(environment).position(of: file) == nil)
        PlayPositions([:]).note(90, of: 3600, in: file)
        #expect(PlayPositions([:]).position(of: file) == nil)
    }

    @Test func theOldestGoFirst() throws {
        let entries = (0..<1000).map { #"{"path":"/x/\#($0)","size":3,"seconds":5,"turn":\#($0)}"# }
        try FileManager.default.createDirectory(
            at: store.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data("[\(entries.joined(separator: ","))]".utf8).write(to: store)
        PlayPositions(environment).note(90, of: 3600, in: file)
        let text = try String(contentsOf: store, encoding: .utf8).replacingOccurrences(of: "\\/", with: "/")
        #expect(!text.contains("\"/x/0\"") && text.contains("\"/x/1\"") && text.contains("a.wav"))
    }
}
