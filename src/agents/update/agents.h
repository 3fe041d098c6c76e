/* SPDX-License-Identifier: MIT */
/* Internal to this folder: an update, and what host and crowd do with the discs of bodies. */
#ifndef WEND_SRC_AGENTS_UPDATE_AGENTS_H
#define WEND_SRC_AGENTS_UPDATE_AGENTS_H

#include "agents/state/bodies.h"

enum { WEND__UNITS_OF_COST = 1000000, WEND__MOST_ROUNDS = 64 }; ///< progress by cost; steps of an agent in an update

/// Returns the progress of an agent in this update.
static inline int64_t wend__agent_progress(const wend_crowd *crowd, uint32_t index) {
    return crowd->speed[index] * crowd->scale;
}

/* ---- waits.c ---- */

/// A reason to wait: WEND_WAIT_…, the agent in the way (WEND__NO_AGENT: none known), and the wanted cell.
typedef struct wend__agent_wait {
    int32_t kind, blocker;
    wend_cell cell;
} wend__agent_wait;

/// Returns why an agent does not go on, from the present positions. Nothing is stored for this between calls.
wend__agent_wait wend__agent_wait_of(const wend_crowd *crowd, uint32_t index);

/* ---- view.c ---- */

/// Returns the state of a slot: WEND_AGENT_….
int32_t wend__agent_state_of(const wend_crowd *crowd, uint32_t index);

/* ---- travel.c: how far agents without bodies go in an update ---- */

/// Adds the rest of a step that ends.
void wend__travel_end_step(wend_crowd *crowd, uint32_t index);
/// Forgets the way of an agent that the host put elsewhere.
void wend__travel_forget(wend_crowd *crowd, uint32_t index);
/// Returns the velocity of the last update in which time passed, in thousandths of a cell in a unit of time.
wend_point wend__travel_velocity(const wend_crowd *crowd, uint32_t index);
/// Sets it, as a save has it.
void wend__travel_restore(wend_crowd *crowd, uint32_t index, wend_point velocity);

/* ---- validate.c ---- */

/// Asserts the invariants at the end of an update, in debug builds. Of many agents each update checks a part.
#ifdef WEND_DEBUG
void wend__crowd_validate(const wend_crowd *crowd);
#else
#define wend__crowd_validate(crowd) ((void)0)
#endif

/* ---- away.c: agents in unloaded chunks ---- */

/// Finds the agents in chunks unloaded since the last update: they become AWAY and hold no cell.
void wend__away_begin(wend_crowd *crowd, const wend__version *version);
/// Moves agents that are away along their paths. Where their land is loaded they stand on a free cell again.
void wend__away_update(wend_crowd *crowd, const wend__version *version);

/* ---- others.c: the agents without bodies, as bodies see them ---- */

size_t wend__others_bytes(uint32_t agents);
void wend__others_init(wend__others *others, void *memory, const wend_crowd *crowd);
/// Finds where the agents are. They stay there until the next decision of traffic.
void wend__others_update(wend__others *others);
/// Writes the discs of agents that may reach into a square.
/// @param x, y    the middle of the square
/// @param reach   from the middle to its sides
/// @return how many there are, up to capacity
uint32_t wend__others_near(const wend__others *others, int32_t x, int32_t y, int32_t reach, wend__other *out,
                           uint32_t capacity);

/* ---- bodies.c ---- */

/// Makes room for the bodies of a crowd, if it has none. @return WEND_OK, WEND_UNSUPPORTED, WEND_OUT_OF_MEMORY
wend_error wend__bodies_open(wend_crowd *crowd);
/// Frees it.
void wend__bodies_close(wend_crowd *crowd);
/// Returns WEND_OK if the numbers of a body are in their ranges.
/// @param size   of its mover
wend_error wend__bodies_check_def(const wend_body_def *def, int32_t size);

/* ---- motion.c ---- */

/// Leads all bodies, moves them, and ends steps that are blocked.
void wend__bodies_update_all(wend_bodies *bodies, uint32_t elapsed_milli);
/// Switches to the version of an update, before its agents choose.
void wend__bodies_begin_update(wend_bodies *bodies, const wend__version *version);
/// Returns whether a disc would fit with its centre in the middle of a cell. `index` is ignored among the others.
bool wend__bodies_fits(wend_bodies *bodies, uint32_t index, wend_cell cell);
/// Puts a body that left the map, or is elsewhere, in the middle of its agent's cell.
void wend__bodies_put_back(wend_bodies *bodies, uint32_t index);
/// Takes a body off the map: its land is not loaded. wend__bodies_put_back() restores the body.
/// @param gone   the agent, or its body, is removed
void wend__bodies_take_off(wend_bodies *bodies, uint32_t index, bool gone);
/// Returns the bytes of the engine of a crowd.
size_t wend__bodies_engine_bytes(const wend_crowd *crowd);
/// Makes the engine of a crowd's bodies, or ends it.
void wend__bodies_join(wend_bodies *bodies, void *engine);
void wend__bodies_part(wend_bodies *bodies);
/// Gives an agent a body in the middle of its cell. @return WEND_OK, WEND_BUSY (another disc is in the way)
wend_error wend__bodies_add(wend_bodies *bodies, uint32_t index, const wend_body_def *def);
/// Returns what a body does: WEND_BODY_….
int32_t wend__bodies_state(const wend_bodies *bodies, uint32_t index);
/// Sets where a body is, as the host sets it. @return as wend_crowd_place_body()
wend_error wend__bodies_set(wend_bodies *bodies, uint32_t index, wend_body_vector at, wend_body_vector velocity);
/// Switches to the newest version for a call outside an update, and ends that.
wend__version *wend__bodies_begin_call(wend_bodies *bodies);
void wend__bodies_end_call(wend__version *version);
/// Returns the own cell of a mover, given a body's centre as a point of the host's.
wend_cell wend__bodies_cell(wend_body_vector at, int32_t size);
/// Returns a radius in units of a body.
uint32_t wend__bodies_radius(uint32_t milli);

/* ---- next_step.c ---- */

/// Changes the step that an agent wants in a crowd with bodies, as narrow ways, corners and slower ones ahead ask for.
void wend__next_step_among_discs(wend_crowd *crowd, const wend__version *version, uint32_t index);

/* ---- lean.c ---- */

/// Returns the point of its agent's cell to which a disc goes: on its line where the cells on that side are free.
wend__vec wend__bodies_post(const wend_bodies *bodies, uint32_t index);

/* ---- leave_wall.c ---- */

/// Lets an agent with a body step out of a wall that was built on its place. Returns whether it does; false also where
/// the host moves it: steered, or parked without a goal.
bool wend__leave_wall(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Ends the step of an agent with a body if a wall was built on its place, to which the step leads.
void wend__end_step_into_wall(wend_bodies *bodies, uint32_t index);

/* ---- lead.c ---- */

/// Returns a body's top speed on the ground where it is.
int32_t wend__bodies_top_speed(const wend_bodies *bodies, uint32_t index);
/// Gives a body the cell granted to its agent. At a link the body is at the end once there is room.
void wend__bodies_lead(wend_bodies *bodies, uint32_t index);
/// Returns whether a body may hold a place: no other agent, unit of the host or window does.
bool wend__bodies_may_hold(wend_bodies *bodies, uint32_t index, wend_cell cell);
/// Makes a body hold its agent's place, and go to the middle of that.
void wend__bodies_hold(wend_bodies *bodies, uint32_t index);
/// Takes back a step that others block for long, and ends one into a wall.
void wend__bodies_end_steps(wend_bodies *bodies, uint32_t index);

#endif
