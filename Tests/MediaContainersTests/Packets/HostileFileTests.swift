import AudioCore
import TestSupport
import Testing

@testable import MediaContainers

/// Whatever the bytes, a reader opens or throws: it never traps, never hangs, never takes more memory than the file
/// justifies.
@Suite struct HostileFileTests {
    /// Small files of every shape, made by our writers.
    static func fixtures() throws -> [(name: String, bytes: [UInt8])] {
        var metadata = MediaMetadata()
        metadata.title = "Title"
        metadata.encoder = "encoder"
        metadata.markers = [.init(frame: 100, name: "one"), .init(frame: 3_000, name: "two")]
        var result: [(String, [UInt8])] = []
        let takes: [(String, SyntheticTake, [ContainerKind])] = [
            ("aac", .aac(packets: 12), [.m4a, .caf]), ("alac", .alac(packets: 6, lastFrames: 50), [.m4a, .caf]),
            ("ima4", .ima4(packets: 20), [.caf]), ("pcm", .pcm(packets: 5), [.caf]),
        ]
        for (name, take, kinds) in takes {
            for kind in kinds {
                for isFinished in [false, true] {
                    let file = MemoryFile(isRecording: false)
                    let options = WriterOptions(expectedFrames: 0, metadata: metadata)
                    let writer = try #require(
                        try ContainerProvider().makeWriter(kind, stream: take.stream, file: file, options: options)
                    )
                    for packet in take.packets { try writer.append(packet) }
                    try writer.checkpoint(synchronize: false)
                    if isFinished { try writer.finish(validFrames: writer.checkpointedFrames) }
                    result.append(("\(name) \(kind) \(isFinished)", file.bytes))
                }
            }
        }
        return result
    }

    @Test func damagedCopiesOpenOrThrow() throws {
        for (_, bytes) in try Self.fixtures() {
            // The headers of M4A fill a page.
            DamagedCopies(of: bytes, headerBytes: bytes.starts(with: "caff".utf8) ? 200 : 1_600)
                .forEach(count: 1_000) { copy, _ in Self.useUp(copy) }
        }
    }

    @Test func filesCutAnywhereGiveWhatIsThere() throws {
        for (name, bytes) in try Self.fixtures() {
            var previous: Int64 = 0
            for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 300)) + [bytes.count] {
                let cut = MemoryFile(Array(bytes[..<length]), isRecording: false)
                guard let reader = try? ContainerProvider().openReader(cut, hint: nil) else { continue }
                var read: Int64 = 0
                while let packet = try reader.nextPacket() { read += Int64(packet.bytes.count) }
                #expect(read == reader.audioByteCount)
                #expect(read >= previous, "\(name), cut to \(length) bytes")
                if read > 0, length < bytes.count - 100 { #expect(reader.integrity != .complete) }
                previous = read
            }
            #expect(previous > 0)
        }
    }

    /// The entry for fuzzing: everything a player does with a file.
    static func useUp(_ bytes: [UInt8]) {
        let source = MemoryFile(bytes, isRecording: false)
        do throws(AudioFailure) {
            guard let reader = try ContainerProvider().openReader(source, hint: nil) else { return }
            let end = reader.validFrames ?? 1_000
            for target in [0, end.value / 2, end.value, .max, -1, .min] {
                _ = try reader.seek(toDecodedFrame: FrameCount(target), preroll: 2)
                _ = try reader.nextPacket()
            }
            _ = try reader.seek(toDecodedFrame: 0, preroll: 0)
            var total: Int64 = 0
            var packets = 0
            while let packet = try reader.nextPacket() {
                total += Int64(packet.bytes.count)
                packets += 1
                if packets > 100_000 { break }
            }
            // Packets that overlap in a file could be read for ever; none of these files has that many.
            #expect(packets <= 100_000)
            #expect(end.value >= 0)
        } catch {
            #expect(!error.message.isEmpty)
        }
    }
}
