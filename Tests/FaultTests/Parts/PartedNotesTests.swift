import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import TestSupport
import Testing

/// Markers and gaps of a recording in parts, as the whole recorder writes them.
@Suite("Markers and gaps in parts")
struct PartedNotesTests {
    static let burst = 4_800

    static func metadata(_ path: String, in store: any FileStore) throws -> MediaMetadata {
        let file = try store.open(path, .reading)
        defer { file.close() }
        return try MediaRegistry.system.openReader(file).metadata
    }

    /// A take in parts of 100 ms with a marker in every burst. Its disk fails once, at call `k` of the writing.
    /// - Returns: the names of the markers that were set.
    private func take(_ bench: FaultBench, _ engine: RecorderEngine, failing k: Int?, _ number: Int32) async throws
        -> [String]
    {
        engine.options.partLength = .milliseconds(100)
        engine.options.keepsParts = true
        try engine.record()
        if let k {
            bench.disk.set(
                FileFault(.fail(number), calls: [.open, .write, .synchronize, .reserve, .truncate], first: k, times: 1)
            )
        }
        let stream = try #require(bench.host.capture)
        var names: [String] = []
        for index in 0..<4 {
            guard stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index))) else { break }
            let marker = "marker \(index)"
            guard engine.addMarker(marker) != nil else { break }
            names.append(marker)
            let frames = Int64((index + 1) * Self.burst)
            #expect(await eventually { engine.frames.value >= frames || engine.phase == .stopped })
        }
        engine.stop()
        return names
    }

    @Test(
        "a change of parts that fails and is tried again writes every note once",
        arguments: [(RecordedKind.aac, ENOSPC, 3), (.wav, ENOSPC, 1), (.wav, EIO, 2)]
    )
    func oneOfEach(_ kind: RecordedKind, _ number: Int32, first: Int) async throws {
        // Every third call of each: together all of them, and in another order.
        var k = first - 3
        var isStruck = true
        var succeeded = 0
        while isStruck {
            k += 3
            try #require(k < 400, "a take this short ends")
            let bench = FaultBench(kind)
            let engine = bench.engine()
            let set = try await take(bench, engine, failing: k, number)
            isStruck = bench.disk.matchingCalls >= k
            bench.disk.set(nil)
            let outcome = try #require(engine.joinJob).wait()
            let reports = await bench.reported(engine)
            var found: [String] = []
            var inParts: [String] = []
            if case .success(let result) = outcome {
                found = try Self.metadata(result.path, in: bench.memory).markers.map(\.name)
            }
            for name in bench.memory.names(in: PartsJoinFaultTests.folder) where name != PartsLog.name {
                let path = PartsJoinFaultTests.folder + "/" + name
                inParts += try Self.metadata(path, in: bench.memory).markers.map(\.name)
            }
            for names in [found, inParts] {
                let twice = Set(names.filter { name in names.filter { $0 == name }.count > 1 })
                #expect(twice.isEmpty, "\(kind.name), call \(k): \(twice.sorted()) are there twice")
            }
            if reports == ["finished true"] {
                succeeded += 1
                #expect(inParts.sorted() == set, "\(kind.name), call \(k): \(inParts)")
                // A call of the join may be the one that was struck.
                if case .success = outcome { #expect(found.sorted() == set, "\(kind.name), call \(k): \(found)") }
            }
        }
        // A full disk is tried again in smaller pieces; the others end the take where they strike.
        #expect(k > 20 && succeeded > 0)
    }

    @Test(
        "a gap across the end of a part is one gap of its length in the joined file",
        arguments: [RecordedKind.aac, .wav]
    )
    func gapAcrossParts(_ kind: RecordedKind) async throws {
        let bench = FaultBench(kind)
        let engine = bench.engine()
        engine.options.partLength = .milliseconds(250)
        engine.options.keepsParts = true
        try engine.record()
        let stream = try #require(bench.host.capture)
        #expect(stream.hear(FaultBench.noise(Self.burst)))
        let first = try #require(engine.addMarker("before"))
        // Three parts long, from 0.1 to 0.85 s.
        stream.lose(frames: 36_000)
        #expect(stream.hear(FaultBench.noise(Self.burst, seed: 2)))
        #expect(await eventually { engine.frames.value == 45_600 })
        let second = try #require(engine.addMarker("behind"))
        engine.stop()
        let result = try #require(engine.joinJob).wait().get()
        #expect(result.frames.value == 45_600)
        let notes = try Self.metadata(result.path, in: bench.memory)
        #expect(notes.gaps.count == 1)
        #expect(notes.gaps.first.map { $0.length.value } == 36_000)
        #expect(notes.gaps.first.map { $0.start.value } == Int64(Self.burst))
        #expect(notes.markers.map(\.name) == ["before", "behind"])
        #expect(notes.markers.map(\.frame) == [first.frame, second.frame])
        var inParts: Int64 = 0
        for name in bench.memory.names(in: PartsJoinFaultTests.folder) where name != PartsLog.name {
            let part = try Self.metadata(PartsJoinFaultTests.folder + "/" + name, in: bench.memory)
            inParts += part.gaps.reduce(0) { $0 + $1.length.value }
        }
        #expect(inParts == 36_000, "each part states what of the gap lies in it")
    }
}
