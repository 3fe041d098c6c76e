/* SPDX-License-Identifier: MIT */
/* The search backwards: the cells that lead to a goal; and the nearest reachable cell that does not. */
#include "search/enclosed/enclosure.h"

#include "map/ground/within.h"
#include "map/components/components.h"
#include "map/kinds/voxels.h"
#include "map/kinds/walkers.h"
#include "map/movers/views.h"
#include "map/nearest/nearest.h"
#include "map/store/directions.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "search/request/request.h"

#include <stdlib.h>

#include <string.h>

enum {
    CELLS_PER_EXPANSION = 8, ///< tested near goals
    MOST_SEEDS = 800,        ///< cells within reach of goals: more are not tested
    MOST_SPENT = 300,        ///< expansions backwards for a nearest search
    MOST_AT_ONCE = 1 << 16
};

/* ---- cells that lead to a goal ---- */

static uint8_t *place_in_table(wend__enclosure *e, uint32_t number) {
    uint32_t at = number * UINT32_C(2654435769) >> 23; /* 9 bits */
    while (e->table[at] && e->cells[e->table[at] - 1] != number) at = (at + 1) % WEND__ENCLOSURE_TABLE;
    return &e->table[at];
}

static bool is_start(const wend__search *s, wend_cell cell) {
    return cell.x == s->start.x && cell.y == s->start.y && cell.z == s->start.z;
}

bool wend__enclosure_taken(const wend__search *s, wend_cell cell) {
    if (s->request.occupied != WEND_OCCUPIED_BLOCK) return false;
    return wend__map_occupied_in(s->version->map, cell, s->enclosure.mover_size, &s->seen);
}

/* Adds a cell to the cells that lead to a goal. Returns false if they are too many, or it is the start. */
static bool add_cell(wend__search *s, wend_cell cell) {
    wend__enclosure *e = &s->enclosure;
    if (is_start(s, cell)) return false;
    if (wend__cell_factor(s->view, cell) == 0 || wend__enclosure_taken(s, cell))
        return true; /* the mover cannot enter this cell */
    const uint32_t number = wend__cell_number(s->version, cell);
    uint8_t *place = place_in_table(e, number);
    if (*place) return true;
    if (e->count == WEND__ENCLOSURE_CELLS) return false;
    e->cells[e->count] = number;
    e->stack[e->pending++] = (uint8_t)e->count;
    *place = (uint8_t)++e->count;
    return true;
}

static bool has_cell(wend__enclosure *e, uint32_t number) {
    return *place_in_table(e, number) != 0;
}

/* ---- walks around goals ---- */

static int32_t rise_of(const wend__search *s, int32_t reach) {
    return s->view->kind == WEND_KIND_VOXEL ? reach : 0;
}

static void begin_walk(const wend__search *s, wend__enclosure *e, int32_t reach) {
    e->offset = (wend_cell){-reach, -reach, -rise_of(s, reach)};
}

/* Goes to the next cell of the box that is `reach` cells around a goal. False: there are no more. */
static bool next_offset(const wend__search *s, wend__enclosure *e, int32_t reach) {
    wend_cell *o = &e->offset;
    if (++o->x <= reach) return true;
    o->x = -reach;
    if (++o->y <= reach) return true;
    o->y = -reach;
    return ++o->z <= rise_of(s, reach);
}

static bool cell_here(const wend__search *s, wend_cell *out) {
    const wend_cell goal = s->goals[s->enclosure.goal], o = s->enclosure.offset;
    const int32_t around_x = s->view->around_x, around_y = s->view->around_y;
    if ((around_x && abs(o.x) >= around_x) || (around_y && abs(o.y) >= around_y))
        return false; /* all were met before */
    *out = wend__wrapped_cell(s->view, (wend_cell){goal.x + o.x, goal.y + o.y, goal.z + o.z});
    return wend__on_map(s->view, out->x, out->y) && (uint32_t)out->z < (uint32_t)s->view->depth;
}

/* Pays for one cell. Returns false if the budget is spent. */
static bool pay_for_cell(wend__enclosure *e, uint64_t *used, uint64_t budget) {
    if (e->credit == 0) {
        if (*used == budget) return false;
        ++*used;
        e->spent++;
        e->credit = CELLS_PER_EXPANSION;
    }
    e->credit--;
    return true;
}

/* ---- the nearest cell ---- */

/* Returns whether units, links or closed steps may enclose the nearest cell. */
static bool is_doubtful(const wend__search *s) {
    return s->request.occupied == WEND_OCCUPIED_BLOCK || s->version->links || s->version->closed_steps > 0;
}

/* Returns whether the search may end in a cell of a component that it can reach. */
static bool may_end_in(void *context, wend_cell cell) {
    wend__search *s = context;
    if (is_start(s, cell)) return true;
    if (s->enclosure.count > 0 && has_cell(&s->enclosure, wend__cell_number(s->version, cell))) return false;
    return !wend__enclosure_taken(s, cell);
}

static wend__nearest_query query_of(wend__search *s) {
    return (wend__nearest_query){.goals = s->goals,
                                 .goal_count = s->request.more_goal_count + 1,
                                 .accept = is_doubtful(s) ? may_end_in : NULL,
                                 .context = s};
}

static bool add_component(wend__search *s, wend_cell cell) {
    if (wend__cell_factor(s->view, cell) == 0) return true;
    return wend__nearest_add(&s->enclosure.nearest, wend__component_name(s->view, cell));
}

/* Components that contain the start. A blocked one is in none, but its steps may lead into some. False: they are
 * unknown, as its edges or links may lead anywhere. */
static bool add_components(wend__search *s) {
    const wend_cell at = s->start;
    if (wend__cell_factor(s->view, at) > 0) return add_component(s, at);
    if (s->view->kind == WEND_KIND_GRAPH || s->version->links) return false;
    bool known = true;
    if (s->view->kind == WEND_KIND_GRID)
        for (uint32_t steps = wend__version_steps(s->view, at.x, at.y); steps; steps &= steps - 1) {
            const unsigned d = wend__ctz32(steps);
            known = known && add_component(s, (wend_cell){at.x + wend__dx[d], at.y + wend__dy[d], 0});
        }
    else
        for (uint32_t steps = wend__voxel_steps(s->view, at); steps; steps &= steps - 1) {
            const unsigned d = wend__ctz32(steps);
            known = known && add_component(s, (wend_cell){at.x + wend__sx[d], at.y + wend__sy[d], at.z + wend__sz[d]});
        }
    wend__level_step levels[WEND__LEVEL_STEPS];
    for (uint32_t i = 0, count = wend__level_steps(s->view, at, false, levels); i < count; i++)
        known = known && add_component(s, levels[i].cell);
    return known;
}

/* The start itself counts, blocked or not. */
static void go_for_nearest(wend__search *s) {
    const wend__nearest_query query = query_of(s);
    const wend__nearness nearness = wend__nearness_to(s->version, query.goals, query.goal_count, s->start);
    wend__nearest_consider(&s->enclosure.nearest, &query, nearness, s->start);
    s->enclosure.state = WEND__ENCLOSURE_NEAREST;
    s->enclosure.points = 0;
}

static bool begin_nearest(wend__search *s) {
    wend__nearest_begin(&s->enclosure.nearest, s->view, WEND__NEAREST_FAR);
    s->enclosure.nearest.any = false;
    if (!add_components(s)) return false;
    go_for_nearest(s);
    return true;
}

/* ---- the order of stages ---- */

static void begin_back(wend__enclosure *e) {
    e->state = WEND__ENCLOSURE_BACK;
    e->credit = 0;
}

static void begin_set(wend__enclosure *e) {
    e->count = e->pending = e->spent = e->credit = e->goal = 0;
    memset(e->table, 0, sizeof e->table);
}

static void begin_seeds(wend__search *s) {
    s->enclosure.state = WEND__ENCLOSURE_SEEDS;
    begin_set(&s->enclosure);
    begin_walk(s, &s->enclosure, s->request.reach);
}

/* Ends the enclosure. The search goes on, to the nearest cell if one was found. */
static void end_enclosure(wend__search *s) {
    s->enclosure.state = WEND__ENCLOSURE_DONE;
    s->enclosure.turns = s->enclosure.found && !s->enclosure.aimed;
}

/* Handles that only cells in the set lead to a goal, or to the nearest cell so far, and the start is not among them. */
static void conclude_enclosed(wend__search *s) {
    wend__enclosure *e = &s->enclosure;
    if (s->request.mode != WEND_MODE_NEAREST) {
        s->status = WEND_STATUS_NO_PATH;
    } else if (e->found) {
        wend__nearest_again(&e->nearest);
        go_for_nearest(s);
    } else if (!begin_nearest(s)) {
        end_enclosure(s);
    }
}

static uint64_t add_seeds(wend__search *s, uint64_t budget) {
    wend__enclosure *e = &s->enclosure;
    uint64_t used = 0;
    for (wend_cell cell; pay_for_cell(e, &used, budget);) {
        /* A blocked start is not a goal. */
        if (cell_here(s, &cell) && wend__cell_factor(s->view, cell) > 0 && !add_cell(s, cell)) {
            end_enclosure(s);
            return used;
        }
        if (next_offset(s, e, s->request.reach)) continue;
        begin_walk(s, e, s->request.reach);
        if (e->goal++ < s->request.more_goal_count) continue;
        begin_back(e);
        if (e->pending == 0) conclude_enclosed(s);
        return used;
    }
    return used;
}

static uint64_t go_back(wend__search *s, uint64_t budget) {
    wend__enclosure *e = &s->enclosure;
    uint64_t used = 0;
    while (e->pending > 0 && used < budget) {
        const uint32_t number = e->cells[e->stack[--e->pending]];
        used++;
        e->spent++;
        const bool expensive = s->request.mode == WEND_MODE_NEAREST && e->spent >= MOST_SPENT;
        if (expensive || !wend__predecessors(s, wend__cell_of_number(s->version, number), add_cell)) {
            end_enclosure(s);
            return used;
        }
    }
    if (e->pending == 0) conclude_enclosed(s);
    return used;
}

/* Begins to search back from the nearest cell, which may be enclosed, too. */
static void go_back_from_target(wend__search *s) {
    begin_back(&s->enclosure);
    if (s->enclosure.spent >= MOST_SPENT || !add_cell(s, s->enclosure.target)) end_enclosure(s);
}

/* Sends the search to the nearest cell. The first time the search goes there before it searches backwards: the cell
 * itself may be enclosed. */
static void use_nearest(wend__search *s) {
    wend__enclosure *e = &s->enclosure;
    const bool first = !e->found;
    e->found = e->nearest.found;
    e->target = e->nearest.best;
    e->aimed = false;
    if (e->found && is_start(s, e->target)) {
        s->status = WEND_STATUS_PARTIAL; /* its cost and steps are 0 */
        e->state = WEND__ENCLOSURE_DONE;
    } else if (!e->found || !is_doubtful(s)) {
        end_enclosure(s);
    } else if (!first) {
        go_back_from_target(s);
    } else {
        e->state = WEND__ENCLOSURE_WAITS;
        e->turns = true;
    }
}

static int64_t floor_expansions(int64_t points) {
    const int64_t whole = points / WEND__EXPANSION_POINTS;
    return points % WEND__EXPANSION_POINTS < 0 ? whole - 1 : whole;
}

/* Points are paid in advance, so that the count does not depend on slices. */
static uint64_t look_for_nearest(wend__search *s, uint64_t budget) {
    wend__enclosure *e = &s->enclosure;
    const wend__nearest_query query = query_of(s);
    const uint64_t most = budget < MOST_AT_ONCE ? budget : MOST_AT_ONCE;
    e->points += (int64_t)most * WEND__EXPANSION_POINTS;
    if (e->points > 0) e->points -= (int64_t)wend__nearest_step(&e->nearest, &query, (uint64_t)e->points);
    if (!e->nearest.done) return most;
    const int64_t unspent = floor_expansions(e->points - 1); /* with nothing left, it would not have ended */
    use_nearest(s);
    return (uint64_t)((int64_t)most - unspent);
}

uint64_t wend__enclosure_step(wend__search *s, uint64_t budget) {
    wend__enclosure *e = &s->enclosure;
    uint64_t used = 0;
    if (e->state == WEND__ENCLOSURE_WAITS) {
        if (e->aimed)
            go_back_from_target(s);
        else
            begin_seeds(s);
        if (wend__goal_in_the_open(s)) end_enclosure(s);
    }
    while (used < budget && e->state > WEND__ENCLOSURE_WAITS && s->status == WEND_STATUS_PENDING) {
        if (e->state == WEND__ENCLOSURE_SEEDS)
            used += add_seeds(s, budget - used);
        else if (e->state == WEND__ENCLOSURE_BACK)
            used += go_back(s, budget - used);
        else
            used += look_for_nearest(s, budget - used);
    }
    return used;
}

/* ---- beginning ---- */

/* Returns whether cells within reach of a goal lie beyond a seam, where the walks around goals do not come. */
static bool reaches_over_seams(const wend__search *s) {
    if (!s->version->sheets || s->request.reach == 0) return false;
    for (uint32_t i = 0; i <= s->request.more_goal_count; i++)
        if (!wend__is_one_part(s->version, s->goals[i], s->request.reach)) return true;
    return false;
}

/* Returns whether a search backwards from the goals pays. */
static bool is_worth_it(const wend__search *s) {
    const uint64_t side = 2 * (uint64_t)s->request.reach + 1;
    const uint64_t box = s->view->kind == WEND_KIND_VOXEL ? side * side * side : side * side;
    return box * (s->request.more_goal_count + 1) <= MOST_SEEDS;
}

void wend__enclosure_begin(wend__search *s) {
    wend__enclosure *e = &s->enclosure;
    const wend__request *request = &s->request;
    e->state = WEND__ENCLOSURE_DONE;
    e->aimed = e->found = e->turns = false;
    e->after = WEND__ENCLOSURE_AFTER;
    if (s->status != WEND_STATUS_PENDING) return;
    const bool blocks = request->occupied == WEND_OCCUPIED_BLOCK, nearest = request->mode == WEND_MODE_NEAREST;
    if (WEND__LIKELY(!blocks && !nearest)) return;
    e->mover_size = wend__version_mover_size(s->version, request->mover);
    if (nearest && !wend__request_may_arrive(s->version, request)) {
        begin_set(e);
        if (begin_nearest(s)) return;
    }
    if (blocks && is_worth_it(s) && !reaches_over_seams(s)) e->state = WEND__ENCLOSURE_WAITS;
}
