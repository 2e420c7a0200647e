import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import TestSupport
import Testing

/// Room on the disk: reserved ahead, given back, watched.
@Suite("Room on the disk")
struct RoomTests {
    static let burst = 9_600

    @Test("what was reserved is given back at the end", arguments: RecordedKind.all)
    func givesBack(_ kind: RecordedKind) async throws {
        let bench = FaultBench(kind)
        bench.memory.setCapacity(100_000_000)
        let engine = bench.engine()
        try engine.record()
        let stream = try #require(bench.host.capture)
        for index in 0..<20 { stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index))) }
        engine.pause()
        let written = Int64(try #require(bench.memory.content(of: FaultBench.path)).count)
        let used = 100_000_000 - (try bench.memory.freeSpace(at: "/takes"))
        #expect(used >= written + TakeFile.endingRoom, "\(used) bytes for \(written)")
        engine.stop()
        let left = Int64(try #require(bench.memory.content(of: FaultBench.path)).count)
        #expect(try bench.memory.freeSpace(at: "/takes") == 100_000_000 - left)
    }

    @Test("a full disk leaves a file that is stated complete, with hardly a byte unused", arguments: RecordedKind.all)
    func completeWhenFull(_ kind: RecordedKind) async throws {
        let bench = FaultBench(kind)
        bench.memory.setCapacity(600_000)
        let engine = bench.engine()
        try engine.record()
        let stream = try #require(bench.host.capture)
        for index in 0..<400 where engine.phase == .recording {
            stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index)))
            _ = await eventually { engine.frames.value >= Int64((index + 1) * Self.burst) || engine.phase == .stopped }
        }
        #expect(await eventually { engine.phase == .stopped })
        #expect(await bench.reported(engine) == ["failed noSpace", "finished false"])
        #expect(try FaultBench.integrity(in: bench.memory) == .complete)
        let frames = try FaultBench.frames(in: bench.memory).count
        #expect(frames > 0)
        let size = try #require(bench.memory.content(of: FaultBench.path)).count
        // What the ending keeps back, and the slack that any finished file may have.
        #expect(size > 600_000 - 80_000, "\(size) bytes are used")
    }

    @Test("a disk without room for a few seconds counts as full", arguments: RecordedKind.all)
    func tooLittle(_ kind: RecordedKind) throws {
        let bench = FaultBench(kind)
        bench.memory.setCapacity(24_000)
        #expect(throws: AudioFailure.self) { try bench.engine().record() }
        #expect(bench.memory.names(in: "/takes").isEmpty)
        #expect(bench.disk.openFiles == 0)
    }

    @Test("ten minutes and one minute left are told once each")
    func marks() async throws {
        let bench = FaultBench(.wav)
        let bytesPerSecond = 96_000.0
        bench.memory.setCapacity(Int64(603 * bytesPerSecond))
        let engine = bench.engine()
        try engine.record()
        let stream = try #require(bench.host.capture)
        let second = FaultBench.noise(48_000)
        for _ in 0..<6 {
            stream.hear(second)
            engine.pause()
            try engine.record()
        }
        #expect(await eventually { bench.notices.all.count == 1 })
        bench.memory.setCapacity(Int64(6 * bytesPerSecond + 62 * bytesPerSecond))
        for _ in 0..<5 {
            stream.hear(second)
            engine.pause()
            try engine.record()
        }
        #expect(await eventually { bench.notices.all.count == 2 })
        #expect(abs((engine.secondsLeft ?? 0) - 57) < 2)
        engine.stop()
        #expect(engine.secondsLeft == nil)
        let told: [Double] = bench.notices.all.map { event in
            if case .diskLow(let seconds) = event { seconds } else { 0.0 }
        }
        try #require(told.count == 2)
        #expect((597...600).contains(told[0]), "\(told)")
        #expect((55...60).contains(told[1]), "\(told)")
    }

    @Test("what a failed synchronisation lost is written again")
    func forgotten() async throws {
        let memory = MemoryFileStore()
        let disk = FaultingFileStore(memory)
        let file = TakeFile(try disk.open("/takes/a", .creatingExclusively))
        try memory.synchronizeFolder("/takes")
        try file.write([1, 2, 3, 4], at: 0)
        try file.synchronize()
        try file.write([9, 9], at: 0)
        try file.write([5, 6], at: 4)
        try file.write([7, 8], at: 0)
        disk.set(FileFault(.forget(EIO), calls: [.synchronize], times: 1))
        try file.synchronize()
        let found = memory.afterPowerCut(seed: 1, fate: .dropped)
        #expect(found.content(of: "/takes/a") == [7, 8, 3, 4, 5, 6])
    }

    @Test("a disk that refuses twice is believed")
    func refusedTwice() throws {
        let disk = FaultingFileStore(MemoryFileStore())
        let file = TakeFile(try disk.open("/takes/a", .creatingExclusively))
        try file.write([1], at: 0)
        disk.set(FileFault(.forget(EIO), calls: [.synchronize], times: 2))
        let failure = #expect(throws: AudioFailure.self) { try file.synchronize() }
        #expect(failure?.errno == EIO)
        // The third time everything is there to be written again.
        try file.synchronize()
    }

    @Test(
        "every synchronisation of a take fails in its turn, and after a power cut all is there",
        arguments: RecordedKind.all
    )
    func everySynchronisation(_ kind: RecordedKind) async throws {
        for k in 1..<40 {
            let bench = FaultBench(kind)
            bench.disk.set(FileFault(.forget(EIO), calls: [.synchronize], first: k, times: 1))
            let engine = bench.engine()
            try engine.record()
            let stream = try #require(bench.host.capture)
            for index in 0..<4 {
                stream.hear(FaultBench.noise(2_400, seed: UInt64(index)))
                engine.pause()
                try engine.record()
            }
            let isStruck = bench.disk.matchingCalls >= k
            let cut = bench.memory.afterPowerCut(seed: UInt64(k), fate: .dropped)
            engine.stop()
            #expect(await bench.reported(engine) == ["finished true"])
            let kept = try FaultBench.frames(in: cut).count
            #expect(Int64(kept) >= 4 * 2_400 - kind.heldBack, "\(kind.name), synchronisation \(k): \(kept) frames")
            if !isStruck { return }
        }
        Issue.record("a take this short ends")
    }
}
