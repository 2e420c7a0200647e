import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import PlatformLinux
import TestSupport
import Testing

/// Recovery of large folders, and of folders in which some files cannot be read.
@Suite("Recovery of many files")
struct ManyFilesTests {
    /// Bytes of memory that the process has now.
    private static func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4096
    }

    /// A short recording, finished or as a kill leaves it.
    private static func bytes(_ kind: RecordedKind, isFinished: Bool) throws -> [UInt8] {
        let bench = FaultBench(kind)
        let engine = bench.engine()
        try engine.record()
        #expect(try #require(bench.host.capture).hear(FaultBench.noise(9_600)))
        engine.pause()
        if isFinished { engine.stop() }
        return try #require(bench.memory.content(of: FaultBench.path))
    }

    @Test("5000 files: the first is told within two seconds, and memory stays small")
    func fiveThousand() throws {
        let scratch = try TemporaryFolder()
        try LinuxFileStore().makeFolder(scratch.path("takes"))
        let whole = try Self.bytes(.wav, isFinished: true)
        for number in 0..<4_990 { _ = try scratch.write(whole, to: "takes/take \(10_000 + number).wav") }
        let killed = try Self.bytes(.aac, isFinished: false)
        for number in 0..<10 { _ = try scratch.write(killed, to: "takes/zz \(number).m4a") }
        let files = LinuxFileStore()
        let trash = Trash(files: files, owner: Trash.Owner(homeTrash: scratch.path("Trash"), userID: getuid()))
        let recovery = try FileRecovery(trash: trash, in: JobBench.runtime(files))
        let start = ContinuousClock.now
        var first: Duration?
        var found = 0
        var completed = 0
        let before = try Self.residentBytes()
        try recovery.recover(folder: scratch.path("takes")) { file in
            first = first ?? start.duration(to: .now)
            found += 1
            if case .completed = file.result { completed += 1 }
            return true
        }
        let grown = try Self.residentBytes() - before
        #expect(found == 5_000 && completed == 10)
        // Two seconds on a machine that is five times slower.
        #expect(try #require(first) < .seconds(10))
        #expect(grown < 32 << 20, "\(grown >> 20) MiB")
        print(
            "5000 files: the first after \(first ?? .zero), all after \(start.duration(to: .now)), \(grown >> 10) KiB"
        )
    }

    /// Each file in its turn, and the folder's other calls.
    @Test("what cannot be opened is told with its reason, and all others are recovered", arguments: [EACCES, EIO])
    func unreadable(_ number: Int32) throws {
        let killed = try Self.bytes(.wav, isFinished: false)
        for k in 1...4 {
            let memory = MemoryFileStore()
            for name in ["a.wav", "b.wav", "c.wav", "d.wav"] {
                let file = try memory.open("/takes/\(name)", .creatingExclusively)
                try file.write(killed, at: 0)
                file.close()
            }
            let disk = UnreadableStore(base: memory, path: "/takes/\(["a", "b", "c", "d"][k - 1]).wav", number: number)
            let trash = Trash(files: disk, owner: Trash.Owner(homeTrash: "/takes/trash", userID: 0))
            var states: [RecoveredFile] = []
            try FileRecovery(trash: trash, in: JobBench.runtime(disk)).recover(folder: "/takes") { file in
                states.append(file)
                return true
            }
            let unreadable = states.filter { if case .unreadable = $0.state { true } else { false } }
            #expect(unreadable.map(\.path) == [disk.path])
            let completed = states.filter { if case .completed = $0.result { true } else { false } }
            #expect(completed.count == 3, "file \(k): \(states)")
            #expect(memory.content(of: disk.path) == killed)
        }
    }
}

/// One file cannot be opened.
private struct UnreadableStore: FileStore {
    let base: any FileStore
    let path: String
    let number: Int32

    func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        if path == self.path {
            let code = AudioFailure.Code(fileError: number)
            throw AudioFailure(code, "Cannot open '\(path)'.", errno: number, path: path)
        }
        return try base.open(path, opening)
    }

    func status(_ path: String) throws(AudioFailure) -> FileStatus? { try base.status(path) }
    func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        try base.rename(path, to: target, replacing: replacing)
    }
    func link(_ path: String, to target: String) throws(AudioFailure) { try base.link(path, to: target) }
    func remove(_ path: String) throws(AudioFailure) { try base.remove(path) }
    func makeFolder(_ path: String) throws(AudioFailure) { try base.makeFolder(path) }
    func removeFolder(_ path: String) throws(AudioFailure) { try base.removeFolder(path) }
    func contents(of path: String) throws(AudioFailure) -> [String] { try base.contents(of: path) }
    func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) { try base.setModified(path, seconds) }
    func synchronizeFolder(_ path: String) throws(AudioFailure) { try base.synchronizeFolder(path) }
    func freeSpace(at path: String) throws(AudioFailure) -> Int64 { try base.freeSpace(at: path) }
}
