internal import AudioCore
internal import CFFmpeg

/// Frames of any kind that libavcodec decodes to.
struct FrameShape: Equatable {
    var format: AVSampleFormat
    var sampleRate: Int32
    var channelCount: Int

    init(_ frame: AudioFrame) {
        format = frame.sampleFormat
        sampleRate = frame.pointer.pointee.sample_rate
        channelCount = frame.channelCount
    }

    init(_ format: PCMFormat) throws(AudioFailure) {
        guard let rate = Int32(exactly: format.sampleRate), rate > 0 else {
            throw AudioFailure(.unsupported, "A sample rate of \(format.sampleRate) Hz cannot be converted.")
        }
        self.format = format.sampleType.libraryFormat
        sampleRate = rate
        channelCount = format.channelCount
    }
}

extension SampleType {
    /// The interleaved form in the libraries.
    var libraryFormat: AVSampleFormat {
        switch self {
        case .int16: AV_SAMPLE_FMT_S16
        case .int32: AV_SAMPLE_FMT_S32
        case .float32: AV_SAMPLE_FMT_FLT
        case .float64: AV_SAMPLE_FMT_DBL
        }
    }

    /// The smallest type that holds what the libraries give, whole.
    init(holding format: AVSampleFormat) {
        switch av_get_packed_sample_fmt(format) {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_S16: self = .int16
        case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S64: self = .int32
        case AV_SAMPLE_FMT_DBL: self = .float64
        default: self = .float32
        }
    }
}

/// Owns one converter of libswresample: planes to interleaved frames, and where it must be, rate and channels.
final class SampleConverter {
    let source: FrameShape
    let target: PCMFormat
    private let pointer: OpaquePointer
    private let ratio: Double

    init(from source: FrameShape, to target: PCMFormat) throws(AudioFailure) {
        try Library.load()
        self.source = source
        self.target = target
        let shape = try FrameShape(target)
        ratio = Double(shape.sampleRate) / Double(max(1, source.sampleRate))

        var pointer: OpaquePointer?
        var input = AVChannelLayout()
        var output = AVChannelLayout()
        av_channel_layout_default(&input, Int32(clamping: source.channelCount))
        av_channel_layout_default(&output, Int32(clamping: shape.channelCount))
        var status = swr_alloc_set_opts2(
            &pointer,
            &output,
            shape.format,
            shape.sampleRate,
            &input,
            source.format,
            source.sampleRate,
            0,
            nil
        )
        if status >= 0, shape.sampleRate != source.sampleRate {
            // The soxr engine at 20 bits of precision ("high quality"); it lines its output up with its input.
            status = av_opt_set_int(UnsafeMutableRawPointer(pointer), "resampler", Int64(SWR_ENGINE_SOXR.rawValue), 0)
            if status >= 0 { status = av_opt_set_double(UnsafeMutableRawPointer(pointer), "precision", 20, 0) }
        }
        if status >= 0 { status = swr_init(pointer) }
        guard status >= 0, let opened = pointer else {
            swr_free(&pointer)
            throw libraryFailure(
                status,
                "No conversion from \(source.sampleRate) Hz and \(source.channelCount) channels to"
                    + " \(shape.sampleRate) Hz and \(shape.channelCount) channels",
                code: .unsupported
            )
        }
        self.pointer = opened
    }

    deinit {
        var pointer: OpaquePointer? = pointer
        swr_free(&pointer)
    }

    /// Where it does not, it holds nothing back.
    var changesRate: Bool { ratio != 1 }

    /// Converts `count` frames that lie at `planes`, as far as the converter gives them now; nil planes ask for what it
    /// holds back.
    func convert(_ planes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) throws(AudioFailure) -> PCMBuffer {
        // What one call can give: the held-back part and the new part at the new rate, rounded up.
        let bound = swr_get_out_samples(pointer, Int32(clamping: count))
        guard bound >= 0 else { throw libraryFailure(bound, "Samples could not be converted") }
        let buffer = PCMBuffer(format: target, capacity: Int(bound))
        var output: UnsafeMutablePointer<UInt8>? = buffer.bytes.assumingMemoryBound(to: UInt8.self)
        let converted = swr_convert(pointer, &output, bound, planes, Int32(clamping: count))
        guard converted >= 0 else { throw libraryFailure(converted, "Samples could not be converted") }
        buffer.setFrameLength(Int(converted))
        return buffer
    }

    /// Converts `count` frames that lie one behind the other.
    func convert(interleaved samples: UnsafeRawPointer, count: Int) throws(AudioFailure) -> PCMBuffer {
        var plane: UnsafePointer<UInt8>? = samples.assumingMemoryBound(to: UInt8.self)
        return try convert(&plane, count: count)
    }

    func convert(_ frame: AudioFrame) throws(AudioFailure) -> PCMBuffer {
        guard let planes = frame.pointer.pointee.extended_data else { return PCMBuffer(format: target, capacity: 0) }
        return try planes.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 1) {
            planes throws(AudioFailure) in try convert(planes, count: frame.frameCount)
        }
    }
}
