/* SPDX-License-Identifier: MIT */
/* Internal to this room: agents that are put elsewhere, and agents that are away. */
#ifndef WEND_SRC_CROWD_AGENTS_AGENTS_H
#define WEND_SRC_CROWD_AGENTS_AGENTS_H

#include "crowd/state/crowd_state.h"

enum { WEND__UNITS_OF_COST = 1000000, WEND__MOST_ROUNDS = 64 }; ///< progress by cost; steps of an agent in an update

/// Returns the progress of an agent in this update.
static inline int64_t wend__agent_progress(const wend_crowd *crowd, uint32_t index) {
    return crowd->speed[index] * crowd->scale;
}

/// Brings an agent to rest where traffic has put it.
/// @param keeps_path   its path leads on from there; else it is lost
void wend__agent_settle(wend_crowd *crowd, uint32_t index, bool steered, bool keeps_path);

/* ---- bodies.c: for the room that moves bodies ---- */

/// Returns WEND_OK if an agent may get a body, else the error, with its reason.
wend_error wend__agent_check_body(const wend_crowd *crowd, uint32_t index);
/// Gives an agent a body in the middle of its cell. It keeps its goal, and searches again.
void wend__agent_give_body(wend_crowd *crowd, uint32_t index);
/// Takes it away. The agent walks from cell to cell then. @return WEND_OK, WEND_BUSY (another holds its
/// cell, or reaches into it)
wend_error wend__agent_take_body(wend_crowd *crowd, uint32_t index);
/// Returns where a body is to go now. After the agents have chosen.
wend__body_order wend__body_order_of(const wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Writes the cells after a body's own on its way, without the first `skip` of them. @return how many, up to capacity
uint32_t wend__body_way(const wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t skip,
                        wend_cell *cells, uint32_t capacity);
/// A follower that rested as near to its target as it got, and was pushed, rests where it is now: several that went
/// back would push each other for ever. @return false: it is none
bool wend__agent_rest_after_push(wend_crowd *crowd, uint32_t index);
/// Returns whether a body never presses another: whom its agent waits for, or follows, or, unless it is
/// pressed itself, who is with the target that both follow.
bool wend__body_spares(const wend_crowd *crowd, uint32_t index, uint32_t other, bool pressed);
/// After a body has moved: a steered one that does not come nearer to where it was sent stays where it is.
void wend__body_settled(wend_crowd *crowd, uint32_t index);
/// The host has put a body there: it stays, if its agent has no goal.
void wend__body_was_put(wend_crowd *crowd, uint32_t index);
/// Returns whether a body stands at the beginning of a link, and the agent wants to be at its end, `to`.
bool wend__body_jump(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *to);
/// Follows a body whose centre came into another cell.
/// @param brakes   it comes to rest after an order: without a goal, it stays where that is
void wend__body_entered(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell cell, bool brakes);

/* ---- link_events.c: LINK_AHEAD, where wend_crowd_tuning.link_events asks for it ---- */

/// Adds the event of a step that begins, if it is a leap.
void wend__link_tell_begun(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell from,
                           wend_cell to);
/// Adds the event of the leap that comes next on the agent's path, if it begins at the agent's cell.
void wend__link_tell_ahead(wend_crowd *crowd, const wend__version *version, uint32_t index);

/* ---- waits.c ---- */

/// A reason to wait: WEND_WAIT_…, the agent in the way (WEND__NO_AGENT: none known), and the cell that is wanted.
typedef struct wend__agent_wait {
    int32_t kind, blocker;
    wend_cell cell;
} wend__agent_wait;

/// Returns why an agent does not go on, from where everything is now. Nothing is kept for it between calls.
wend__agent_wait wend__agent_wait_of(const wend_crowd *crowd, uint32_t index);

/* ---- view.c ---- */

/// Returns the state of a slot: WEND_AGENT_….
int32_t wend__agent_state_of(const wend_crowd *crowd, uint32_t index);

/* ---- jams.c ---- */

/// Counts the agents of a crowd that are blocked, after an update.
void wend__jams_count(wend_jams *jams);
/// Takes counts from their crowd.
void wend__jams_leave(wend_jams *jams);

/* ---- validate.c ---- */

/// Asserts the invariants between updates, in debug builds. With many agents, each update checks a part of them.
#ifdef WEND_DEBUG
void wend__crowd_validate(const wend_crowd *crowd);
#else
#define wend__crowd_validate(crowd) ((void)0)
#endif

/* ---- away.c: agents in unloaded chunks ---- */

/// Finds the agents in chunks unloaded since the last update: they hold no cell from now on.
void wend__away_begin(wend_crowd *crowd, const wend__version *version);
/// Moves agents that are away along their paths. Where their land is loaded they stand on a free cell again.
void wend__away_update(wend_crowd *crowd, const wend__version *version);

#endif
