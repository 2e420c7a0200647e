#ifndef KAYIT_CFFMPEG_SHIM_H
#define KAYIT_CFFMPEG_SHIM_H

// Our calls go to functions of our own, which forward to the libraries once those are loaded (loading.c). Their symbols
// have names of their own, so that a program which links FFmpeg itself does not get ours.
#define KAYIT_PRAGMA(text) _Pragma(#text)
#define FUNCTION(library, result, name, parameters, arguments) KAYIT_PRAGMA(redefine_extname name kayit_##name)
#include "functions.h"
#undef FUNCTION

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

// Loads the libraries, whose functions may be called only after that. Can be called again, from any thread. Returns what
// was in the way, or NULL.
const char *kayit_ffmpeg_load(void);

// Macros that Swift does not import, as functions of the same type.

static inline int kayit_averror(int error) { return AVERROR(error); }
static inline int kayit_averror_eof(void) { return AVERROR_EOF; }
static inline int kayit_averror_exit(void) { return AVERROR_EXIT; }
static inline int kayit_averror_invaliddata(void) { return AVERROR_INVALIDDATA; }
static inline int kayit_averror_demuxer_not_found(void) { return AVERROR_DEMUXER_NOT_FOUND; }
static inline int64_t kayit_nopts_value(void) { return AV_NOPTS_VALUE; }

// Opens of anything but the stream that was handed over: refused, whatever a file asks for.

static inline int kayit_refuse_open(
    AVFormatContext *context, AVIOContext **io, const char *url, int flags, AVDictionary **options)
{
    (void)context; (void)url; (void)flags; (void)options;
    *io = NULL;
    return AVERROR(EACCES);
}

static inline void kayit_forbid_nested_opens(AVFormatContext *context) { context->io_open = kayit_refuse_open; }

#endif
