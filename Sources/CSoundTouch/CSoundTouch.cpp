#include "CSoundTouch.h"

#include <soundtouch/SoundTouch.h>

#include <type_traits>

static_assert(
    std::is_same<soundtouch::SAMPLETYPE, float>::value,
    "A SoundTouch library of floating point samples is needed, which is its default."
);

namespace {

// For speech, by measurement (docs/codecs.md): the library's own choice, sequences of 40 to 90 ms, doubles transients at
// half speed, leaves them out at double speed, and is further from where the sound should be.
constexpr int sequence_ms = 24;
constexpr int seek_window_ms = 13;
constexpr int overlap_ms = 6;

}

struct KayitStretcher {
    soundtouch::SoundTouch pipe;
};

KayitStretcher *kayit_stretcher_create(unsigned sample_rate, unsigned channels) {
    KayitStretcher *stretcher = nullptr;
    try {
        stretcher = new KayitStretcher;
        stretcher->pipe.setSampleRate(sample_rate);
        stretcher->pipe.setChannels(channels);
        // Belongs to changes of the pitch, which there are none of.
        stretcher->pipe.setSetting(SETTING_USE_AA_FILTER, 0);
        stretcher->pipe.setSetting(SETTING_SEQUENCE_MS, sequence_ms);
        stretcher->pipe.setSetting(SETTING_SEEKWINDOW_MS, seek_window_ms);
        stretcher->pipe.setSetting(SETTING_OVERLAP_MS, overlap_ms);
        return stretcher;
    } catch (...) {
        delete stretcher;
        return nullptr;
    }
}

void kayit_stretcher_destroy(KayitStretcher *stretcher) { delete stretcher; }

void kayit_stretcher_set_tempo(KayitStretcher *stretcher, double tempo) {
    try {
        stretcher->pipe.setTempo(tempo);
    } catch (...) {
    }
}

bool kayit_stretcher_put(KayitStretcher *stretcher, const float *samples, unsigned frames) {
    try {
        stretcher->pipe.putSamples(samples, frames);
        return true;
    } catch (...) {
        return false;
    }
}

unsigned kayit_stretcher_take(KayitStretcher *stretcher, float *samples, unsigned frames) {
    try {
        return stretcher->pipe.receiveSamples(samples, frames);
    } catch (...) {
        return 0;
    }
}

void kayit_stretcher_clear(KayitStretcher *stretcher) {
    try {
        stretcher->pipe.clear();
    } catch (...) {
    }
}
