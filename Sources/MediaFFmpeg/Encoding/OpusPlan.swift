internal import AudioCore
internal import CFFmpeg
internal import Foundation

extension EncoderPlan {
    /// RFC 6716, 2.1.3: the rates that the codec takes without a change of rate in front of it.
    static let opusSampleRates = [48_000, 24_000, 16_000, 12_000, 8_000]

    static func opus(_ request: EncodingRequest) throws(AudioFailure) -> EncoderPlan {
        let sampleRate = try sampleRate(of: request, codec: "Opus", allowed: opusSampleRates)
        try checkChannels(of: request, codec: "Opus", allowed: 1...2)
        let channelCount = request.channelCount
        let bitRate = try bitRate(
            of: request,
            codec: "Opus",
            // RFC 6716, 2.1.1 for the lower bound; a packet of 1275 bytes each 20 ms for the upper one.
            allowed: 6000 * channelCount...(channelCount == 1 ? 256_000 : 510_000),
            byQuality: opusBitRate(quality: request.quality, sampleRate: sampleRate, channelCount: channelCount)
        )
        return EncoderPlan(
            codec: .opus,
            encoderName: "libopus",
            input: PCMFormat(sampleRate: request.sampleRate, channelCount: channelCount),
            sampleFormat: AV_SAMPLE_FMT_FLT,
            bitRate: bitRate,
            options: [("frame_duration", "20"), ("application", "audio"), ("vbr", "on")]
        )
    }

    /// The bit rate for a quality: 16, 24, 40, 64 and 96 kbit/s for mono at 48 kHz, 5/3 of that for stereo, by the square
    /// root of the rate below (the codec spends most on the lower bands).
    static func opusBitRate(quality: Double, sampleRate: Int, channelCount: Int) -> Int {
        let mono = interpolate([16_000, 24_000, 40_000, 64_000, 96_000], at: quality)
        let scaled = mono * (Double(sampleRate) / 48_000).squareRoot() * (channelCount == 1 ? 1 : 5.0 / 3)
        return Int((scaled / 1000).rounded()) * 1000
    }
}
