import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// How a recording ends: at a limit to the frame, or because its microphone gives nothing more; and never without a word.
@Suite("Ends of recordings")
struct RecordingEndTests {
    private struct Bench {
        let scratch: TemporaryFolder
        let host = ManualHost()
        let runtime: Runtime
        let engine: RecorderEngine
        let reports = Recorded<String>()
        let path: String

        init(_ codec: EncodingRequest.Codec, _ container: ContainerKind) throws {
            scratch = try TemporaryFolder()
            runtime = Runtime.test(devices: host)
            path = scratch.path("take")
            let reports = reports
            engine = RecorderEngine(
                TakeConfiguration(
                    path: path,
                    container: container,
                    encoding: EncodingRequest(codec: codec, sampleRate: 48_000, channelCount: 1)
                ),
                runtime: runtime
            ) { report in
                switch report {
                case .finished(let successfully): reports.append("finished \(successfully)")
                case .failed(let failure): reports.append("failed \(failure.code)")
                case .interruptionBegan, .interruptionEnded: reports.append("interruption")
                }
            }
        }

        func frames() throws -> Int64 {
            let file = try runtime.files.open(path, .reading)
            defer { file.close() }
            let reader = try runtime.media.openReader(file)
            #expect(reader.integrity == .complete)
            return try #require(reader.validFrames).value
        }

        func reported() async -> [String] {
            await withCheckedContinuation { done in engine.reports.afterAll { done.resume() } }
            return reports.all
        }
    }

    static let kinds: [(EncodingRequest.Codec, ContainerKind)] = [
        (.aac, .m4a), (.alac, .caf), (.ima4, .caf), (.linearPCM(RecordingJoinTests.pcm), .wav), (.flac, .flac),
        (.opus, .oggOpus),
    ]

    @Test("a length that was asked for is exact", arguments: kinds.indices, [1, 48_000, 143_999, 144_001])
    func exact(_ index: Int, _ limit: Int64) async throws {
        let bench = try Bench(Self.kinds[index].0, Self.kinds[index].1)
        try bench.engine.record(limit: FrameCount(limit))
        let stream = try #require(bench.host.capture)
        for _ in 0..<60 {
            guard stream.hear([Float](repeating: 0.2, count: 4_801)) else { break }
        }
        #expect(await eventually { bench.engine.phase == .stopped })
        #expect(await bench.reported() == ["finished true"])
        #expect(try bench.frames() == limit)
        #expect(bench.host.openStreams == 0)
    }

    @Test(
        "a microphone that ends after ten seconds: all ten are kept, and the reason is told",
        arguments: kinds.indices
    )
    func sourceEnds(_ index: Int) async throws {
        let bench = try Bench(Self.kinds[index].0, Self.kinds[index].1)
        try bench.engine.record()
        let stream = try #require(bench.host.capture)
        for _ in 0..<100 { #expect(stream.hear([Float](repeating: 0.2, count: 4_800))) }
        let told = ContinuousClock.now
        stream.tell(.lost(AudioFailure(.deviceUnavailable, "The microphone was unplugged.")))
        #expect(await eventually { bench.engine.phase == .stopped })
        #expect(await bench.reported() == ["failed deviceUnavailable", "finished false"])
        #expect(told.duration(to: .now) < .seconds(5))
        #expect(try bench.frames() == 480_000)
        // The clock stands where the data end.
        #expect(bench.engine.frames == 0)
    }
}
