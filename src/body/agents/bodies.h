/* SPDX-License-Identifier: MIT */
/* Internal: the bodies of a crowd, between its agents and the engine. */
#ifndef WEND_SRC_BODY_AGENTS_BODIES_H
#define WEND_SRC_BODY_AGENTS_BODIES_H

#include "body/agents/others.h"
#include <wend/body.h>

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

struct wend_bodies {
    wend_crowd *crowd; ///< NULL: destroyed
    wend_allocator allocator;
    size_t bytes;
    wend__bodies *engine;
    const wend__version *version; ///< of the update under way
    wend__body_hooks hooks;
    wend__others others;
    wend__body_agent *agents; ///< by slot
    wend_body_vector *points, *velocities;
    uint32_t *radii;
};

/// Returns whether an agent is there and has a body.
static inline bool wend__bodies_has(const wend_bodies *bodies, wend_agent_id id) {
    return bodies->crowd && wend__crowd_has(bodies->crowd, id) && bodies->crowd->in_traffic[id.index].body;
}

/// Returns WEND_OK if the numbers of a body are in their ranges.
/// @param size   of its mover
wend_error wend__bodies_check_def(const wend_body_def *def, int32_t size);

/* ---- motion.c ---- */

/// Returns the bytes of the engine of a crowd.
size_t wend__bodies_engine_bytes(const wend_crowd *crowd);
/// Begins to move the bodies of the crowd, or ends that.
void wend__bodies_hook(wend_bodies *bodies, void *engine);
void wend__bodies_unhook(wend_bodies *bodies);
/// Gives an agent a body in the middle of its cell. @return WEND_OK, WEND_BUSY (another disc is in the way)
wend_error wend__bodies_add(wend_bodies *bodies, uint32_t index, const wend_body_def *def);
/// Returns whether no other body's place is on its own: a small disc of a large mover need not reach into all of its
/// cells.
bool wend__bodies_is_alone(const wend_bodies *bodies, uint32_t index);
void wend__bodies_remove(wend_bodies *bodies, uint32_t index);
/// Fills what changes of a body's state.
void wend__bodies_read(const wend_bodies *bodies, uint32_t index, wend_body_state *out);
/// Sets where a body is, as the host sets it. @return as wend_body_set()
wend_error wend__bodies_set(wend_bodies *bodies, uint32_t index, wend_body_vector at, wend_body_vector velocity);
/// Goes by the newest version for a call outside an update, and ends that.
wend__version *wend__bodies_begin_call(wend_bodies *bodies);
void wend__bodies_end_call(wend__version *version);
/// Returns the own cell of a mover whose body's centre is at a point of the host's.
wend_cell wend__bodies_cell(wend_body_vector at, int32_t size);
/// Returns a radius in units of a body.
uint32_t wend__bodies_radius(uint32_t milli);

/* ---- speeds.c ---- */

/// Returns a body's top speed on the ground where it is.
int32_t wend__bodies_top_speed(const wend_bodies *bodies, uint32_t index);
/// Returns the acceleration of a body, which a definition may leave open.
int32_t wend__bodies_acceleration(const wend_body_def *def, int32_t speed);
/// Returns that of a loose body, and of a tight one, where it is.
int32_t wend__bodies_gain(const wend_bodies *bodies, uint32_t index, int32_t speed);
int32_t wend__bodies_tight_gain(const wend_bodies *bodies, uint32_t index, int32_t speed);

/* ---- manners.c ---- */

/// Gives a tight body the cell that its agent was granted. At a link it is at its end once there is room.
void wend__bodies_lead_tight(wend_bodies *bodies, uint32_t index);
/// Makes a loose body tight, or a tight one loose, where that is due.
void wend__bodies_change_manners(wend_bodies *bodies, uint32_t index);
/// A tight body is loose from now on, wherever its disc is.
void wend__bodies_end_tight(wend_bodies *bodies, uint32_t index);

#endif
