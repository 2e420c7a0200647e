import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import PlatformLinux
import Synchronization
import TestSupport
import Testing

/// Hours of virtual time in parts. `KAYIT_HOURS` says how many, in parts of five minutes; without it there are ten
/// minutes in parts of twelve seconds.
@Suite("Long recordings in parts")
struct PartedHoursTests {
    static let hours = ProcessInfo.processInfo.environment["KAYIT_HOURS"].flatMap { Double($0) }
    static let rate = 44_100.0

    /// A chain of checksums over packets in their order, and their number.
    struct PacketChain: Equatable {
        var count = 0
        var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ packet: EncodedPacket) {
            count += 1
            for byte in packet.bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
            value = (value ^ UInt64(packet.bytes.count)) &* 0x100_0000_01B3
        }
    }

    /// What one encoder gives, and a look at it.
    final class ObservedEncoder: PacketEncoder {
        let base: any PacketEncoder
        let chain: Observed

        init(_ base: any PacketEncoder, _ chain: Observed) {
            self.base = base
            self.chain = chain
        }

        var input: PCMFormat { base.input }
        var stream: StreamDescription { base.stream }

        func encode(_ buffer: PCMBuffer, emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
            try base.encode(buffer) { packet throws(AudioFailure) in
                chain.value.withLock { $0.add(packet) }
                try emit(packet)
            }
        }

        func finish(emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
            try base.finish { packet throws(AudioFailure) in
                chain.value.withLock { $0.add(packet) }
                try emit(packet)
            }
        }
    }

    final class Observed: Sendable { let value = Mutex(PacketChain()) }

    struct ObservingProvider: MediaProvider {
        let name = "observing"
        let chain: Observed

        func makeEncoder(_ request: EncodingRequest) throws(AudioFailure) -> (any PacketEncoder)? {
            ObservedEncoder(try MediaRegistry.system.makeEncoder(request), chain)
        }
    }

    /// Bytes of the process that are in memory and no file's.
    static func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) }) * 1024
    }

    /// A folder on which no disk is waited for, where the machine has one.
    static func fastFolder() throws -> TemporaryFolder { try TemporaryFolder(in: URL(fileURLWithPath: "/dev/shm")) }

    @Test(
        "the sum is what was heard, the joined file has the packets of one encoder, and memory stays flat",
        .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "needs a file system in memory")
    )
    func hoursInParts() async throws {
        let seconds = (Self.hours ?? 1.0 / 6) * 3_600
        let partLength = Duration.seconds(Self.hours == nil ? 12 : 300)
        let folder = try Self.fastFolder()
        let chain = Observed()
        let audio = SimulatedAudio(.init(input: .voice(seed: 5), time: .free))
        let runtime = Runtime(
            devices: audio.host,
            media: MediaRegistry(providers: [ObservingProvider(chain: chain)] + MediaRegistry.system.providers),
            files: LinuxFileStore(),
            clock: audio.host.clock,
            callbacks: SerialQueueExecutor(label: "test.hours")
        )
        let target = folder.path("day.m4a")
        let configuration = TakeConfiguration(
            path: target,
            container: .m4a,
            encoding: EncodingRequest(codec: .aac, sampleRate: Self.rate, channelCount: 1, bitRate: 96_000)
        )
        let engine = RecorderEngine(configuration, runtime: runtime) { _ in }
        engine.options.partLength = partLength
        engine.options.keepsParts = true
        // Not a whole number of packets or parts.
        let frames = FrameCount(Int64(seconds * Self.rate) + 777)
        try engine.record(limit: frames)
        var afterAMinute: Int?
        var most = 0
        while engine.phase != .stopped {
            try await Task.sleep(for: .milliseconds(20))
            let now = engine.frames.seconds(at: Self.rate)
            if now >= 60 {
                let bytes = try Self.residentBytes()
                if afterAMinute == nil { afterAMinute = bytes }
                most = max(most, bytes)
            }
        }
        let result = try #require(engine.joinJob).wait().get()
        let growth = most - (try #require(afterAMinute))
        print("\(seconds / 3600) h in \(result.partCount) parts: memory grew by \(growth >> 10) KiB")
        #expect(growth < 2 << 20)
        #expect(result.frames == frames)
        #expect(result.partCount == Int((seconds / partLength.inSeconds).rounded(.up)))

        let parts = try PartsReport(folder: target + PartsFolder.suffix, in: runtime)
        #expect(parts.frames == frames)
        #expect(parts.state == .joined)
        #expect(parts.parts.allSatisfy { $0.integrity == .complete })
        let file = try runtime.files.open(target, .reading)
        defer { file.close() }
        let reader = try runtime.media.openReader(file)
        var joined = PacketChain()
        while let packet = try reader.nextPacket() { joined.add(packet) }
        #expect(joined == chain.value.withLock { $0 })
        #expect(reader.validFrames == frames)
    }
}
