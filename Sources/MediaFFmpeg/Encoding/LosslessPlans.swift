internal import AudioCore
internal import CFFmpeg

extension EncoderPlan {
    static func alac(_ request: EncodingRequest) throws(AudioFailure) -> EncoderPlan {
        // 384 kHz is the highest rate that Apple's encoder takes; the format itself has a field of 32 bits.
        let sampleRate = try wholeSampleRate(of: request, codec: "ALAC", allowed: 1000...384_000)
        try checkChannels(of: request, codec: "ALAC", allowed: 1...2)
        // The format knows 20 and 32 bits too, libavcodec's encoder does not.
        try checkBitDepth(of: request, codec: "ALAC", allowed: [16, 24])
        var plan = lossless(.alac, encoderName: "alac", request, sampleRate, isPlanar: true)
        plan.frameSize = frameSize(sampleRate: sampleRate)
        return plan
    }

    static func flac(_ request: EncodingRequest) throws(AudioFailure) -> EncoderPlan {
        let sampleRate = try wholeSampleRate(of: request, codec: "FLAC", allowed: 1000...384_000)
        // RFC 9639, 9.1.2: what a frame header can say in Hz, or in tens of Hz above 65 535 Hz.
        guard sampleRate <= 65_535 || (sampleRate % 10 == 0 && sampleRate <= 655_350) else {
            throw AudioFailure(
                .invalidArgument,
                "FLAC cannot be made at a sample rate of \(sampleRate) Hz; above 65535 Hz it must be a multiple of 10 Hz.",
                argument: .sampleRate
            )
        }
        try checkChannels(of: request, codec: "FLAC", allowed: 1...8)
        // libavcodec's encoder has no 20 and no 32 bits.
        try checkBitDepth(of: request, codec: "FLAC", allowed: [16, 24])
        var plan = lossless(.flac, encoderName: "flac", request, sampleRate, isPlanar: false)
        plan.frameSize = frameSize(sampleRate: sampleRate)
        return plan
    }

    /// The largest power of two up to 4096 that lasts at most 95 ms, so that little is lost when a recording is cut off.
    static func frameSize(sampleRate: Int) -> Int {
        var size = 4096
        while size > 64, size * 1000 > 95 * sampleRate { size /= 2 }
        return size
    }

    private static func lossless(
        _ codec: CodecID,
        encoderName: String,
        _ request: EncodingRequest,
        _ sampleRate: Int,
        isPlanar: Bool
    ) -> EncoderPlan {
        let isShort = request.bitDepth == 16
        return EncoderPlan(
            codec: codec,
            encoderName: encoderName,
            input: PCMFormat(
                sampleType: isShort ? .int16 : .int32,
                sampleRate: Double(sampleRate),
                channelCount: request.channelCount
            ),
            sampleFormat: isPlanar
                ? (isShort ? AV_SAMPLE_FMT_S16P : AV_SAMPLE_FMT_S32P)
                : (isShort ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S32),
            bitDepth: request.bitDepth
        )
    }

    private static func wholeSampleRate(of request: EncodingRequest, codec: String, allowed: ClosedRange<Int>)
        throws(AudioFailure) -> Int
    {
        if let rate = Int(exactly: request.sampleRate), allowed.contains(rate) { return rate }
        throw AudioFailure(
            .invalidArgument,
            "\(codec) cannot be made at a sample rate of \(shown(request.sampleRate)) Hz; allowed are whole numbers from"
                + " \(allowed.lowerBound) to \(allowed.upperBound) Hz.",
            argument: .sampleRate
        )
    }
}
