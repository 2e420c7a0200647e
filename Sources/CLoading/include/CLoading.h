#ifndef KAYIT_CLOADING_H
#define KAYIT_CLOADING_H

/// Loads a shared library with all its symbols, for this program's modules alone, and leaves the thread's floating-point
/// arithmetic as it was.
///
/// Libraries that were linked with -ffast-math (Debian's libSoundTouch is one) have the processor take numbers near zero for
/// zero from the moment on at which they are loaded: the whole program would calculate differently.
///
/// Returns NULL where that fails; dlerror() has the reason.
void *kayit_load_library(const char *file);

#endif
