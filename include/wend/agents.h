/* SPDX-License-Identifier: MIT */
/* Agents that the host moves or changes: a step, a place, a speed, a mover; and the path that one keeps. */
#ifndef WEND_AGENTS_H
#define WEND_AGENTS_H

#include <wend/crowd.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Steer an agent: order one step. In the next update of more than no time it begins the step, decided before all
/// others; agents in the way make room as for any other step. Where the step cannot begin in that update, it gives
/// GAVE_UP and stays: why STEPPING, as the step before is still under way or took all of the update's time, or why
/// BLOCKED, as an agent cannot make room, or no step leads there. A step that begins gives no event. A body sets out
/// before bodies in the way have made room; where it comes no nearer for 32 updates, it stays where it is.
/// The goal that it has ends (REPLACED). From this call on it has none, and no other agent pushes it aside, until
/// another order or wend_crowd_halt(). A further step before the next update takes the place of this one.
/// @param cell   a cell to which a step, a link or an edge leads from the cell that it holds; that cell itself: it only
///               stands
/// @return WEND_OK, WEND_STALE_TICKET, WEND_OUT_OF_RANGE (off the map), WEND_BUSY (events)
/// Threads: owner. Cost: O(1); the step in the update O(agents that make room).
WEND_API wend_error wend_crowd_step(wend_crowd *crowd, wend_agent_id id, wend_cell cell);

/// Put an agent elsewhere at once, also in the middle of a step. It keeps its goal, and searches from there.
/// @return WEND_OK, WEND_STALE_TICKET, WEND_BUSY (an agent or unit stands there), WEND_OUT_OF_RANGE, WEND_BLOCKED (its
///         mover cannot stand there); on an error nothing changed
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_crowd_move(wend_crowd *crowd, wend_agent_id id, wend_cell cell);

/// Get the goal of an agent: of a member of a group, its own place; of one on a route, its next cell there.
/// @param out   receives the goal
/// @return WEND_OK, WEND_EMPTY (the agent has no goal), WEND_STALE_TICKET, WEND_BAD_ARGUMENT (struct_bytes)
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_crowd_get_goal(const wend_crowd *crowd, wend_agent_id id, wend_crowd_goal *out);

/// Change the speed of an agent, also in the middle of a step; or its urgency.
/// @return WEND_OK, WEND_STALE_TICKET, WEND_BAD_ARGUMENT
/// Threads: owner. Cost: O(1).
WEND_API wend_error wend_crowd_set_speed(wend_crowd *crowd, wend_agent_id id, uint32_t speed_milli);
WEND_API wend_error wend_crowd_set_urgency(wend_crowd *crowd, wend_agent_id id, int32_t urgency);

/// Most agents that one agent waits for.
#define WEND_MAX_WAITED_FOR 8

/// Set which agents an agent never pushes aside, nor do others that it pushes. Where one of them stands in its
/// way, it goes round, or waits as before a unit of the host (wend_crowd_tuning.patience_updates) and goes on when the
/// way is free. A removed agent is no longer among them. Units of the host, steered and parked agents are never pushed.
/// @param others   the agents, in place of those set before; copied
/// @param count    0 to WEND_MAX_WAITED_FOR; 0: it pushes all again
/// @return WEND_OK, WEND_STALE_TICKET (one is removed), WEND_BAD_ARGUMENT (more, or the agent itself); on an error
///         nothing changed
/// Threads: owner. Cost: O(count).
WEND_API wend_error wend_crowd_wait_for(wend_crowd *crowd, wend_agent_id id, const wend_agent_id *others, size_t count);

/// Make agents another mover, where they are: all of them, or on an error none. A step that has begun is over at once.
/// They keep their goals, and search again.
/// @param ids     the agents, each once
/// @param mover   WEND_MOVER_DEFAULT, or one added to the map
/// @return WEND_OK, WEND_STALE_TICKET, WEND_BLOCKED (the mover cannot stand where an agent is), WEND_BAD_ARGUMENT (no
///         such mover; an agent is named twice, has a body or is away), WEND_BUSY (an agent or unit is on a cell that
///         one of them would come to hold, or a body would touch one; no room for the route of one)
/// Threads: owner. Cost: O(cells held).
WEND_API wend_error wend_crowd_set_mover(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t mover);

/// Change which costs by place agents mind. They keep their goals, and search again. Agents that mind any search for
/// themselves, and go by no flow field.
/// @param profile   of wend_map_add_profile(), or 0: none
/// @return WEND_OK, WEND_STALE_TICKET, WEND_BAD_ARGUMENT (no such profile); on an error nothing changed
/// Threads: owner. Cost: O(count).
WEND_API wend_error wend_crowd_set_profile(wend_crowd *crowd, const wend_agent_id *ids, size_t count, int32_t profile);

/// Get the rest of the path that an agent keeps, the cell that it holds first.
/// @param cells   receives the first `capacity` cells; may be NULL with capacity 0, to count only
/// @param count   receives the number of cells, also when that is more than capacity
/// @return WEND_OK, WEND_STALE_TICKET
/// Threads: owner. Cost: O(cells).
WEND_API wend_error wend_crowd_get_path(const wend_crowd *crowd, wend_agent_id id, wend_cell *cells, size_t capacity,
                                        size_t *count);

/// Returns whether an event ends a goal.
/// Threads: any. Cost: O(1).
WEND_API bool wend_agent_event_ends_goal(int32_t event);

#ifdef __cplusplus
}
#endif
#endif
