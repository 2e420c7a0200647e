// SoundTouch is loaded when something is first played at another speed: see CLoading for what it does to a program that is
// linked with it.

#include "include/CSoundTouch.h"

#include <CLoading.h>
#include <SoundTouchDLL.h>
#include <dlfcn.h>
#include <pthread.h>

// For speech, by measurement (docs/codecs.md): the library's own choice, sequences of 40 to 90 ms, doubles transients at
// half speed, leaves them out at double speed, and is further from where the sound should be.
enum { sequence_ms = 24, seek_window_ms = 13, overlap_ms = 6 };

// SoundTouch.h, which is C++.
enum { setting_use_aa_filter = 0, setting_sequence_ms = 3, setting_seek_window_ms = 4, setting_overlap_ms = 5 };

#define FUNCTIONS(FUNCTION) \
    FUNCTION(createInstance) \
    FUNCTION(destroyInstance) \
    FUNCTION(setSampleRate) \
    FUNCTION(setChannels) \
    FUNCTION(setSetting) \
    FUNCTION(setTempo) \
    FUNCTION(putSamples) \
    FUNCTION(receiveSamples) \
    FUNCTION(clear)

static struct {
#define FUNCTION(name) __typeof__(soundtouch_##name) *name;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
} library;

static bool is_loaded;

static void load(void)
{
    void *handle = kayit_load_library("libSoundTouchDll.so.1");
    if (!handle) return;
#define FUNCTION(name) \
    *(void **)&library.name = dlsym(handle, "soundtouch_" #name); \
    if (!library.name) return;
    FUNCTIONS(FUNCTION)
#undef FUNCTION
    is_loaded = true;
}

bool kayit_stretcher_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}

KayitStretcher *kayit_stretcher_create(unsigned sample_rate, unsigned channels)
{
    if (!kayit_stretcher_load()) return NULL;
    HANDLE stretcher = library.createInstance();
    if (!stretcher) return NULL;
    if (!library.setSampleRate(stretcher, sample_rate) || !library.setChannels(stretcher, channels)) {
        library.destroyInstance(stretcher);
        return NULL;
    }
    // Belongs to changes of the pitch, which there are none of.
    library.setSetting(stretcher, setting_use_aa_filter, 0);
    library.setSetting(stretcher, setting_sequence_ms, sequence_ms);
    library.setSetting(stretcher, setting_seek_window_ms, seek_window_ms);
    library.setSetting(stretcher, setting_overlap_ms, overlap_ms);
    return stretcher;
}

void kayit_stretcher_destroy(KayitStretcher *stretcher) { library.destroyInstance(stretcher); }

void kayit_stretcher_set_tempo(KayitStretcher *stretcher, float tempo) { library.setTempo(stretcher, tempo); }

bool kayit_stretcher_put(KayitStretcher *stretcher, const float *samples, unsigned frames)
{
    return library.putSamples(stretcher, samples, frames) != 0;
}

unsigned kayit_stretcher_take(KayitStretcher *stretcher, float *samples, unsigned frames)
{
    return library.receiveSamples(stretcher, samples, frames);
}

void kayit_stretcher_clear(KayitStretcher *stretcher) { library.clear(stretcher); }
