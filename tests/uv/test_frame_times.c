/* SPDX-License-Identifier: MIT */
/* When frames are due: against exact fractions. */
#include <criterion/criterion.h>

#include "base/system/frame_times.h"

static const uint32_t rates[] = {1, 3, 7, 20, 60, 144, 999, 1000};
static const uint64_t frames[] = {0, 1, 2, 59, 60, 61, 1000003, UINT64_C(4000000007), UINT64_C(2000000000011)};

/// 300 years
#define MOST_SECONDS UINT64_C(9467280000)

Test(uv_frame_times, due_is_the_exact_time_rounded_down_once) {
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        wend__frame_times times = {.start_ns = 12345, .rate_hz = rates[r]};
        for (size_t f = 0; f < sizeof frames / sizeof *frames; f++) {
            if (frames[f] / rates[r] > MOST_SECONDS) continue;
            uint64_t exact = 12345 + (uint64_t)((unsigned __int128)frames[f] * 1000000000 / rates[r]);
            cr_assert_eq(wend__frame_due(&times, frames[f]), exact);
        }
    }
}

Test(uv_frame_times, last_is_the_inverse_of_due) {
    for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
        wend__frame_times times = {.start_ns = 999, .rate_hz = rates[r]};
        for (size_t f = 1; f < sizeof frames / sizeof *frames; f++) {
            if (frames[f] / rates[r] > MOST_SECONDS) continue;
            uint64_t due = wend__frame_due(&times, frames[f]);
            cr_assert_eq(wend__frame_last_due(&times, due - 1), frames[f] - 1);
            cr_assert_eq(wend__frame_last_due(&times, due), frames[f]);
            cr_assert_eq(wend__frame_last_due(&times, due + 999999), frames[f]);
        }
        cr_assert_eq(wend__frame_last_due(&times, 999), 0);
    }
}
