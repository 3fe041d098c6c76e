/* SPDX-License-Identifier: MIT */
/* Internal: boxes that agents leave and do not enter. Each has a unit on all its cells, so that searches see it.
 * Agents in the box walk through those units until they are out. */
#ifndef WEND_SRC_AGENTS_MANNERS_BOXES_H
#define WEND_SRC_AGENTS_MANNERS_BOXES_H

#include "agents/manners/traffic.h"
#include <wend/crowd.h>
#include <wend/boxes.h>

enum { WEND__NO_BOX = WEND_MAX_CLEARED_BOXES };

typedef struct wend__boxes {
    uint32_t count;
    uint32_t clearing; ///< number of boxes not found empty so far
    wend_box of[WEND_MAX_CLEARED_BOXES];
    bool empty[WEND_MAX_CLEARED_BOXES]; ///< no body was in the box since, and none can come
} wend__boxes;

/// The boxes of a traffic object, changed only by the next two functions.
wend__boxes *wend__traffic_boxes(wend__traffic *traffic);
/// Adds a box to those below WEND_MAX_CLEARED_BOXES, and a unit on each of its cells.
/// @return WEND_OK, WEND_BUSY (a cell can have no more units), WEND_OUT_OF_MEMORY; on an error nothing changed
wend_error wend__traffic_add_box(wend__traffic *traffic, wend_box box);
void wend__traffic_remove_box(wend__traffic *traffic, uint32_t number);

/// Returns the number of a box in which an agent is, wholly or in part; WEND__NO_BOX: it is in none.
uint32_t wend__traffic_box_of(const wend__traffic *traffic, uint32_t index, wend_cell at);
/// Returns how many of the units on a cell belong to boxes that an agent is still in: it walks through those.
/// WEND__NO_AGENT: to any boxes.
uint32_t wend__traffic_units_left(const wend__traffic *traffic, int32_t index, wend_cell cell);
/// Returns whether no agent holds or is leaving a cell of the box, and no unit stands there but those of boxes.
/// @param agents   slots in use
bool wend__traffic_is_clear(const wend__traffic *traffic, wend_box box, uint32_t agents);
/// Finds the first step of the shortest way out of all boxes, for an agent in one.
/// @param step   receives the cell
/// @return whether there is one among the first 8,192 cells; `work` pays for them
bool wend__traffic_way_out(wend__traffic *traffic, const wend__version *version, uint32_t index, wend__work *work,
                           wend_cell *step);

#endif
