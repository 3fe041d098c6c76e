/* SPDX-License-Identifier: MIT */
/* A body's way round a gap of its path. Searches see only cells: past two corners with obstacles that stay, or blocked
 * ground, a diagonal step costs as much as others, but a wide disc stops there. Then a search in a small square finds a
 * way to a later cell of the path. For that search obstacles that stay and narrow gaps block. */
#include "agents/plan/path.h"

#include "agents/plan/path_request.h"
#include "agents/state/bodies.h"
#include "map/movers/views.h"
#include "map/store/directions.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"

enum {
    RADIUS = 16, ///< half the side of the square; no step leads out of the cells on its rim
    SIDE = 2 * RADIUS + 1,
    CELLS = SIDE * SIDE,
    GAP_WITHIN = 6, ///< steps of the path in which a gap stops a body
    MEETS = 64,     ///< steps of the path among which the way may end
    LONGEST = 1024, ///< cells of the path that are kept; a longer one is searched again from there
    CELL = 1000,
    HALF = CELL / 2
};

/// The corner of a diagonal step, in thousandths of a cell: a disc that stays. Radius 0 where the corners meet stands
/// for blocked ground.
typedef struct corner {
    int64_t x, y, radius;
    bool open, unit; ///< a unit of the host: no centre enters its cell or slides along it
} corner;

/// The search: each cell is expanded again when its cost has decreased.
typedef struct square {
    int32_t x, y; ///< first cell of the square
    uint32_t costs[CELLS];
    uint8_t ways[CELLS]; ///< direction of the step by which a cell was reached
    bool stays[CELLS], waits[CELLS];
    uint16_t queue[CELLS];
} square;

/* Returns whether an agent stays where it is for as long as the host lets it. */
static bool is_fixed(const wend_crowd *crowd, uint32_t other) {
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[other];
    if (crowd->phase[other] == WEND__PHASE_STEPPING) return false;
    return in_traffic->parked || in_traffic->steered;
}

/* Returns whether a unit of the host, or an agent that it parks or steers, stays on a cell. */
static bool is_taken_for_good(const wend_crowd *crowd, uint32_t index, wend_cell cell) {
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    if (holder == WEND__NO_AGENT) return wend__map_occupants(crowd->def.map, cell) > 0;
    return holder != (int32_t)index && is_fixed(crowd, (uint32_t)holder);
}

static corner corner_at(const wend_crowd *crowd, const wend__version *view, uint32_t index, wend_cell cell, int64_t x,
                        int64_t y) {
    const corner meets = {x, y, 0, false, false};
    wend_cell facing;
    if (!wend__map_has(crowd->def.map, cell) || wend__cell_factor(view, cell) == 0) return meets;
    const int32_t holder = wend__traffic_holder(crowd->traffic, cell);
    if (!is_taken_for_good(crowd, index, cell)) return (corner){.open = true};
    if (holder == WEND__NO_AGENT) return (corner){.unit = true};
    if (!crowd->in_traffic[holder].body) return (corner){cell.x * CELL, cell.y * CELL, HALF, false, false};
    const wend_point at = wend__body_point(crowd, (uint32_t)holder, &facing);
    return (corner){at.x, at.y, wend__body_radius_milli(crowd, (uint32_t)holder), false, false};
}

/* Returns whether a disc is too wide for a diagonal step between two corners, or a unit is at one of them. */
static bool is_too_narrow(const wend_crowd *crowd, const wend__version *view, uint32_t index, wend_cell from,
                          wend_cell to) {
    const int64_t x = (int64_t)(from.x + to.x) * HALF, y = (int64_t)(from.y + to.y) * HALF;
    if (from.x == to.x || from.y == to.y) return false;
    const corner a = corner_at(crowd, view, index, (wend_cell){to.x, from.y, 0}, x, y);
    const corner b = corner_at(crowd, view, index, (wend_cell){from.x, to.y, 0}, x, y);
    if (a.unit || b.unit) return true;
    if (crowd->in_traffic[index].body) return !a.open || !b.open; /* a disc that steps needs both */
    if (a.open || b.open) return false;
    const int64_t needs = a.radius + b.radius + 2 * (int64_t)wend__body_radius_milli(crowd, index);
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) < needs * needs;
}

/* Returns the number of the first step of the path, counted from 1, that leads through a gap; 0: none near. */
static uint32_t find_gap(const wend_crowd *crowd, const wend__version *view, uint32_t index) {
    const wend__agent_path *path = &crowd->agents[index].path;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    wend_cell from = reader.cell;
    for (uint32_t k = 1; k <= GAP_WITHIN && wend__path_reader_next(&reader); k++, from = reader.cell)
        if (wend__flat_direction(reader.cell.x - from.x, reader.cell.y - from.y) >= 0 &&
            is_too_narrow(crowd, view, index, from, reader.cell))
            return k;
    return 0;
}

static int32_t place_of(const square *s, wend_cell cell) {
    const int32_t x = cell.x - s->x, y = cell.y - s->y;
    return x > 0 && y > 0 && x < SIDE - 1 && y < SIDE - 1 ? y * SIDE + x : -1;
}

static wend_cell cell_at(const square *s, int32_t place) {
    return (wend_cell){s->x + place % SIDE, s->y + place / SIDE, 0};
}

/* Computes the least costs from the agent's cell to all of the square. */
static void search(square *s, const wend_crowd *crowd, const wend__version *view, uint32_t index) {
    const wend_cell at = crowd->in_traffic[index].at;
    uint32_t first = 0, count = 1;
    s->x = at.x - RADIUS, s->y = at.y - RADIUS;
    memset(s->costs, 0xFF, sizeof s->costs);
    memset(s->waits, 0, sizeof s->waits);
    for (int32_t k = 0; k < CELLS; k++)
        s->stays[k] = wend__map_has(crowd->def.map, cell_at(s, k)) && is_taken_for_good(crowd, index, cell_at(s, k));
    s->queue[0] = (uint16_t)place_of(s, at);
    s->costs[s->queue[0]] = 0;
    while (count-- > 0) {
        const int32_t k = s->queue[first];
        const wend_cell from = cell_at(s, k);
        first = first + 1 < CELLS ? first + 1 : 0;
        s->waits[k] = false;
        for (uint32_t mask = wend__version_steps(view, from.x, from.y); mask; mask &= mask - 1) {
            const unsigned d = wend__ctz32(mask);
            const wend_cell to = {from.x + wend__dx[d], from.y + wend__dy[d], 0};
            const int32_t next = place_of(s, to);
            if (next < 0 || s->stays[next] || !wend__map_has(crowd->def.map, to)) continue;
            const int32_t price = d < WEND__NE ? view->rules.cost_straight : view->rules.cost_diagonal;
            const uint32_t cost = s->costs[k] + (uint32_t)price * wend__cell_factor(view, to);
            if (cost >= s->costs[next] || is_too_narrow(crowd, view, index, from, to)) continue;
            s->costs[next] = cost, s->ways[next] = (uint8_t)d;
            if (s->waits[next]) continue;
            s->waits[next] = true;
            s->queue[(first + count++) % CELLS] = (uint16_t)next;
        }
    }
}

/* Finds the cell of the path behind the gap with the least cost of the way to it plus the rest from there. */
static uint32_t find_meeting(const square *s, const wend_crowd *crowd, const wend__version *view, uint32_t index,
                             uint32_t gap) {
    const wend__agent_path *path = &crowd->agents[index].path;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    uint32_t best = 0;
    int64_t walked = 0, least = INT64_MAX;
    for (uint32_t k = 1; k <= MEETS; k++) {
        const wend_cell from = reader.cell;
        if (!wend__path_reader_next(&reader)) break;
        const int32_t d = wend__flat_direction(reader.cell.x - from.x, reader.cell.y - from.y);
        if (d < 0) break; /* a link, or a step over the rim */
        walked += (int64_t)(d < WEND__NE ? view->rules.cost_straight : view->rules.cost_diagonal) *
                  wend__cell_factor(view, reader.cell);
        const int32_t place = place_of(s, reader.cell);
        if (k < gap || place < 0 || s->costs[place] == UINT32_MAX || s->costs[place] - walked >= least) continue;
        least = s->costs[place] - walked, best = k;
    }
    return best;
}

/* Writes the way to a cell of the path, and the path from there.
 * @param left   how many cells the path has from there
 * @return how many cells */
static size_t write_way(const square *s, const wend_crowd *crowd, uint32_t index, uint32_t meeting, wend_cell *cells,
                        uint32_t *left) {
    const wend__agent_path *path = &crowd->agents[index].path;
    wend__path_reader reader = wend__path_read(&crowd->paths, &path->stored, path->base);
    const wend_cell at = crowd->in_traffic[index].at;
    size_t count = 1;
    for (uint32_t k = 0; k < meeting; k++) (void)wend__path_reader_next(&reader);
    wend_cell cell = reader.cell;
    for (; !wend__same_cell(cell, at) && count < CELLS; count++) {
        const unsigned d = s->ways[place_of(s, cell)];
        cell = (wend_cell){cell.x - wend__dx[d], cell.y - wend__dy[d], 0};
    }
    cell = reader.cell;
    for (size_t k = count; k > 1; k--) {
        const unsigned d = s->ways[place_of(s, cell)];
        cells[k - 1] = cell;
        cell = (wend_cell){cell.x - wend__dx[d], cell.y - wend__dy[d], 0};
    }
    cells[0] = at;
    *left = reader.left;
    while (count < CELLS + LONGEST && wend__path_reader_next(&reader)) cells[count++] = reader.cell;
    return count;
}

bool wend__detour_take(wend_crowd *crowd, const wend__version *version, uint32_t index) {
    wend__agent *agent = &crowd->agents[index];
    const wend__traffic_agent *in_traffic = &crowd->in_traffic[index];
    wend_cell cells[CELLS + LONGEST];
    square s;
    uint32_t left;
    if (!in_traffic->body || in_traffic->size > 1 || version->sheets || version->rules.neighbours != 8) return false;
    if (crowd->counts.updates < agent->request.due) return false; /* at the rate of searches */
    if (agent->goal.kind == WEND__GOAL_ROUTE || agent->path.recent_count > 0 || agent->path.kind == WEND__PATH_NONE)
        return false;
    const wend__version *view = wend__version_view(version, in_traffic->mover);
    const uint32_t gap = find_gap(crowd, view, index);
    if (gap == 0 || !wend__crowd_work_begin(crowd, index, WEND__WORK_NEAR_FIELD)) return false;
    search(&s, crowd, view, index);
    const uint32_t meeting = find_meeting(&s, crowd, view, index, gap);
    if (meeting == 0) return false;
    const size_t count = write_way(&s, crowd, index, meeting, cells, &left);
    const bool whole = left <= LONGEST;
    if (!whole && agent->path.kind == WEND__PATH_LEG) return false;
    const uint8_t ends = whole ? agent->path.kind : WEND__PATH_PIECE;
    wend__path_request_drop(crowd, index);
    if (!wend__path_splice(crowd, index, cells, count, ends)) return false;
    agent->path.bends_until = whole ? left + 1 : 1; /* what stays blocks the straight line */
    agent->stall.stood = 0;
    wend__events_add_reroute(crowd, index);
    return true;
}
