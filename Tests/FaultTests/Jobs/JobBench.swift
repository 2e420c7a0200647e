import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import PlatformLinux
import TestSupport
import Testing

/// A disk with short recordings, and jobs that make one of them.
struct JobBench {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case join, joinRemovingParts, conversion, conversionOverAnOlderFile

        var testDescription: String { rawValue }
    }

    static let frames = 3_000
    static let rate = 48_000.0
    static let target = "/takes/target.flac"
    static let older = [UInt8]("an older file".utf8)

    let kind: Kind
    let memory = MemoryFileStore()
    let disk: FaultingFileStore

    init(_ kind: Kind) throws {
        self.kind = kind
        disk = FaultingFileStore(memory)
        for (index, source) in sources.enumerated() { try Self.write(source, seed: UInt64(index), to: memory) }
        if kind == .conversionOverAnOlderFile {
            let file = try memory.open(Self.target, .creatingExclusively)
            try file.write(Self.older, at: 0)
            try file.synchronize()
        }
        try memory.synchronizeFolder("/takes")
    }

    var isJoin: Bool { kind == .join || kind == .joinRemovingParts }

    var sources: [String] { isJoin ? ["/takes/1.flac", "/takes/2.flac"] : ["/takes/1.wav"] }

    var expectedFrames: Int { Self.frames * sources.count }

    var job: MediaJob {
        let encoding = EncodingRequest(codec: .flac, sampleRate: Self.rate, channelCount: 1)
        var job = MediaJob(isJoin ? .join : .conversion(encoding), of: sources, to: Self.target, .flac)
        job.removesSources = kind == .joinRemovingParts
        job.replaces = kind == .conversionOverAnOlderFile
        return job
    }

    static func runtime(_ files: any FileStore) -> Runtime {
        Runtime(
            devices: ManualHost(),
            media: .system,
            files: files,
            clock: MonotonicClock(),
            callbacks: SerialQueueExecutor(label: "test.jobs")
        )
    }

    private static func write(_ path: String, seed: UInt64, to store: any FileStore) throws {
        let isWave = path.hasSuffix("wav")
        let codec: EncodingRequest.Codec = isWave ? .linearPCM(RecordedKind.pcm) : .flac
        let file = try store.open(path, .creatingExclusively)
        defer { file.close() }
        let writer = try FrameWriter(
            file,
            container: isWave ? .wav : .flac,
            request: EncodingRequest(codec: codec, sampleRate: rate, channelCount: 1),
            media: .system
        )
        let floats = PCMFormat(sampleRate: rate, channelCount: 1)
        let source = PCMBuffer(format: floats, capacity: frames)
        for (index, sample) in FaultBench.noise(frames, seed: seed).enumerated() {
            source.samples(as: Float.self)[index] = sample
        }
        source.setFrameLength(frames)
        let converted = PCMBuffer(format: writer.format, capacity: frames)
        SampleConverter(from: floats, to: writer.format).convert(source, into: converted)
        try writer.write(converted)
        try writer.finish()
    }

    /// The sound of all sources, to 16 bits.
    func expected() throws -> [Int] {
        try JobBench(kind).sources.flatMap { path in
            try FaultBench.frames(path, in: JobBench(kind).memory).map { Int(($0 * 32_768).rounded()) }
        }
    }

    static func sound(_ path: String, in store: any FileStore) throws -> [Int] {
        try FaultBench.frames(path, in: store).map { Int(($0 * 32_768).rounded()) }
    }
}
