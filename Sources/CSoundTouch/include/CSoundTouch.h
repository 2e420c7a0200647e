#ifndef KAYIT_CSOUNDTOUCH_H
#define KAYIT_CSOUNDTOUCH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// SoundTouch as a C interface: its library has one in C++ only. No exception leaves these functions.

typedef struct KayitStretcher KayitStretcher;

/// NULL where SoundTouch refuses the rate or the number of channels, or where there is no memory.
KayitStretcher *kayit_stretcher_create(unsigned sample_rate, unsigned channels);

void kayit_stretcher_destroy(KayitStretcher *stretcher);

/// From the next sequence that is made on.
void kayit_stretcher_set_tempo(KayitStretcher *stretcher, double tempo);

/// Takes interleaved frames. False where there was no memory for them.
bool kayit_stretcher_put(KayitStretcher *stretcher, const float *samples, unsigned frames);

/// Gives up to `frames` frames that are ready, and returns how many.
unsigned kayit_stretcher_take(KayitStretcher *stretcher, float *samples, unsigned frames);

/// Forgets everything that was put.
void kayit_stretcher_clear(KayitStretcher *stretcher);

#ifdef __cplusplus
}
#endif

#endif
