// FFmpeg's libraries are loaded when they are first needed, not when the program starts: Debian's bring 130 others, which
// take most of the time and memory of a start. Recording PCM, joining, recovering and looking into recordings need none.
//
// The major versions are those of the headers, as if the libraries had been linked.

#include <CLoading.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "include/shim.h"

#define FUNCTION(library, result, name, parameters, arguments) static __typeof__(name) *loaded_##name;
#include "include/functions.h"
#undef FUNCTION

#define FUNCTION(library, result, name, parameters, arguments) \
    result name parameters { return loaded_##name arguments; }
#include "include/functions.h"
#undef FUNCTION

static const struct {
    const char *library;
    const char *name;
    void **address;
} functions[] = {
#define FUNCTION(library, result, name, parameters, arguments) {#library, #name, (void **)&loaded_##name},
#include "include/functions.h"
#undef FUNCTION
};

#define FILE_NAME(library, major) {#library, "lib" #library ".so." AV_STRINGIFY(major), NULL}

// In the order of their dependencies.
static struct {
    const char *name;
    const char *file;
    void *handle;
} libraries[] = {
    FILE_NAME(avutil, LIBAVUTIL_VERSION_MAJOR),
    FILE_NAME(swresample, LIBSWRESAMPLE_VERSION_MAJOR),
    FILE_NAME(avcodec, LIBAVCODEC_VERSION_MAJOR),
    FILE_NAME(avformat, LIBAVFORMAT_VERSION_MAJOR),
};

// Kept for later callers: dlerror() tells once.
static char *failure;

static void fail(void)
{
    const char *reason = dlerror();
    failure = strdup(reason ? reason : "unknown");
    // Without memory there is no text either.
    if (!failure) failure = "out of memory";
}

static void load(void)
{
    const size_t library_count = sizeof libraries / sizeof *libraries;
    for (size_t index = 0; index < library_count; index++) {
        libraries[index].handle = kayit_load_library(libraries[index].file);
        if (!libraries[index].handle) return fail();
    }
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        size_t library = 0;
        while (strcmp(libraries[library].name, functions[index].library) != 0) library++;
        *functions[index].address = dlsym(libraries[library].handle, functions[index].name);
        if (!*functions[index].address) return fail();
    }
}

const char *kayit_ffmpeg_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return failure;
}
