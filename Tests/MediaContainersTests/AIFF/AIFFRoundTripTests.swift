import AudioCore
import MediaContainers
import Testing
import TestSupport

@Suite struct AIFFRoundTripTests {
    static let plain: [EncodingRequest.Codec] = [8, 16, 24, 32].map { LivePCMTakes.linear($0, isBigEndian: true) }
    static let compressed: [EncodingRequest.Codec] =
        plain + [
            LivePCMTakes.linear(8), LivePCMTakes.linear(16), LivePCMTakes.linear(24), LivePCMTakes.linear(32),
            LivePCMTakes.linear(32, isFloat: true, isBigEndian: true),
            LivePCMTakes.linear(64, isFloat: true, isBigEndian: true), .muLaw, .aLaw,
        ]

    private func check(_ codec: EncodingRequest.Codec, in container: ContainerKind, channels: Int) throws {
        let take = try LivePCMTakes.record(codec, in: container, frames: 4_321, rate: 11_025.5, channels: channels)
        let reader = try LivePCMTakes.media.openReader(take.file)
        #expect(reader.container == container)
        #expect(reader.stream.codec == take.encoder.stream.codec)
        #expect(reader.stream.channelCount == channels && reader.stream.sampleRate == 11_025.5)
        #expect(reader.validFrames == 4_321)
        #expect(reader.integrity == .complete)
        #expect(try LivePCMTakes.payload(reader) == take.packets.flatMap(\.bytes))
        #expect(try take.file.size() % 2 == 0)
    }

    @Test(arguments: plain, [1, 2, 5]) func aiff(codec: EncodingRequest.Codec, channels: Int) throws {
        try check(codec, in: .aiff, channels: channels)
    }

    @Test(arguments: compressed, [1, 2, 5]) func aifc(codec: EncodingRequest.Codec, channels: Int) throws {
        try check(codec, in: .aifc, channels: channels)
    }

    @Test(arguments: [1, 2]) func ima4KeepsItsExactLength(channels: Int) throws {
        try check(.ima4, in: .aifc, channels: channels)
        let take = try LivePCMTakes.record(.ima4, in: .aifc, frames: 4_321, channels: channels)
        let (_, frames) = try LivePCMTakes.frames(of: take.file)
        #expect(frames.count == 4_321 * channels)
        let worst = zip(take.source, frames).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(worst < 0.03)
    }

    @Test func namesAndMarkersComeBack() throws {
        var metadata = MediaMetadata()
        metadata.title = "Öğle arası"
        metadata.artist = "A"
        metadata.comment = "two\nlines"
        metadata.markers = [
            .init(frame: 100, name: "first"), .init(frame: 3_000, name: "ikinci ✓"), .init(frame: 4_000, name: ""),
        ]
        for container in [ContainerKind.aiff, .aifc] {
            let codec = LivePCMTakes.linear(16, isBigEndian: true)
            let take = try LivePCMTakes.record(codec, in: container, frames: 5_000, metadata: metadata)
            let reader = try LivePCMTakes.media.openReader(take.file)
            #expect(reader.metadata == metadata)
            #expect(reader.validFrames == 5_000)
        }
    }

    @Test func refusesWhatItCannotHold() throws {
        func failure(_ container: ContainerKind, _ codec: CodecID, rate: Double = 44_100, channels: Int = 1)
            -> AudioFailure?
        {
            do throws(AudioFailure) {
                _ = try LivePCMTakes.media.makeWriter(
                    container,
                    stream: StreamDescription(
                        codec: codec,
                        sampleRate: rate,
                        channelCount: channels,
                        framesPerPacket: 1
                    ),
                    file: MemoryFile()
                )
                return nil
            } catch {
                return error
            }
        }
        let big = CodecID.linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: true))
        let little = CodecID.linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false))
        let float = CodecID.linearPCM(LinearPCMLayout(bitsPerSample: 32, isFloat: true, isBigEndian: true))
        #expect(failure(.aiff, little)?.code == .unsupported)
        #expect(failure(.aiff, float)?.message.contains("AIFC") == true)
        #expect(failure(.aiff, .ima4)?.code == .unsupported)
        #expect(failure(.aifc, .aac)?.message.contains("aac") == true)
        #expect(failure(.aiff, big) == nil && failure(.aifc, little) == nil)
        for rate in [0, -1, .nan, .infinity, 1e12] { #expect(failure(.aiff, big, rate: rate)?.code == .unsupported) }
        for channels in [0, -1, 40_000] { #expect(failure(.aifc, big, channels: channels)?.code == .unsupported) }
    }
}
