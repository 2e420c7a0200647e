import AudioCore
import Foundation
import TestSupport

@testable import MediaContainers

/// Packets that a container only has to keep: what is in them does not matter.
struct SyntheticTake {
    var stream: StreamDescription
    var packets: [EncodedPacket]

    /// Packets like AAC's: `meanBytes` ± half, every one different.
    static func aac(packets count: Int, meanBytes: Int = 60, rate: Double = 44_100) -> SyntheticTake {
        SyntheticTake(
            stream: StreamDescription(
                codec: .aac,
                sampleRate: rate,
                channelCount: 1,
                framesPerPacket: 1_024,
                configuration: [0x12, 0x08],
                primingFrames: 1_024
            ),
            packets: varied(count, frames: 1_024, meanBytes: meanBytes)
        )
    }

    static func alac(packets count: Int, meanBytes: Int = 200, lastFrames: Int = 4_096) -> SyntheticTake {
        var packets = varied(count, frames: 4_096, meanBytes: meanBytes)
        // The first bits of a packet are its header: one channel, all frames.
        for index in packets.indices { packets[index].bytes.replaceSubrange(0..<3, with: [0, 0, 0]) }
        if lastFrames < 4_096, let last = packets.indices.last { packets[last].frames = lastFrames }
        return SyntheticTake(
            stream: StreamDescription(
                codec: .alac,
                sampleRate: 44_100,
                channelCount: 1,
                framesPerPacket: 4_096,
                bitsPerChannel: 16,
                configuration: alacCookie
            ),
            packets: packets
        )
    }

    static func ima4(packets count: Int) -> SyntheticTake {
        SyntheticTake(
            stream: StreamDescription(
                codec: .ima4,
                sampleRate: 44_100,
                channelCount: 1,
                framesPerPacket: 64,
                bytesPerPacket: 34
            ),
            packets: (0..<count).map { index in
                EncodedPacket(bytes: (0..<34).map { UInt8(truncatingIfNeeded: index &* 7 &+ $0) }, frames: 64)
            }
        )
    }

    static func pcm(packets count: Int) -> SyntheticTake {
        SyntheticTake(
            stream: StreamDescription(
                codec: .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)),
                sampleRate: 44_100,
                channelCount: 1,
                framesPerPacket: 1,
                bytesPerPacket: 2,
                bitsPerChannel: 16
            ),
            packets: (0..<count).map { index in
                EncodedPacket(bytes: (0..<200).map { UInt8(truncatingIfNeeded: index &* 7 &+ $0) }, frames: 100)
            }
        )
    }

    static let alacCookie: [UInt8] = [
        0, 0, 0x10, 0, 0, 16, 40, 10, 14, 1, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAC, 0x44,
    ]

    private static func varied(_ count: Int, frames: Int, meanBytes: Int) -> [EncodedPacket] {
        var random = SeededGenerator(seed: 11)
        return (0..<count).map { index in
            let size = max(8, meanBytes / 2 + Int(random.next() % UInt64(meanBytes)))
            var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: size)
            for place in 0..<4 { bytes[place] = UInt8(truncatingIfNeeded: index >> (8 * place)) }
            return EncodedPacket(bytes: bytes, frames: frames)
        }
    }
}

/// Packets as a program of other people made them.
enum ForeignTake {
    /// Encodes a second-long or longer tone with FFmpeg and reads the packets out of its file.
    static func encode(_ arguments: [String], seconds: Double = 2, channels: Int = 1, to name: String)
        throws -> (bytes: [UInt8], reader: any ContainerReader)
    {
        let folder = try TemporaryFolder()
        let tone = "sine=frequency=440:sample_rate=44100:duration=\(seconds)"
        let result = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", tone, "-ac", "\(channels)"] + arguments + [folder.path(name)]
        )
        guard result.status == 0 else { throw AudioFailure(.internal, result.messages) }
        let bytes = try folder.read(name)
        return (bytes, try open(MemoryFile(bytes)))
    }

    static func open(_ source: any ByteSource) throws -> any ContainerReader {
        guard let reader = try ContainerProvider().openReader(source, hint: nil) else {
            throw AudioFailure(.unsupported, "Left to another adapter.")
        }
        return reader
    }
}

extension ContainerReader {
    func allPackets() throws -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        while let packet = try nextPacket() { packets.append(packet) }
        return packets
    }
}

/// What FFmpeg makes of a file.
struct FFmpegOpinion {
    /// Decoded samples as 16-bit integers.
    var samples: [Int16]
    /// The duration that it states, in frames.
    var statedFrames: Double
    var complaints: String

    init(_ bytes: [UInt8], name: String, rate: Double = 44_100) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: name)
        let decoded = try ExternalTool.run("ffmpeg", ["-v", "warning", "-i", path, "-f", "s16le", "-"])
        samples = decoded.output.withUnsafeBytes { raw in
            (0..<raw.count / 2).map { Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) }
        }
        complaints = decoded.messages
        let probed = try ExternalTool.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=duration", "-of", "csv=p=0", path]
        )
        let duration = Double(probed.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .nan
        statedFrames = duration * rate
    }
}
