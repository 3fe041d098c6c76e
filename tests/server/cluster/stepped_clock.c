/* SPDX-License-Identifier: MIT */
/* Preloaded by tests/server/cluster: the real time of a process is off by the seconds in the file WEND_CLOCK, at any
 * moment. Its other clocks run at WEND_CREEP thousandths of their speed; without it, at their speed. A wait until a
 * time ends by the changed clock, as the system's own waits do. */
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

enum { NS_A_S = 1000000000, SAME = 1000, REAL_S = 1000000000 }; /* times since the machine began are below REAL_S */

static const volatile int64_t *off; ///< in seconds; NULL: none
static int64_t creep = SAME, begun_ns[CLOCK_BOOTTIME + 1];

static int64_t ns_of(const struct timespec *time) {
    return (int64_t)time->tv_sec * NS_A_S + time->tv_nsec;
}

static struct timespec time_of(int64_t ns) {
    return (struct timespec){.tv_sec = ns / NS_A_S, .tv_nsec = ns % NS_A_S};
}

static int really(clockid_t clock, struct timespec *out) {
    return (int)syscall(SYS_clock_gettime, clock, out);
}

static int creeps(clockid_t clock) {
    return creep != SAME && (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME);
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("WEND_CLOCK"), *rate = getenv("WEND_CREEP");
    struct timespec now;
    for (clockid_t clock = 0; clock <= CLOCK_BOOTTIME; clock++)
        if (!really(clock, &now)) begun_ns[clock] = ns_of(&now);
    if (rate) creep = atoi(rate);
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *map = file >= 0 ? mmap(NULL, sizeof *off, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    if (map != MAP_FAILED) off = map;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    const int status = really(clock, out);
    if (creeps(clock)) *out = time_of(begun_ns[clock] + (ns_of(out) - begun_ns[clock]) * creep / SAME);
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

/* Deadlines before REAL_S are by the monotonic clock, as libuv has them. */
int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
    enum { STEP_NS = 20000000 };
    static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!wait) *(void **)&wait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    const int64_t begun = begun_ns[CLOCK_MONOTONIC];
    const struct timespec monotonic = time_of(begun + (ns_of(until) - begun) * SAME / creep);
    if (until->tv_sec < REAL_S) return wait(condition, mutex, &monotonic);
    for (;;) {
        struct timespec now, step;
        clock_gettime(CLOCK_REALTIME, &now);
        if (ns_of(&now) >= ns_of(until)) return ETIMEDOUT;
        really(CLOCK_REALTIME, &step);
        step = time_of(ns_of(&step) + STEP_NS);
        const int status = wait(condition, mutex, &step);
        if (status != ETIMEDOUT) return status;
    }
}
