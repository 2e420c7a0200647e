import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import TestSupport
import Testing

/// Every call of a short take fails in its turn, in every way, until a take passes untouched.
@Suite("Failing file calls")
struct FailingCallTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var name: String
        var effect: FileFault.Effect
        var times: Int?
        var testDescription: String { name }
    }

    static let ways = [
        Way(name: "ENOSPC from then on, half written", effect: .short(ENOSPC, fraction: 0.5), times: nil),
        Way(name: "ENOSPC once", effect: .fail(ENOSPC), times: 1),
        Way(name: "EIO once", effect: .fail(EIO), times: 1),
        Way(name: "EIO from then on, part written", effect: .short(EIO, fraction: 0.3), times: nil),
        Way(name: "EDQUOT from then on", effect: .fail(EDQUOT), times: nil),
        Way(name: "EFBIG from then on, part written", effect: .short(EFBIG, fraction: 0.9), times: nil),
        Way(name: "EROFS from then on", effect: .fail(EROFS), times: nil),
    ]

    static let burst = 2_400

    @Test("k-th call fails", arguments: RecordedKind.all, ways)
    func kthCallFails(_ kind: RecordedKind, _ way: Way) async throws {
        var k = 1
        while try await take(kind, way, failing: k) {
            k += 1
            try #require(k < 1_000, "a take this short ends")
        }
        #expect(k > 10, "a take makes more calls than that")
    }

    /// One take; false when it passed before its call `k`.
    private func take(_ kind: RecordedKind, _ way: Way, failing k: Int) async throws -> Bool {
        let bench = FaultBench(kind)
        let old: [UInt8] = [1, 2, 3]
        let file = try bench.memory.open(FaultBench.path, .creatingExclusively)
        try file.write(old, at: 0)
        file.close()

        var calls = FileCall.changing
        // A name can be taken away on a full disk; where it cannot, nothing can tidy up.
        if way.times == nil { calls.remove(.remove) }
        bench.disk.set(FileFault(way.effect, calls: calls, first: k, times: way.times))
        let engine = bench.engine()
        let place = "\(kind.name), \(way.name), call \(k)"
        do {
            try engine.record()
        } catch {
            #expect(bench.memory.content(of: FaultBench.path) == old, "\(place): the old file")
            #expect(bench.memory.names(in: "/takes") == ["take"], "\(place): what is left")
            #expect(bench.host.openStreams == 0, "\(place): a stream is open")
            #expect(bench.disk.openFiles == 0, "\(place): a file is open")
            #expect(engine.phase == .stopped, "\(place)")
            #expect(await bench.reported(engine).isEmpty, "\(place): a start that failed is no recording")
            return true
        }
        let kept = try await speak(bench, engine)
        let struck = bench.disk.matchingCalls >= k
        bench.disk.set(nil)

        #expect(engine.phase == .stopped, "\(place)")
        #expect(bench.host.openStreams == 0, "\(place): a stream is open")
        #expect(bench.disk.openFiles == 0, "\(place): a file is open")
        #expect(bench.memory.names(in: "/takes") == ["take"], "\(place): what is left")
        let reports = await bench.reported(engine)
        if reports.last == "finished true" {
            #expect(reports == ["finished true"], "\(place)")
        } else {
            #expect(reports.count == 2, "\(place): \(reports)")
            #expect(
                reports.first?.hasPrefix("failed ") == true && reports.last == "finished false",
                "\(place): \(reports)"
            )
        }
        do {
            let frames = Int64(try FaultBench.frames(in: bench.memory).count)
            #expect(frames >= kept - kind.heldBack, "\(place): \(frames) of \(kept) frames")
        } catch {
            Issue.record("\(place): \(error)")
        }
        return struck
    }

    /// Speaks until the recording ends or six bursts are said.
    /// - Returns: frames of which the recorder said that they are on the disk.
    private func speak(_ bench: FaultBench, _ engine: RecorderEngine) async throws -> Int64 {
        let stream = try #require(bench.host.capture)
        var kept: Int64 = 0
        for index in 1...4 {
            guard stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index))) else { break }
            engine.pause()
            if engine.phase != .paused { return kept }
            kept = Int64(index * Self.burst)
            do { try engine.record() } catch { return kept }
        }
        engine.stop()
        return kept
    }
}
