import AudioCore
import TestSupport
import Testing

@testable import MediaContainers

/// Recordings of a working day, and of more bytes than 32 bits count.
@Suite(.serialized) struct LongRecordingTests {
    @Test(arguments: [ContainerKind.m4a, .caf]) func eightHoursGoOnPastEveryTable(kind: ContainerKind) throws {
        let rate = 8_000.0
        var stream = SyntheticTake.aac(packets: 0, rate: rate).stream
        stream.configuration = [0x15, 0x88]
        let packets = Int(8 * 3_600 * rate) / 1_024
        let file = MemoryFile(isRecording: false)
        let writer = try #require(
            try ContainerProvider().makeWriter(
                kind,
                stream: stream,
                file: file,
                // A twentieth of what comes.
                options: WriterOptions(expectedFrames: FrameCount(packets / 20 * 1_024))
            )
        )
        func packet(_ index: Int) -> EncodedPacket {
            let size = 20 + index % 150
            return EncodedPacket(
                bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: index / 7), count: size),
                frames: 1_024
            )
        }
        for index in 0..<packets {
            try writer.append(packet(index))
            guard index % 250 == 249 || index == packets - 1 else { continue }
            try writer.checkpoint(synchronize: true)
            guard index % 25_000 == 24_999 else { continue }
            let reader = try ForeignTake.open(file)
            #expect(reader.validFrames == FrameCount((index + 1) * 1_024 - 1_024))
            #expect(try reader.seek(toDecodedFrame: FrameCount(index * 1_024), preroll: 0) == FrameCount(index * 1_024))
            #expect(try reader.nextPacket()?.bytes == packet(index).bytes)
        }
        let valid = FrameCount((packets - 1) * 1_024 - 500)
        try writer.finish(validFrames: valid)

        let reader = try ForeignTake.open(file)
        #expect(reader.integrity == .complete)
        #expect(reader.validFrames == valid)
        let content = reader.audioByteCount + Int64(packets) * (kind == .m4a ? 4 : 2)
        #expect(try file.size() - content <= 65_536 + content / 100)
        for index in stride(from: 0, to: packets, by: 997) {
            let start = FrameCount(index * 1_024)
            #expect(try reader.seek(toDecodedFrame: start + 1_023, preroll: 0) == start)
            #expect(try reader.nextPacket()?.bytes == packet(index).bytes)
        }
    }

    @Test(arguments: [ContainerKind.m4a, .caf]) func packetsBehindFourGibibytesAreFound(kind: ContainerKind) throws {
        let stream = SyntheticTake.alac(packets: 0).stream
        let file = MemoryFile(isRecording: false)
        let options = WriterOptions(expectedFrames: FrameCount(4_096 * 5))
        let writer = try #require(
            try ContainerProvider().makeWriter(kind, stream: stream, file: file, options: options)
        )
        let silence = EncodedPacket(bytes: [UInt8](repeating: 0, count: 4 << 20), frames: 4_096)
        let sound = EncodedPacket(bytes: [0, 0, 0, 5, 6, 7, 8, 9], frames: 4_096)
        for _ in 0..<1_050 {
            try writer.append(silence)
            try writer.checkpoint(synchronize: false)
        }
        try writer.append(sound)
        try writer.checkpoint(synchronize: false)
        for isFinished in [false, true] {
            if isFinished { try writer.finish(validFrames: FrameCount(4_096 * 1_051)) }
            let reader = try ForeignTake.open(file)
            #expect(reader.audioByteCount == 1_050 * Int64(4 << 20) + 8)
            #expect(reader.validFrames == FrameCount(4_096 * 1_051))
            #expect(try reader.seek(toDecodedFrame: FrameCount(4_096 * 1_050), preroll: 0) == FrameCount(4_096 * 1_050))
            #expect(try reader.nextPacket()?.bytes == sound.bytes)
            #expect(try reader.nextPacket() == nil)
        }
    }

    @Test func pcmInCAFBehindFourGibibytesIsFound() throws {
        let stream = SyntheticTake.pcm(packets: 0).stream
        let file = MemoryFile(isRecording: false)
        let writer = try #require(
            try ContainerProvider().makeWriter(.caf, stream: stream, file: file, options: WriterOptions())
        )
        let silence = EncodedPacket(bytes: [UInt8](repeating: 0, count: 1 << 20), frames: 1 << 19)
        for _ in 0..<4_200 {
            try writer.append(silence)
            try writer.checkpoint(synchronize: false)
        }
        try writer.append(EncodedPacket(bytes: [1, 2, 3, 4], frames: 2))
        let frames = FrameCount(4_200 * (1 << 19) + 2)
        try writer.finish(validFrames: frames)
        let reader = try ForeignTake.open(file)
        #expect(reader.validFrames == frames && reader.integrity == .complete)
        #expect(try reader.seek(toDecodedFrame: frames - 2, preroll: 0) == frames - 2)
        #expect(try reader.nextPacket()?.bytes == [1, 2, 3, 4])
    }
}
