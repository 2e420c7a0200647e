import AudioCore
import MediaFFmpeg
import Testing

/// Decoders under damage and after jumps.
@Suite struct DecoderTests {
    private static let codecs: [EncodingRequest.Codec] = [.aac, .alac, .flac, .opus]

    private func made(_ codec: EncodingRequest.Codec, frames: Int = 48_000) throws -> Encoding {
        try RoundTripTests.Case(codec: codec, sampleRate: 48_000, channelCount: 2).encode(frames: frames, noise: 0.05)
    }

    @Test(arguments: codecs) func goesOnAfterDamage(_ codec: EncodingRequest.Codec) throws {
        let made = try made(codec)
        let decoder = try #require(try FFmpegProvider().makeDecoder(made.stream))
        let clean = try #require(try FFmpegProvider().makeDecoder(made.stream)).decodeAll(made.packets)
        let broken = 3
        var values: [Double] = []
        var afterDamage = 0
        for (index, packet) in made.packets.enumerated() {
            var packet = packet
            if index == broken { packet.bytes = [UInt8](repeating: 0xA5, count: 40) }
            do {
                try decoder.decode(packet) { buffer throws(AudioFailure) in
                    values += Signal.values(buffer)
                    if index > broken { afterDamage += buffer.frameLength }
                }
            } catch {
                #expect(error.code == .malformedMedia)
                #expect(index == broken)
            }
        }
        try decoder.finish { _ in }
        #expect(afterDamage == made.packets.dropFirst(broken + 1).reduce(0) { $0 + $1.frames })
        // The end is far from the damage.
        let tail = 4000
        #expect(Signal.ratio(of: clean.suffix(tail), to: values.suffix(tail)) > 30)
    }

    @Test(arguments: [EncodingRequest.Codec.alac, .flac]) func damageToLosslessIsSeen(_ codec: EncodingRequest.Codec)
        throws
    {
        let made = try made(codec)
        let decoder = try #require(try FFmpegProvider().makeDecoder(made.stream))
        var packet = made.packets[2]
        packet.bytes.removeLast(packet.bytes.count / 2)
        let failure = try #require(throws: AudioFailure.self) { try decoder.decode(packet) { _ in } }
        #expect(failure.code == .malformedMedia)
        #expect(throws: AudioFailure.self) { try decoder.decode(EncodedPacket(bytes: [], frames: 0)) { _ in } }
    }

    @Test(arguments: codecs) func comesRightAfterItsPreroll(_ codec: EncodingRequest.Codec) throws {
        let made = try made(codec)
        let decoder = try #require(try FFmpegProvider().makeDecoder(made.stream))
        let all = try decoder.decodeAll(made.packets)
        decoder.reset()
        let target = 8
        var values: [Double] = []
        for packet in made.packets[(target - decoder.prerollPackets)...] {
            try decoder.decode(packet) { buffer throws(AudioFailure) in values += Signal.values(buffer) }
        }
        let per = made.stream.framesPerPacket * 2
        let expected = all[(target * per)...]
        let got = values[(decoder.prerollPackets * per)...]
        #expect(got.count == expected.count)
        // Opus remembers for longer than the 80 ms that RFC 7845 asks for, faintly.
        let floor = made.stream.codec.isLossless ? 1000.0 : made.stream.codec == .opus ? 25 : 60
        #expect(Signal.ratio(of: expected, to: got) > floor)
    }

    /// Anything at all in place of the set-up and of packets: an answer or a typed failure.
    @Test(arguments: codecs) func hostileBytes(_ codec: EncodingRequest.Codec) throws {
        let made = try made(codec, frames: 20_000)
        var generator = SeededRandom(seed: 42)
        for _ in 0..<100 {
            var stream = made.stream
            for _ in 0..<2 where !stream.configuration.isEmpty {
                let place = Int(generator.next() % UInt64(stream.configuration.count))
                stream.configuration[place] ^= UInt8(truncatingIfNeeded: generator.next() | 1)
            }
            guard let decoder = try? FFmpegProvider().makeDecoder(stream) else { continue }
            for packet in made.packets {
                var packet = packet
                for _ in 0..<3 {
                    let place = Int(generator.next() % UInt64(packet.bytes.count))
                    packet.bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                }
                do {
                    try decoder.decode(packet) { buffer throws(AudioFailure) in
                        #expect(buffer.frameLength <= 1 << 20)
                    }
                } catch {
                    #expect(error.code == .malformedMedia || error.code == .limitReached || error.code == .unsupported)
                }
            }
        }
    }

    @Test func impossibleStreamsAreRefused() throws {
        for (rate, channels) in [
            (0.0, 1), (-1, 1), (.nan, 2), (1e300, 2), (44_100, 0), (44_100, -5), (44_100, 1 << 40),
        ] {
            let stream = StreamDescription(
                codec: .aac,
                sampleRate: rate,
                channelCount: channels,
                framesPerPacket: 1024,
                configuration: [0x12, 0x08]
            )
            #expect(throws: AudioFailure.self) { try FFmpegProvider().makeDecoder(stream) }
        }
        let unknown = StreamDescription(codec: .foreign("h264"), sampleRate: 8000, channelCount: 1, framesPerPacket: 0)
        #expect(try FFmpegProvider().makeDecoder(unknown) == nil)
    }
}

/// A generator with a seed, so that a failure can be repeated.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
