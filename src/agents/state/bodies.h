/* SPDX-License-Identifier: MIT */
/* Internal: the bodies of a crowd, and the agents' queries about them. */
#ifndef WEND_SRC_AGENTS_STATE_BODIES_H
#define WEND_SRC_AGENTS_STATE_BODIES_H

#include "agents/discs/engine.h"
#include "agents/state/crowd_state.h"
#include <wend/body.h>

/// The straight line that the first steps of a path follow.
typedef struct wend__body_line {
    wend__vec from;   ///< of the disc's centre
    wend__vec way;    ///< to the line's end; 0, 0: none
    uint32_t changes; ///< of the path
    uint32_t steps;   ///< of the path when the line was drawn
    uint32_t until;   ///< steps of the path from the line's end on
} wend__body_line;

static inline bool wend__line_is_drawn(const wend__body_line *line) {
    return line->way.x || line->way.y;
}

/// Agents without bodies, by their cells in this update.
typedef struct wend__others {
    const wend_crowd *crowd;
    int32_t *heads; ///< by hash of a square of cells: slot, or -1
    int32_t *next;  ///< next of the same hash, by slot
    uint32_t mask;  ///< hash mask
    uint32_t count;
    int32_t most_size; ///< the largest of them, in cells
} wend__others;

struct wend_bodies {
    wend_crowd *crowd;
    wend_allocator allocator;
    size_t bytes;
    wend__bodies *engine;
    const wend__version *version; ///< version of this update
    wend__others others;
    wend__body_line *lines; ///< by slot
};

/* ---- queries of agents, each with a body ---- */

/// Returns whether a body stands in its place, and its agent is in no step.
bool wend__body_rests(const wend_crowd *crowd, uint32_t index);
/// Returns the position of a body, as that of its lowest cell, and, as −1, 0 or 1 along each axis, its facing.
wend_point wend__body_point(const wend_crowd *crowd, uint32_t index, wend_cell *facing);
/// Returns the velocity of a body in its last unit of time, in thousandths of a cell.
wend_point wend__body_velocity(const wend_crowd *crowd, uint32_t index);
/// Returns the definition of an agent's body, as the host gave it.
wend_body_def wend__body_def_of(const wend__body *body);
/// Returns the radius of a body, in thousandths of a cell.
uint32_t wend__body_radius_milli(const wend_crowd *crowd, uint32_t index);
/// Returns whether a body is so near to the end of its step that it may have the next one.
bool wend__body_stepped(const wend_crowd *crowd, uint32_t index);
/// Returns whether no disc reaches into a box.
bool wend__bodies_are_clear(const wend_crowd *crowd, wend_cell low, wend_cell high);

#endif
