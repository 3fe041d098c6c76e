/* SPDX-License-Identifier: MIT */
/* Internal: the path of an agent. */
#ifndef WEND_SRC_AGENTS_PLAN_PATH_H
#define WEND_SRC_AGENTS_PLAN_PATH_H

#include "agents/floor/vectors.h"
#include "agents/state/crowd_state.h"

/// Clears the path and the recent cells.
void wend__path_clear(wend_crowd *crowd, uint32_t index);
/// Keeps only the first `steps` steps of the path.
void wend__path_cut(wend_crowd *crowd, uint32_t index, uint32_t steps);
/// Returns the number of steps left, back to the path included.
static inline uint32_t wend__path_steps(const wend__agent_path *path) {
    return path->stored.steps + path->recent_count;
}

/// Returns the next cell; the agent's own if there is none. Not for an agent that only its near field leads back.
wend_cell wend__path_next(const wend_crowd *crowd, uint32_t index);
/// Moves an agent that holds no cell to the next cell of its path, which has steps left. It is not off its path.
void wend__path_follow(wend_crowd *crowd, uint32_t index);
/// Updates the path of an agent that begins a step: along its path, or off it. @return false: no way leads back
bool wend__path_step_began(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell before);
/// Puts an agent back where its last step began: its path continues behind that cell.
void wend__path_step_taken_back(wend_crowd *crowd, uint32_t index, wend_cell to);
/// Joins the path if an agent off it stands on its end, or before its first link: its near field leads no farther.
void wend__path_join_end(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Shortens the way back of a pushed agent at rest, if a single step leads to its path.
void wend__path_rejoin(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// @return how many of the next steps of the path are open before the first closed one, at most `most`
uint32_t wend__path_open_steps(const wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t most);
/// Checks the next steps of the path, each once a version.
/// @return how many are open before the first closed one; UINT32_MAX: all that were checked
uint32_t wend__path_check(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Returns the cell `steps` steps ahead on the path, not counting recent cells.
static inline wend_cell wend__path_cell_ahead(const wend_crowd *crowd, uint32_t index, uint32_t steps) {
    const wend__agent_path *path = &crowd->agents[index].path;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    while (steps-- > 0 && wend__path_reader_next(&reader)) {
    }
    return reader.cell;
}
/// Replaces the path by an answer. Returns false if the answer does not meet the path.
bool wend__path_splice(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends);

/// Writes the agent's next cells; the callback of wend__traffic_decide(). The context is the crowd.
uint32_t wend__path_next_cells(void *context, uint32_t index, wend_cell *cells, uint32_t capacity);

/// Ranks cells around an agent by its near field; the callback of wend__traffic_decide().
bool wend__path_rank(void *context, const wend__version *version, uint32_t index, const wend_cell *cells,
                     uint32_t count, uint32_t *ranks);

/// Returns whether a body leaps from a cell of a path to the next, as over a link. Bodies larger than a cell leap over
/// seams, too.
static inline bool wend__body_leaps(const wend__version *version, int32_t size, wend_cell from, wend_cell to) {
    if (WEND__LIKELY(wend__cells_apart(version->map, from, to) <= 1)) return false;
    return size > 1 || !wend__is_seam_both_ways(version, from, to);
}

/// Removes `steps` steps from the beginning of the path.
void wend__path_drop(wend_crowd *crowd, uint32_t index, uint32_t steps);
/// Replaces the first `passed` steps of a path by others, from the agent's cell on. Each was found on this version.
/// @return false: there is no room; nothing has changed
bool wend__path_lead(wend_crowd *crowd, const wend__version *version, uint32_t index, uint32_t passed,
                     const wend_cell *cells, uint32_t steps);

/* ---- line.c: the straight line of a disc ---- */

/// Replaces the first steps of a disc's path by steps along a straight line.
/// Cost: O(steps of the line × log of the path's), every few steps.
void wend__line_draw(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Returns whether ground and what stays let a disc step to a neighbour: past two open corners, onto a free place.
bool wend__disc_may_step(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell from,
                         wend_cell to);
/// Finds the point of the line nearest to the middle of a place. @return false: the place is not along the line
/// @param by   receives how far it is from the middle
bool wend__line_foot(const wend_crowd *crowd, uint32_t index, wend__vec middle, wend__vec *by);
/// Returns the way from a disc to the end of its line; 0, 0: it has none.
wend__vec wend__line_left(const wend_crowd *crowd, uint32_t index);
/// Returns whether the corner along x of a diagonal step is nearer to the line.
bool wend__line_is_along_x(const wend_crowd *crowd, uint32_t index);

/* ---- near_field.c: the rest of the way from cells off the path ---- */

/// Computes the near field of an agent on a grid. Its middle lies ahead of the agent's cell, on the path.
/// Cost: O(cells of the near field), some 4 us.
void wend__near_compute(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend__near_field *near);
/// Returns how many of the next steps of its path an agent off it may skip.
uint32_t wend__near_horizon(const wend_crowd *crowd, const wend__version *version, uint32_t index);
/// NONE: off a grid, without a path, or too far from the path. LATER: the update has no work left for the near field.
typedef enum wend__near_state { WEND__NEAR_NONE, WEND__NEAR_FOUND, WEND__NEAR_LATER } wend__near_state;

/// Computes the agent's own near field again if the agent came to its rim, or its path or the map changed. Returns
/// whether the field covers the agent's cell. Cost: O(1), or some 4 us for a computed field.
wend__near_state wend__near_find(wend_crowd *crowd, const wend__version *version, uint32_t index);
/// Returns the near field of an agent; NULL: none. After wend__near_find() found the field, it is not NULL.
static inline wend__near_field *wend__near_own(const wend_crowd *crowd, uint32_t index) {
    const uint32_t slot = crowd->near_fields.count > 0 ? crowd->near_fields.slots[index] : 0;
    return slot > 0 ? &crowd->near_fields.of[slot - 1] : NULL;
}
/// Returns whether an agent may step from a cell to a neighbour.
typedef bool wend__may_step_fn(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell from,
                               wend_cell to);
/// Finds a way inside the near from an agent on its path to a later cell of that, by steps that the agent may make.
/// @param passed   receives how many steps of the path lead to that cell
/// @return how many steps were written; 0: none
uint32_t wend__near_way_round(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                              wend__may_step_fn *may_step, wend_cell cells[WEND__BLOCK_DIRECTIONS + 1],
                              uint32_t *passed);
/// Makes the near field of an agent that is new serve no agent.
void wend__near_forget(wend_crowd *crowd, uint32_t index);
/// Tells an agent's near field that its path has got steps at its end.
void wend__near_path_grew(wend_crowd *crowd, uint32_t index, uint32_t steps);
/// Takes the near fields from all agents.
void wend__near_drop(wend_crowd *crowd);
/// Returns the near field of an agent on a grid, for queries: its own, or else one computed in `room`. An agent's steps
/// depend on the centre of its own field, so a query does not replace that.
const wend__near_field *wend__near_read(const wend_crowd *crowd, const wend__version *version, uint32_t index,
                                        wend__near_field *room);
/// Returns the neighbour of a cell with the shortest rest of the way, or the cell itself if none is better.
/// @param view   what the agent's mover sees of the version
wend_cell wend__near_next(const wend__near_field *near, const wend__version *view, wend_cell cell);

/* ---- go_round.c ---- */

/// Leads a disc on its path round a next step for which it has no room, if a way inside the near exists.
/// @return whether its path has other first steps. Cost: O(1), before such a step some 100 us.
bool wend__path_go_round(wend_crowd *crowd, const wend__version *version, uint32_t index);

/* ---- head_start.c: an agent sets out before its search ends, and later joins the path ---- */

/// Returns the capacity for cells of a head start: the definition's, and some that others may push the agent to.
static inline uint32_t wend__head_start_cells(const wend_crowd_def *def) {
    return def->tuning->head_start + 1 + WEND__RECENT_CELLS;
}

/// Returns the capacity for cells of a head start and a prefix together.
static inline uint32_t wend__head_start_room(const wend_crowd_def *def) {
    return 2 * wend__head_start_cells(def);
}

/// Returns whether an agent may set out before the answer to a search from `start`: it stands there, without a path.
bool wend__head_start_may_begin(const wend_crowd *crowd, uint32_t index, wend_cell start);
/// Returns the next request of an agent with a far goal: WEND__ASKS_LEAD, or PATH if that costs less.
uint8_t wend__head_start_ask(wend_crowd *crowd, uint32_t index);
/// Returns whether an answer is the requested lead, or reports that there is none. Then the agent sets out along
/// the lead, and the path from its end is to be requested.
bool wend__head_start_leads(wend_crowd *crowd, uint32_t index, const wend_completion *done);
/// Leads an agent at rest along the prefix of its pending search.
void wend__head_start(wend_crowd *crowd, uint32_t index);
void wend__head_start_step_began(wend_crowd *crowd, uint32_t index);
/// Replaces the path by an answer to a search with a head start.
/// @return false: there was no head start, or no way leads from its end to the answer
bool wend__head_start_join(wend_crowd *crowd, uint32_t index, const wend_cell *cells, size_t count, uint8_t ends);

/* ---- far_way.c: far goals, leg by leg ---- */

/// Turns the request for a whole path into one for a far route or its next leg, if that helps.
void wend__far_way_aim(wend_crowd *crowd, const wend__version *version, uint32_t index, wend__request *submission);
/// Returns the number of steps of the path that stay when the next leg comes.
/// @param least   at least this many, if the path has them
uint32_t wend__far_way_steps(const wend_crowd *crowd, uint32_t index, uint32_t least);
/// Returns whether an agent comes near the walked end of this leg: the next leg is to be requested.
bool wend__far_way_runs_out(const wend_crowd *crowd, uint32_t index);
/// Returns whether an answer to a request for a route or a leg leads on to a further leg.
bool wend__far_way_leads_on(const wend_crowd *crowd, uint32_t index, const wend_completion *done);
/// Returns whether an answer to such a request does not help: a path without far route is to be requested.
bool wend__far_way_fails(wend_crowd *crowd, uint32_t index, const wend_completion *done);
/// Stores the rest of the route from such an answer, which has replaced the path.
void wend__far_way_keep(wend_crowd *crowd, uint32_t index, const wend_completion *done);

/* ---- legs.c: the searches for the legs of a route ---- */

/// Requests the legs of a route that have not been requested. Returns whether all legs are found.
bool wend__legs_ready(wend_crowd *crowd, uint32_t route, int32_t urgency);
void wend__legs_cancel(wend_crowd *crowd);

/// Adds the event of a step that begins, if it is a leap.
void wend__link_tell_begun(wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell from,
                           wend_cell to);
/// Adds the event of the leap that comes next on the agent's path, if it begins at the agent's cell.
void wend__link_tell_ahead(wend_crowd *crowd, const wend__version *version, uint32_t index);

#endif
