internal import AudioCore
internal import CFFmpeg

/// Which decoder of libavcodec a stream needs, and how it is set up.
struct DecoderPlan {
    let stream: StreamDescription
    private let decoder: UnsafePointer<AVCodec>

    /// Nil for codecs that are not decoded here.
    init?(_ stream: StreamDescription) throws(AudioFailure) {
        guard let decoder = AudioCodecs.decoder(for: stream.codec) else { return nil }
        guard stream.sampleRate >= 1, stream.sampleRate <= 1_536_000, (1...64).contains(stream.channelCount) else {
            throw AudioFailure(
                .malformedMedia,
                "A \(stream.codec.name) stream cannot have a rate of \(stream.sampleRate) Hz and \(stream.channelCount)"
                    + " channels."
            )
        }
        self.stream = stream
        self.decoder = decoder
    }

    func open() throws(AudioFailure) -> CodecContext {
        let context = try CodecContext(decoder)
        let raw = context.pointer
        raw.pointee.sample_rate = Int32(stream.sampleRate)
        raw.pointee.bits_per_coded_sample = Int32(clamping: stream.bitsPerChannel)
        raw.pointee.block_align = Int32(clamping: stream.bytesPerPacket)
        raw.pointee.bit_rate = Int64(stream.bitRate)
        av_channel_layout_default(&raw.pointee.ch_layout, Int32(stream.channelCount))
        // Nothing is to be skipped in the library: every frame is counted by the caller.
        raw.pointee.flags2 |= Int32(AV_CODEC_FLAG2_SKIP_MANUAL)
        if stream.codec.isLossless {
            // A lossless packet is right or it is damaged; there is nothing to conceal.
            raw.pointee.err_recognition |= Int32(AV_EF_CRCCHECK | AV_EF_EXPLODE)
        }
        try context.setExtradata(extradata)
        try context.open()
        return context
    }

    private var extradata: [UInt8] {
        let plain = stream.configuration
        guard stream.codec == .alac, plain.count >= 24 else { return plain }
        // libavcodec wants ALAC's set-up as the MP4 box: size, name, version and flags, then the 24 bytes.
        return [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0] + plain.prefix(24)
    }

    /// The type of what comes out, which loses nothing.
    func sampleType(of context: CodecContext) -> SampleType {
        let format = context.pointer.pointee.sample_fmt
        return format == AV_SAMPLE_FMT_NONE ? .float32 : SampleType(holding: format)
    }

    var prerollPackets: Int {
        switch decoder.pointee.id {
        // The overlap of one transform; with spectral band replication its filters need one more.
        case AV_CODEC_ID_AAC: 1
        // RFC 7845, 4.6: 80 ms.
        case AV_CODEC_ID_OPUS: 4
        // The bit reservoir reaches back 511 bytes, which is up to 9 frames of the smallest kind; then one overlap.
        case AV_CODEC_ID_MP3: 10
        case AV_CODEC_ID_MP1, AV_CODEC_ID_MP2: 1
        case AV_CODEC_ID_ALAC, AV_CODEC_ID_FLAC: 0
        default: 2
        }
    }
}
