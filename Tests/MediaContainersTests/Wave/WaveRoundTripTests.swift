import AudioCore
import MediaContainers
import Testing
import TestSupport

@Suite struct WaveRoundTripTests {
    static let codecs: [EncodingRequest.Codec] = [
        LivePCMTakes.linear(8), LivePCMTakes.linear(16), LivePCMTakes.linear(24), LivePCMTakes.linear(32),
        LivePCMTakes.linear(32, isFloat: true), LivePCMTakes.linear(64, isFloat: true), .muLaw, .aLaw,
    ]

    @Test(arguments: codecs, [1, 2, 6]) func whatIsWrittenIsRead(codec: EncodingRequest.Codec, channels: Int) throws {
        let take = try LivePCMTakes.record(codec, in: .wav, frames: 4_321, channels: channels)
        let reader = try LivePCMTakes.media.openReader(take.file)
        #expect(reader.container == .wav)
        #expect(reader.stream.codec == take.encoder.stream.codec)
        #expect(reader.stream.channelCount == channels && reader.stream.sampleRate == 44_100)
        #expect(reader.validFrames == 4_321)
        #expect(reader.integrity == .complete)
        #expect(try LivePCMTakes.payload(reader) == take.packets.flatMap(\.bytes))
        #expect(try take.file.size() % 2 == 0)
    }

    @Test func seeksToTheFrame() throws {
        let take = try LivePCMTakes.record(LivePCMTakes.linear(16), in: .wav, frames: 30_000, channels: 2)
        let (_, all) = try LivePCMTakes.frames(of: take.file)
        for start in [0, 1, 8_191, 8_192, 20_000, 29_999, 30_000] {
            let (_, rest) = try LivePCMTakes.frames(of: take.file, from: FrameCount(start))
            #expect(rest == Array(all.suffix((30_000 - start) * 2)))
        }
    }

    @Test func namesAndMarkersComeBack() throws {
        var metadata = MediaMetadata()
        metadata.title = "Öğle arası"
        metadata.artist = "A"
        metadata.comment = "two\nlines"
        metadata.date = "2026-11-30"
        metadata.encoder = "kayit"
        metadata.markers = [.init(frame: 100, name: "first"), .init(frame: 3_000, name: "ikinci ✓")]
        let take = try LivePCMTakes.record(LivePCMTakes.linear(16), in: .wav, frames: 5_000, metadata: metadata)
        let reader = try LivePCMTakes.media.openReader(take.file)
        #expect(reader.metadata == metadata)
        #expect(reader.validFrames == 5_000)
    }

    @Test func nothingRecordedIsAWholeFile() throws {
        let take = try LivePCMTakes.record(LivePCMTakes.linear(16), in: .wav, frames: 0)
        let reader = try LivePCMTakes.media.openReader(take.file)
        #expect(reader.validFrames == 0 && reader.integrity == .complete)
        #expect(try reader.nextPacket() == nil)
    }

    @Test func refusesWhatItCannotHold() throws {
        func failure(_ stream: StreamDescription) -> AudioFailure? {
            do throws(AudioFailure) {
                _ = try LivePCMTakes.media.makeWriter(.wav, stream: stream, file: MemoryFile())
                return nil
            } catch {
                return error
            }
        }
        func stream(_ codec: CodecID, rate: Double = 44_100, channels: Int = 1) -> StreamDescription {
            StreamDescription(codec: codec, sampleRate: rate, channelCount: channels, framesPerPacket: 1)
        }
        let little = CodecID.linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false))
        #expect(failure(stream(.ima4))?.code == .unsupported)
        #expect(failure(stream(.aac))?.message.contains("aac") == true)
        #expect(
            failure(stream(.linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: true))))?.code == .unsupported
        )
        #expect(
            failure(stream(.linearPCM(LinearPCMLayout(bitsPerSample: 8, isBigEndian: false))))?.code == .unsupported
        )
        for rate in [0, -1, 22_050.5, .nan, .infinity, 1e12] {
            #expect(failure(stream(little, rate: rate))?.code == .unsupported)
        }
        for channels in [0, -1, 40_000] { #expect(failure(stream(little, channels: channels))?.code == .unsupported) }
        #expect(failure(stream(little)) == nil)
    }
}
