internal import AudioCore
internal import CFFmpeg

/// How one encoder of libavcodec is set up, and what it makes.
struct EncoderPlan {
    var codec: CodecID
    /// The encoder's name in libavcodec.
    var encoderName: String
    var input: PCMFormat
    /// What the encoder takes: the planar form of `input`, or `input` itself.
    var sampleFormat: AVSampleFormat
    var bitRate = 0
    /// Significant bits of lossless codecs, 0 for others.
    var bitDepth = 0
    /// Frames in a packet where that is for us to choose.
    var frameSize: Int?
    var options: [(name: String, value: String)] = []

    /// A context that is ready to encode.
    func open() throws(AudioFailure) -> CodecContext {
        guard let codec = avcodec_find_encoder_by_name(encoderName) else {
            throw AudioFailure(.unsupported, "This FFmpeg was built without the encoder \(encoderName).")
        }
        let context = try CodecContext(codec)
        let raw = context.pointer
        raw.pointee.sample_fmt = sampleFormat
        raw.pointee.sample_rate = Int32(input.sampleRate)
        raw.pointee.time_base = AVRational(num: 1, den: raw.pointee.sample_rate)
        raw.pointee.bit_rate = Int64(bitRate)
        raw.pointee.bits_per_raw_sample = Int32(bitDepth)
        raw.pointee.frame_size = Int32(frameSize ?? 0)
        // Set-up bytes are wanted apart from the packets.
        raw.pointee.flags |= Int32(AV_CODEC_FLAG_GLOBAL_HEADER)
        av_channel_layout_default(&raw.pointee.ch_layout, Int32(input.channelCount))
        for option in options { try context.setOption(option.name, to: option.value) }
        try context.open()
        // The ALAC encoder opens with 4096 always, and takes shorter frames all the same: the size was for us to choose.
        if let frameSize { raw.pointee.frame_size = Int32(frameSize) }
        return context
    }

    /// What the opened `context` makes, with its set-up bytes in plain form.
    func stream(of context: CodecContext) -> StreamDescription {
        var configuration = context.extradata
        // libavcodec keeps ALAC's set-up as an MP4 box: size, name, version, then the 24 bytes.
        if codec == .alac, configuration.count >= 36 {
            configuration = Array(configuration[12..<36])
            // They begin with the frames of a packet, as the encoder was opened.
            withUnsafeBytes(of: UInt32(context.pointer.pointee.frame_size).bigEndian) {
                configuration.replaceSubrange(..<4, with: $0)
            }
        }
        return StreamDescription(
            codec: codec,
            sampleRate: input.sampleRate,
            channelCount: input.channelCount,
            framesPerPacket: Int(context.pointer.pointee.frame_size),
            bitsPerChannel: bitDepth,
            configuration: configuration,
            primingFrames: FrameCount(Int64(context.pointer.pointee.initial_padding)),
            bitRate: bitRate
        )
    }
}

extension EncoderPlan {
    /// Nil for codecs that are made elsewhere.
    init?(_ request: EncodingRequest) throws(AudioFailure) {
        switch request.codec {
        case .aac: self = try .aac(request)
        case .alac: self = try .alac(request)
        case .flac: self = try .flac(request)
        case .opus: self = try .opus(request)
        case .linearPCM, .ima4, .muLaw, .aLaw: return nil
        }
    }

    /// The rate as a whole number out of `allowed`.
    static func sampleRate(of request: EncodingRequest, codec: String, allowed: [Int]) throws(AudioFailure) -> Int {
        if let rate = Int(exactly: request.sampleRate), allowed.contains(rate) { return rate }
        let list = allowed.map(String.init).joined(separator: ", ")
        throw AudioFailure(
            .invalidArgument,
            "\(codec) cannot be made at a sample rate of \(shown(request.sampleRate)) Hz; allowed are \(list).",
            argument: .sampleRate
        )
    }

    static func checkChannels(of request: EncodingRequest, codec: String, allowed: ClosedRange<Int>)
        throws(AudioFailure)
    {
        guard allowed.contains(request.channelCount) else {
            throw AudioFailure(
                .invalidArgument,
                "\(codec) cannot be made with a number of channels of \(request.channelCount); allowed are"
                    + " \(allowed.lowerBound) to \(allowed.upperBound).",
                argument: .channelCount
            )
        }
    }

    static func checkBitDepth(of request: EncodingRequest, codec: String, allowed: [Int]) throws(AudioFailure) {
        guard allowed.contains(request.bitDepth) else {
            let list = allowed.map(String.init).joined(separator: ", ")
            throw AudioFailure(
                .invalidArgument,
                "\(codec) cannot be made with a bit depth of \(request.bitDepth); allowed are \(list).",
                argument: .bitDepth
            )
        }
    }

    /// The bit rate asked for, within `allowed`, or the one that `quality` stands for, brought into it.
    static func bitRate(of request: EncodingRequest, codec: String, allowed: ClosedRange<Int>, byQuality: Int)
        throws(AudioFailure) -> Int
    {
        guard let asked = request.bitRate else {
            return min(max(byQuality, allowed.lowerBound), allowed.upperBound)
        }
        guard allowed.contains(asked) else {
            throw AudioFailure(
                .invalidArgument,
                "\(codec) at \(shown(request.sampleRate)) Hz with \(request.channelCount) channel(s) cannot be made"
                    + " with a bit rate of \(asked) bit/s; allowed are \(allowed.lowerBound) to \(allowed.upperBound)"
                    + " bit/s.",
                argument: .bitRate
            )
        }
        return asked
    }

    /// The value at `quality` (0…1) on the line through evenly spaced `points`.
    static func interpolate(_ points: [Double], at quality: Double) -> Double {
        let last = Double(points.count - 1)
        let place = (quality.isNaN ? 0.75 : min(max(quality, 0), 1)) * last
        let below = Int(place)
        let above = min(below + 1, points.count - 1)
        return points[below] + (points[above] - points[below]) * (place - Double(below))
    }

    /// A rate as people write it: whole where it is whole.
    static func shown(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}
