import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import PlatformLinux
import TestSupport
import Testing

/// Joining the parts of a recording, killed at every call, by a dying disk, and by power cuts; and then started again.
@Suite("Joining after kills and power cuts")
struct PartsJoinFaultTests {
    static let folder = FaultBench.path + PartsFolder.suffix

    /// A disk with a recording of several parts that has ended and is not joined.
    static func ended(_ kind: RecordedKind, bursts: Int, old: [UInt8]? = nil, keepsParts: Bool = false) async throws
        -> (disk: MemoryFileStore, frames: Int)
    {
        let bench = FaultBench(kind)
        if let old {
            let file = try bench.memory.open(FaultBench.path, .creatingExclusively)
            try file.write(old, at: 0)
            try file.synchronize()
            file.close()
            try bench.memory.synchronizeFolder("/takes")
        }
        let engine = bench.engine()
        engine.options.partLength = .milliseconds(100)
        engine.options.keepsParts = keepsParts
        try engine.record()
        let stream = try #require(bench.host.capture)
        for index in 0..<bursts {
            #expect(stream.hear(FaultBench.noise(4_801, seed: UInt64(index))))
            engine.pause()
            try engine.record()
        }
        // The join cannot begin: its file cannot be made, nor can one part get the name.
        bench.disk.set(FileFault(.fail(EIO), calls: [.rename, .open]))
        engine.stop()
        let job = try #require(engine.joinJob)
        guard case .failure = job.wait() else { throw SetupFailure("It was joined.") }
        #expect(await bench.reported(engine) == ["finished true"])
        return (bench.memory.afterPowerCut(seed: 1, fate: .kept), bursts * 4_801)
    }

    private func run(on disk: any FileStore) throws(AudioFailure) -> PartsJoin.Result {
        let runtime = Runtime(
            devices: ManualHost(),
            media: .system,
            files: disk,
            clock: MonotonicClock(),
            callbacks: SerialQueueExecutor(label: "test.join")
        )
        return try PartsJoin(folder: Self.folder).run(in: runtime)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var kind: RecordedKind
        var bursts: Int
        var old: [UInt8]?
        var keepsParts = false
        var testDescription: String {
            "\(kind.name), \(bursts) parts" + (old == nil ? "" : ", replacing") + (keepsParts ? ", kept" : "")
        }
    }

    static let cases = [
        Case(kind: .wav, bursts: 4), Case(kind: .wav, bursts: 3, old: [1, 2, 3]), Case(kind: .aac, bursts: 5),
        Case(kind: .wav, bursts: 1), Case(kind: .aac, bursts: 1, old: []), Case(kind: .opus, bursts: 4),
        Case(kind: .wav, bursts: 3, keepsParts: true),
    ]

    @Test("killed at any call and started again, there is one file with every frame", arguments: cases)
    func killedAtEveryCall(_ test: Case) async throws {
        let (base, frames) = try await Self.ended(
            test.kind,
            bursts: test.bursts,
            old: test.old,
            keepsParts: test.keepsParts
        )
        var k = 0
        var isUntouched = false
        while !isUntouched {
            k += 1
            try #require(k < 2_000)
            let cut = [PowerCut.Fate.kept, .dropped, nil][k % 3]
            let place = "\(test), call \(k), cut \(String(describing: cut))"
            let memory = base.afterPowerCut(seed: 1, fate: .kept)
            let disk = FaultingFileStore(memory)
            disk.set(FileFault(.short(EIO, fraction: 0.5), calls: Set(FileCall.allCases), first: k))
            _ = try? run(on: disk)
            isUntouched = disk.matchingCalls < k
            let found = memory.afterPowerCut(seed: UInt64(k), fate: cut)
            if try found.status(Self.folder) != nil {
                do throws(AudioFailure) {
                    _ = try run(on: found)
                } catch {
                    // All parts were gone, and the session file with them.
                    #expect(error.code == .notFound, "\(place): \(error)")
                }
            }
            let names = found.names(in: "/takes")
            #expect(names == (test.keepsParts ? ["take", "take.parts"] : ["take"]), "\(place): \(names)")
            #expect(try FaultBench.frames(in: found).count == frames, "\(place)")
        }
        #expect(k > 15)
    }

    @Test("a name that was taken in the meantime stays with its file")
    func nameTaken() async throws {
        for bursts in [1, 3] {
            let (disk, frames) = try await Self.ended(.wav, bursts: bursts)
            let other = try disk.open(FaultBench.path, .creatingExclusively)
            try other.write([7], at: 0)
            other.close()
            let result = try run(on: disk)
            #expect(result.path == FaultBench.path + " (2)")
            #expect(result.frames.value == Int64(frames))
            #expect(disk.content(of: FaultBench.path) == [7])
            #expect(disk.names(in: "/takes") == ["take", "take (2)"])
        }
    }

    @Test("a part that is missing, cut or in use is told, and nothing is changed")
    func refusals() async throws {
        let (disk, _) = try await Self.ended(.wav, bursts: 4)
        let names = disk.names(in: Self.folder)
        #expect(names == ["0001.wav", "0002.wav", "0003.wav", "0004.wav", "recording.log"])
        let lock = try disk.open(Self.folder + "/recording.log", .reading)
        #expect(try lock.tryLock())
        #expect(#expect(throws: AudioFailure.self) { try run(on: disk) }?.code == .busy)
        lock.close()

        let cut = try disk.open(Self.folder + "/0002.wav", .updating)
        try cut.truncate(to: try cut.size() - 1_000)
        cut.close()
        #expect(#expect(throws: AudioFailure.self) { try run(on: disk) }?.code == .malformedMedia)
        try disk.remove(Self.folder + "/0002.wav")
        #expect(#expect(throws: AudioFailure.self) { try run(on: disk) }?.code == .notFound)
        #expect(disk.names(in: Self.folder) == names.filter { $0 != "0002.wav" })
        #expect(disk.names(in: "/takes") == ["take.parts"])
    }

    @Test("without its session file, or with any damage to it, a recording is joined all the same")
    func damagedSessionFile() async throws {
        let log = Self.folder + "/recording.log"
        let (base, frames) = try await Self.ended(.wav, bursts: 4)
        for seed in 0..<40 as Range<UInt64> {
            let disk = base.afterPowerCut(seed: seed, fate: .kept)
            if seed == 0 {
                try disk.remove(log)
            } else {
                var random = SeededGenerator(seed: seed)
                let file = try disk.open(log, .updating)
                let size = Int(try file.size())
                let start = Int.random(in: 0..<size, using: &random)
                let noise = (0..<Int.random(in: 1...size, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                try file.write(noise, at: Int64(start))
                file.close()
            }
            let result = try run(on: disk)
            #expect(result.frames.value == Int64(frames))
            #expect(disk.names(in: "/takes") == ["take"])
        }
    }

    @Test("a recording that was killed is joined with all that its parts hold")
    func killedWhileRecording() async throws {
        for kind in [RecordedKind.wav, .aac, .flac, .opus, .alac, .ima4] {
            let bench = FaultBench(kind)
            let engine = bench.engine()
            engine.options.partLength = .milliseconds(250)
            try engine.record()
            let stream = try #require(bench.host.capture)
            for index in 0..<5 {
                stream.hear(FaultBench.noise(9_600, seed: UInt64(index)))
                engine.pause()
                let found = bench.memory.afterPowerCut(seed: UInt64(index), fate: index % 2 == 0 ? .kept : .dropped)
                if index > 1 {
                    let result = try run(on: found)
                    #expect(result.frames.value >= Int64((index + 1) * 9_600) - kind.heldBack, "\(kind)")
                    #expect(result.frames.value <= Int64((index + 1) * 9_600))
                    #expect(try FaultBench.frames(in: found).count == Int(result.frames.value))
                    #expect(found.names(in: "/takes") == ["take"])
                }
                try engine.record()
            }
            engine.stop()
            _ = engine.joinJob?.wait()
            #expect(try FaultBench.frames(in: bench.memory).count == 48_000)
        }
    }
}
