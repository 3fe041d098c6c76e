/* SPDX-License-Identifier: MIT */
/* Preloaded by tests/server/cluster: the real time of a process is as many seconds off as the file WEND_CLOCK says, at
 * any moment. Its other clocks go on as they are. A wait until a real time ends when the stepped clock says so, as the
 * system's own waits do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *off; ///< in seconds; NULL: none

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("WEND_CLOCK");
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *map = file >= 0 ? mmap(NULL, sizeof *off, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    if (map != MAP_FAILED) off = map;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    const int status = (int)syscall(SYS_clock_gettime, clock, out);
    if (off && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) out->tv_sec += *off;
    return status;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now;
    (void)zone;
    const int status = clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return status;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

/* Deadlines by other clocks are times since the machine began, and small. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
    enum { REAL_S = 1000000000, STEP_NS = 20000000, NS_A_S = 1000000000 };
    static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!wait) *(void **)&wait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    if (!off || until->tv_sec < REAL_S) return wait(condition, mutex, until);
    for (;;) {
        struct timespec now, step;
        clock_gettime(CLOCK_REALTIME, &now);
        if (now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec))
            return ETIMEDOUT;
        syscall(SYS_clock_gettime, CLOCK_REALTIME, &step);
        step.tv_nsec += STEP_NS;
        if (step.tv_nsec >= NS_A_S) step.tv_sec++, step.tv_nsec -= NS_A_S;
        const int status = wait(condition, mutex, &step);
        if (status != ETIMEDOUT) return status;
    }
}
