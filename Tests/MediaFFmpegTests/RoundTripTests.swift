import AudioCore
import MediaFFmpeg
import Testing

/// Our encoder into our decoder: counts, alignment, likeness.
@Suite struct RoundTripTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var codec: EncodingRequest.Codec
        var sampleRate: Double
        var channelCount: Int
        var bitDepth = 16

        var testDescription: String { "\(codec) \(Int(sampleRate)) Hz \(channelCount) ch \(bitDepth) bit" }

        static let channels = [1, 2]

        static let lossy: [Case] = channels.flatMap { channels in
            [8000, 12_000, 16_000, 22_050, 44_100, 48_000].map {
                Case(codec: .aac, sampleRate: $0, channelCount: channels)
            }
                + [8000, 12_000, 16_000, 24_000, 48_000].map {
                    Case(codec: .opus, sampleRate: $0, channelCount: channels)
                }
        }

        static let lossless: [Case] = channels.flatMap { channels in
            [8000, 22_050, 48_000].flatMap { rate in
                [16, 24].flatMap { bits in
                    [EncodingRequest.Codec.alac, .flac].map {
                        Case(codec: $0, sampleRate: rate, channelCount: channels, bitDepth: bits)
                    }
                }
            }
        }

        func encode(frames: Int, noise: Double, pieces: [Int] = [1, 480, 7, 4097, 333]) throws -> Encoding {
            let request = EncodingRequest(
                codec: codec,
                sampleRate: sampleRate,
                channelCount: channelCount,
                quality: 1,
                bitDepth: bitDepth
            )
            let encoder = try #require(try FFmpegProvider().makeEncoder(request))
            return try Encoding(encoder, Signal.buffer(encoder.input, frames: frames, noise: noise), pieces: pieces)
        }
    }

    @Test(arguments: Case.lossy) func lossyKeepsCountAndPlace(_ item: Case) throws {
        let frames = Int(item.sampleRate) / 2 + 123
        let made = try item.encode(frames: frames, noise: 0)
        let priming = Int(made.stream.primingFrames.value)
        #expect(priming > 0)
        let remainder = made.totalFrames - priming - frames
        #expect((0..<made.stream.framesPerPacket).contains(remainder))
        #expect(made.packets.allSatisfy { $0.frames == made.stream.framesPerPacket })

        let decoder = try #require(try FFmpegProvider().makeDecoder(made.stream))
        let decoded = try decoder.decodeAll(made.packets)
        let channels = item.channelCount
        #expect(decoded.count == made.totalFrames * channels)
        // Delay 0: the decoded frames lie on the source. A shift of one frame at 440 Hz would leave 10 to 24 dB.
        let heard = decoded.dropFirst(priming * channels).prefix(frames * channels)
        #expect(Signal.ratio(of: Signal.values(made.source)[...], to: heard) > 26)
    }

    @Test(arguments: Case.lossless) func losslessIsBitExact(_ item: Case) throws {
        let frames = 3 * 4096 + 1234
        let made = try item.encode(frames: frames, noise: 0.1)
        #expect(made.stream.primingFrames == 0)
        #expect(made.totalFrames == frames)
        let decoder = try #require(try FFmpegProvider().makeDecoder(made.stream))
        #expect(decoder.output.sampleType == (item.bitDepth == 16 ? .int16 : .int32))
        #expect(try decoder.decodeAll(made.packets) == Signal.values(made.source))
    }

    @Test(arguments: [EncodingRequest.Codec.aac, .alac, .flac, .opus], [0, 1, 100, 959, 960, 1024, 4096, 4097])
    func shortTakes(_ codec: EncodingRequest.Codec, frames: Int) throws {
        let made = try Case(codec: codec, sampleRate: 48_000, channelCount: 1).encode(frames: frames, noise: 0)
        let decoder = try #require(try FFmpegProvider().makeDecoder(made.stream))
        let decoded = try decoder.decodeAll(made.packets)
        #expect(decoded.count == made.totalFrames)
        let remainder = made.totalFrames - Int(made.stream.primingFrames.value) - frames
        #expect(remainder >= 0)
        if made.stream.codec.isLossless { #expect(remainder == 0) }
    }

    @Test func configurationIsPlain() throws {
        func stream(_ codec: EncodingRequest.Codec) throws -> StreamDescription {
            let request = EncodingRequest(codec: codec, sampleRate: 48_000, channelCount: 2)
            return try #require(try FFmpegProvider().makeEncoder(request)).stream
        }
        // AudioSpecificConfig: object type 2, frequency index 3, channel configuration 2.
        let aac = try stream(.aac)
        #expect(Array(aac.configuration.prefix(2)) == [0x11, 0x90])
        #expect(aac.framesPerPacket == 1024 && aac.primingFrames == 1024)
        let alac = try stream(.alac)
        #expect(alac.configuration.count == 24)
        #expect(alac.configuration[5] == 16 && alac.configuration[9] == 2)
        #expect(alac.framesPerPacket == 4096)
        // Packets of low rates are shorter, so that a killed recording lacks as little; the set-up says so.
        let request = EncodingRequest(codec: .alac, sampleRate: 8000, channelCount: 1)
        let slow = try #require(try FFmpegProvider().makeEncoder(request)).stream
        #expect(slow.framesPerPacket == 512)
        #expect(Array(slow.configuration.prefix(4)) == [0, 0, 2, 0])
        #expect(try stream(.flac).configuration.count == 34)
        let opus = try stream(.opus)
        #expect(opus.configuration.starts(with: Array("OpusHead".utf8)))
        let preSkip = Int64(opus.configuration[10]) | Int64(opus.configuration[11]) << 8
        #expect(opus.framesPerPacket == 960 && opus.primingFrames == FrameCount(preSkip))
    }

    @Test func openALACPacketCanBeClosedEarly() throws {
        let request = EncodingRequest(codec: .alac, sampleRate: 8000, channelCount: 2)
        let encoder = try #require(try FFmpegProvider().makeEncoder(request))
        let source = Signal.buffer(encoder.input, frames: 4096 + 300, noise: 0.1)
        var packets: [EncodedPacket] = []
        try encoder.encode(source) { packet throws(AudioFailure) in packets.append(packet) }
        let open = try #require(try encoder.partialPacket())
        #expect(open.frames == 300)
        let decoder = try #require(try FFmpegProvider().makeDecoder(encoder.stream))
        #expect(try decoder.decodeAll(packets + [open]) == Signal.values(source))

        // Nothing was ended by it.
        let more = Signal.buffer(encoder.input, frames: 5000, frequency: 300)
        try encoder.encode(more) { packet throws(AudioFailure) in packets.append(packet) }
        try encoder.finish { packet throws(AudioFailure) in packets.append(packet) }
        let again = try #require(try FFmpegProvider().makeDecoder(encoder.stream))
        #expect(try again.decodeAll(packets) == Signal.values(source) + Signal.values(more))
    }

    @Test func samplesThatAreNoNumbersDoNotEndARecording() throws {
        for codec in [EncodingRequest.Codec.aac, .opus] {
            let request = EncodingRequest(codec: codec, sampleRate: 48_000, channelCount: 1)
            let encoder = try #require(try FFmpegProvider().makeEncoder(request))
            let source = Signal.buffer(encoder.input, frames: 9600)
            let samples = source.samples(as: Float.self)
            samples[100] = .nan
            samples[2000] = .infinity
            samples[4000] = -.greatestFiniteMagnitude
            let made = try Encoding(encoder, source, pieces: [4800])
            #expect(made.totalFrames >= 9600)
        }
    }
}
