/* SPDX-License-Identifier: MIT */
/* Internal: where the next leg of a journey ends. */
#ifndef WEND_SRC_FAST_ROUTES_JOURNEY_H
#define WEND_SRC_FAST_ROUTES_JOURNEY_H

#include <stdbool.h>
#include <wend/journey.h>

/// Passes the crossings that a unit at `at` has reached, and gives where its next leg ends. Does not read the
/// journey's request. Returns false at the goal.
bool wend__journey_aim(wend_journey *journey, wend_cell at, wend_cell goal, wend_cell *end);

#endif
