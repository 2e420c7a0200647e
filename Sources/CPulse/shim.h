#ifndef KAYIT_CPULSE_SHIM_H
#define KAYIT_CPULSE_SHIM_H

#include <pulse/pulseaudio.h>

#endif
