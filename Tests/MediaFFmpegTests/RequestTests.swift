import AudioCore
import MediaFFmpeg
import Testing

/// What cannot be made is refused by name, with what is allowed.
@Suite struct RequestTests {
    struct Refused: Sendable {
        var codec: EncodingRequest.Codec
        var sampleRate: Double = 44_100
        var channelCount = 1
        var bitRate: Int?
        var bitDepth = 16
        var says: [String]
    }

    static let refused = [
        Refused(codec: .aac, sampleRate: 1, says: ["sample rate", "44100", "7350"]),
        Refused(codec: .aac, sampleRate: 7999, says: ["sample rate", "7999"]),
        Refused(codec: .aac, sampleRate: 22_000, says: ["sample rate", "22050"]),
        Refused(codec: .aac, sampleRate: 384_000, says: ["sample rate", "96000"]),
        Refused(codec: .aac, sampleRate: .nan, says: ["sample rate"]),
        Refused(codec: .aac, sampleRate: .infinity, says: ["sample rate"]),
        Refused(codec: .aac, sampleRate: 44_100.5, says: ["sample rate", "44100.5"]),
        Refused(codec: .aac, sampleRate: 8000, bitRate: 320_000, says: ["bit rate", "320000", "4000 to 48000"]),
        Refused(codec: .aac, sampleRate: 8000, bitRate: -1, says: ["bit rate"]),
        Refused(codec: .aac, channelCount: 0, says: ["number of channels", "1 to 2"]),
        Refused(codec: .aac, channelCount: Int.max, says: ["number of channels"]),
        Refused(codec: .opus, sampleRate: 44_100, says: ["sample rate", "48000, 24000, 16000, 12000, 8000"]),
        Refused(codec: .opus, sampleRate: 48_000, bitRate: 1_000_000, says: ["bit rate", "6000 to 256000"]),
        Refused(codec: .alac, bitDepth: 20, says: ["bit depth", "16, 24"]),
        Refused(codec: .alac, bitDepth: 32, says: ["bit depth", "16, 24"]),
        Refused(codec: .flac, bitDepth: 8, says: ["bit depth", "16, 24"]),
        Refused(codec: .flac, sampleRate: 65_537, says: ["sample rate", "multiple of 10"]),
        Refused(codec: .alac, sampleRate: 0, says: ["sample rate", "1000 to 384000"]),
    ]

    @Test(arguments: refused) func isRefusedByName(_ item: Refused) throws {
        let request = EncodingRequest(
            codec: item.codec,
            sampleRate: item.sampleRate,
            channelCount: item.channelCount,
            bitRate: item.bitRate,
            bitDepth: item.bitDepth
        )
        let failure = try #require(throws: AudioFailure.self) { try FFmpegProvider().makeEncoder(request) }
        #expect(failure.code == .invalidArgument)
        for part in item.says { #expect(failure.message.contains(part), "\(failure.message)") }
    }

    @Test func otherCodecsAreNotOurs() throws {
        for codec in [EncodingRequest.Codec.ima4, .muLaw, .aLaw] {
            #expect(try FFmpegProvider().makeEncoder(.init(codec: codec, sampleRate: 8000, channelCount: 1)) == nil)
        }
        let stream = StreamDescription(codec: .ima4, sampleRate: 44_100, channelCount: 1, framesPerPacket: 64)
        #expect(try FFmpegProvider().makeDecoder(stream) == nil)
    }

    /// Every rate, every quality, and the ends of what may be asked for.
    @Test func everyLegalBitRateOpens() throws {
        for rate in [96_000.0, 48_000, 44_100, 22_050, 8000, 7350] {
            for channels in [1, 2] {
                for quality in [0, 0.25, 0.5, 0.75, 1, .nan, -3, 9] {
                    let request = EncodingRequest(
                        codec: .aac,
                        sampleRate: rate,
                        channelCount: channels,
                        quality: quality
                    )
                    #expect(try FFmpegProvider().makeEncoder(request) != nil)
                }
                for bits in [4000 * channels, Int(rate) * 6 * channels] {
                    let request = EncodingRequest(codec: .aac, sampleRate: rate, channelCount: channels, bitRate: bits)
                    #expect(try FFmpegProvider().makeEncoder(request) != nil)
                }
            }
        }
    }

    @Test func theBitRateIsKept() throws {
        for (rate, bits) in [(44_100.0, 96_000), (44_100, 64_000), (8000, 24_000), (48_000, 128_000)] {
            let request = EncodingRequest(codec: .aac, sampleRate: rate, channelCount: 1, bitRate: bits)
            let encoder = try #require(try FFmpegProvider().makeEncoder(request))
            let frames = Int(rate) * 4
            let made = try Encoding(encoder, Signal.buffer(encoder.input, frames: frames, noise: 0.3), pieces: [4096])
            let bytes = made.packets.reduce(0) { $0 + $1.bytes.count }
            let actual = Double(bytes * 8) / (Double(frames) / rate)
            #expect(abs(actual / Double(bits) - 1) < 0.1, "\(rate) Hz, \(bits) bit/s: \(actual)")
        }
    }
}
