import AudioCore
import TestSupport
import Testing

@testable import MediaContainers

@Suite struct PacketContainerTests {
    static let kinds: [ContainerKind] = [.m4a, .caf]

    private func writer(
        _ kind: ContainerKind,
        _ take: SyntheticTake,
        _ file: MemoryFile,
        _ options: WriterOptions = WriterOptions()
    ) throws -> any ContainerWriter {
        try #require(try ContainerProvider().makeWriter(kind, stream: take.stream, file: file, options: options))
    }

    private func failure(_ body: () throws -> Void) -> AudioFailure.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? AudioFailure)?.code
        }
    }

    @Test(arguments: kinds) func textsAndMarkersComeBack(kind: ContainerKind) throws {
        var metadata = MediaMetadata()
        metadata.title = "Öğle arası"
        metadata.artist = "A"
        metadata.album = ""
        metadata.comment = "two\nlines"
        metadata.date = "2026-11-30"
        metadata.encoder = "kayit"
        metadata.markers = [.init(frame: 441, name: "first"), .init(frame: 44_100, name: "ikinci ✓")]
        let file = MemoryFile()
        let take = SyntheticTake.aac(packets: 60)
        let writer = try writer(kind, take, file, WriterOptions(metadata: metadata))
        for packet in take.packets { try writer.append(packet) }
        try writer.checkpoint(synchronize: false)
        #expect(try ForeignTake.open(file).metadata == metadata)
        try writer.finish(validFrames: 60_000)
        #expect(try ForeignTake.open(file).metadata == metadata)
    }

    @Test func metadataThatDoNotFitThePageOfCountsAreRefused() throws {
        var metadata = MediaMetadata()
        metadata.comment = String(repeating: "x", count: 4_000)
        let options = WriterOptions(metadata: metadata)
        #expect(failure { _ = try writer(.m4a, .aac(packets: 0), MemoryFile(), options) } == .invalidArgument)
        metadata.comment = String(repeating: "x", count: 1_000)
        let file = MemoryFile()
        _ = try writer(.m4a, .aac(packets: 0), file, WriterOptions(metadata: metadata))
        #expect(try ForeignTake.open(file).metadata.comment?.count == 1_000)
    }

    @Test(arguments: kinds, [0, 1]) func aFileOfOneShortPacketOrNoneSaysHowLongOthersAre(
        kind: ContainerKind,
        packets: Int
    ) throws {
        let take = SyntheticTake.alac(packets: packets, lastFrames: 500)
        let file = MemoryFile()
        let writer = try writer(kind, take, file)
        for packet in take.packets { try writer.append(packet) }
        try writer.finish(validFrames: FrameCount(Int64(packets) * 500))
        let reader = try ForeignTake.open(file)
        #expect(reader.validFrames == FrameCount(Int64(packets) * 500))
        // Otherwise a part that ended at once could not be joined to the others.
        #expect(reader.stream.framesPerPacket == 4_096)
    }

    @Test(arguments: kinds) func seekingGivesThePacketThatHoldsTheFrame(kind: ContainerKind) throws {
        let take = SyntheticTake.aac(packets: 50)
        let file = MemoryFile()
        let writer = try writer(kind, take, file)
        for packet in take.packets { try writer.append(packet) }
        try writer.finish(validFrames: FrameCount(49 * 1_024))
        let reader = try ForeignTake.open(file)
        for (frame, preroll, expected): (Int64, Int, Int) in [
            (0, 0, 0), (1_023, 0, 0), (1_024, 0, 1), (1_024, 1, 0), (1_024, 9, 0), (30_000, 2, 27), (51_199, 0, 49),
            (51_200, 0, 50), (.max, 1, 49), (-5, 0, 0),
        ] {
            let start = try reader.seek(toDecodedFrame: FrameCount(frame), preroll: preroll)
            #expect(start == FrameCount(expected * 1_024))
            #expect(try reader.nextPacket()?.bytes == (expected < 50 ? take.packets[expected].bytes : nil))
        }
    }

    @Test(arguments: kinds) func whatWasNotFinishedSaysSo(kind: ContainerKind) throws {
        for take in [SyntheticTake.alac(packets: 5), .pcm(packets: 5), .ima4(packets: 5)] {
            if kind == .m4a, take.stream.codec != .alac { continue }
            let file = MemoryFile()
            let writer = try writer(kind, take, file)
            for packet in take.packets { try writer.append(packet) }
            try writer.checkpoint(synchronize: false)
            #expect(try ForeignTake.open(file).integrity != .complete)
            try writer.finish(validFrames: writer.checkpointedFrames)
            #expect(try ForeignTake.open(file).integrity == .complete)
        }
    }

    @Test(arguments: kinds) func nothingRecordedIsAWholeFile(kind: ContainerKind) throws {
        let file = MemoryFile()
        let writer = try writer(kind, .aac(packets: 0), file)
        #expect(try ForeignTake.open(file).validFrames == 0)
        try writer.finish(validFrames: 0)
        let reader = try ForeignTake.open(file)
        #expect(reader.validFrames == 0 && reader.integrity == .complete)
        #expect(try reader.nextPacket() == nil)
    }

    @Test(arguments: kinds) func whatDoesNotFitIsRefused(kind: ContainerKind) throws {
        let take = SyntheticTake.aac(packets: 3)
        var stream = take.stream
        stream.configuration = []
        #expect(
            failure {
                _ = try ContainerProvider().makeWriter(kind, stream: stream, file: MemoryFile(), options: .init())
            }
                == .invalidArgument
        )
        stream = take.stream
        stream.sampleRate = .nan
        #expect(
            failure {
                _ = try ContainerProvider().makeWriter(kind, stream: stream, file: MemoryFile(), options: .init())
            }
                == .invalidArgument
        )
        stream = take.stream
        stream.codec = .foreign("mp3")
        #expect(
            failure {
                _ = try ContainerProvider().makeWriter(kind, stream: stream, file: MemoryFile(), options: .init())
            }
                == .unsupported
        )

        let writer = try writer(kind, take, MemoryFile())
        #expect(failure { try writer.append(EncodedPacket(bytes: [1], frames: 1_025)) } == .invalidArgument)
        #expect(failure { try writer.append(EncodedPacket(bytes: [], frames: 1_024)) } == .invalidArgument)
        for packet in take.packets { try writer.append(packet) }
        #expect(failure { try writer.finish(validFrames: FrameCount(3 * 1_024)) } == .invalidArgument)
        #expect(failure { try writer.finish(validFrames: -1) } == .invalidArgument)
        try writer.finish(validFrames: FrameCount(2 * 1_024))
        #expect(failure { try writer.append(take.packets[0]) } == .invalidArgument)
    }

    /// Also where it is full just when a larger table is needed.
    @Test(arguments: kinds, [nil, 0] as [FrameCount?])
    func aFullDiskCostsNothingThatWasKept(kind: ContainerKind, expected: FrameCount?) throws {
        let take = SyntheticTake.aac(packets: 600, meanBytes: 300)
        let file = MemoryFile(isRecording: false)
        let writer = try writer(kind, take, file, WriterOptions(expectedFrames: expected))
        let room = try file.size() + 100_000
        file.limit(to: room)
        var kept = 0
        var isFull = false
        for (index, packet) in take.packets.enumerated() {
            try writer.append(packet)
            guard index % 20 == 19 else { continue }
            do {
                try writer.checkpoint(synchronize: true)
                kept = index + 1
            } catch {
                isFull = true
                #expect(error.code == .noSpace)
                let reader = try ForeignTake.open(file)
                #expect(reader.validFrames == writer.checkpointedFrames)
                #expect(writer.checkpointedFrames == FrameCount((kept - 1) * 1_024))
                #expect(try reader.allPackets().count == kept)
            }
        }
        #expect(isFull && (kept > 200 || expected == 0))
        // Room again: everything that was appended goes on.
        file.limit(to: .max)
        try writer.finish(validFrames: FrameCount(599 * 1_024))
        let reader = try ForeignTake.open(file)
        #expect(try reader.allPackets().map(\.bytes) == take.packets.map(\.bytes))
        #expect(reader.validFrames == FrameCount(599 * 1_024) && reader.integrity == .complete)
    }
}
