import AudioCore
import MediaFFmpeg
import TestSupport
import Testing

@testable import MediaContainers

/// M4A files that have lost their index give every packet that is in them.
struct MP4SalvageTests {
    private static let hasFFmpeg = ExternalTool.areInstalled("ffmpeg")

    /// Sound of many kinds: noise that swells, and a tone.
    private static func aac(channels: Int, seconds: Double = 20, seed: Int = 1) throws -> (
        bytes: [UInt8], reader: any ContainerReader
    ) {
        let folder = try TemporaryFolder()
        let result = try ExternalTool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=\(seconds):c=pink:r=44100:seed=\(seed),tremolo=f=0.5",
                "-f",
                "lavfi",
                "-i", "sine=f=440:r=44100:d=\(seconds)", "-filter_complex", "amix=inputs=2", "-ac", "\(channels)",
                "-c:a", "aac", folder.path("a.m4a"),
            ]
        )
        try #require(result.status == 0)
        let bytes = try folder.read("a.m4a")
        return (bytes, try ForeignTake.open(MemoryFile(bytes)))
    }

    static func salvage(_ bytes: [UInt8], like: StreamDescription? = nil) throws -> any ContainerReader {
        let reader = try MediaSalvage.open(MemoryFile(bytes), hint: .m4a, like: like) { stream throws(AudioFailure) in
            try FFmpegProvider().makePacketFinder(stream)
        }
        return try #require(reader)
    }

    /// `ftyp`, `mdat` with a size that was never written, and its content.
    private static func withoutIndex(_ bytes: [UInt8]) throws -> [UInt8] {
        var window = try SourceWindow(MemoryFile(bytes))
        let boxes = try MP4Box.all(&window, from: 0, to: Int64(bytes.count))
        let data = try #require(boxes.first("mdat"))
        return MP4Index.fileType + MP4Header.small("mdat", size: 0) + bytes[Int(data.body)..<Int(data.end)]
    }

    @Test(.enabled(if: hasFFmpeg), arguments: [1, 2])
    func packetsOfAnotherRecorderAreFoundToTheByte(channels: Int) throws {
        let (bytes, reader) = try Self.aac(channels: channels)
        let packets = try reader.allPackets().map(\.bytes)
        let cut = try Self.withoutIndex(bytes)
        let found = try Self.salvage(cut, like: reader.stream)
        #expect(found.stream.primingFrames == reader.stream.primingFrames)
        let all = try found.allPackets().map(\.bytes)
        #expect(all.count == packets.count)
        #expect(all == packets)
        #expect(found.integrity != .complete)
    }

    @Test(.enabled(if: hasFFmpeg)) func aCutInThePacketCostsThatPacketOnly() throws {
        let (bytes, reader) = try Self.aac(channels: 1, seconds: 5)
        let packets = try reader.allPackets().map(\.bytes)
        let cut = try Self.withoutIndex(bytes)
        let last = try #require(packets.last)
        for missing in [1, last.count / 2, last.count - 1] {
            let found = try Self.salvage(Array(cut.dropLast(missing)), like: reader.stream).allPackets().map(\.bytes)
            #expect(found.count == packets.count - 1)
            #expect(found == packets.dropLast())
        }
    }

    @Test(.enabled(if: hasFFmpeg), arguments: 1...4) func damageInTheMiddleCostsWhatItHits(seed: Int) throws {
        let (bytes, reader) = try Self.aac(channels: 2 - seed % 2, seconds: 10, seed: seed)
        let packets = try reader.allPackets().map(\.bytes)
        var cut = try Self.withoutIndex(bytes)
        var random = SeededGenerator(seed: UInt64(seed))
        let place = cut.count / 2
        for index in place..<place + 4096 { cut[index] = UInt8.random(in: 0...255, using: &random) }
        let found = try Self.salvage(cut, like: reader.stream).allPackets().map(\.bytes)
        // A packet has 200 bytes and more; chance may make a few of the noise.
        let known = Set(packets)
        #expect(found.filter { known.contains($0) }.count >= packets.count - 4096 / 200 - 3)
        #expect(found.filter { !known.contains($0) }.count <= 4)
        #expect(found.first == packets.first)
        #expect(found.suffix(100) == packets.suffix(100))
    }

    @Test(.enabled(if: hasFFmpeg)) func withoutAnythingThatTellsTheCodecTheHelpIsNamed() throws {
        let (bytes, _) = try Self.aac(channels: 1, seconds: 1)
        let cut = try Self.withoutIndex(bytes)
        #expect(throws: AudioFailure.self) { try Self.salvage(cut) }
        do { _ = try Self.salvage(cut) } catch let error as AudioFailure {
            #expect(error.message.contains("--like"))
        }
    }

    /// A killed recording of ours, with sectors of its page of counts trashed one after the other.
    @Test(.enabled(if: hasFFmpeg), arguments: [512, 4096])
    func aTornPageOfCountsLosesNoPacket(sector: Int) throws {
        let (_, reader) = try Self.aac(channels: 1, seconds: 5)
        let packets = try reader.allPackets()
        let file = MemoryFile()
        let writer = try MP4Writer(stream: reader.stream, file: file, options: WriterOptions())
        for packet in packets { try writer.append(packet) }
        try writer.checkpoint(synchronize: true)
        let whole = file.bytes
        for first in stride(from: 0, to: MP4Index.page, by: sector) {
            for seed in 0..<3 as Range<UInt64> {
                var torn = whole
                var random = SeededGenerator(seed: seed)
                for index in first..<first + sector {
                    torn[index] = seed == 0 ? 0 : UInt8.random(in: 0...255, using: &random)
                }
                let found = try Self.salvage(torn, like: reader.stream)
                #expect(try found.allPackets().map(\.bytes) == packets.map(\.bytes), "sector at \(first), seed \(seed)")
                #expect(found.stream.primingFrames == reader.stream.primingFrames)
            }
        }
    }
}
