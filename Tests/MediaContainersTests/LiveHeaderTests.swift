import AudioCore
import MediaContainers
import Testing
import TestSupport

/// A process that is killed, a disk that is full: what lies there plays.
@Suite struct LiveHeaderTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var container: ContainerKind
        var codec: EncodingRequest.Codec
        var channels: Int
        var testDescription: String { "\(container.name) \(codec) \(channels)" }
    }

    static let pairs = [
        Pair(container: .wav, codec: LivePCMTakes.linear(16), channels: 2),
        Pair(container: .wav, codec: LivePCMTakes.linear(24), channels: 1),
        Pair(container: .wav, codec: .muLaw, channels: 1),
        Pair(container: .aiff, codec: LivePCMTakes.linear(16, isBigEndian: true), channels: 1),
        Pair(container: .aiff, codec: LivePCMTakes.linear(8, isBigEndian: true), channels: 1),
        Pair(container: .aifc, codec: LivePCMTakes.linear(24), channels: 1),
        Pair(container: .aifc, codec: .ima4, channels: 2),
    ]

    @Test(arguments: pairs) func everyPrefixOfTheWritesPlays(pair: Pair) throws {
        var checkpoints: [(operations: Int, frames: Int64)] = []
        let take = try LivePCMTakes.record(
            pair.codec,
            in: pair.container,
            // An odd number, which one byte of padding follows where a frame is one.
            frames: 9_051,
            channels: pair.channels,
            piece: 333
        ) { writer, file in
            checkpoints.append((file.operations.count, writer.checkpointedFrames.value))
        }
        #expect(checkpoints.count == 28)
        let all = take.packets.flatMap(\.bytes)
        let replay = PrefixReplay(take.file.operations)
        try replay.forEachPrefix { file, done in
            if done == 0 { return }
            let reader = try LivePCMTakes.media.openReader(file)
            let promised = checkpoints.last { $0.operations <= done }?.frames ?? 0
            let valid = try #require(reader.validFrames).value
            #expect(valid >= promised, "after \(done) operations")
            let payload = try LivePCMTakes.payload(reader)
            #expect(all.starts(with: payload), "after \(done) operations")
            let isWhole = done == replay.count
            if isWhole { #expect(valid == 9_051) }
            if done < replay.count - 3 { #expect(reader.integrity != .complete, "after \(done) operations") }
        }
    }

    @Test(arguments: pairs) func aFullDiskLosesNothingThatWasKept(pair: Pair) throws {
        let encoder = try LivePCMTakes.media.makeEncoder(
            EncodingRequest(codec: pair.codec, sampleRate: 44_100, channelCount: pair.channels)
        )
        let file = MemoryFile(isRecording: false)
        let writer = try LivePCMTakes.media.makeWriter(pair.container, stream: encoder.stream, file: file)
        let unit = encoder.stream.bytesPerPacket
        let frames = encoder.stream.framesPerPacket
        func packet(_ index: Int) -> EncodedPacket {
            EncodedPacket(bytes: [UInt8](repeating: UInt8(index & 0x7F), count: unit * 100), frames: frames * 100)
        }
        for index in 0..<10 { try writer.append(packet(index)) }
        try writer.checkpoint(synchronize: false)
        file.limit(to: try file.size() + Int64(unit * 150) + 1)
        #expect {
            for index in 10..<15 { try writer.append(packet(index)) }
            try writer.checkpoint(synchronize: false)
        } throws: { ($0 as? AudioFailure)?.code == .noSpace }
        #expect(writer.checkpointedFrames.value == Int64(1_000 * frames))
        let reader = try LivePCMTakes.media.openReader(file)
        #expect(try #require(reader.validFrames).value >= Int64(1_000 * frames))
        // Room again: nothing is lost, and nothing doubled.
        file.limit(to: .max)
        try writer.finish(validFrames: FrameCount(1_500 * frames))
        let finished = try LivePCMTakes.media.openReader(file)
        #expect(finished.validFrames == FrameCount(1_500 * frames) && finished.integrity == .complete)
        let payload = try LivePCMTakes.payload(finished)
        #expect(payload == (0..<15).flatMap { packet($0).bytes })
    }

    @Test(arguments: pairs) func damagedFilesOpenOrFailInType(pair: Pair) throws {
        let take = try LivePCMTakes.record(pair.codec, in: pair.container, frames: 700, channels: pair.channels)
        var opened = 0
        DamagedCopies(of: take.file.bytes).forEach(count: 1_000) { bytes, index in
            let source = MemoryFile(bytes, isRecording: false)
            do throws(AudioFailure) {
                let reader = try LivePCMTakes.media.openReader(source)
                let valid = reader.validFrames?.value ?? 0
                #expect(valid >= 0 && valid <= Int64(bytes.count) * 64, "copy \(index)")
                var total = 0
                while let packet = try reader.nextPacket() { total += packet.bytes.count }
                #expect(total <= bytes.count, "copy \(index)")
                let found = try reader.seek(toDecodedFrame: FrameCount(Int64.max), preroll: 1)
                #expect(found.value >= 0 && found.value <= Int64(bytes.count) * 64)
                opened += 1
            } catch {
                #expect(error.code == .malformedMedia || error.code == .unsupported, "copy \(index): \(error)")
            }
        }
        #expect(opened > 300)
    }

    @Test(arguments: pairs) func moreFramesThanThereAreIsRefused(pair: Pair) throws {
        let encoder = try LivePCMTakes.media.makeEncoder(
            EncodingRequest(codec: pair.codec, sampleRate: 44_100, channelCount: pair.channels)
        )
        let writer = try LivePCMTakes.media.makeWriter(pair.container, stream: encoder.stream, file: MemoryFile())
        #expect { try writer.finish(validFrames: 1) } throws: { ($0 as? AudioFailure)?.code == .invalidArgument }
    }
}
