/* SPDX-License-Identifier: MIT */
/* Drops and jumps: links over what one cannot walk. */
#ifndef WEND_GROUND_LEAPS_H
#define WEND_GROUND_LEAPS_H

#include "spans.h"

/// Ways to leap, in columns and levels.
typedef struct ground_leaper {
    const ground_spans *spans;
    int32_t drop; ///< most levels down; 0: none
    int32_t jump; ///< most columns that lie between; 0: none
    int32_t rim;  ///< columns that a drop passes: what the agent's radius takes off both edges
} ground_leaper;

ground_leaper wend__ground_leaper(const wend_ground_def *def, const ground_spans *spans);

/// Returns how many columns away leaps still depend on the ground; 0: there are no leaps.
int32_t wend__ground_leap_reach(const ground_leaper *leaper);

/// Finds the span that a leap from the rim of the ground leads to. Of neighbouring leaps along a rim one in four is
/// returned, and the first.
/// @param d         direction, 0 to 3
/// @param columns   receives the columns from one to the other
/// @return -1: there is none
int32_t wend__ground_leap(const ground_leaper *leaper, int32_t span, int32_t d, int32_t *columns);

#endif
