// Shows the locks of Swift's Synchronization library to the thread sanitizer. Loaded before the program (LD_PRELOAD).
//
// `Mutex` takes a free lock by an atomic exchange in the program's own code, which the sanitizer sees. Where two threads
// meet, the lock changes hands inside the library (a futex with priority inheritance), which was not built for the
// sanitizer: it then takes what the lock guards for unguarded. These functions stand in front of the library's three slow
// paths, call them, and tell the sanitizer of the same hand-over: a release of the lock's address before it is given
// away, an acquisition after it was taken. Nothing else is hidden or allowed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Synchronization._MutexHandle: _lockSlow(_: UInt32), _tryLockSlow() -> Bool, _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t, SELF void *);
typedef SWIFT bool (*try_lock_function)(SELF void *);
typedef SWIFT void (*unlock_function)(SELF void *);

static lock_function lock_next;
static try_lock_function try_lock_next;
static unlock_function unlock_next;
static void (*acquire)(void *);
static void (*release)(void *);

static void *needed(void *handle, const char *name) {
    void *function = dlsym(handle, name);
    if (function == NULL) {
        fprintf(stderr, "swift-mutex: %s is missing: the locks would not be seen.\n", name);
        abort();
    }
    return function;
}

static void find(void) {
    if (release != NULL) return;
    lock_next = (lock_function)needed(RTLD_NEXT, LOCK);
    try_lock_next = (try_lock_function)needed(RTLD_NEXT, TRY_LOCK);
    unlock_next = (unlock_function)needed(RTLD_NEXT, UNLOCK);
    acquire = (void (*)(void *))needed(RTLD_DEFAULT, "__tsan_acquire");
    release = (void (*)(void *))needed(RTLD_DEFAULT, "__tsan_release");
}

SWIFT void lock_slow(uint32_t thread, SELF void *self) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF void *self) {
    find();
    lock_next(thread, self);
    acquire(self);
}

SWIFT bool try_lock_slow(SELF void *self) __asm__(TRY_LOCK);
SWIFT bool try_lock_slow(SELF void *self) {
    find();
    bool taken = try_lock_next(self);
    if (taken) acquire(self);
    return taken;
}

SWIFT void unlock_slow(SELF void *self) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF void *self) {
    find();
    release(self);
    unlock_next(self);
}
