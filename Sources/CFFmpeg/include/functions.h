// The functions of FFmpeg that we call, library by library: FUNCTION(library, result, name, parameters, arguments). The
// compiler compares each with FFmpeg's own header.

FUNCTION(avutil, int, av_channel_layout_copy, (AVChannelLayout *to, const AVChannelLayout *from), (to, from))
FUNCTION(avutil, void, av_channel_layout_default, (AVChannelLayout *layout, int channels), (layout, channels))
FUNCTION(avutil, AVDictionaryEntry *, av_dict_get,
    (const AVDictionary *dictionary, const char *key, const AVDictionaryEntry *before, int flags),
    (dictionary, key, before, flags))
FUNCTION(avutil, AVFrame *, av_frame_alloc, (void), ())
FUNCTION(avutil, void, av_frame_free, (AVFrame **frame), (frame))
FUNCTION(avutil, int, av_frame_get_buffer, (AVFrame *frame, int alignment), (frame, alignment))
FUNCTION(avutil, int, av_frame_make_writable, (AVFrame *frame), (frame))
FUNCTION(avutil, void, av_frame_unref, (AVFrame *frame), (frame))
FUNCTION(avutil, void, av_free, (void *memory), (memory))
FUNCTION(avutil, void, av_freep, (void *pointer), (pointer))
FUNCTION(avutil, enum AVSampleFormat, av_get_packed_sample_fmt, (enum AVSampleFormat format), (format))
FUNCTION(avutil, void, av_log_set_level, (int level), (level))
FUNCTION(avutil, void *, av_malloc, (size_t size), (size))
FUNCTION(avutil, void *, av_mallocz, (size_t size), (size))
FUNCTION(avutil, void, av_max_alloc, (size_t size), (size))
FUNCTION(avutil, int, av_opt_set, (void *object, const char *name, const char *value, int flags),
    (object, name, value, flags))
FUNCTION(avutil, int, av_opt_set_double, (void *object, const char *name, double value, int flags),
    (object, name, value, flags))
FUNCTION(avutil, int, av_opt_set_int, (void *object, const char *name, int64_t value, int flags),
    (object, name, value, flags))
FUNCTION(avutil, int64_t, av_rescale_q, (int64_t value, AVRational from, AVRational to), (value, from, to))
FUNCTION(avutil, int, av_sample_fmt_is_planar, (enum AVSampleFormat format), (format))
FUNCTION(avutil, char *, av_strdup, (const char *text), (text))
FUNCTION(avutil, int, av_strerror, (int error, char *text, size_t size), (error, text, size))

FUNCTION(swresample, int, swr_alloc_set_opts2,
    (SwrContext **context, AVChannelLayout *out_layout, enum AVSampleFormat out_format, int out_rate,
        AVChannelLayout *in_layout, enum AVSampleFormat in_format, int in_rate, int log_offset, void *log_context),
    (context, out_layout, out_format, out_rate, in_layout, in_format, in_rate, log_offset, log_context))
FUNCTION(swresample, int, swr_convert,
    (SwrContext *context, uint8_t **output, int room, const uint8_t **input, int count),
    (context, output, room, input, count))
FUNCTION(swresample, void, swr_free, (SwrContext **context), (context))
FUNCTION(swresample, int, swr_get_out_samples, (SwrContext *context, int count), (context, count))
FUNCTION(swresample, int, swr_init, (SwrContext *context), (context))

FUNCTION(avcodec, int, av_codec_is_decoder, (const AVCodec *codec), (codec))
FUNCTION(avcodec, const AVCodec *, av_codec_iterate, (void **state), (state))
FUNCTION(avcodec, int, av_get_audio_frame_duration2, (AVCodecParameters *parameters, int bytes), (parameters, bytes))
FUNCTION(avcodec, int, av_get_bits_per_sample, (enum AVCodecID codec), (codec))
FUNCTION(avcodec, int, av_new_packet, (AVPacket *packet, int size), (packet, size))
FUNCTION(avcodec, AVPacket *, av_packet_alloc, (void), ())
FUNCTION(avcodec, void, av_packet_free, (AVPacket **packet), (packet))
FUNCTION(avcodec, uint8_t *, av_packet_get_side_data,
    (const AVPacket *packet, enum AVPacketSideDataType type, size_t *size), (packet, type, size))
FUNCTION(avcodec, void, av_packet_unref, (AVPacket *packet), (packet))
FUNCTION(avcodec, int, av_vorbis_parse_frame, (AVVorbisParseContext *context, const uint8_t *bytes, int size),
    (context, bytes, size))
FUNCTION(avcodec, void, av_vorbis_parse_free, (AVVorbisParseContext **context), (context))
FUNCTION(avcodec, AVVorbisParseContext *, av_vorbis_parse_init, (const uint8_t *bytes, int size), (bytes, size))
FUNCTION(avcodec, void, av_vorbis_parse_reset, (AVVorbisParseContext *context), (context))
FUNCTION(avcodec, AVCodecContext *, avcodec_alloc_context3, (const AVCodec *codec), (codec))
FUNCTION(avcodec, const AVCodecDescriptor *, avcodec_descriptor_get_by_name, (const char *name), (name))
FUNCTION(avcodec, const AVCodec *, avcodec_find_decoder, (enum AVCodecID codec), (codec))
FUNCTION(avcodec, const AVCodec *, avcodec_find_decoder_by_name, (const char *name), (name))
FUNCTION(avcodec, const AVCodec *, avcodec_find_encoder_by_name, (const char *name), (name))
FUNCTION(avcodec, void, avcodec_flush_buffers, (AVCodecContext *context), (context))
FUNCTION(avcodec, void, avcodec_free_context, (AVCodecContext **context), (context))
FUNCTION(avcodec, const char *, avcodec_get_name, (enum AVCodecID codec), (codec))
FUNCTION(avcodec, int, avcodec_open2, (AVCodecContext *context, const AVCodec *codec, AVDictionary **options),
    (context, codec, options))
FUNCTION(avcodec, int, avcodec_receive_frame, (AVCodecContext *context, AVFrame *frame), (context, frame))
FUNCTION(avcodec, int, avcodec_receive_packet, (AVCodecContext *context, AVPacket *packet), (context, packet))
FUNCTION(avcodec, int, avcodec_send_frame, (AVCodecContext *context, const AVFrame *frame), (context, frame))
FUNCTION(avcodec, int, avcodec_send_packet, (AVCodecContext *context, const AVPacket *packet), (context, packet))

FUNCTION(avformat, int, av_find_best_stream,
    (AVFormatContext *context, enum AVMediaType type, int wanted, int related, const AVCodec **decoder, int flags),
    (context, type, wanted, related, decoder, flags))
FUNCTION(avformat, int, av_read_frame, (AVFormatContext *context, AVPacket *packet), (context, packet))
FUNCTION(avformat, int, av_seek_frame, (AVFormatContext *context, int stream, int64_t time, int flags),
    (context, stream, time, flags))
FUNCTION(avformat, AVFormatContext *, avformat_alloc_context, (void), ())
FUNCTION(avformat, void, avformat_close_input, (AVFormatContext **context), (context))
FUNCTION(avformat, int, avformat_find_stream_info, (AVFormatContext *context, AVDictionary **options),
    (context, options))
FUNCTION(avformat, int, avformat_open_input,
    (AVFormatContext **context, const char *url, const AVInputFormat *format, AVDictionary **options),
    (context, url, format, options))
FUNCTION(avformat, int, avformat_seek_file,
    (AVFormatContext *context, int stream, int64_t least, int64_t time, int64_t most, int flags),
    (context, stream, least, time, most, flags))
FUNCTION(avformat, AVIOContext *, avio_alloc_context,
    (unsigned char *buffer, int size, int writes, void *opaque, int (*read)(void *, uint8_t *, int),
        int (*write)(void *, uint8_t *, int), int64_t (*seek)(void *, int64_t, int)),
    (buffer, size, writes, opaque, read, write, seek))
FUNCTION(avformat, void, avio_context_free, (AVIOContext **context), (context))
