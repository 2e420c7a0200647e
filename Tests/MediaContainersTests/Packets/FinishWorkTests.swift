import AudioCore
import Synchronization
import TestSupport
import Testing

@testable import MediaContainers

/// The end of a recording costs the same after eight hours as after a minute: counted in bytes that it writes, because a
/// clock tells of the machine.
@Suite(.serialized) struct FinishWorkTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var kind: ContainerKind
        var take: @Sendable () -> SyntheticTake
        /// Bytes for each packet: the table of CAF is written once more, in its place.
        var perPacket = 0
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "AAC in M4A", kind: .m4a, take: { .aac(packets: 64, meanBytes: 90, rate: 8_000) }),
        Case(name: "AAC in CAF", kind: .caf, take: { .aac(packets: 64, meanBytes: 90, rate: 8_000) }, perPacket: 2),
        Case(name: "PCM in WAV", kind: .wav, take: { .pcm(packets: 64) }),
    ]

    @Test(arguments: cases) func theEndMovesNoMoreThanABoundedRoom(_ test: Case) throws {
        // Eight hours of AAC at 8 kHz, and moments at which much of a table is unused.
        for packets in [470, 46_000, 113_000, 225_000] {
            let file = CountingFile()
            var take = test.take()
            if take.stream.codec == .aac { take.stream.configuration = [0x15, 0x88] }
            let writer = try #require(
                try ContainerProvider().makeWriter(
                    test.kind,
                    stream: take.stream,
                    file: file,
                    options: WriterOptions()
                )
            )
            var frames: Int64 = 0
            for index in 0..<packets {
                let packet = take.packets[index % take.packets.count]
                try writer.append(packet)
                frames += Int64(packet.frames)
                if index % 40 == 39 { try writer.checkpoint(synchronize: false) }
            }
            try writer.checkpoint(synchronize: true)
            file.reset()
            try writer.finish(validFrames: FrameCount(frames) - take.stream.primingFrames)
            #expect(file.written <= 320 << 10 + Int64(test.perPacket * packets), "\(packets) packets")
            #expect(file.synchronizations <= 8)
            let reader = try ForeignTake.open(file)
            #expect(reader.integrity == .complete)
            #expect(reader.validFrames == FrameCount(frames) - take.stream.primingFrames)
        }
    }
}

/// A file in memory that counts what is written to it.
private final class CountingFile: StoredFile {
    private struct Counts {
        var written: Int64 = 0
        var synchronizations = 0
    }

    private let base = MemoryFile(isRecording: false)
    private let counts = Mutex(Counts())

    var written: Int64 { counts.withLock { $0.written } }
    var synchronizations: Int { counts.withLock { $0.synchronizations } }
    func reset() { counts.withLock { $0 = Counts() } }

    var path: String { base.path }
    func size() throws(AudioFailure) -> Int64 { try base.size() }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        try base.read(into: buffer, at: offset)
    }
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        counts.withLock { $0.written += Int64(bytes.count) }
        try base.write(bytes, at: offset)
    }
    func synchronize() throws(AudioFailure) { counts.withLock { $0.synchronizations += 1 } }
    func truncate(to size: Int64) throws(AudioFailure) { try base.truncate(to: size) }
    func reserve(upTo size: Int64) throws(AudioFailure) {}
    func tryLock() throws(AudioFailure) -> Bool { true }
    func close() {}
}
