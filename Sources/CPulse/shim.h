#ifndef KAYIT_CPULSE_SHIM_H
#define KAYIT_CPULSE_SHIM_H

#include <pulse/pulseaudio.h>

// The importer does not see a macro that stands for an enumerator.
static inline pa_sample_format_t kayit_pulse_float32(void) { return PA_SAMPLE_FLOAT32NE; }

#endif
