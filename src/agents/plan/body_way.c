/* SPDX-License-Identifier: MIT */
/* The path of an agent with a body. A body goes straight to what it sees of its path, so its centre leaves the path's
 * cells. The path begins at its cell that is nearest to the body and in sight, which need not be the agent's own. If
 * there is no such cell, the agent counts as pushed off its path, and its near field leads it back. */
#include "agents/plan/path.h"

#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/query/step_cost.h"

enum {
    LOOKED_AT = 24, ///< steps of the path among which the body's cell is searched
    MOST_APART = 10 ///< largest distance in cells from the path at which a body counts as on it
};

/* Returns the cell after one straight towards another on the ground, also over a seam; the same cell if none is. */
static wend_cell step_on_sheets(const wend__version *version, int32_t mover, wend_cell from, wend_cell to) {
    const wend_cell way = wend__place_difference(version, from, to);
    const int32_t d = wend__flat_direction((way.x > 0) - (way.x < 0), (way.y > 0) - (way.y < 0));
    wend_cell ends[WEND__DIRECTIONS];
    if (d < 0 || !(wend__steps_round(wend__version_view(version, mover), from, ends) >> d & 1)) return from;
    return ends[d];
}

static wend_cell kings_step(const wend__version *version, int32_t mover, wend_cell from, wend_cell to) {
    if (WEND__UNLIKELY(version->sheets != NULL)) return step_on_sheets(version, mover, from, to);
    const wend_cell way = wend__ground_difference(version, from, to);
    const wend_cell next = {from.x + (way.x > 0) - (way.x < 0), from.y + (way.y > 0) - (way.y < 0), 0};
    return wend__wrapped_cell(version, next);
}

/* Returns whether straight and diagonal steps lead directly from one cell to another. */
static bool is_in_sight(const wend__version *version, int32_t mover, wend_cell from, wend_cell to) {
    while (!wend__same_cell(from, to)) {
        const wend_cell next = kings_step(version, mover, from, to);
        if (wend__same_cell(next, from)) return false;
        if (!version->sheets && wend__step_cost(version, mover, from, next) == UINT64_MAX) return false;
        from = next;
    }
    return true;
}

/* Returns the largest distance along an axis on the ground; of two cells at one place 1. */
static uint32_t steps_apart(const wend__version *version, wend_cell a, wend_cell b) {
    if (WEND__LIKELY(!version->sheets)) return wend__cells_apart(version->map, a, b);
    const wend_cell way = wend__place_difference(version, a, b);
    const uint32_t x = wend__distance(way.x, 0), y = wend__distance(way.y, 0);
    return wend__same_cell(a, b) ? 0 : (uint32_t)wend__most(1, (int32_t)(x > y ? x : y));
}

/* Finds the nearest cell of the path in sight of the agent's own; of equally near ones, the last. Cells behind a leap
 * count once the agent has leaped; only an agent at the end passes it. Returns the number of steps to the cell;
 * UINT32_MAX: there is none. */
static uint32_t find_nearest(const wend_crowd *crowd, const wend__version *version, uint32_t index, wend_cell *found) {
    const wend__agent_path *path = &crowd->agents[index].path;
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    const uint32_t horizon = wend__near_horizon(crowd, version, index);
    const uint32_t most = horizon < LOOKED_AT ? horizon : LOOKED_AT;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    uint32_t best = UINT32_MAX, least = MOST_APART + 1;
    for (uint32_t k = 0; k <= most; k++) {
        const wend_cell cell = reader.cell;
        const uint32_t apart = steps_apart(version, in_traffic->at, cell);
        const bool is_end = reader.left == 0;
        if (apart <= least && (apart == 0 || !is_end) && apart <= MOST_APART &&
            is_in_sight(version, in_traffic->mover, in_traffic->at, cell)) {
            least = apart;
            best = k;
            *found = cell;
        }
        if (apart == 0 || !wend__path_reader_next(&reader)) break;
        const bool leaps = wend__body_leaps(version, in_traffic->size, cell, reader.cell);
        if (leaps && !wend__same_cell(reader.cell, in_traffic->at)) break;
    }
    return best;
}

bool wend__path_body_moved(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent_path *path = &crowd->agents[index].path;
    if (path->stored.steps == 0) { /* a path that ends here, or none */
        const bool at_end = path->kind == WEND__PATH_NONE || wend__same_cell(crowd->in_traffic[index].at, path->end);
        if (at_end) path->base = path->end = crowd->in_traffic[index].at;
        path->recent_count = 0;
        return at_end;
    }
    wend_cell base = path->base;
    const uint32_t passed = find_nearest(crowd, version, index, &base);
    if (passed != UINT32_MAX) {
        wend__path_drop(crowd, index, passed);
        path->base = base;
        path->recent_count = 0;
        return true;
    }
    const wend__near_state near = wend__near_find(crowd, version, index);
    if (near == WEND__NEAR_FOUND && wend__path_join_by_field(crowd, version, index)) return true;
    path->recent_count = WEND__RECENT_CELLS + 1;
    return near != WEND__NEAR_NONE;
}
