#ifndef KAYIT_CSOUNDTOUCH_H
#define KAYIT_CSOUNDTOUCH_H

#include <stdbool.h>

// SoundTouch, loaded when it is first needed. No exception leaves these functions.

typedef void KayitStretcher;

/// False where the library is not installed.
bool kayit_stretcher_load(void);

/// NULL where SoundTouch is not there, or refuses the rate or the number of channels.
KayitStretcher *kayit_stretcher_create(unsigned sample_rate, unsigned channels);

void kayit_stretcher_destroy(KayitStretcher *stretcher);

/// From the next sequence that is made on.
void kayit_stretcher_set_tempo(KayitStretcher *stretcher, float tempo);

/// Takes interleaved frames. False where there was no memory for them.
bool kayit_stretcher_put(KayitStretcher *stretcher, const float *samples, unsigned frames);

/// Gives up to `frames` frames that are ready, and returns how many.
unsigned kayit_stretcher_take(KayitStretcher *stretcher, float *samples, unsigned frames);

/// Forgets everything that was put.
void kayit_stretcher_clear(KayitStretcher *stretcher);

#endif
