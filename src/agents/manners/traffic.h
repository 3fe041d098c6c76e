/* SPDX-License-Identifier: MIT */
/* Internal: which agent holds which cells, and which steps begin. Independent of goals, searches and events. A
 * step moves the holding at once: from the decision in which it begins, an agent holds the next place only. Two
 * agents never hold one cell, nor swap, nor cross on a diagonal, steps under way included; a swap through a link
 * is none. Ghosts are ignored in all this. docs/design/agents.md has the rules and what they promise. */
#ifndef WEND_SRC_AGENTS_MANNERS_TRAFFIC_H
#define WEND_SRC_AGENTS_MANNERS_TRAFFIC_H

#include "agents/discs/engine.h"
#include "agents/floor/window_cells.h"

/* ---- work of an update that can be deferred ---- */

/* Work is counted, not timed, so that the same calls give the same positions on any machine. */

/// Costs in units of about 20 ns.
enum { WEND__WORK_CHECK = 4, WEND__WORK_SEARCH = 32, WEND__WORK_NEAR_FIELD = 192 };

typedef struct wend__work {
    uint32_t left;   ///< units
    uint32_t kept;   ///< part of `left` for urgent agents only
    uint32_t waited; ///< how often no work was left
} wend__work;

static inline wend__work wend__work_of(uint32_t pieces) {
    return (wend__work){pieces, pieces / 8, 0};
}

static inline void wend__work_spend(wend__work *work, uint32_t pieces) {
    work->left -= work->left < pieces ? work->left : pieces;
}

/// Begins work of `pieces` units; it may cost more than are left. Returns false if none is left.
static inline bool wend__work_begin(wend__work *work, bool urgent, uint32_t pieces) {
    if (work->left <= (urgent ? 0 : work->kept)) {
        work->waited++;
        return false;
    }
    wend__work_spend(work, pieces);
    return true;
}

enum { WEND__NO_AGENT = -1 };
/// Values of wend__traffic_agent.ready. UNASKED: the agent wants no step in this update so far, and may be pushed.
enum { WEND__READY = 1, WEND__READY_UNASKED = 2 };

/// An agent's traffic data, one for each slot of the crowd. The crowd writes the fields marked "in" between decisions.
typedef struct wend__traffic_agent {
    wend_cell at;     ///< its own cell; it holds size × size cells right and down of it (× size upwards in space)
    wend_cell from;   ///< where the step under way began; the crowd sets it to `at` when the step ends
    wend_cell next;   ///< in: the wanted step, legal on the map; equal to `at`: none
    int32_t mover;    ///< in
    int32_t urgency;  ///< in: -1000 to 1000
    uint32_t follows; ///< in: the agent, plus 1, that neither this one nor those that it moves push; 0: none
    uint32_t waited;  ///< decisions in a row in which it wanted a step and got none
    uint8_t size;     ///< size of its mover, in cells
    uint8_t present;  ///< between enter and leave
    uint8_t ghost;    ///< walks through others, and they through it
    uint8_t ready;    ///< in: at rest (`from` equal to `at`), and may begin a step. Others are not pushed
    uint8_t steered;  ///< in: its step is decided before all others', and it is not pushed
    uint8_t parked;   ///< in: it is not pushed, as a unit of the host
    uint8_t waits;    ///< number of agents that it never pushes
    uint8_t awaited;  ///< another agent waits for this one, or has waited
    uint8_t body;     ///< in: it has a disc (bodies.c), which follows its steps
    uint8_t held;     ///< in: it has no body; its granted step begins when no disc is in the way
    uint32_t turn;    ///< out: number of its last step; an agent that leaves a cell has a lower one than its next agent
    uint8_t has_goal; ///< in: a goal keeps the priority. Without one the priority begins with the next wanted step
    uint8_t moved;    ///< out: a step from `from` to `at` begins in this decision
    uint8_t pushed;   ///< out: with `moved`: an unwanted step that makes room for another agent
    int32_t root;     ///< out: with `moved`: the agent that caused this step, maybe this one
} wend__traffic_agent;

/// Writes the next cells of an agent's path after `at`, for an agent that wants a step.
/// @return how many there are, up to capacity
typedef uint32_t wend__ahead_fn(void *context, uint32_t index, wend_cell *cells, uint32_t capacity);

/// Ranks cells next to an agent that wants a step, and its own, by the rest of its way from there.
/// @param ranks   receives a number below 2^26 for each cell, lower ones are better
/// @return false: no ranks are available
typedef bool wend__rank_fn(void *context, const wend__version *version, uint32_t index, const wend_cell *cells,
                           uint32_t count, uint32_t *ranks);

/// Ends the step under way of an agent, where it is, with all that traffic has for a step.
static inline void wend__traffic_end_step(wend__traffic_agent *agent) {
    agent->from = agent->at;
    agent->held = 0;
}

typedef struct wend__traffic wend__traffic;

/// @param agents   1 to 2^20 slots
size_t wend__traffic_bytes(const wend_map *map, uint32_t capacity);
/// @param memory   64-byte aligned, wend__traffic_bytes() long; becomes the traffic object
/// @param map      outlives it
wend__traffic *wend__traffic_init(void *memory, wend_map *map, uint32_t capacity);
/// Sets whether a recording contains the agents' units; at first it does.
void wend__traffic_record_units(wend__traffic *traffic, bool recorded);
/// Returns one of two buffers with a number for each agent, free between decisions.
uint64_t *wend__traffic_sorting(wend__traffic *traffic, unsigned which);
/// Returns the slots, all absent at first.
wend__traffic_agent *wend__traffic_agents(wend__traffic *traffic);

/// Returns the speeds of the slots, thousandths of a straight step in a unit of time, all 0 at first. The crowd writes
/// them.
uint32_t *wend__traffic_speeds(wend__traffic *traffic);

/// Puts an agent on a place, at rest: it holds the place and is counted as a unit there. Ghosts hold nothing.
/// @param version   the newest of the map
/// @return WEND_OK, WEND_OUT_OF_RANGE, WEND_BAD_ARGUMENT (no such mover), WEND_BLOCKED (it cannot stand there),
///         WEND_BUSY (held, or a unit stands there), WEND_OUT_OF_MEMORY (of the counts of units)
wend_error wend__traffic_enter(wend__traffic *traffic, const wend__version *version, uint32_t index, wend_cell cell,
                               int32_t mover, bool ghost);
/// Refuses to put an agent on a cell: WEND_BUSY (it is held), WEND_BLOCKED. @return `error`
WEND__COLD wend_error wend__traffic_refuse(wend_error error, wend_cell cell);
/// Removes an agent, at rest or not. Does nothing if it is absent.
void wend__traffic_leave(wend__traffic *traffic, uint32_t index);

/// Gives agents another mover where they are: all of them, or none. Each is at rest then.
/// @param version   the newest of the map, on which each can stand at its cell as that mover
/// @param indices   each once
/// @return false: a cell that they would cover is held by another agent or a unit of the host, or a body touches one
bool wend__traffic_set_mover(wend__traffic *traffic, const wend__version *version, const uint32_t *indices,
                             size_t count, int32_t mover);

/// Decides which steps begin: those of steered agents first, then by urgency, then by age of the goal, then the
/// farthest from it, then by index. Updates the counts of units.
/// @param version      the newest of the map
/// @param candidates   all that are ready and may want a step, by index; the others that are ready want none
/// @param rank         NULL: steps have no rank
/// @param work         limits pushes: with none left, only steered agents and the first in order push
/// Cost: O(candidates + cells that they push others to).
void wend__traffic_decide(wend__traffic *traffic, const wend__version *version, const uint32_t *candidates,
                          uint32_t count, wend__work *work, wend__ahead_fn *ahead, wend__rank_fn *rank, void *context);

/// Closes the cells of a window to all unplanned steps. NULL: opens the closed ones.
/// @param cells   must outlive the window
void wend__traffic_set_window(wend__traffic *traffic, const wend__window_cells *cells);
/// Plans the steps to their `next` cells of agents at rest in the window. No two lead to the same cell.
/// The next decision grants them before all others, apart from those that something is in the way of. These agents are
/// not `ready`.
/// @param indices   valid until that decision
void wend__traffic_plan(wend__traffic *traffic, const uint32_t *indices, uint32_t count);

/// Ends the priority of an agent when its goal ends or changes: it becomes the youngest of its urgency.
void wend__traffic_end_goal(wend__traffic *traffic, uint32_t index);

/// Sets the agents that an agent, and those that it moves, never push.
/// @param others   `count` slots, 0 to WEND_MAX_WAITED_FOR
void wend__traffic_wait_for(wend__traffic *traffic, uint32_t index, const uint32_t *others, uint32_t count);
/// Removes an agent from the lists of agents that wait for it. Cost: O(capacity) if there were any.
void wend__traffic_unawait(wend__traffic *traffic, uint32_t index);
/// Returns whether an agent is in the list of another.
bool wend__traffic_waits_for(const wend__traffic *traffic, int32_t index, int32_t other);

/// Returns the agents that began a step in the last decision, except ghosts. Valid until the next decision.
const int32_t *wend__traffic_moved(const wend__traffic *traffic, uint32_t *count);

/// Reserves a second place for an agent, next to its held one, or releases it. Between decisions.
void wend__traffic_reserve(wend__traffic *traffic, uint32_t index, wend_cell cell);
void wend__traffic_unreserve(wend__traffic *traffic, uint32_t index);
/// Returns whether a cell belongs to a place that is reserved. `holder` receives what wend__traffic_holder() returns.
bool wend__traffic_is_reserved(const wend__traffic *traffic, wend_cell cell, int32_t *holder);

/// Returns whether two places share a cell.
static inline bool wend__places_overlap(wend_cell a, int32_t a_size, wend_cell b, int32_t b_size) {
    return a.x < b.x + b_size && b.x < a.x + a_size && a.y < b.y + b_size && b.y < a.y + a_size && a.z < b.z + b_size &&
           b.z < a.z + a_size;
}

/* ---- bodies.c: agents with bodies. Such an agent counts as a unit of the cell of its centre. Two may have their
 * centres in one cell: one holds the cell only if no other agent does. ---- */

/// Sets the discs that steps may touch. NULL: no bodies.
void wend__traffic_set_discs(wend__traffic *traffic, wend__bodies *discs);
/// Returns the disc of an agent without a body on a step, or at rest where both cells are one. Over the rim of a map
/// that wraps it begins beyond the rim.
wend__other wend__other_on_step(const wend_map *map, int32_t size, wend_cell from, wend_cell to);
/// Returns the disc of such an agent that begins in a cell of the map, and may end beyond a rim or a seam.
wend__other wend__other_from(int32_t size, wend_cell from, wend_cell way);
/// Returns whether a cell is a corner of another disc's diagonal step, claimed or under way, to a place next to it.
bool wend__traffic_is_corner(const wend__traffic *traffic, const wend__version *version, uint32_t index,
                             wend_cell cell);
/// Returns whether a disc has room on a diagonal step: both corners are open and free.
bool wend__traffic_diagonal_is_free(const wend__traffic *traffic, const wend__version *version, uint32_t index,
                                    wend_cell to);
/// Returns whether the disc of a body reaches into a place where an agent without one would stand.
bool wend__traffic_is_touched(const wend__traffic *traffic, uint32_t index, int32_t size, wend_cell cell);
/// Returns whether the disc of a body is in the way of the step under way of an agent without one.
bool wend__traffic_is_held_up(const wend__traffic *traffic, uint32_t index);
/// Returns whether only the disc of a body that is not in the cell stops a step to it.
bool wend__traffic_step_is_touched(const wend__traffic *traffic, uint32_t index, wend_cell to);
/// Puts an agent on another place that it may hold, at rest.
void wend__traffic_put(wend__traffic *traffic, uint32_t index, wend_cell cell);
/// Returns whether an agent may hold a cell: nobody does, no window, and no unit of the host or of a box that the agent
/// is not in stands there.
bool wend__traffic_may_hold(const wend__traffic *traffic, uint32_t index, wend_cell cell);

/// Returns the agent that holds a cell, or WEND__NO_AGENT.
int32_t wend__traffic_holder(const wend__traffic *traffic, wend_cell cell);
/// Returns the first other agent that holds a cell of an agent's place with its own cell there, or WEND__NO_AGENT.
/// @param several   receives whether there are others
int32_t wend__traffic_other_holder(const wend__traffic *traffic, uint32_t index, wend_cell cell, bool *several);
/// Returns an agent whose current step a step to a cell would cross, or WEND__NO_AGENT. Between decisions.
int32_t wend__traffic_crossed(const wend__traffic *traffic, const wend__version *version, uint32_t index, wend_cell to);
/// Returns whether an agent of that size at that cell would share a cell with another, or with a unit of the host.
/// @param index   an agent whose own cells do not count; WEND__NO_AGENT: all cells do
bool wend__traffic_is_held(const wend__traffic *traffic, wend_cell cell, int32_t size, int32_t index);

#endif
