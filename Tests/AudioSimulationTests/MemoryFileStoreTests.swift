import AudioCore
import AudioSimulation
import Testing

@Suite("Disk in memory")
struct MemoryFileStoreTests {
    let store = MemoryFileStore(folders: ["/a", "/b"])

    private func make(_ path: String, _ bytes: [UInt8]) throws -> any StoredFile {
        let file = try store.open(path, .creatingExclusively)
        try file.write(bytes, at: 0)
        return file
    }

    @Test("what was synchronised survives a power cut whatever the seed, and nothing else has to")
    func synchronised() throws {
        let file = try make("/a/x", [1, 2, 3])
        try file.synchronize()
        try store.synchronizeFolder("/a")
        try file.write([9], at: 1)
        for seed in 0..<20 as Range<UInt64> {
            let found = try #require(store.afterPowerCut(seed: seed).content(of: "/a/x"))
            #expect(found == [1, 2, 3] || found == [1, 9, 3])
        }
        #expect(store.afterPowerCut(seed: 1, fate: .dropped).content(of: "/a/x") == [1, 2, 3])
        #expect(store.afterPowerCut(seed: 1, fate: .kept).content(of: "/a/x") == [1, 9, 3])
        #expect(store.content(of: "/a/x") == [1, 9, 3], "the store itself goes on")
    }

    @Test("a name is lost with a folder that was not synchronised; a rename is undone")
    func names() throws {
        try make("/a/x", [1]).synchronize()
        #expect(store.afterPowerCut(seed: 1, fate: .dropped).names(in: "/a").isEmpty)
        try store.synchronizeFolder("/a")
        try store.rename("/a/x", to: "/a/y", replacing: true)
        #expect(store.names(in: "/a") == ["y"])
        #expect(store.afterPowerCut(seed: 1, fate: .dropped).names(in: "/a") == ["x"])
        #expect(store.afterPowerCut(seed: 1, fate: .kept).names(in: "/a") == ["y"])
    }

    @Test("torn writes are torn at sectors, and both halves occur")
    func torn() throws {
        _ = try make("/a/x", [UInt8](repeating: 7, count: 4096))
        try store.synchronizeFolder("/a")
        var mixtures = 0
        for seed in 0..<20 as Range<UInt64> {
            let found = store.afterPowerCut(seed: seed, fate: .tornSectors).content(of: "/a/x") ?? []
            for start in stride(from: 0, to: found.count, by: 512) {
                let sector = Set(found[start..<min(start + 512, found.count)])
                #expect(sector.count == 1, "a sector is whole")
            }
            if Set(found).count == 2 { mixtures += 1 }
        }
        #expect(mixtures > 10)
    }

    @Test("errors are those of a real disk")
    func errors() throws {
        let file = try make("/a/x", [1])
        #expect(throws: AudioFailure.self) { try store.open("/a/x", .creatingExclusively) }
        #expect(throws: AudioFailure.self) { try store.open("/c/x", .creatingExclusively) }
        #expect(throws: AudioFailure.self) { try store.open("/a", .reading) }
        _ = try make("/a/y", [2])
        #expect(throws: AudioFailure.self) { try store.rename("/a/x", to: "/a/y", replacing: false) }
        #expect(try file.tryLock())
        #expect(try !store.open("/a/x", .updating).tryLock())
        store.setCapacity(4)
        let full = #expect(throws: AudioFailure.self) { try file.write([1, 2, 3, 4, 5], at: 0) }
        #expect(full?.code == .noSpace)
        #expect(store.content(of: "/a/x") == [1, 2, 3], "what fits is written")
    }

    @Test("a folder is made, filled, emptied and removed, as on a real disk")
    func folders() throws {
        try store.makeFolder("/a/p")
        _ = try make("/a/p/x", [1])
        #expect(try store.contents(of: "/a/p") == ["x"])
        #expect(try store.contents(of: "/a") == ["p"])
        #expect(try store.contents(of: "/") == ["a", "b"])
        #expect(try store.status("/a/p")?.isFolder == true)
        func code(_ body: () throws -> Void) -> AudioFailure.Code? {
            #expect(throws: AudioFailure.self, performing: body)?.code
        }
        #expect(code { try store.makeFolder("/a/p") } == .alreadyExists)
        #expect(code { try store.makeFolder("/a/p/x") } == .alreadyExists)
        #expect(code { try store.makeFolder("/c/p") } == .notFound)
        #expect(code { try store.removeFolder("/a/p") } == .busy)
        #expect(code { try store.removeFolder("/a/p/x") } == .notFound)
        #expect(code { _ = try store.contents(of: "/a/p/x") } == .notFound)
        #expect(code { try store.rename("/b", to: "/a/q", replacing: true) } == .accessDenied)
        try store.remove("/a/p/x")
        try store.removeFolder("/a/p")
        #expect(try store.status("/a/p") == nil)
    }

    @Test("a folder and what is in it need both their entries on the disk")
    func foldersAfterPowerCuts() throws {
        func names(_ fate: PowerCut.Fate) throws -> [String] {
            let disk = store.afterPowerCut(seed: 1, fate: fate)
            return try disk.status("/a/p") == nil ? ["no folder"] : disk.names(in: "/a/p")
        }
        try store.makeFolder("/a/p")
        try make("/a/p/x", [1]).synchronize()
        #expect(try names(.dropped) == ["no folder"])
        #expect(try names(.kept) == ["x"])
        try store.synchronizeFolder("/a/p")
        #expect(try names(.dropped) == ["no folder"], "its own entry is in the folder above")
        try store.synchronizeFolder("/a")
        #expect(try names(.dropped) == ["x"])

        try store.remove("/a/p/x")
        try store.removeFolder("/a/p")
        #expect(try names(.dropped) == ["x"])
        try store.synchronizeFolder("/a")
        #expect(try names(.dropped) == ["no folder"])
        try store.makeFolder("/a/p")
        try store.synchronizeFolder("/a")
        #expect(try names(.dropped).isEmpty, "a new folder of an old name has nothing of the old one")
    }

    @Test("times are kept as they were set")
    func times() throws {
        _ = try make("/a/x", [1])
        try store.setModified("/a/x", 1_234_567.5)
        try store.setModified("/b", 2)
        #expect(try store.status("/a/x")?.modified == 1_234_567.5)
        #expect(try store.status("/b")?.modified == 2)
        #expect(throws: AudioFailure.self) { try store.setModified("/a/x", .nan) }
        #expect(throws: AudioFailure.self) { try store.setModified("/a/y", 1) }
    }

    @Test("calls about folders are counted and fail like others")
    func faultyFolders() throws {
        let disk = FaultingFileStore(store)
        let calls: [(FileCall, () throws -> Void)] = [
            (.makeFolder, { try disk.makeFolder("/a/p") }),
            (.contents, { _ = try disk.contents(of: "/a") }),
            (.setModified, { try disk.setModified("/a", 1) }),
            (.removeFolder, { try disk.removeFolder("/b") }),
        ]
        for (call, body) in calls {
            disk.set(FileFault(.fail(5), calls: [call], times: 1))
            #expect(#expect(throws: AudioFailure.self, performing: body)?.code == .inputOutput, "\(call)")
            #expect(disk.matchingCalls == 1)
            if call == .makeFolder { #expect(store.names(in: "/a").isEmpty) }
            if call == .removeFolder { #expect(store.names(in: "/").contains("b")) }
            try body()
            #expect(disk.matchingCalls == 2)
        }
        #expect(store.names(in: "/") == ["a"])
    }

    @Test("a fault strikes the calls that it names, as often as it says")
    func faults() throws {
        let disk = FaultingFileStore(store)
        let file = try disk.open("/a/z", .creatingExclusively)
        disk.set(FileFault(.short(28, fraction: 0.5), calls: [.write], first: 2, times: 1))
        try file.write([1, 1, 1, 1], at: 0)
        let failure = #expect(throws: AudioFailure.self) { try file.write([2, 2, 2, 2], at: 0) }
        #expect(failure?.code == .noSpace)
        #expect(failure?.errno == 28)
        #expect(store.content(of: "/a/z") == [2, 2, 1, 1])
        try file.write([3, 3, 3, 3], at: 0)
        #expect(disk.matchingCalls == 3)
        #expect(disk.openFiles == 1)
        file.close()
        #expect(disk.openFiles == 0)
    }
}
