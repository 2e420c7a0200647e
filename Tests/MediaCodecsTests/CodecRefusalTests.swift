import AudioCore
import MediaCodecs
import Testing

@Suite struct CodecRefusalTests {
    private func refusal(_ request: EncodingRequest) -> AudioFailure? {
        do throws(AudioFailure) {
            _ = try PCMCodecProvider().makeEncoder(request)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [0, -1, .nan, .infinity, 0.5, 1e9]) func impossibleRates(rate: Double) throws {
        for codec in [
            EncodingRequest.Codec.ima4, .muLaw, .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: true)),
        ] {
            let failure = try #require(refusal(EncodingRequest(codec: codec, sampleRate: rate, channelCount: 1)))
            #expect(failure.code == .invalidArgument)
            #expect(failure.message.contains("\(rate)") && failure.message.contains("allowed"))
        }
    }

    @Test(arguments: [0, -3, 3, 1_000]) func impossibleChannels(channels: Int) throws {
        let failure = try #require(
            refusal(EncodingRequest(codec: .ima4, sampleRate: 44_100, channelCount: channels))
        )
        #expect(failure.code == .invalidArgument)
        #expect(failure.message.contains("\(channels) channels") && failure.message.contains("1 to 2"))
    }

    @Test func impossibleLayouts() throws {
        let layouts = [
            LinearPCMLayout(bitsPerSample: 12, isBigEndian: true),
            LinearPCMLayout(bitsPerSample: 0, isBigEndian: true),
            LinearPCMLayout(bitsPerSample: -8, isBigEndian: true),
            LinearPCMLayout(bitsPerSample: 16, isFloat: true, isBigEndian: true),
            LinearPCMLayout(bitsPerSample: 16, isBigEndian: true, isSigned: false),
        ]
        for layout in layouts {
            let failure = try #require(
                refusal(EncodingRequest(codec: .linearPCM(layout), sampleRate: 44_100, channelCount: 1))
            )
            #expect(failure.code == .invalidArgument)
            #expect(failure.message.contains("allowed") || failure.message.contains("Only samples of 8 bits"))
        }
    }

    @Test func otherCodecsAreLeftToOthers() throws {
        for codec in [EncodingRequest.Codec.aac, .alac, .flac, .opus] {
            #expect(
                try PCMCodecProvider().makeEncoder(
                    EncodingRequest(codec: codec, sampleRate: 44_100, channelCount: 1)
                ) == nil
            )
        }
    }

    @Test func damagedPacketsAreTypedAndDecodingGoesOn() throws {
        for codec in [EncodingRequest.Codec.ima4, .linearPCM(LinearPCMLayout(bitsPerSample: 24, isBigEndian: true))] {
            let encoder = try CodecBench.makeEncoder(codec, channels: 2)
            let decoder = try CodecBench.makeDecoder(encoder.stream)
            let unit = encoder.stream.bytesPerPacket
            #expect {
                try decoder.decode(EncodedPacket(bytes: [UInt8](repeating: 1, count: unit + 1), frames: 64)) { _ in }
            } throws: { ($0 as? AudioFailure)?.code == .malformedMedia }
            var frames = 0
            try decoder.decode(EncodedPacket(bytes: [UInt8](repeating: 0xFF, count: unit), frames: 64)) {
                frames += $0.frameLength
            }
            #expect(frames > 0)
        }
    }
}
