import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import PlatformLinux
import TestSupport
import Testing

/// A recording whose disk takes no more goes on in a folder on another one.
@Suite("Rescue folders")
struct RescueTests {
    static let burst = 9_600

    /// A recorder to one disk, with a folder on another.
    struct Bench {
        let kind: RecordedKind
        let host = ManualHost()
        let memory = MemoryFileStore()
        let other = MemoryFileStore(folders: ["/rescue"])
        let disk: FaultingFileStore
        let engine: RecorderEngine
        let reports = Recorded<String>()
        let notices = Recorded<TakeNotice>()

        init(_ kind: RecordedKind) {
            self.kind = kind
            disk = FaultingFileStore(memory)
            let (reports, notices) = (reports, notices)
            engine = RecorderEngine(
                TakeConfiguration(
                    path: FaultBench.path,
                    container: kind.container,
                    encoding: EncodingRequest(codec: kind.codec, sampleRate: FaultBench.rate, channelCount: 1)
                ),
                runtime: Runtime(
                    devices: host,
                    media: .system,
                    files: TwoDisks(first: disk, second: other),
                    clock: MonotonicClock(),
                    callbacks: SerialQueueExecutor(label: "test.rescue")
                )
            ) { report in
                switch report {
                case .finished(let successfully): reports.append("finished \(successfully)")
                case .interruptionBegan, .interruptionEnded: break
                case .failed(let failure): reports.append("failed \(failure.code): \(failure.message)")
                }
            }
            engine.options.rescueFolders = ["/rescue/none", "/rescue"]
            _ = engine.observers.add { notice in if let notice { notices.append(notice) } }
        }

        func reported() async -> [String] {
            await withCheckedContinuation { done in engine.reports.afterAll { done.resume() } }
            return reports.all
        }

        var continued: [String] {
            notices.all.compactMap { if case .continued(let path, _) = $0 { path } else { nil } }
        }

        func frames(_ name: String) throws -> [Float] { try FaultBench.frames("/rescue/\(name)", in: other) }
    }

    private func speak(_ bench: Bench, bursts: Range<Int>) async throws -> [Float] {
        let stream = try #require(bench.host.capture)
        var heard: [Float] = []
        for index in bursts {
            let sound = FaultBench.noise(Self.burst, seed: UInt64(index))
            try #require(stream.hear(sound))
            heard += sound
            let frames = Int64((index + 1) * Self.burst)
            #expect(await eventually { bench.engine.frames.value >= frames }, "the recording goes on")
        }
        return heard
    }

    @Test("a full disk: no frame is lost, both files are finished, and it is told where", arguments: RecordedKind.all)
    func full(_ kind: RecordedKind) async throws {
        let bench = Bench(kind)
        // Less than half a minute of sound needs in any of the forms.
        let capacity: Int64 = kind.codec == .opus ? 120_000 : kind.codec == .aac ? 180_000 : 400_000
        bench.memory.setCapacity(capacity)
        try bench.engine.record()
        let heard = try await speak(bench, bursts: 0..<120)
        #expect(bench.engine.phase == .recording)
        bench.engine.stop()
        let reports = await bench.reported()
        #expect(reports.count == 2)
        #expect(
            reports.first?.hasPrefix("failed noSpace: Cannot record to '/takes/take': No space") == true,
            "\(reports)"
        )
        #expect(reports.first?.hasSuffix("is in '/rescue/take (continued)'.") == true, "\(reports)")
        #expect(reports.last == "finished false")
        #expect(bench.continued == ["/rescue/take (continued)"])
        let first = try FaultBench.frames(in: bench.memory)
        let second = try bench.frames("take (continued)")
        #expect(first.count + second.count == heard.count, "\(first.count) + \(second.count) of \(heard.count)")
        #expect(!first.isEmpty && !second.isEmpty)
        #expect(try FaultBench.integrity(in: bench.memory) == .complete)
        #expect(try FaultBench.integrity("/rescue/take (continued)", in: bench.other) == .complete)
        if case .linearPCM = kind.codec {
            let wrong = zip(first + second, heard).enumerated().first { abs($0.element.0 - $0.element.1) > 1e-4 }
            #expect(wrong == nil, "frame \(wrong?.offset ?? 0)")
        }
        #expect(bench.disk.openFiles == 0)
    }

    @Test(
        "a disk that takes nothing more: at most one checkpoint is in both files, none is missing",
        arguments: RecordedKind.all
    )
    func broken(_ kind: RecordedKind) async throws {
        let bench = Bench(kind)
        try bench.engine.record()
        var heard = try await speak(bench, bursts: 0..<10)
        bench.disk.set(FileFault(.short(EIO, fraction: 0.4)))
        heard += try await speak(bench, bursts: 10..<20)
        bench.engine.stop()
        #expect(await bench.reported().last == "finished false")
        #expect(bench.continued == ["/rescue/take (continued)"])
        bench.disk.set(nil)
        let first = try FaultBench.frames(in: bench.memory).count
        let second = try bench.frames("take (continued)").count
        #expect(first + second >= heard.count, "\(first) + \(second) of \(heard.count)")
        #expect(first + second <= heard.count + 2 * Self.burst, "\(first) + \(second) of \(heard.count)")
    }

    @Test(
        "every call fails in its turn from then on: nothing that was heard is missing",
        arguments: [RecordedKind.aac, .wav]
    )
    func everyCall(_ kind: RecordedKind) async throws {
        for k in 1..<400 {
            let bench = Bench(kind)
            try bench.engine.record()
            bench.disk.set(FileFault(.fail(EROFS), calls: [.write, .synchronize, .truncate, .reserve], first: k))
            let heard = try await speak(bench, bursts: 0..<4)
            bench.engine.stop()
            // Where it went on is told behind the end.
            _ = await bench.reported()
            let isStruck = bench.disk.matchingCalls >= k
            bench.disk.set(nil)
            let first = try FaultBench.frames(in: bench.memory).count
            let second = bench.continued.isEmpty ? 0 : try bench.frames("take (continued)").count
            #expect(first + second >= heard.count, "\(kind.name), call \(k): \(first) + \(second) of \(heard.count)")
            if !isStruck { return }
        }
        Issue.record("a take this short ends")
    }

    /// Returns when everything that was heard is on the disk, and the recording goes on.
    private func settle(_ bench: Bench) throws {
        bench.engine.pause()
        try bench.engine.record()
    }

    @Test("a file that is removed while it is recorded is kept elsewhere", arguments: [RecordedKind.aac, .wav, .flac])
    func removed(_ kind: RecordedKind) async throws {
        let bench = Bench(kind)
        try bench.engine.record()
        var heard = try await speak(bench, bursts: 0..<10)
        try settle(bench)
        try bench.memory.remove(FaultBench.path)
        heard += try await speak(bench, bursts: 10..<30)
        bench.engine.stop()
        #expect(await bench.reported().last == "finished false")
        let kept = try bench.frames("take (removed)")
        let rest = try bench.frames("take (continued)")
        #expect(kept.count + rest.count == heard.count, "\(kept.count) + \(rest.count) of \(heard.count)")
        #expect(kept.count >= 10 * Self.burst - Int(kind.heldBack))
    }

    /// The parts of the first folder become one file; those of the other stay files by themselves.
    @Test(
        "a recording in parts goes on in another folder, in parts, and all of them have every frame",
        arguments: [RecordedKind.aac, .wav, .opus]
    )
    func inParts(_ kind: RecordedKind) async throws {
        let bench = Bench(kind)
        bench.engine.options.partLength = .milliseconds(500)
        try bench.engine.record()
        var heard = try await speak(bench, bursts: 0..<10)
        try settle(bench)
        bench.disk.set(FileFault(.fail(ENOSPC), calls: [.write, .reserve, .open]))
        heard += try await speak(bench, bursts: 10..<30)
        bench.engine.stop()
        bench.disk.set(nil)
        #expect(await bench.reported().last == "finished false")
        #expect(bench.continued == ["/rescue/take (continued)"])
        let outcome = try #require(bench.engine.joinJob).wait()
        if case .failure = outcome {
            // The disk was still full when it was tried. What is joined later is the same.
            _ = try PartsJoin(folder: PartsJoinFaultTests.folder).run(
                in: JobBench.runtime(bench.memory)
            )
        }
        var frames = try FaultBench.frames(in: bench.memory)
        #expect(frames.count >= 10 * Self.burst - Int(kind.heldBack))
        for name in bench.other.names(in: "/rescue").sorted(by: { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }
        ) {
            #expect(try FaultBench.integrity("/rescue/\(name)", in: bench.other) == .complete)
            frames += try bench.frames(name)
        }
        #expect(bench.other.names(in: "/rescue").count > 2)
        #expect(frames.count == heard.count, "\(frames.count) of \(heard.count)")
        if case .linearPCM = kind.codec {
            let wrong = zip(frames, heard).enumerated().first { abs($0.element.0 - $0.element.1) > 1e-4 }
            #expect(wrong == nil, "frame \(wrong?.offset ?? 0)")
        }
    }

    @Test("where no folder takes it, the recording ends as without them")
    func nowhere() async throws {
        let bench = Bench(.wav)
        bench.memory.setCapacity(400_000)
        bench.other.setCapacity(1_000)
        try bench.engine.record()
        let stream = try #require(bench.host.capture)
        for index in 0..<60 where bench.engine.phase == .recording {
            stream.hear(FaultBench.noise(Self.burst, seed: UInt64(index)))
        }
        #expect(await eventually { bench.engine.phase == .stopped })
        let reports = await bench.reported()
        #expect(reports.first == "failed noSpace: Cannot record to '/takes/take': No space left on device.")
        #expect(bench.other.names(in: "/rescue").isEmpty)
        #expect(try FaultBench.integrity(in: bench.memory) == .complete)
    }
}

/// Paths below /rescue lie on the second disk.
private struct TwoDisks: FileStore {
    let first: any FileStore
    let second: any FileStore

    private func disk(_ path: String) -> any FileStore { path.hasPrefix("/rescue") ? second : first }

    func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        try disk(path).open(path, opening)
    }
    func status(_ path: String) throws(AudioFailure) -> FileStatus? { try disk(path).status(path) }
    func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        try disk(path).rename(path, to: target, replacing: replacing)
    }
    func remove(_ path: String) throws(AudioFailure) { try disk(path).remove(path) }
    func makeFolder(_ path: String) throws(AudioFailure) { try disk(path).makeFolder(path) }
    func removeFolder(_ path: String) throws(AudioFailure) { try disk(path).removeFolder(path) }
    func contents(of path: String) throws(AudioFailure) -> [String] { try disk(path).contents(of: path) }
    func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) {
        try disk(path).setModified(path, seconds)
    }
    func synchronizeFolder(_ path: String) throws(AudioFailure) { try disk(path).synchronizeFolder(path) }
    func freeSpace(at path: String) throws(AudioFailure) -> Int64 { try disk(path).freeSpace(at: path) }
}
