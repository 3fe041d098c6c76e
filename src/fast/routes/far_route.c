/* SPDX-License-Identifier: MIT */
/* Finds routes and parts of routes on a far layer. */
#include "fast/routes/far_route.h"

enum {
    AHEAD = 4,
    KEEP = 2,           /* crossings of a part: how far the search goes, and how many of them are kept */
    FLOOD_EFFORT = 500, /* effort of a flood, in expansions of a plain grid */
    GATE_EFFORT = 5,
    START = 0,
    GOAL = 1
};

size_t wend__far_finder_bytes(uint32_t nodes) {
    return sizeof(wend__far_finder) + nodes * (sizeof(wend__far_node) + sizeof(uint32_t));
}

void wend__far_finder_init(wend__far_finder *f, uint32_t nodes) {
    memset(&f->search, 0, sizeof f->search);
    f->ends[START].levels = f->ends[GOAL].levels = 0;
    f->ends[START].layer = f->ends[GOAL].layer = 0; /* no layer */
    f->flood.diagonal = 0;
    f->floods = 0;
    wend__far_search_init(&f->search, f->nodes, (uint32_t *)(f->nodes + nodes), nodes, f->areas, WEND__FAR_AREAS);
}

static void begin(wend__far_finder *f, const wend__version *view, wend_cell goal) {
    f->view = view;
    f->goal = goal;
    f->effort = 0;
    f->search.far = view->far;
    wend__far_flood_init(&f->flood, view->far);
}

/* ---- the two ends ---- */

static uint32_t local_of(wend_cell c) {
    return (uint32_t)(c.y & 63) << 6 | (uint32_t)(c.x & 63);
}

static wend_cell gate_cell(const wend__far *far, wend__far_area a, uint32_t gate) {
    const wend__far_record *r = wend__far_get(far, a);
    return wend__far_cell(a, wend__far_side(r, gate), wend__far_places(r)[gate]);
}

/* Computes the costs between a cell and the others of its chunk. */
static void flood(wend__far_finder *f, int end, wend_cell cell) {
    const wend__far_area a = wend__far_area_at(0, cell);
    wend__far_flood_read(&f->flood, f->view, a.column, a.row);
    wend__far_flood_run(&f->flood, local_of(cell), end == GOAL);
    f->effort += FLOOD_EFFORT;
    f->floods++;
}

/* The goal's chunk is known, but not loaded: the gates that lead to the cell are unknown. */
static void estimate_end(wend__far_finder *f, int end, wend_cell cell) {
    const wend__far_area a = f->areas_of[end];
    for (uint32_t j = 0; j < wend__far_count(wend__far_get(f->search.far, a)); j++)
        f->costs[end][j] = wend__far_estimate(f->search.far, cell, gate_cell(f->search.far, a, j));
}

/* The costs between a cell and the gates of its chunk. */
static void begin_end(wend__far_finder *f, int end, wend_cell cell) {
    const wend__far_area a = f->areas_of[end] = wend__far_area_at(0, cell);
    if (wend__version_chunk(f->view, a.column, a.row)->land != WEND_LAND_LOADED) {
        estimate_end(f, end, cell);
        return;
    }
    flood(f, end, cell);
    for (uint32_t j = 0; j < wend__far_count(wend__far_get(f->search.far, a)); j++)
        f->costs[end][j] = f->flood.distance[local_of(gate_cell(f->search.far, a, j))];
}

/* From the gates of an end's area to those of the area above. */
static void climb(wend__far_finder *f, int end) {
    wend__far_search *s = &f->search;
    const wend__far_area below = f->areas_of[end], a = wend__far_above(below);
    const wend__far_record *r = wend__far_get(s->far, a);
    s->level = below.level;
    s->backwards = end == GOAL;
    s->aimed = false;
    s->within_count = 1;
    s->within[0] = a;
    wend__far_search_begin(s);
    wend__far_search_enter(s, below, f->costs[end]);
    wend__far_search_run(s, UINT64_MAX);
    for (uint32_t j = 0; j < wend__far_count(r); j++) {
        wend__far_area child;
        const uint32_t gate = wend__far_below(s->far, a, wend__far_side(r, j), wend__far_places(r)[j], &child);
        f->costs[end][j] = wend__far_search_cost(s, child, gate);
    }
    f->areas_of[end] = a;
    f->effort += s->expansions * GATE_EFFORT;
}

/* Forgets the costs of an end that belongs to another route, or to another layer. */
static void expect_end(wend__far_finder *f, int end, wend_cell cell) {
    wend__far_end *e = &f->ends[end];
    const uint64_t layer = f->search.far->identity;
    if (e->layer != layer || e->cell.x != cell.x || e->cell.y != cell.y) e->levels = e->told = 0;
    e->layer = layer, e->cell = cell;
}

/* The costs between an end of the route and the gates of its area of that level. */
static void find_end(wend__far_finder *f, int end, wend_cell cell, int32_t level) {
    wend__far_end *e = &f->ends[end];
    expect_end(f, end, cell);
    const int32_t known = e->levels <= level ? e->levels - 1 : level;
    if (known >= 0) {
        f->areas_of[end] = wend__far_area_at(known, cell);
        memcpy(f->costs[end], e->costs[known], sizeof e->costs[known]);
    }
    for (int32_t at = known + 1; at <= level; at++) {
        const uint64_t before = f->effort;
        if (at == 0)
            begin_end(f, end, cell);
        else
            climb(f, end);
        memcpy(e->costs[at], f->costs[end], sizeof e->costs[at]);
        e->effort[at] = f->effort - before;
        f->effort = before;
        e->levels = at + 1;
    }
    for (; e->told <= level; e->told++) f->effort += e->effort[e->told];
}

/* ---- the search ---- */

/* Finds the goal's number of each landmark: the least that the gates around it allow. */
static bool find_goal_numbers(const wend__far_finder *f, uint32_t numbers[WEND__FAR_LANDMARKS]) {
    const wend__far *far = f->search.far;
    const wend__far_area a = f->areas_of[GOAL];
    memset(numbers, 0xFF, WEND__FAR_LANDMARKS * sizeof *numbers);
    for (uint32_t j = 0; j < wend__far_count(wend__far_get(far, a)); j++) {
        const uint32_t *number = wend__far_numbers_at(far, a, j), way = f->costs[GOAL][j];
        if (!number) return false;
        for (unsigned m = 0; m < WEND__FAR_LANDMARKS && way != WEND__FAR_NONE; m++)
            if (number[m] != WEND__FAR_NONE && number[m] + way < numbers[m]) numbers[m] = number[m] + way;
    }
    return true;
}

static void run(wend__far_finder *f, uint32_t weight, uint32_t best) {
    wend__far_search *s = &f->search;
    uint32_t numbers[WEND__FAR_LANDMARKS];
    s->level = f->areas_of[START].level;
    s->backwards = false;
    s->aimed = true;
    s->goal = f->goal;
    s->goal_area = f->areas_of[GOAL];
    s->to_goal = f->costs[GOAL];
    s->goal_numbers =
        s->level == s->far->levels - 1 && s->within_count == 0 && find_goal_numbers(f, numbers) ? numbers : NULL;
    s->weight = weight;
    s->best = best;
    s->best_node = WEND__FAR_NONE;
    wend__far_search_begin(s);
    wend__far_search_enter(s, f->areas_of[START], f->costs[START]);
    wend__far_search_run(s, UINT64_MAX);
    s->goal_numbers = NULL;
    f->effort += s->expansions * GATE_EFFORT;
}

/* Returns a cost in the map's costs, never too low. */
static uint64_t in_map_costs(const wend__far_finder *f, uint32_t units) {
    const wend_map_rules *rules = &f->view->rules;
    const uint64_t straight = (uint64_t)rules->cost_straight * f->search.far->diagonal;
    const uint64_t diagonal = (uint64_t)rules->cost_diagonal * WEND__FAR_STRAIGHT;
    const uint64_t unit = (uint64_t)WEND__FAR_STRAIGHT * f->search.far->diagonal;
    return (units * (straight > diagonal ? straight : diagonal) + unit - 1) / unit;
}

static void read_route(const wend__far_finder *f, wend__far_route *route) {
    const wend__far_search *s = &f->search;
    uint32_t count = 0;
    route->level = s->level;
    route->effort = f->effort;
    route->found = s->best != WEND__FAR_NONE && !s->full;
    route->whole = true;
    for (uint32_t n = s->best_node; route->found && n != WEND__FAR_NONE; n = s->nodes[n].parent) count++;
    route->found = route->found && count <= route->room;
    route->count = route->found ? count : 0;
    if (!route->found) return;
    route->cost = in_map_costs(f, s->best);
    for (uint32_t n = s->best_node; n != WEND__FAR_NONE; n = s->nodes[n].parent) {
        const wend__far_area a = wend__far_search_area(s, &s->nodes[n]);
        const uint32_t gate = s->nodes[n].at & 255;
        const wend_cell cell = gate_cell(s->far, a, gate);
        route->crossings[--count] =
            (wend__far_crossing_at){cell.x, cell.y, wend__far_side(wend__far_get(s->far, a), gate)};
    }
}

/* ---- a route ---- */

static int32_t apart(wend__far_area a, wend__far_area b) {
    const int32_t x = a.column > b.column ? a.column - b.column : b.column - a.column;
    const int32_t y = a.row > b.row ? a.row - b.row : b.row - a.row;
    return x > y ? x : y;
}

static bool allow(wend__far_search *s, wend__far_area a) {
    for (int32_t i = 0; i < s->within_count; i++)
        if (wend__far_same(s->within[i], a)) return true;
    if (!wend__far_has(s->far, a)) return true;
    if (s->within_count == WEND__FAR_WITHIN) return false;
    s->within[s->within_count++] = a;
    return true;
}

/* Lets the search enter the areas of the next level around both ends. */
static void stay_near(wend__far_finder *f) {
    f->search.within_count = 0;
    for (int end = START; end <= GOAL; end++)
        for (int32_t i = 0; i < 9; i++) {
            const wend__far_area a = wend__far_above(f->areas_of[end]);
            allow(&f->search, (wend__far_area){a.level, a.column + i % 3 - 1, a.row + i / 3 - 1});
        }
}

/* Returns the costs inside the common chunk of start and goal; WEND__FAR_NONE: there is no way, or no common chunk. */
static uint32_t direct(wend__far_finder *f, wend_cell start) {
    if (!wend__far_same(wend__far_area_at(0, start), wend__far_area_at(0, f->goal))) return WEND__FAR_NONE;
    flood(f, GOAL, f->goal);
    return f->flood.distance[local_of(start)];
}

void wend__far_find(wend__far_finder *f, const wend__version *view, wend_cell start, wend_cell goal,
                    wend__far_route *route) {
    const int32_t top = view->far->levels - 1;
    int32_t level = 0;
    begin(f, view, goal);
    f->ends[START].told = f->ends[GOAL].told = 0;
    const uint32_t best = direct(f, start);
    while (level < top && apart(wend__far_area_at(level + 1, start), wend__far_area_at(level + 1, goal)) > 1) level++;
    find_end(f, START, start, level);
    find_end(f, GOAL, goal, level);
    if (level < top) {
        stay_near(f);
        run(f, 1000, best);
        read_route(f, route);
        if (route->found) return;
        find_end(f, START, start, top);
        find_end(f, GOAL, goal, top);
    }
    f->search.within_count = 0;
    run(f, WEND__FAR_WEIGHT, best);
    read_route(f, route);
}

/* ---- parts ---- */

/* Computes the costs from a gate's cell to the gates of its area, or from these to it. */
static void from_gate(wend__far_finder *f, int end, int32_t level, wend__far_crossing_at c) {
    const wend__far_area a = wend__far_area_at(level, wend__far_cell_of(c));
    const uint32_t mask = (1u << wend__far_bits(level)) - 1;
    const uint32_t place = (uint32_t)(c.side & 1 ? c.x : c.y) & mask;
    const wend__far_record *r = wend__far_get(f->search.far, a);
    f->areas_of[end] = a;
    wend__far_row(r, wend__far_gate_at(r, c.side, place), end == GOAL, f->costs[end]);
}

/* A part may enter the areas of its begin, of the route's crossings up to its target, and those of the rest of the
 * previous part. That rest reaches the last target, so a way exists if these areas are not too many. Else the part may
 * enter all areas, and ends if there is no room for them. */
static void stay_on_route(wend__far_finder *f, const wend__far_route *route, const wend__far_route *before,
                          wend_cell from, uint32_t next, uint32_t end) {
    wend__far_search *s = &f->search;
    bool enough = true;
    s->within_count = 0;
    enough = allow(s, wend__far_area_at(route->level, from));
    for (uint32_t i = next; i <= end && i < route->count; i++)
        enough = enough && allow(s, wend__far_area_at(route->level, wend__far_cell_of(route->crossings[i])));
    for (int32_t i = 0; before && i < before->rest_count; i++) enough = enough && allow(s, before->rest[i]);
    if (!enough || (before && before->rest_count < 0)) s->within_count = 0;
}

/* Stores the areas of the rest of a part, which stay allowed. */
static void allow_rest(wend__far_route *part, uint32_t from, int32_t level) {
    part->rest_count = 0;
    for (uint32_t i = from; i < part->count; i++) {
        const wend__far_area a = wend__far_area_at(level, wend__far_cell_of(part->crossings[i]));
        int32_t k = 0;
        while (k < part->rest_count && !wend__far_same(part->rest[k], a)) k++;
        if (k < part->rest_count) continue;
        if (part->rest_count == WEND__FAR_REST) {
            part->rest_count = -1;
            return;
        }
        part->rest[part->rest_count++] = a;
    }
}

/* Keeps the crossings over the first borders of the route's level. The route goes on after its last crossing that leads
 * into the area then reached; if there is none, after as many crossings as borders were crossed. With more, each part
 * would lead farther ahead than the one before. */
static void cut(const wend__far_route *route, uint32_t next, uint32_t end, wend__far_route *part) {
    uint32_t borders = 0, kept = 0;
    part->next = end + 1;
    while (kept < part->count && borders < KEEP) {
        const wend__far_crossing_at c = part->crossings[kept++];
        const wend__far_area a = wend__far_area_at(route->level, wend__far_cell_before(c));
        borders += !wend__far_same(a, wend__far_area_at(route->level, wend__far_cell_of(c)));
    }
    if (borders < KEEP) return;
    const wend__far_area reached = wend__far_area_at(route->level, wend__far_cell_of(part->crossings[kept - 1]));
    allow_rest(part, kept, route->level);
    part->count = kept;
    part->next = next + KEEP;
    for (uint32_t i = end + 1; i-- > next;)
        if (wend__far_same(wend__far_area_at(route->level, wend__far_cell_of(route->crossings[i])), reached)) {
            part->next = i + 1;
            return;
        }
}

void wend__far_find_part(wend__far_finder *f, const wend__version *view, const wend__far_route *route,
                         const wend__far_route *before, wend_cell from, wend_cell goal, wend__far_route *part) {
    const uint32_t next = before ? before->next : 0, end = next + AHEAD - 1;
    const int32_t level = route->level - 1;
    uint32_t best = WEND__FAR_NONE;
    part->last = end >= route->count;
    begin(f, view, part->last ? goal : wend__far_cell_of(route->crossings[end]));
    if (part->last) {
        if (!before) best = direct(f, from);
        find_end(f, GOAL, goal, level);
    } else {
        from_gate(f, GOAL, level, route->crossings[end]);
    }
    if (before) {
        from_gate(f, START, level, before->crossings[before->count - 1]);
        if (part->last && wend__far_same(f->areas_of[START], f->areas_of[GOAL]))
            for (uint32_t j = 0; j < wend__far_count(wend__far_get(view->far, f->areas_of[START])); j++)
                if (f->costs[START][j] == 0 && f->costs[GOAL][j] < best) best = f->costs[GOAL][j];
    } else {
        find_end(f, START, from, level);
    }
    stay_on_route(f, route, before, from, next, end);
    run(f, 1000, best);
    read_route(f, part);
    part->rest_count = 0;
    if (part->found && !part->last) cut(route, next, end, part);
}

/* ---- all parts ---- */

static bool append(wend__far_route *to, const wend__far_crossing_at *crossings, uint32_t count, uint32_t rest) {
    if (to->room - to->count < count || to->room - to->count - count < rest) return false;
    memcpy(to->crossings + to->count, crossings, count * sizeof *crossings);
    to->count += count;
    return true;
}

/* Refines the parts of a route, one after another, one level lower. If a part finds no room, or there are enough
 * crossings, the route's own crossings follow. False: there was no room. */
static bool refine(wend__far_finder *f, const wend__version *view, wend_cell start, wend_cell goal,
                   const wend__far_route *route, uint32_t least, wend__far_route *out) {
    wend__far_route parts[2], *before = NULL;
    wend_cell from = start;
    out->whole = false;
    for (unsigned k = 0; !before || !before->last; k ^= 1) {
        wend__far_route *part = &parts[k];
        *part = (wend__far_route){.crossings = f->parts[k], .room = WEND__FAR_PART};
        wend__far_find_part(f, view, route, before, from, goal, part);
        out->effort += part->effort;
        const uint32_t next = before ? before->next : 0, rest = part->last ? 0 : route->count - part->next;
        if (!part->found || !append(out, part->crossings, part->count, rest))
            return append(out, route->crossings + next, route->count - next, 0) && false;
        if (part->count > 0) from = wend__far_cell_of(part->crossings[part->count - 1]);
        before = part;
        if (out->count >= least && !part->last)
            return append(out, route->crossings + part->next, route->count - part->next, 0);
    }
    out->whole = route->whole;
    return true;
}

/* A crossing of level 1 leads four times as far. */
void wend__far_find_ground(wend__far_finder *f, const wend__version *view, wend_cell start, wend_cell goal,
                           uint32_t least, wend__far_route *route) {
    unsigned list = 0;
    *route = (wend__far_route){.crossings = f->lists[list], .room = WEND__FAR_ROOM};
    wend__far_find(f, view, start, goal, route);
    for (bool whole = true; route->found && route->level > 0 && whole;) {
        const wend__far_route coarse = *route;
        list ^= 1;
        *route = (wend__far_route){.found = true,
                                   .level = coarse.level - 1,
                                   .cost = coarse.cost,
                                   .effort = coarse.effort,
                                   .room = WEND__FAR_ROOM,
                                   .crossings = f->lists[list]};
        whole = refine(f, view, start, goal, &coarse, coarse.level > 1 ? least / 2 : least, route);
    }
}
