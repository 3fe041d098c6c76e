/* SPDX-License-Identifier: MIT */
/* The clocks of measurements. */
#ifndef WEND_LAB_SHARED_CLOCK_H
#define WEND_LAB_SHARED_CLOCK_H

#include <stdint.h>

/// A moment, or the time between two, in nanoseconds.
typedef struct lab_moment {
    uint64_t ns;     ///< on the clock
    uint64_t cpu_ns; ///< processor time of all threads
} lab_moment;

lab_moment lab_now(void);
lab_moment lab_since(lab_moment then);
/// Processor time of this thread, in nanoseconds.
uint64_t lab_thread_ns(void);

#endif
