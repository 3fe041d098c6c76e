/* SPDX-License-Identifier: MIT */
/* Internal: where the next leg of a far route ends, and how much of a leg is walked. */
#ifndef WEND_SRC_FAST_ROUTES_JOURNEY_H
#define WEND_SRC_FAST_ROUTES_JOURNEY_H

#include <stdbool.h>
#include <stddef.h>
#include <wend/base.h>

typedef struct wend__journey {
    const wend_cell *crossings;
    size_t count, next; ///< crossings, and the first that is not passed
    bool last;          ///< the latest leg leads to the goal
} wend__journey;

/// Passes the crossings that a unit at `at` has reached, and gives where its next leg ends. Returns false at the goal.
bool wend__journey_aim(wend__journey *journey, wend_cell at, wend_cell goal, wend_cell *end);
/// Returns how many cells of a leg to walk, the first one included, before the next leg is requested: up to the second
/// border between chunks. The last leg is walked to its end.
size_t wend__journey_walk(const wend_cell *cells, size_t count);

#endif
