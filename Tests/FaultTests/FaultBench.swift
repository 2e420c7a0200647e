import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import PlatformLinux
import TestSupport
import Testing

/// A kind of file that the recorder makes.
struct RecordedKind: Sendable, CustomTestStringConvertible {
    var name: String
    var container: ContainerKind
    var codec: EncodingRequest.Codec
    /// Frames that an encoder may hold back at a moment: its look-ahead and the packet that is not full.
    var heldBack: Int64
    var bitDepth = 16

    var testDescription: String { name }

    static let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
    static let bigPCM = LinearPCMLayout(bitsPerSample: 16, isBigEndian: true)

    static let aac = Self(name: "AAC in M4A", container: .m4a, codec: .aac, heldBack: 4 * 1024)
    static let alac = Self(name: "ALAC in CAF", container: .caf, codec: .alac, heldBack: 2 * 4096)
    static let wav = Self(name: "PCM in WAV", container: .wav, codec: .linearPCM(pcm), heldBack: 0)
    static let aiff = Self(name: "PCM in AIFF", container: .aiff, codec: .linearPCM(bigPCM), heldBack: 0)
    static let caf = Self(name: "PCM in CAF", container: .caf, codec: .linearPCM(pcm), heldBack: 0)
    static let ima4 = Self(name: "IMA4 in CAF", container: .caf, codec: .ima4, heldBack: 64)
    static let flac = Self(name: "FLAC", container: .flac, codec: .flac, heldBack: 2 * 4608)
    static let opus = Self(name: "Opus", container: .oggOpus, codec: .opus, heldBack: 2 * 960)

    static let all = [aac, alac, wav, aiff, caf, ima4, flac, opus]
}

/// A recorder on a disk that the test can break, with a microphone that the test speaks into.
struct FaultBench {
    static let rate = 48_000.0
    static let path = "/takes/take"

    let host = ManualHost()
    let memory = MemoryFileStore()
    let disk: FaultingFileStore
    let reports = Recorded<String>()
    /// What was told of the disk.
    let notices = Recorded<TakeNotice>()
    let runtime: Runtime
    let kind: RecordedKind

    init(_ kind: RecordedKind) {
        self.kind = kind
        disk = FaultingFileStore(memory)
        runtime = Runtime(
            devices: host,
            media: .system,
            files: disk,
            clock: MonotonicClock(),
            callbacks: SerialQueueExecutor(label: "test.faults")
        )
    }

    func engine(limits: TakeLimits = TakeLimits()) -> RecorderEngine {
        let reports = self.reports
        let notices = self.notices
        let engine = RecorderEngine(
            TakeConfiguration(
                path: Self.path,
                container: kind.container,
                encoding: EncodingRequest(
                    codec: kind.codec,
                    sampleRate: Self.rate,
                    channelCount: 1,
                    bitDepth: kind.bitDepth
                )
            ),
            runtime: runtime,
            limits: limits
        ) { report in
            switch report {
            case .finished(let successfully): reports.append("finished \(successfully)")
            case .interruptionBegan, .interruptionEnded: break
            case .failed(let failure):
                reports.append("failed \(failure.code)")
                if failure.path != Self.path { reports.append("about \(failure.path ?? "nothing")") }
            }
        }
        _ = engine.observers.add { notice in if let notice { notices.append(notice) } }
        return engine
    }

    /// Everything that the owner was told so far.
    func reported(_ engine: RecorderEngine) async -> [String] {
        await withCheckedContinuation { done in engine.reports.afterAll { done.resume() } }
        return reports.all
    }

    /// What a file says of its end.
    static func integrity(_ path: String = path, in store: any FileStore) throws -> MediaIntegrity {
        let file = try store.open(path, .reading)
        defer { file.close() }
        return try MediaRegistry.system.openReader(file).integrity
    }

    /// What a file holds: its stated frames, all of which must decode.
    ///
    /// - Parameter untilDamage: gives what lies before the first damage instead.
    static func frames(_ path: String = path, in store: any FileStore, untilDamage: Bool = false) throws -> [Float] {
        let file = try store.open(path, .reading)
        defer { file.close() }
        let reader = try FrameReader(file, media: .system)
        let buffer = PCMBuffer(format: reader.format, capacity: 1 << 16)
        let floats = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount)
        let converter = SampleConverter(from: reader.format, to: floats)
        let converted = PCMBuffer(format: floats, capacity: 1 << 16)
        var result: [Float] = []
        while true {
            do {
                if try reader.read(into: buffer) == 0 { break }
            } catch {
                if untilDamage { return result }
                throw error
            }
            converter.convert(buffer, into: converted)
            result += converted.samples(as: Float.self).prefix(converted.frameLength)
            buffer.setFrameLength(0)
        }
        if let length = reader.length, length != reader.position {
            throw SetupFailure("\(length) frames are stated, \(reader.position) are there.")
        }
        return result
    }

    /// Noise, so that no codec makes nothing of it; never silent.
    static func noise(_ frames: Int, seed: UInt64 = 1) -> [Float] {
        var random = SeededGenerator(seed: seed)
        return (0..<frames).map { _ in
            Float.random(in: 0.05...0.25, using: &random) * (Bool.random(using: &random) ? 1 : -1)
        }
    }
}
