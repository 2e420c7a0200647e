import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import TestSupport
import Testing

/// Recovery itself is killed, or the power fails, at every one of its calls; and then it is started again.
@Suite("Killed recovery")
struct KilledRecoveryTests {
    enum Left: String, CaseIterable, CustomTestStringConvertible {
        /// A recording with its name, never finished.
        case unfinished
        /// One that never got its name.
        case unnamed
        /// A folder of parts, the last of them never finished.
        case parts

        var testDescription: String { rawValue }
    }

    static let burst = 4_800
    static let bursts = 4

    /// What a machine finds that was killed while it recorded.
    /// - Returns: the disk, and the frames that a pause had reported as kept.
    private static func disk(_ left: Left, _ kind: RecordedKind) throws -> (disk: MemoryFileStore, kept: Int) {
        let bench = FaultBench(kind)
        let engine = bench.engine()
        if left == .parts { engine.options.partLength = .milliseconds(100) }
        try engine.record()
        let stream = try #require(bench.host.capture)
        for index in 0..<bursts {
            #expect(stream.hear(FaultBench.noise(burst, seed: UInt64(index))))
            engine.pause()
            try engine.record()
        }
        let found = bench.memory.afterPowerCut(seed: 1, fate: .kept)
        engine.stop()
        _ = engine.joinJob?.wait()
        if left == .unnamed {
            try found.rename(FaultBench.path, to: "/takes/.kayit-abc.part", replacing: false)
            try found.synchronizeFolder("/takes")
        }
        // Files of this store have names without an ending, by which recovery would know that they are sound.
        if left == .unfinished {
            try found.rename(FaultBench.path, to: "/takes/take.\(kind.container.name)", replacing: false)
            try found.synchronizeFolder("/takes")
        }
        return (found, bursts * burst - Int(kind.heldBack))
    }

    private static func recover(_ disk: any FileStore) throws {
        let trash = Trash(files: disk, owner: Trash.Owner(homeTrash: "/takes/trash", userID: 0))
        try FileRecovery(trash: trash, in: JobBench.runtime(disk)).recover(folder: "/takes") { _ in true }
    }

    /// One whole recording, and nothing that was half made.
    private static func check(_ disk: MemoryFileStore, _ kept: Int, _ place: String) throws {
        let names = disk.names(in: "/takes").filter { $0 != "trash" }
        #expect(names.count == 1, "\(place): \(names)")
        let name = try #require(names.first, "\(place)")
        let frames = try FaultBench.frames("/takes/\(name)", in: disk).count
        #expect(frames >= kept, "\(place): \(frames) of \(kept)")
        #expect(try FaultBench.integrity("/takes/\(name)", in: disk) == .complete, "\(place)")
    }

    /// At no moment is there less than everything: in the take, in its parts, or in what was made of them.
    private static func checkNothingIsLost(_ disk: MemoryFileStore, _ left: Left, _ kept: Int, _ place: String) throws {
        let files = disk.names(in: "/takes").filter { $0 != "trash" && !$0.hasSuffix(".half") }
        let whole = files.contains { name in
            ((try? FaultBench.frames("/takes/\(name)", in: disk).count) ?? 0) >= kept
        }
        if whole { return }
        let parts = disk.names(in: PartsJoinFaultTests.folder).filter { $0 != PartsLog.name }
        let frames = parts.reduce(0) { sum, name in
            sum + ((try? FaultBench.frames("\(PartsJoinFaultTests.folder)/\(name)", in: disk).count) ?? 0)
        }
        #expect(left == .parts && frames >= kept, "\(place): \(files), \(frames) frames in parts")
    }

    @Test("at any call, by a kill or with the power", arguments: Left.allCases, [RecordedKind.aac, .wav])
    func atEveryCall(_ left: Left, _ kind: RecordedKind) throws {
        let (base, kept) = try Self.disk(left, kind)
        var k = 0
        var isUntouched = false
        while !isUntouched {
            // Of PCM every call; of AAC, whose packets take more time, every third.
            k += kind.codec == RecordedKind.aac.codec ? 3 : 1
            try #require(k < 1_000, "a recovery this short ends")
            let memory = base.afterPowerCut(seed: 1, fate: .kept)
            let disk = FaultingFileStore(memory)
            disk.set(FileFault(.short(EIO, fraction: 0.5), calls: Set(FileCall.allCases), first: k))
            try? Self.recover(disk)
            isUntouched = disk.matchingCalls < k
            for (seed, fate) in [(1, PowerCut.Fate.kept), (UInt64(k), nil), (2, .dropped)] {
                let place = "\(left), \(kind.name), call \(k), \(fate.map { "\($0)" } ?? "mixed")"
                let found = memory.afterPowerCut(seed: seed, fate: fate)
                try Self.checkNothingIsLost(found, left, kept, place)
                try Self.recover(found)
                try Self.check(found, kept, "\(place), once more")
            }
        }
        #expect(k > 20, "recovery makes more calls than that")
    }

    /// A take that begins under the name of a file that is just being recovered.
    @Test("a new recording is not replaced by what is recovered under its name")
    func aNewRecordingStays() throws {
        let (memory, _) = try Self.disk(.unfinished, .wav)
        let path = "/takes/take.wav"
        let content: [UInt8] = [1, 2, 3]
        let disk = FaultingFileStore(memory)
        // The moment at which the complete file is safe and has no name yet: its date is being set.
        disk.set(
            FileFault(
                .stallWhile {
                    guard let file = try? memory.open("/takes/new", .creatingExclusively) else { return false }
                    try? file.write(content, at: 0)
                    try? memory.rename("/takes/new", to: path, replacing: true)
                    return false
                },
                calls: [.setModified]
            )
        )
        try Self.recover(disk)
        #expect(memory.content(of: path) == content)
    }
}
