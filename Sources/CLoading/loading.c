#include "include/CLoading.h"

#include <dlfcn.h>
#include <fenv.h>

void *kayit_load_library(const char *file)
{
    fenv_t before;
    fegetenv(&before);
    // All symbols now: nothing may turn out to be missing in the middle of a recording.
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    fesetenv(&before);
    return library;
}
