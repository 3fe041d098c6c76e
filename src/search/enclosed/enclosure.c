/* SPDX-License-Identifier: MIT */
/* The backward look: the cells that lead to a goal, and the nearest cell that does not. */
#include "search/enclosed/enclosure.h"

#include "map/movers/views.h"
#include "map/query/nearest.h"
#include "map/query/reachable.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "search/enclosed/open_goal.h"
#include "search/enclosed/predecessors.h"
#include "search/request/request.h"
#include "search/rules/distance.h"

#include <string.h>

enum {
    CELLS_PER_EXPANSION = 8, ///< looked at near goals
    MOST_SEEDS = 800,        ///< cells within reach of goals: more are not looked at
    MOST_SPENT = 300,        ///< expansions of a look for the nearest cell
    LOOK_FLAT = 32,          ///< how far from a goal the nearest cell is looked for
    LOOK_SPACE = 10
};

/* ---- cells that lead to a goal ---- */

static uint8_t *place_in_table(wend__enclosure *look, uint32_t number) {
    uint32_t at = number * UINT32_C(2654435769) >> 23; /* 9 bits */
    while (look->table[at] && look->cells[look->table[at] - 1] != number) at = (at + 1) % WEND__ENCLOSURE_TABLE;
    return &look->table[at];
}

/* Can the mover enter the cell now? */
static bool can_enter(const wend__search *s, wend_cell cell) {
    const wend__enclosure *look = &s->enclosure;
    return wend__cell_factor(s->view, cell) > 0 &&
           !wend__map_occupied(s->version->map, cell, look->mover_size, s->start, look->occupied_within);
}

/* Add a cell to those that lead to a goal. False where the look may end: there are too many, or it is the start. */
static bool add_cell(wend__search *s, wend_cell cell) {
    wend__enclosure *look = &s->enclosure;
    if (cell.x == s->start.x && cell.y == s->start.y && cell.z == s->start.z) return false;
    if (!can_enter(s, cell)) return true;
    const uint32_t number = wend__cell_number(s->version, cell);
    uint8_t *place = place_in_table(look, number);
    if (*place) return true;
    if (look->count == WEND__ENCLOSURE_CELLS) return false;
    look->cells[look->count] = number;
    look->stack[look->pending++] = (uint8_t)look->count;
    *place = (uint8_t)++look->count;
    return true;
}

static bool has_cell(wend__enclosure *look, uint32_t number) {
    return *place_in_table(look, number) != 0;
}

/* ---- walks around goals ---- */

static int32_t rise_of(const wend__search *s, int32_t reach) {
    return s->view->kind == WEND_KIND_VOXEL ? reach : 0;
}

static void begin_walk(const wend__search *s, wend__enclosure *look, int32_t reach) {
    look->offset = (wend_cell){-reach, -reach, -rise_of(s, reach)};
}

/* The next cell of the box that is `reach` cells around a goal; of its rim only, where `hollow`. False: no more. */
static bool next_offset(const wend__search *s, wend__enclosure *look, int32_t reach, bool hollow) {
    wend_cell *o = &look->offset;
    const int32_t rise = rise_of(s, reach);
    const bool inside = o->y > -reach && o->y < reach && (rise == 0 || (o->z > -rise && o->z < rise));
    o->x += hollow && inside && o->x == -reach && reach > 0 ? 2 * reach : 1;
    if (o->x <= reach) return true;
    o->x = -reach;
    if (++o->y <= reach) return true;
    o->y = -reach;
    return ++o->z <= rise;
}

static bool cell_here(const wend__search *s, wend_cell *out) {
    const wend_cell goal = s->enclosure.goals[s->enclosure.goal], o = s->enclosure.offset;
    *out = (wend_cell){goal.x + o.x, goal.y + o.y, goal.z + o.z};
    return wend__on_map(s->view, out->x, out->y) && (uint32_t)out->z < (uint32_t)s->view->depth;
}

/* Pay for one cell. False: the budget is spent. */
static bool pay_for_cell(wend__enclosure *look, uint64_t *used, uint64_t budget) {
    if (look->credit == 0) {
        if (*used == budget) return false;
        ++*used;
        look->spent++;
        look->credit = CELLS_PER_EXPANSION;
    }
    look->credit--;
    return true;
}

/* ---- the parts of a look ---- */

static void begin_seeds(wend__search *s) {
    wend__enclosure *look = &s->enclosure;
    look->state = WEND__LOOK_SEEDS;
    look->count = look->pending = look->spent = look->credit = look->goal = 0;
    memset(look->table, 0, sizeof look->table);
    begin_walk(s, look, look->reach);
}

static void begin_back(wend__enclosure *look) {
    look->state = WEND__LOOK_BACK;
    look->credit = 0;
}

static void begin_nearest(wend__search *s) {
    wend__enclosure *look = &s->enclosure;
    look->state = WEND__LOOK_NEAREST;
    look->goal = 0, look->credit = 0, look->ring = 0;
    look->found = false;
    begin_walk(s, look, 0);
}

/* No cell but those in the set leads to a goal, and the start is none of them. */
static void conclude_enclosed(wend__search *s) {
    if (s->enclosure.mode == WEND_MODE_NEAREST)
        begin_nearest(s);
    else
        s->status = s->enclosure.count > 0 ? WEND_STATUS_NO_PATH : WEND_STATUS_GOAL_BLOCKED;
}

/* Nothing was learnt of the goals; but where a nearest cell was found, the search goes there. */
static void end_look(wend__search *s) {
    wend__enclosure *look = &s->enclosure;
    look->state = WEND__LOOK_DONE;
    look->aimed = look->found;
}

static uint64_t add_seeds(wend__search *s, uint64_t budget) {
    wend__enclosure *look = &s->enclosure;
    uint64_t used = 0;
    for (wend_cell cell; pay_for_cell(look, &used, budget);) {
        /* A blocked start is no goal. */
        if (cell_here(s, &cell) && wend__cell_factor(s->view, cell) > 0 && !add_cell(s, cell)) {
            end_look(s);
            return used;
        }
        if (next_offset(s, look, look->reach, false)) continue;
        begin_walk(s, look, look->reach);
        if (++look->goal < look->goal_count) continue;
        begin_back(look);
        if (look->pending == 0) conclude_enclosed(s);
        return used;
    }
    return used;
}

static uint64_t go_back(wend__search *s, uint64_t budget) {
    wend__enclosure *look = &s->enclosure;
    uint64_t used = 0;
    while (look->pending > 0 && used < budget) {
        const uint32_t number = look->cells[look->stack[--look->pending]];
        used++;
        look->spent++;
        const bool dear = look->mode == WEND_MODE_NEAREST && look->spent >= MOST_SPENT;
        if (dear || !wend__predecessors(s, wend__cell_of_number(s->version, number), add_cell)) {
            end_look(s);
            return used;
        }
    }
    if (look->pending == 0) conclude_enclosed(s);
    return used;
}

/* ---- the nearest cell ---- */

static uint64_t nearness_of(const wend__search *s, wend_cell cell) {
    const wend__enclosure *look = &s->enclosure;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < look->goal_count; i++) {
        const wend_cell goal = look->goals[i];
        const uint64_t way = wend__empty_way(&s->version->rules, wend__distance(cell.x, goal.x),
                                             wend__distance(cell.y, goal.y), wend__distance(cell.z, goal.z));
        if (way < least) least = way;
    }
    return least;
}

static bool is_start(const wend__search *s, wend_cell cell) {
    return cell.x == s->start.x && cell.y == s->start.y && cell.z == s->start.z;
}

/* Might the search end in the cell? A blocked start is in no component. */
static bool may_end_in(wend__search *s, wend_cell cell) {
    if (is_start(s, cell)) return true;
    if (!can_enter(s, cell) || has_cell(&s->enclosure, wend__cell_number(s->version, cell))) return false;
    return wend__cell_factor(s->view, s->start) == 0 || wend__version_connected(s->version, s->mover, s->start, cell);
}

static void consider(wend__search *s, wend_cell cell) {
    wend__enclosure *look = &s->enclosure;
    const uint64_t nearness = nearness_of(s, cell);
    if (look->found && nearness > look->nearness) return;
    if (look->found && nearness == look->nearness && !wend__earlier(cell, look->target)) return;
    if (!may_end_in(s, cell)) return;
    look->found = true;
    look->target = cell;
    look->nearness = nearness;
}

/* All rings that may hold a nearer cell, or one as near that comes first, are looked at. */
static bool is_sure(const wend__search *s) {
    const wend__enclosure *look = &s->enclosure;
    return look->found && (uint64_t)look->ring * (uint32_t)s->version->rules.cost_straight > look->nearness;
}

/* The nearest cell is known. Is it enclosed, too? */
static void go_on_from_target(wend__search *s) {
    begin_back(&s->enclosure);
    if (!add_cell(s, s->enclosure.target)) end_look(s);
}

/* It is too far, or too dear to find. */
static bool is_hopeless(const wend__search *s) {
    const wend__enclosure *look = &s->enclosure;
    const int32_t farthest = s->view->kind == WEND_KIND_GRID ? LOOK_FLAT : LOOK_SPACE;
    return look->ring > farthest || (look->credit == 0 && look->spent >= MOST_SPENT);
}

/* Go on to the next cell: of the ring, of that around the next goal, or of the next ring. */
static void advance(const wend__search *s, wend__enclosure *look) {
    if (next_offset(s, look, look->ring, true)) return;
    if (++look->goal == look->goal_count) {
        look->goal = 0;
        look->ring++;
    }
    begin_walk(s, look, look->ring);
}

static uint64_t look_for_nearest(wend__search *s, uint64_t budget) {
    wend__enclosure *look = &s->enclosure;
    uint64_t used = 0;
    while (!is_hopeless(s)) {
        wend_cell cell;
        if (!pay_for_cell(look, &used, budget)) return used;
        if (cell_here(s, &cell)) consider(s, cell);
        advance(s, look);
        if (look->goal > 0 || !is_sure(s)) continue;
        go_on_from_target(s);
        return used;
    }
    look->found = false;
    end_look(s);
    return used;
}

uint64_t wend__enclosure_step(wend__search *s, uint64_t budget) {
    wend__enclosure *look = &s->enclosure;
    uint64_t used = 0;
    if (look->state == WEND__LOOK_WAITS) {
        begin_seeds(s);
        if (wend__goal_in_the_open(s)) end_look(s);
    }
    while (used < budget && look->state != WEND__LOOK_DONE && s->status == WEND_STATUS_PENDING) {
        if (look->state == WEND__LOOK_SEEDS)
            used += add_seeds(s, budget - used);
        else if (look->state == WEND__LOOK_BACK)
            used += go_back(s, budget - used);
        else
            used += look_for_nearest(s, budget - used);
    }
    return used;
}

/* ---- beginning ---- */

static void take_request(wend__search *s, const wend_request *request) {
    wend__enclosure *look = &s->enclosure;
    look->mode = request->mode, look->reach = request->reach;
    look->heuristic = request->heuristic, look->weight_milli = request->weight_milli;
    look->occupied_within = request->occupied_within;
    look->mover_size = wend__version_mover_size(s->version, request->mover);
    look->goal_count = request->more_goal_count + 1;
    look->goals[0] = request->goal;
    for (uint32_t i = 0; i < request->more_goal_count; i++) look->goals[i + 1] = request->more_goals[i];
}

static bool is_worth_it(const wend__search *s, const wend_request *request) {
    const uint64_t side = 2 * (uint64_t)request->reach + 1;
    const uint64_t box = s->view->kind == WEND_KIND_VOXEL ? side * side * side : side * side;
    if (s->view->kind == WEND_KIND_GRAPH && request->mode == WEND_MODE_NEAREST)
        return false; /* no rings around nodes */
    return s->version->map->occupancy && box * (request->more_goal_count + 1) <= MOST_SEEDS;
}

void wend__enclosure_begin(wend__search *s, const wend_request *request) {
    wend__enclosure *look = &s->enclosure;
    look->state = WEND__LOOK_DONE;
    look->aimed = false;
    if (WEND__LIKELY(request->occupied != WEND_OCCUPIED_BLOCK) || s->status != WEND_STATUS_PENDING) return;
    if (!is_worth_it(s, request)) return;
    take_request(s, request);
    look->state = WEND__LOOK_WAITS;
    look->found = false;
}

wend_request wend__enclosure_request(const wend__search *s) {
    const wend__enclosure *look = &s->enclosure;
    wend_request request = wend__request_default();
    request.map = s->version->map;
    request.start = s->start, request.goal = look->goals[0];
    request.more_goals = &look->goals[1], request.more_goal_count = look->goal_count - 1;
    request.mover = s->mover;
    request.mode = look->mode, request.reach = look->reach;
    request.heuristic = look->heuristic, request.weight_milli = look->weight_milli;
    request.occupied = WEND_OCCUPIED_BLOCK, request.occupied_within = look->occupied_within;
    return request;
}
