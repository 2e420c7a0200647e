internal import AudioCore
internal import CFFmpeg
internal import Foundation

extension EncoderPlan {
    /// The rates of ISO/IEC 14496-3, table 1.18.
    static let aacSampleRates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]

    /// ISO/IEC 14496-3, 4.5.3.1: the decoder's input buffer holds 6144 bits for each channel, which bounds one frame of
    /// 1024 samples. libavcodec would lower a higher request without a word.
    static func aacBitRates(sampleRate: Int, channelCount: Int) -> ClosedRange<Int> {
        let most = 6144 * channelCount * sampleRate / 1024
        return min(4000 * channelCount, most)...most
    }

    static func aac(_ request: EncodingRequest) throws(AudioFailure) -> EncoderPlan {
        let sampleRate = try sampleRate(of: request, codec: "AAC", allowed: aacSampleRates)
        try checkChannels(of: request, codec: "AAC", allowed: 1...2)
        let bitRate = try bitRate(
            of: request,
            codec: "AAC",
            allowed: aacBitRates(sampleRate: sampleRate, channelCount: request.channelCount),
            byQuality: aacBitRate(quality: request.quality, sampleRate: sampleRate, channelCount: request.channelCount)
        )
        return EncoderPlan(
            codec: .aac,
            encoderName: "aac",
            input: PCMFormat(sampleRate: request.sampleRate, channelCount: request.channelCount),
            sampleFormat: AV_SAMPLE_FMT_FLTP,
            bitRate: bitRate,
            // docs/codecs.md has the measurements behind these.
            options: [
                ("aac_coder", "fast"),
                // Noise substitution is drawn anew at every decoding: parts of a recording would not join exactly.
                ("aac_pns", "0"),
                ("aac_tns", "0"),
            ]
        )
    }

    /// The bit rate for a quality: 32, 48, 64, 96 and 128 kbit/s for mono at 44.1 kHz from lowest to best, 5/3 of that for
    /// stereo. Lower rates need fewer bits, but more for each sample: the power of 3/4 fits the usual tables.
    static func aacBitRate(quality: Double, sampleRate: Int, channelCount: Int) -> Int {
        let mono = interpolate([32_000, 48_000, 64_000, 96_000, 128_000], at: quality)
        let scaled = mono * pow(Double(sampleRate) / 44_100, 0.75) * (channelCount == 1 ? 1 : 5.0 / 3)
        return Int((scaled / 4000).rounded()) * 4000
    }
}
