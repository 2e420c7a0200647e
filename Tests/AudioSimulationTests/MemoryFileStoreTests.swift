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
