import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

@Suite("MediaJob")
struct MediaJobTests {
    let scratch: TemporaryFolder
    let runtime: Runtime

    init() throws {
        scratch = try TemporaryFolder()
        runtime = .test()
    }

    static let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)

    /// A recording with a tag, a marker and a gap.
    private func makeSource(_ name: String = "talk.wav", rate: Double = 48_000, frames: Int = 30_000) throws -> String {
        let request = EncodingRequest(codec: .linearPCM(Self.pcm), sampleRate: rate, channelCount: 1)
        let take = try CutTake(request, frames: frames, runtime: runtime)
        var metadata = MediaMetadata()
        metadata.title = "Talk"
        metadata.markers = [MediaMetadata.Marker(frame: 4_800, name: "here")]
        metadata.gaps = [RecordingGap(start: 9_600, length: 480, reason: .overrun)]
        let path = scratch.path(name)
        try take.write(0..<take.packets.count, leadIn: 0, to: path, .wav, metadata: metadata)
        try runtime.files.setModified(path, 1_000_000)
        return path
    }

    private func conversion(_ source: String, to name: String, _ codec: EncodingRequest.Codec, rate: Double = 48_000)
        throws -> MediaJob
    {
        let encoding = EncodingRequest(codec: codec, sampleRate: rate, channelCount: 1)
        let target = scratch.path(name)
        let container = try #require(ContainerKind(fileExtension: String(name.split(separator: ".")[1])))
        return MediaJob(.conversion(encoding), of: [source], to: target, container)
    }

    @Test(arguments: [
        ("a.m4a", EncodingRequest.Codec.aac), ("b.m4a", .alac), ("c.caf", .ima4), ("d.flac", .flac), ("e.opus", .opus),
        ("f.caf", .linearPCM(pcm)),
    ])
    func everyFormatHasTheFramesTagsAndDate(name: String, codec: EncodingRequest.Codec) throws {
        let source = try makeSource()
        let before = try scratch.read("talk.wav")
        let job = try conversion(source, to: name, codec)
        let result = try job.run(in: runtime)
        #expect(result.frames == 30_000)
        let file = try runtime.files.open(job.target, .reading)
        defer { file.close() }
        let reader = try runtime.media.openReader(file)
        #expect(reader.integrity == .complete)
        #expect(reader.validFrames == 30_000)
        #expect(reader.metadata.title == "Talk")
        #expect(reader.metadata.markers.map(\.frame) == [4_800])
        #expect(reader.metadata.gaps == [RecordingGap(start: 9_600, length: 480, reason: .overrun)])
        #expect(try runtime.files.status(job.target)?.modified == 1_000_000)
        #expect(try areEqual(scratch.read("talk.wav"), before))
        #expect(scratch.names == [name, "talk.wav"].sorted())
        let isLossless = [.alac, .flac, .linearPCM(Self.pcm)].contains(codec)
        let noise = difference(try decoded(source, runtime), try decoded(job.target, runtime))
        #expect(noise < (isLossless ? -150 : -10), "\(noise) dB")
    }

    @Test func anotherRateHasAsManyFramesAndItsMarksInTheirPlace() throws {
        let source = try makeSource(frames: 30_001)
        let job = try conversion(source, to: "slow.wav", .linearPCM(Self.pcm), rate: 16_000)
        #expect(try job.run(in: runtime).frames == 10_000)
        let file = try runtime.files.open(job.target, .reading)
        defer { file.close() }
        let metadata = try runtime.media.openReader(file).metadata
        #expect(metadata.markers.map(\.frame) == [1_600])
        #expect(metadata.gaps == [RecordingGap(start: 3_200, length: 160, reason: .overrun)])
    }

    @Test func targetsAndSourcesAreSafe() throws {
        let source = try makeSource()
        var job = try conversion(source, to: "a.flac", .flac)
        _ = try job.run(in: runtime)
        let names = scratch.names
        #expect(#expect(throws: AudioFailure.self) { try job.run(in: runtime) }?.code == .alreadyExists)
        job.replaces = true
        #expect(try job.run(in: runtime).frames == 30_000)
        // Under whatever name, a source is not replaced by what is made of it.
        try FileManager.default.linkItem(atPath: source, toPath: scratch.path("other.wav"))
        for name in ["talk.wav", "other.wav"] {
            var own = try conversion(source, to: name, .linearPCM(Self.pcm))
            own.replaces = true
            #expect(#expect(throws: AudioFailure.self) { try own.run(in: runtime) }?.code == .alreadyExists)
        }
        let live = try runtime.files.open(source, .updating)
        #expect(try live.tryLock())
        job = try conversion(source, to: "b.flac", .flac)
        #expect(#expect(throws: AudioFailure.self) { try job.run(in: runtime) }?.code == .busy)
        live.close()
        #expect(scratch.names == (names + ["other.wav"]).sorted())
    }

    @Test func givingUpLeavesNothing() throws {
        let source = try makeSource(frames: 300_000)
        let job = try conversion(source, to: "a.m4a", .aac)
        let told = Recorded<Double>()
        let failure = #expect(throws: AudioFailure.self) {
            try job.run(in: runtime) { done in
                told.append(done)
                return done < 0.5
            }
        }
        #expect(failure?.code == .cancelled)
        #expect(told.all == told.all.sorted())
        #expect(scratch.names == ["talk.wav"])
    }

    @Test func aDamagedRecordBlocksNothing() throws {
        let source = try makeSource()
        var random = SeededGenerator(seed: 4)
        let noise = (0..<3_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        _ = try scratch.write(noise, to: ".kayit-1.job")
        try FileManager.default.createDirectory(
            atPath: scratch.path(".kayit-2.job"),
            withIntermediateDirectories: false
        )
        // Names outside the folder are not for a record to choose.
        let outside = CheckedLine(
            "job",
            [
                ("version", "1"), ("work", "join"), ("container", "wav"), ("half", "../x"), ("target", "../y"),
                ("source", source),
            ]
        )
        _ = try scratch.write(outside.bytes, to: ".kayit-3.job")
        let results = try MediaJob.resume(in: scratch.url.path, runtime: runtime)
        #expect(results.count == 3)
        #expect(results.allSatisfy { if case .damaged = $0 { true } else { false } })
        #expect(try conversion(source, to: "a.flac", .flac).run(in: runtime).frames == 30_000)
    }

    @Test func aJobWhoseSourceIsAwayWaitsForIt() throws {
        let source = try makeSource()
        let line = CheckedLine(
            "job",
            [
                ("version", "1"), ("work", "conversion"), ("container", "flac"), ("half", ".kayit-h.half"),
                ("target", "a.flac"), ("codec", "flac"), ("rate", "48000.0"), ("channels", "1"), ("quality", "0.75"),
                ("depth", "16"), ("source", "talk.wav"),
            ]
        )
        _ = try scratch.write(line.bytes, to: ".kayit-1.job")
        try runtime.files.rename(source, to: source + ".away", replacing: false)
        guard case .failed(_, let failure, true)? = try MediaJob.resume(in: scratch.url.path, runtime: runtime).first
        else {
            Issue.record("The job has to wait.")
            return
        }
        #expect(failure.code == .notFound)
        try runtime.files.rename(source + ".away", to: source, replacing: false)
        guard case .finished? = try MediaJob.resume(in: scratch.url.path, runtime: runtime).first else {
            Issue.record("The job has to end.")
            return
        }
        #expect(scratch.names == ["a.flac", "talk.wav"])
        #expect(try decoded(scratch.path("a.flac"), runtime).count == 30_000)
    }

    @Test func aJobAtWorkIsLeftAlone() throws {
        let source = try makeSource(frames: 300_000)
        let folder = scratch.url.path
        let runtime = runtime
        let seen = Recorded<Bool>()
        _ = try conversion(source, to: "a.m4a", .aac).run(in: runtime) { _ in
            if seen.all.isEmpty, let results = try? MediaJob.resume(in: folder, runtime: runtime) {
                seen.append(results.count == 1 && results.allSatisfy { if case .live = $0 { true } else { false } })
            }
            return true
        }
        #expect(seen.all == [true])
        #expect(scratch.names == ["a.m4a", "talk.wav"])
    }
}
