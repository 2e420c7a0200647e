#ifndef KAYIT_CLINUX_SHIM_H
#define KAYIT_CLINUX_SHIM_H

// What Swift's Glibc module leaves out: variadic calls, and functions that the headers show to GNU sources only.

#include <semaphore.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A rename that fails with EEXIST instead of replacing; glibc's renameat2 is shown to GNU sources only.
static inline int kayit_rename_noreplace(const char *from, const char *to) {
    const int at_fdcwd = -100;
    const unsigned int no_replace = 1;
    return (int)syscall(SYS_renameat2, at_fdcwd, from, at_fdcwd, to, no_replace);
}

// fallocate is shown to GNU sources only; 1 is FALLOC_FL_KEEP_SIZE.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

static inline int kayit_reserve_keeping_size(int descriptor, off_t start, off_t length) {
    return fallocate(descriptor, 1, start, length);
}

// sync_file_range is shown to GNU sources only; 2 is SYNC_FILE_RANGE_WRITE, a length of 0 means to the end.
extern int sync_file_range(int descriptor, off_t offset, off_t length, unsigned int flags);

static inline int kayit_start_writeback(int descriptor) {
    return sync_file_range(descriptor, 0, 0, 2);
}

// copy_file_range is shown to GNU sources only (glibc 2.27); 0 are its flags.
extern ssize_t copy_file_range(int from, off_t *from_offset, int to, off_t *to_offset, size_t length, unsigned int flags);

static inline ssize_t kayit_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t length) {
    return copy_file_range(from, &from_offset, to, &to_offset, length, 0);
}

// Declared here: its header would make `timespec` a type of this module. -100 is AT_FDCWD; UTIME_OMIT leaves the time of
// the last access as it is.
extern int utimensat(int folder, const char *path, const struct timespec times[2], int flags);

static inline int kayit_set_modified(const char *path, time_t seconds, long nanoseconds) {
    const long omit = (1L << 30) - 2;
    const struct timespec times[2] = {{0, omit}, {seconds, nanoseconds}};
    return utimensat(-100, path, times, 0);
}

// prctl is variadic.
static inline int kayit_set_thread_name(const char *name) {
    return prctl(PR_SET_NAME, name, 0, 0, 0);
}

// Of the calling thread alone, as Linux keeps it: a nice value of 10, and the lowest priority of the disk below idle (class
// 2, best effort, level 7). Where the machine refuses, the thread goes on as it is.
static inline void kayit_lower_thread_priority(void) {
    const int of_process = 1;
    (void)syscall(SYS_setpriority, 0, 0, 10);
    (void)syscall(SYS_ioprio_set, of_process, 0, (2 << 13) | 7);
}

// glibc 2.30; shown to GNU sources only.
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);

static inline int kayit_semaphore_wait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline) {
    return sem_clockwait(semaphore, clock, deadline);
}

#endif
