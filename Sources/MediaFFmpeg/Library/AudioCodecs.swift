internal import AudioCore
internal import CFFmpeg

/// What libavcodec calls our codecs.
enum AudioCodecs {
    /// All audio decoders, as a whitelist for libavformat: it probes with decoders, and pictures or video are none of ours.
    static let decoderNames: String = {
        var names: [String] = []
        var state: UnsafeMutableRawPointer?
        while let codec = av_codec_iterate(&state) {
            guard av_codec_is_decoder(codec) != 0, codec.pointee.type == AVMEDIA_TYPE_AUDIO else { continue }
            names.append(String(cString: codec.pointee.name))
        }
        return names.joined(separator: ",")
    }()

    static func name(of id: AVCodecID) -> String { String(cString: avcodec_get_name(id)) }

    static func decoder(for codec: CodecID) -> UnsafePointer<AVCodec>? {
        let decoder: UnsafePointer<AVCodec>? =
            switch codec {
            case .aac: avcodec_find_decoder(AV_CODEC_ID_AAC)
            case .alac: avcodec_find_decoder(AV_CODEC_ID_ALAC)
            case .flac: avcodec_find_decoder(AV_CODEC_ID_FLAC)
            // The reference decoder, where there is one.
            case .opus: avcodec_find_decoder_by_name("libopus") ?? avcodec_find_decoder(AV_CODEC_ID_OPUS)
            // The name of a codec or of one decoder.
            case .foreign(let name):
                avcodec_descriptor_get_by_name(name).flatMap { avcodec_find_decoder($0.pointee.id) }
                    ?? avcodec_find_decoder_by_name(name)
            case .linearPCM, .ima4, .muLaw, .aLaw: nil
            }
        return decoder?.pointee.type == AVMEDIA_TYPE_AUDIO ? decoder : nil
    }

    /// Linear PCM and G.711, which other adapters decode.
    static func plainCodec(_ id: AVCodecID) -> CodecID? {
        func linear(_ bits: Int, isFloat: Bool = false, big: Bool = false, isSigned: Bool = true) -> CodecID {
            .linearPCM(LinearPCMLayout(bitsPerSample: bits, isFloat: isFloat, isBigEndian: big, isSigned: isSigned))
        }
        return switch id {
        case AV_CODEC_ID_PCM_U8: linear(8, isSigned: false)
        case AV_CODEC_ID_PCM_S8: linear(8)
        case AV_CODEC_ID_PCM_S16LE: linear(16)
        case AV_CODEC_ID_PCM_S16BE: linear(16, big: true)
        case AV_CODEC_ID_PCM_S24LE: linear(24)
        case AV_CODEC_ID_PCM_S24BE: linear(24, big: true)
        case AV_CODEC_ID_PCM_S32LE: linear(32)
        case AV_CODEC_ID_PCM_S32BE: linear(32, big: true)
        case AV_CODEC_ID_PCM_F32LE: linear(32, isFloat: true)
        case AV_CODEC_ID_PCM_F32BE: linear(32, isFloat: true, big: true)
        case AV_CODEC_ID_PCM_F64LE: linear(64, isFloat: true)
        case AV_CODEC_ID_PCM_F64BE: linear(64, isFloat: true, big: true)
        case AV_CODEC_ID_PCM_MULAW: .muLaw
        case AV_CODEC_ID_PCM_ALAW: .aLaw
        default: nil
        }
    }
}
