/* SPDX-License-Identifier: MIT */
/* Internal: the bodies of a crowd, and what agents ask of theirs. */
#ifndef WEND_SRC_AGENTS_STATE_BODIES_H
#define WEND_SRC_AGENTS_STATE_BODIES_H

#include "agents/discs/engine.h"
#include "agents/state/crowd_state.h"
#include <wend/body.h>

/// An order to a body, as its agent's goal asks.
typedef struct wend__body_order {
    wend_cell to;  ///< the cell to whose centre it goes; where it rests: its home
    bool goes;     ///< false: it brakes, and rests where it comes to a stop
    bool stands;   ///< it stays at `to`; else it passes on
    uint64_t goal; ///< another number for each goal
} wend__body_order;

/// An agent with a body, besides its disc.
typedef struct wend__body_agent {
    wend_body_def def;     ///< radius_milli 0: no body
    wend__body_order last; ///< the order that the engine got last
    bool ordered;          ///< it got one
    uint32_t least;        ///< fewest steps that were left of this way
    uint32_t late;         ///< updates since then
    uint32_t in_goal;      ///< updates in the cell where it is to stand in which it came no nearer to the middle
    int32_t nearest;       ///< least distance to that
    uint32_t free_for;     ///< updates in which no agent has held up a tight one
    uint32_t stood;        ///< thousandths of a unit of time in which it went, and made no step of its path
    uint32_t steps;        ///< of its path before the update under way
} wend__body_agent;

/// Agents without bodies, by where they are in this update.
typedef struct wend__others {
    const wend_crowd *crowd;
    int32_t *heads; ///< by hash of a square of cells: slot, or -1
    int32_t *next;  ///< by slot
    uint32_t mask;  ///< of hashes
    uint32_t count;
    int32_t most_size; ///< the largest of them, in cells
} wend__others;

struct wend_bodies {
    wend_crowd *crowd; ///< NULL: destroyed
    wend_allocator allocator;
    size_t bytes;
    wend__bodies *engine;
    const wend__version *version; ///< of the update under way
    wend__others others;
    wend__body_agent *agents; ///< by slot
    wend_body_vector *points, *velocities;
    uint32_t *radii;
};

/// Returns whether an agent is there and has a body.
static inline bool wend__bodies_has(const wend_bodies *bodies, wend_agent_id id) {
    return bodies->crowd && wend__crowd_has(bodies->crowd, id) && bodies->crowd->in_traffic[id.index].body;
}

/* ---- what agents ask. Each has a body ---- */

/// Returns whether a body stands: it is at the end of its way, or as near as it gets.
bool wend__body_rests(const wend_crowd *crowd, uint32_t index);
/// Returns whether no steps of a body and those round it can lead it on, or it has stood for 600 units of time before
/// what stays.
bool wend__body_is_hopeless(const wend_crowd *crowd, uint32_t index);
/// Returns the position of a body and, as −1, 0 or 1 along each axis, where it faces.
wend_point wend__body_point(const wend_crowd *crowd, uint32_t index, wend_cell *facing);
/// Returns the radius of a body, in thousandths of a cell.
uint32_t wend__body_radius_milli(const wend_crowd *crowd, uint32_t index);
/// Returns whether a tight body is so near to the end of its step that it may have the next one.
bool wend__body_stepped(const wend_crowd *crowd, uint32_t index);
/// Returns whether no disc reaches into a box.
bool wend__bodies_are_clear(const wend_crowd *crowd, wend_cell low, wend_cell high);

#endif
