/* SPDX-License-Identifier: MIT */
/* The system's monotonic clock behind the clock hook. */
#define _POSIX_C_SOURCE 200809L
#include "base/base.h"

#include <time.h>

static uint64_t system_now_ns(void *context) {
    (void)context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

wend_clock wend_clock_default(void) {
    return (wend_clock){.context = NULL, .now_ns = system_now_ns};
}

wend_clock wend__clock_or_default(wend_clock clock) {
    return clock.now_ns ? clock : wend_clock_default();
}
