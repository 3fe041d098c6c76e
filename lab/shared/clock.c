/* SPDX-License-Identifier: MIT */
/* Reads the clocks of measurements. */
#define _POSIX_C_SOURCE 200809L

#include "shared/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

lab_moment lab_now(void) {
    return (lab_moment){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
}

lab_moment lab_since(lab_moment then) {
    const lab_moment now = lab_now();
    return (lab_moment){now.ns - then.ns, now.cpu_ns - then.cpu_ns};
}

uint64_t lab_thread_ns(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
