import AudioCore
import Foundation
import PlatformLinux
import TestSupport
import Testing

@Suite("Folders of the machine")
struct LinuxFolderTests {
    let scratch: TemporaryFolder
    let store = LinuxFileStore()

    init() throws { scratch = try TemporaryFolder() }

    private func code(_ body: () throws -> Void) -> AudioFailure.Code? {
        #expect(throws: AudioFailure.self, performing: body)?.code
    }

    @Test("a folder is made, filled, emptied and removed")
    func folders() throws {
        let folder = scratch.path("Bär.parts")
        try store.makeFolder(folder)
        #expect(try store.status(folder)?.isFolder == true)
        #expect(code { try store.makeFolder(folder) } == .alreadyExists)
        #expect(code { try store.makeFolder(scratch.path("none/p")) } == .notFound)
        #expect(try store.contents(of: folder).isEmpty)
        try store.open(folder + "/ü.wav", .creatingExclusively).close()
        try store.makeFolder(folder + "/.hidden")
        #expect(try store.contents(of: folder).sorted() == [".hidden", "ü.wav"])
        #expect(code { _ = try store.contents(of: folder + "/ü.wav") } == .notFound)
        #expect(code { try store.removeFolder(folder) } == .busy)
        try store.remove(folder + "/ü.wav")
        try store.removeFolder(folder + "/.hidden")
        try store.removeFolder(folder)
        #expect(try store.status(folder) == nil)
        #expect(code { try store.removeFolder(folder) } == .notFound)
    }

    @Test("a name that is not UTF-8 is shown and does not end the list")
    func strangeNames() throws {
        let name = scratch.path("a").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF), 0]
        let descriptor = open(name, O_CREAT | O_RDWR, 0o644)
        #expect(descriptor >= 0)
        close(descriptor)
        try store.open(scratch.path("b"), .creatingExclusively).close()
        #expect(try store.contents(of: scratch.path("")).sorted() == ["a\u{FFFD}", "b"])
    }

    @Test("times are set to the nanosecond that a number can tell, also before 1970")
    func times() throws {
        let path = scratch.path("x")
        try store.open(path, .creatingExclusively).close()
        for time in [1_234_567_890.25, -1.5, 0] {
            try store.setModified(path, time)
            let found = try #require(try store.status(path)).modified
            #expect(abs(found - time) < 1e-6)
        }
        for wrong in [Double.nan, .infinity, 1e300] {
            #expect(code { try store.setModified(path, wrong) } == .invalidArgument)
        }
        #expect(code { try store.setModified(path + "y", 1) } == .notFound)
    }
}
