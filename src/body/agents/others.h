/* SPDX-License-Identifier: MIT */
/* Internal: the agents without bodies, as bodies see them. */
#ifndef WEND_SRC_BODY_AGENTS_OTHERS_H
#define WEND_SRC_BODY_AGENTS_OTHERS_H

#include "body/engine/engine.h"
#include "crowd/state/crowd_state.h"

/// Agents without bodies, by where they are in this update.
typedef struct wend__others {
    const wend_crowd *crowd;
    int32_t *heads; ///< by hash of a square of cells: slot, or -1
    int32_t *next;  ///< by slot
    uint32_t mask;  ///< of hashes
    uint32_t count;
    int32_t most_size; ///< the largest of them, in cells
} wend__others;

size_t wend__others_bytes(uint32_t agents);
void wend__others_init(wend__others *others, void *memory, const wend_crowd *crowd);
/// Finds where the agents are. They stay there until the next decision of traffic.
void wend__others_update(wend__others *others);
/// Writes the discs of those that may reach into a square.
/// @param x, y    its middle
/// @param reach   from there to its sides
/// @return how many there are, up to capacity
uint32_t wend__others_near(const wend__others *others, int32_t x, int32_t y, int32_t reach, wend__other *out,
                           uint32_t capacity);
/// Returns the disc of an agent without a body on a step, or at rest where both cells are one. Over the rim of a map
/// that wraps it begins beyond the rim.
wend__other wend__other_on_step(const wend_map *map, int32_t size, wend_cell from, wend_cell to);
/// Returns the disc of such an agent that begins in a cell of the map, and may end beyond a rim or a seam.
wend__other wend__other_from(int32_t size, wend_cell from, wend_cell way);

#endif
