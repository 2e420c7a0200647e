import AudioCore
import MediaCodecs
import MediaFFmpeg
import TestSupport
import Testing

@testable import MediaContainers

/// The ends of packets are found in nothing but their bytes.
struct PacketFinderTests {
    private static let hasFFmpeg = ExternalTool.areInstalled("ffmpeg")

    struct Case: Sendable, CustomTestStringConvertible {
        var codec: String
        var channels: Int
        var rate = 44_100
        var more: [String] = []
        var testDescription: String { "\(codec), \(channels) channels, \(rate) Hz \(more.joined(separator: " "))" }
    }

    static let cases = [
        Case(codec: "alac", channels: 1), Case(codec: "alac", channels: 2),
        Case(codec: "alac", channels: 2, more: ["-sample_fmt", "s32p"]),
        Case(codec: "alac", channels: 6, rate: 48_000),
        Case(codec: "aac", channels: 1, rate: 8_000), Case(codec: "aac", channels: 2, rate: 48_000),
        Case(codec: "aac", channels: 6, rate: 48_000), Case(codec: "aac", channels: 1, more: ["-b:a", "24k"]),
    ]

    @Test(.enabled(if: hasFFmpeg), arguments: cases)
    func everyPacketEndsWhereItsWriterSays(_ test: Case) throws {
        let folder = try TemporaryFolder()
        // Silence, noise, a tone and full scale: short and long packets, runs of zeros, packets that are stored plainly.
        let sound =
            "aevalsrc='if(lt(t,0.5),0,if(lt(t,1),random(0)*2-1,if(lt(t,1.5),0.5*sin(2764*t),if(lt(t,2),sgn(sin(99*t)),0.001"
            + "*random(1)))))':s=\(test.rate):d=2.7"
        let made = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", sound, "-ac", "\(test.channels)", "-c:a", test.codec] + test.more
                + [folder.path("a.m4a")]
        )
        try #require(made.status == 0, "\(made.messages)")
        let reader = try ForeignTake.open(MemoryFile(try folder.read("a.m4a")))
        let packets = try reader.allPackets().map(\.bytes)
        let registry = MediaRegistry(providers: [PCMCodecProvider(), FFmpegProvider()])
        let finder = try #require(try registry.makePacketFinder(reader.stream))
        let found = try finder.sizes(in: packets.flatMap(\.self), isEnd: true)
        #expect(found == packets.map(\.count))
        // The last one cut by a byte is none.
        let cut = try finder.sizes(in: Array(packets.flatMap(\.self).dropLast()), isEnd: true)
        #expect(cut == packets.dropLast().map(\.count))
    }

    @Test(arguments: ["alac", "aac"]) func noiseHasNoPackets(codec: String) throws {
        let take = codec == "alac" ? SyntheticTake.alac(packets: 0) : SyntheticTake.aac(packets: 0)
        let registry = MediaRegistry(providers: [PCMCodecProvider(), FFmpegProvider()])
        let finder = try #require(try registry.makePacketFinder(take.stream))
        var random = SeededGenerator(seed: 3)
        for length in [0, 1, 7, 100, 5_000, 60_000] {
            let noise = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(try finder.sizes(in: noise, isEnd: true).count < 3)
            #expect(try finder.sizes(in: [UInt8](repeating: 0, count: length), isEnd: true).count < 2)
        }
    }
}
