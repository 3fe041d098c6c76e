/* SPDX-License-Identifier: MIT */
/* Internal: narrow ways are locks. A run of cells one wide, straight along an axis, belongs to one direction at a time:
 * agents of the other direction wait before it. */
#ifndef WEND_SRC_AGENTS_MANNERS_NARROW_WAYS_H
#define WEND_SRC_AGENTS_MANNERS_NARROW_WAYS_H

#include "agents/manners/traffic.h"

/// How far ahead of an agent narrow ways count, in steps, and the cells that are read for that.
enum { WEND__TURN_STEPS = 3, WEND__TURN_CELLS = WEND__TURN_STEPS + 3 };

/// A narrow way that agents pass, or wait for. Free once both ended some updates ago.
typedef struct wend__narrow_way {
    wend_cell low;     ///< its lowest cell
    uint32_t last;     ///< the last update in which an agent of its direction passed it or came near; 0: never used
    uint32_t since;    ///< the update in which it got its direction
    uint32_t refused;  ///< the last update in which an agent of the other direction waited; 0: none did
    uint8_t direction; ///< 1: to the higher cells; 0: to the lower ones
} wend__narrow_way;

/// The narrow ways of a traffic object: a table by a hash of their lowest cells.
typedef struct wend__narrow_ways {
    uint32_t count; ///< slots, a power of 2
    wend__narrow_way *of;
} wend__narrow_ways;

size_t wend__narrow_ways_bytes(uint32_t capacity);
void wend__narrow_ways_init(wend__narrow_ways *ways, void *memory, uint32_t capacity);
/// Returns whether a slot is used in an update.
bool wend__narrow_way_is_used(const wend__narrow_way *way, uint32_t now);

/// Returns whether an agent of one cell may go on: no narrow way begins within the next steps that belongs to the other
/// direction. Who is in one goes on. Notes that it passes, or waits.
/// @param cells   the agent's cell and the next ones of its path
bool wend__traffic_may_pass(wend__traffic *traffic, const wend__version *version, uint32_t index,
                            const wend_cell *cells, uint32_t count, uint32_t now);

#endif
