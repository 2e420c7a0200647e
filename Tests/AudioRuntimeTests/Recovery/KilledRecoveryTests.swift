import AudioCore
import AudioRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

/// Recovery that dies at any of its calls: the recording is there at every moment, and the next recovery ends the work.
@Suite("Killed recovery")
struct KilledRecoveryTests {
    private let bench: FileRecoveryTests

    init() throws { bench = try FileRecoveryTests() }

    @Test(arguments: ["talk.m4a", ".kayit-1.part"])
    func atEveryCallTheRecordingIsThere(name: String) throws {
        let (path, take) = try bench.killed(name, .aac, .m4a, frames: 20_000)
        let bytes = try bench.content(path)
        let expected = take.packets.map(\.bytes)
        var calls = 0
        while true {
            for name in try bench.names(bench.folder) { try bench.runtime.files.remove(bench.folder + "/" + name) }
            _ = try bench.scratch.write(bytes, to: "takes/" + name)
            var dying = bench.runtime
            let store = DyingStore(base: bench.runtime.files, calls: calls)
            dying.files = store
            let trash = Trash(files: store, owner: bench.owner)
            _ = try FileRecovery(trash: trash, in: dying).recover(file: path)
            // Exactly one recording, whole, whatever else lies about.
            let survivors = try bench.names(bench.folder).filter { !$0.hasSuffix(".half") }
            #expect(survivors.count == 1, "after \(calls) calls: \(survivors)")
            let survivor = bench.folder + "/" + (try #require(survivors.first))
            #expect(areEqual(try packets(of: survivor, bench.runtime), expected), "after \(calls) calls")

            try bench.recovery().recover(folder: bench.folder) { _ in true }
            let after = try bench.names(bench.folder)
            #expect(after.count == 1 && after[0].hasSuffix(".m4a"), "after \(calls) calls: \(after)")
            let file = try bench.runtime.files.open(bench.folder + "/" + (try #require(after.first)), .reading)
            defer { file.close() }
            let reader = try bench.runtime.media.openReader(file)
            #expect(reader.integrity == .complete, "after \(calls) calls")
            if !store.hasDied { break }
            calls += 1
        }
        // As many as it takes; fewer would mean that the store was never asked.
        #expect(calls > 20)
    }
}

/// A store whose process is gone after some calls: nothing that is asked for happens any more.
private final class DyingStore: FileStore {
    let base: any FileStore
    private let calls: Atomic<Int>

    init(base: any FileStore, calls: Int) {
        self.base = base
        self.calls = Atomic(calls)
    }

    var hasDied: Bool { calls.load(ordering: .relaxed) < 0 }

    func count(_ path: String) throws(AudioFailure) {
        if calls.wrappingSubtract(1, ordering: .relaxed).newValue < 0 {
            throw AudioFailure(.internal, "The process is gone.", path: path)
        }
    }

    func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        try count(path)
        return DyingFile(base: try base.open(path, opening), store: self)
    }
    func status(_ path: String) throws(AudioFailure) -> FileStatus? {
        try count(path)
        return try base.status(path)
    }
    func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        try count(path)
        try base.rename(path, to: target, replacing: replacing)
    }
    func remove(_ path: String) throws(AudioFailure) {
        try count(path)
        try base.remove(path)
    }
    func makeFolder(_ path: String) throws(AudioFailure) {
        try count(path)
        try base.makeFolder(path)
    }
    func removeFolder(_ path: String) throws(AudioFailure) {
        try count(path)
        try base.removeFolder(path)
    }
    func contents(of path: String) throws(AudioFailure) -> [String] {
        try count(path)
        return try base.contents(of: path)
    }
    func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) {
        try count(path)
        try base.setModified(path, seconds)
    }
    func link(_ path: String, to target: String) throws(AudioFailure) {
        try count(path)
        try base.link(path, to: target)
    }
    func makePrivateFolder(_ path: String) throws(AudioFailure) {
        try count(path)
        try base.makePrivateFolder(path)
    }
    func volume(of path: String) throws(AudioFailure) -> UInt64? {
        try count(path)
        return try base.volume(of: path)
    }
    func synchronizeFolder(_ path: String) throws(AudioFailure) {
        try count(path)
        try base.synchronizeFolder(path)
    }
    func freeSpace(at path: String) throws(AudioFailure) -> Int64 { try base.freeSpace(at: path) }
}

/// Reading is not counted: it changes nothing.
private final class DyingFile: StoredFile {
    let base: any StoredFile
    let store: DyingStore

    init(base: any StoredFile, store: DyingStore) {
        self.base = base
        self.store = store
    }

    var path: String { base.path }
    func size() throws(AudioFailure) -> Int64 { try base.size() }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        try base.read(into: buffer, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        try store.count(path)
        try base.write(bytes, at: offset)
    }
    func synchronize() throws(AudioFailure) {
        try store.count(path)
        try base.synchronize()
    }
    func truncate(to size: Int64) throws(AudioFailure) {
        try store.count(path)
        try base.truncate(to: size)
    }
    func reserve(upTo size: Int64) throws(AudioFailure) {
        try store.count(path)
        try base.reserve(upTo: size)
    }
    func tryLock() throws(AudioFailure) -> Bool { try base.tryLock() }
    func close() { base.close() }
}
