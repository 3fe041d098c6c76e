/* SPDX-License-Identifier: MIT */
/* Internal: where the members of a formation stand relative to its first place. */
#ifndef WEND_SRC_AGENTS_PLAN_STATIONS_H
#define WEND_SRC_AGENTS_PLAN_STATIONS_H

#include "agents/state/crowd_state.h"

/// Turns a formation along a vector, in eighths of a circle; it stays as it is where the vector is zero.
void wend__formation_turn(wend__formation *formation, int64_t x, int64_t y);
/// Returns the cell of station `number`, with the first one on `front`. It may lie in a wall or off the map.
wend_cell wend__formation_cell(const wend__formation *formation, wend_cell front, uint32_t number);

/// A place that a member of the order under way (agent.group_order) could take.
typedef struct wend__member_place {
    wend_crowd *crowd;
    int32_t size, layers; ///< cells along a side, and upwards
} wend__member_place;

/// Returns whether a place is taken. The cells of members count as free: they will leave. context: wend__member_place
bool wend__member_place_taken(void *context, wend_cell cell);

#endif
