import AudioCore
import MediaContainers
import Testing
import TestSupport

/// Sizes that do not fit into 32 bits, in sparse files.
@Suite(.serialized) struct LargeFileTests {
    private static let gibibyte = Int64(1) << 30

    private func writer(_ container: ContainerKind, isBigEndian: Bool, _ file: MemoryFile) throws -> any ContainerWriter
    {
        let codec = LivePCMTakes.linear(16, isBigEndian: isBigEndian)
        let encoder = try LivePCMTakes.media.makeEncoder(
            EncodingRequest(codec: codec, sampleRate: 48_000, channelCount: 2)
        )
        return try LivePCMTakes.media.makeWriter(container, stream: encoder.stream, file: file)
    }

    private static let silence = EncodedPacket(bytes: [UInt8](repeating: 0, count: 128 << 20), frames: 32 << 20)
    private static let end = EncodedPacket(
        bytes: Array(repeating: [1, 2, 3, 4], count: 1_000).flatMap { $0 },
        frames: 1_000
    )

    @Test func wavGoesOnAsRF64WithoutMovingAnything() throws {
        let file = MemoryFile(isRecording: false)
        let writer = try writer(.wav, isBigEndian: false, file)
        for _ in 0..<32 {
            try writer.append(Self.silence)
            try writer.checkpoint(synchronize: false)
            let frames = writer.checkpointedFrames
            let reader = try LivePCMTakes.media.openReader(file)
            #expect(reader.validFrames == frames)
        }
        #expect(try file.bytes(at: 0, count: 4) == Array("RF64".utf8))
        try writer.append(Self.end)
        let total = FrameCount(Int64(32 << 20) * 32 + 1_000)
        try writer.finish(validFrames: total)
        let reader = try LivePCMTakes.media.openReader(file)
        #expect(reader.validFrames == total && reader.integrity == .complete)
        #expect(try reader.seek(toDecodedFrame: total - 1_000, preroll: 0) == total - 1_000)
        #expect(try LivePCMTakes.payload(reader) == Self.end.bytes)
    }

    @Test func aiffRefusesWhatDoesNotFitBeforeDamage() throws {
        let file = MemoryFile(isRecording: false)
        let writer = try writer(.aiff, isBigEndian: true, file)
        for _ in 0..<31 { try writer.append(Self.silence) }
        let kept = Int64(32 << 20) * 31
        #expect {
            try writer.append(Self.silence)
        } throws: { error in
            guard let failure = error as? AudioFailure else { return false }
            return failure.code == .limitReached && failure.message.contains("\(kept)")
        }
        try writer.append(Self.end)
        try writer.finish(validFrames: FrameCount(kept + 1_000))
        let reader = try LivePCMTakes.media.openReader(file)
        #expect(reader.validFrames == FrameCount(kept + 1_000) && reader.integrity == .complete)
    }

    @Test(arguments: [0, 2, 4, 100]) func aWrappedSizeIsUnwrapped(trailing: Int64) throws {
        let audio = Self.gibibyte * 9 / 2
        var header = Array("RIFF".utf8) + [0, 0, 0, 0x20] + Array("WAVEfmt ".utf8)
        header += [16, 0, 0, 0, 1, 0, 1, 0, 0x44, 0xAC, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0] + Array("data".utf8)
        header += (0..<4).map { UInt8(truncatingIfNeeded: audio >> ($0 * 8)) }
        let file = MemoryFile(header, isRecording: false)
        try file.truncate(to: 44 + audio)
        if trailing >= 8 {
            let list = Array("LIST".utf8) + [UInt8(trailing - 8), 0, 0, 0]
            try file.write(list + [UInt8](repeating: 0x20, count: Int(trailing) - 8), at: 44 + audio)
        } else {
            try file.truncate(to: 44 + audio + trailing)
        }
        let reader = try LivePCMTakes.media.openReader(file)
        #expect(reader.validFrames == FrameCount(audio / 2) && reader.integrity == .complete)
    }
}
