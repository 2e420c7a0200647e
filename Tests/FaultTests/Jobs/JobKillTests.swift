import AudioCore
import AudioRuntime
import AudioSimulation
import Glibc
import TestSupport
import Testing

/// A job ends between any two calls, by a kill or with the power, and is taken up again. At every moment either all
/// sources or the complete target are there, and in the end the target.
@Suite("Killed jobs")
struct JobKillTests {
    /// Every call from here on fails: to a disk, that is a process that is gone.
    private static func dead(from call: Int) -> FileFault {
        FileFault(.fail(EIO), calls: Set(FileCall.allCases), first: call)
    }

    @Test("a kill at every call", arguments: JobBench.Kind.allCases)
    func killed(_ kind: JobBench.Kind) throws {
        let expected = try JobBench(kind).expected()
        var random = SeededGenerator(seed: 3)
        var k = 1
        while true {
            let bench = try JobBench(kind)
            bench.disk.set(Self.dead(from: k))
            let hasEnded = (try? bench.job.run(in: JobBench.runtime(bench.disk))) != nil
            try Self.checkNothingIsLost(bench, in: bench.memory, expected, "call \(k)")
            // Taken up by a process that is killed too, and then by one that is not.
            bench.disk.set(Self.dead(from: Int.random(in: 1...30, using: &random)))
            _ = try? MediaJob.resume(in: "/takes", runtime: JobBench.runtime(bench.disk))
            bench.disk.set(nil)
            try Self.checkNothingIsLost(bench, in: bench.memory, expected, "call \(k), resumed and killed")
            try Self.checkTheEnd(bench, in: bench.memory, expected, "call \(k)", afterPowerCut: false)
            if hasEnded { break }
            k += 1
            try #require(k < 300, "a job this short ends")
        }
        #expect(k > 15, "a job makes more calls than that")
    }

    @Test("a power cut at every call", arguments: JobBench.Kind.allCases)
    func powerCut(_ kind: JobBench.Kind) throws {
        let expected = try JobBench(kind).expected()
        var k = 1
        while true {
            let bench = try JobBench(kind)
            bench.disk.set(Self.dead(from: k))
            let hasEnded = (try? bench.job.run(in: JobBench.runtime(bench.disk))) != nil
            for seed in 0..<3 as Range<UInt64> {
                let found = bench.memory.afterPowerCut(seed: seed)
                let place = "call \(k), seed \(seed)"
                try Self.checkNothingIsLost(bench, in: found, expected, place)
                let isComplete = Self.isComplete(found, expected)
                #expect(isComplete || !hasEnded, "\(place)")
                try Self.checkTheEnd(bench, in: found, expected, place, afterPowerCut: true)
            }
            if hasEnded { break }
            k += 1
            try #require(k < 300, "a job this short ends")
        }
    }

    private static func isComplete(_ store: MemoryFileStore, _ expected: [Int]) -> Bool {
        (try? JobBench.sound(JobBench.target, in: store)) == expected
    }

    private static func checkNothingIsLost(
        _ bench: JobBench,
        in store: MemoryFileStore,
        _ expected: [Int],
        _ place: String
    ) throws {
        let names = store.names(in: "/takes")
        let haveSources = bench.sources.allSatisfy { names.contains(String($0.dropFirst("/takes/".count))) }
        if haveSources {
            let sound = try bench.sources.flatMap { try JobBench.sound($0, in: store) }
            let isUnchanged = sound == expected
            #expect(isUnchanged, "\(place): a source has changed")
        } else {
            let isComplete = isComplete(store, expected)
            #expect(isComplete, "\(place): \(names)")
        }
        // Under the target's name there is nothing, the older file, or all of it.
        guard let content = store.content(of: JobBench.target) else {
            #expect(bench.kind != .conversionOverAnOlderFile, "\(place)")
            return
        }
        let isOlder = bench.kind == .conversionOverAnOlderFile && content == JobBench.older
        let isWhole = isOlder || isComplete(store, expected)
        #expect(isWhole, "\(place): half a target")
    }

    private static func checkTheEnd(
        _ bench: JobBench,
        in store: MemoryFileStore,
        _ expected: [Int],
        _ place: String,
        afterPowerCut: Bool
    ) throws {
        let hadJob = store.names(in: "/takes").contains {
            // An empty one belongs to a process that ended before it had begun.
            $0.hasSuffix(".job") && store.content(of: "/takes/\($0)") != []
        }
        let results = try MediaJob.resume(in: "/takes", runtime: JobBench.runtime(store))
        for result in results {
            if case .finished = result { continue }
            if case .damaged = result { continue }
            Issue.record("\(place): \(result)")
        }
        try checkNothingIsLost(bench, in: store, expected, "\(place), resumed")
        let wasDamaged = results.contains { if case .damaged = $0 { true } else { false } }
        if hadJob, !wasDamaged {
            let isComplete = isComplete(store, expected)
            #expect(isComplete, "\(place): \(store.names(in: "/takes"))")
            #expect(!store.names(in: "/takes").contains { $0.hasSuffix(".job") }, "\(place)")
        }
        if !wasDamaged {
            // After a power cut a half may be there without the record, which recovery then finds.
            let isClean = afterPowerCut || store.names(in: "/takes").allSatisfy { !$0.hasPrefix(".") }
            #expect(isClean, "\(place): left \(store.names(in: "/takes"))")
            #expect(try MediaJob.resume(in: "/takes", runtime: JobBench.runtime(store)).isEmpty, "\(place)")
        }
    }
}
