/* SPDX-License-Identifier: MIT */
/* Visits the steps, links and edges out of a cell and into it. */
#include "field/field_ways.h"

#include "map/ground/ground.h"
#include "map/links/links.h"

static bool is_flat(const wend_field *f) {
    return f->view->kind == WEND_KIND_GRID;
}

/* ---- steps ---- */

uint32_t wend__field_unclosed(const wend_field *f, uint32_t id) {
    const bool flat = is_flat(f);
    const wend_cell cell = wend__field_cell(f, id);
    const unsigned count = flat ? WEND__DIRECTIONS : WEND__SPACE_DIRECTIONS;
    uint32_t found = 0;
    for (unsigned d = 0; d < count; d++) {
        const wend_cell from = {cell.x + (flat ? wend__dx[d] : wend__sx[d]),
                                cell.y + (flat ? wend__dy[d] : wend__sy[d]), cell.z + (flat ? 0 : wend__sz[d])};
        if (!wend__on_map(f->view, from.x, from.y) || (uint32_t)from.z >= (uint32_t)f->view->depth) continue;
        if (!wend__cell_factor(f->view, from)) continue;
        const uint32_t steps = flat ? wend__version_steps(f->view, from.x, from.y) : wend__voxel_steps(f->view, from);
        found |= (steps >> f->opposite[d] & 1) << d;
    }
    return found;
}

/* ---- links and edges ---- */

static bool is_open(const wend_field *f, uint32_t id) {
    return wend__field_factor(f, wend__field_chunk(f, id), id) != 0;
}

static uint32_t number_of(const wend_field *f, uint32_t id) {
    return wend__cell_number(f->version, wend__field_cell(f, id));
}

static uint32_t id_of(const wend_field *f, uint32_t number) {
    return wend__field_id(f, wend__cell_of_number(f->version, number));
}

/* Returns the cost of a step to another level. Beyond WEND_FIELD_MAX_COST it is useless, and might overflow. */
static uint32_t level_cost(const wend__level_step *level, uint32_t factor) {
    const uint64_t cost = (uint64_t)level->cost * factor;
    return cost < WEND_FIELD_MAX_COST ? (uint32_t)cost : WEND_FIELD_MAX_COST + 1;
}

static void leave_level(const wend_field *f, uint32_t id, wend__field_leap *take, void *context) {
    wend__level_step levels[WEND__LEVEL_STEPS];
    const uint32_t count =
        wend__is_walker(f->view) ? wend__level_steps(f->view, wend__field_cell(f, id), false, levels) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t to = wend__field_id(f, levels[i].cell);
        take(context, to, level_cost(&levels[i], wend__field_factor(f, wend__field_chunk(f, to), to)));
    }
}

static uint32_t enter_level(const wend_field *f, uint32_t id, wend__field_leap *take, void *context) {
    wend__level_step levels[WEND__LEVEL_STEPS];
    const uint32_t count =
        wend__is_walker(f->view) ? wend__level_steps(f->view, wend__field_cell(f, id), true, levels) : 0;
    const uint32_t factor = wend__field_factor(f, wend__field_chunk(f, id), id);
    for (uint32_t i = 0; i < count; i++)
        take(context, wend__field_id(f, levels[i].cell), level_cost(&levels[i], factor));
    return count;
}

static void leave_node(const wend_field *f, const wend__graph *graph, uint32_t id, wend__field_leap *take,
                       void *context) {
    for (wend__arcs arcs = wend__graph_arcs(graph, id); arcs.first != arcs.end; arcs.first++) {
        const uint32_t to = arcs.first->to;
        const uint32_t factor = wend__field_factor(f, wend__field_chunk(f, to), to);
        if (factor) take(context, to, arcs.first->cost * factor);
    }
}

void wend__field_leaps(const wend_field *f, uint32_t id, wend__field_leap *take, void *context) {
    const wend__graph *graph = f->version->graph;
    if (graph) leave_node(f, graph, id, take, context);
    const wend__links *links = f->version->links;
    leave_level(f, id, take, context);
    if (!links) return;
    const uint32_t number = number_of(f, id);
    if (!wend__links_maybe(links, number)) return;
    uint32_t count;
    const wend__link *ways = wend__links_from(links, number, &count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t to = id_of(f, ways[i].to);
        const uint32_t cost = is_open(f, to) ? wend__link_cost(f->view, &ways[i]) : 0;
        if (cost) take(context, to, cost);
    }
}

/* Visits edges back along those out of a node, and those that have none back. */
static uint32_t edges_into(const wend_field *f, uint32_t id, wend__field_leap *take, void *context) {
    const wend__graph *graph = f->version->graph;
    const uint32_t factor = wend__field_factor(f, wend__field_chunk(f, id), id);
    const wend__arcs arcs = wend__graph_arcs(graph, id);
    for (const wend__arc *arc = arcs.first; arc != arcs.end; arc++) {
        const uint32_t cost = graph->symmetric ? arc->cost : wend__graph_cost(graph, arc->to, id);
        if (cost > 0 && is_open(f, arc->to)) take(context, arc->to, cost * factor);
    }
    uint32_t count;
    const uint32_t *sources = wend__graph_sources_of(graph, id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (is_open(f, sources[i])) take(context, sources[i], wend__graph_cost(graph, sources[i], id) * factor);
    return (uint32_t)(arcs.end - arcs.first) + count;
}

uint32_t wend__field_leaps_into(const wend_field *f, uint32_t id, wend__field_leap *take, void *context) {
    const uint32_t edges = f->version->graph ? edges_into(f, id, take, context) : enter_level(f, id, take, context);
    const wend__links *links = f->version->links;
    if (!links || !wend__field_has_bit(f->ends, id)) return edges;
    const wend__link_list list = wend__links_of_chunks(f->version, links, true, id >> 12, 1);
    const uint32_t number = number_of(f, id);
    for (uint32_t i = 0; i < list.count; i++) {
        const wend__link *link = &links->sorted[list.links[i]];
        if (link->to != number) continue;
        const uint32_t from = id_of(f, link->from);
        const uint32_t cost = is_open(f, from) ? wend__link_cost(f->view, link) : 0;
        if (cost) take(context, from, cost);
    }
    return edges + list.count;
}

void wend__field_mark_link_ends(wend_field *f, const wend__version *version, bool set) {
    const wend__links *links = version->links;
    for (uint32_t i = 0; links && i < links->count; i++) {
        const uint32_t id = id_of(f, links->sorted[i].to);
        const uint64_t bit = UINT64_C(1) << (id & 63);
        f->ends[id >> 6] = set ? f->ends[id >> 6] | bit : f->ends[id >> 6] & ~bit;
    }
}

/* ---- the best way ---- */

typedef struct choice {
    const wend_field *field;
    uint32_t best, wanted, found;
    uint8_t way, without; /* marks of cells that do not count */
} choice;

static bool is_usable(const choice *c, uint32_t id) {
    return !(c->field->ways[id] & c->without) && c->field->costs[id] != WEND__FIELD_FAR;
}

static void consider_leap(void *context, uint32_t to, uint32_t cost) {
    choice *c = context;
    if (!is_usable(c, to)) return;
    const uint32_t all = c->field->costs[to] + wend__field_toll(c->field, to) + cost;
    if (all >= c->best) return;
    c->best = all;
    c->way = WEND__FIELD_LEAP;
}

static void consider_steps(const wend_field *f, const wend__chunk *chunk, uint32_t id, choice *c) {
    const bool flat = is_flat(f), inside = wend__field_inside(flat, id);
    for (uint32_t steps = wend__field_steps(f, flat, chunk, id); steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const uint32_t to = inside ? id + (uint32_t)f->offsets[d] : wend__field_beyond(f, flat, id, d);
        if (!is_usable(c, to)) continue;
        const uint32_t step = f->steps[d] * wend__field_factor(f, wend__field_chunk(f, to), to);
        const uint32_t cost = f->costs[to] + wend__field_toll(f, to) + step;
        if (cost >= c->best) continue;
        c->best = cost;
        c->way = (uint8_t)d;
    }
}

static bool is_goal(const wend_field *f, uint32_t id) {
    uint32_t low = 0, high = f->goal_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (f->goals[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->goal_count && f->goals[low] == id;
}

/* The same on even ground, where no step leaves the chunk: all steps lead to open cells, and cost their length. Without
 * branches, as no processor can predict which neighbour is the best. Of equal ones the first direction counts. */
static void consider_even(const wend_field *f, const wend__chunk *chunk, uint32_t id, choice *c) {
    WEND__DEBUG_ASSERT(wend__field_inside(true, id) && !f->tolls);
    static const int32_t offsets[WEND__DIRECTIONS] = {-64, 1, 64, -1, -63, 65, 63, -65};
    const uint32_t *costs = f->costs + id, steps = wend__chunk_steps(f->view, chunk, id & 4095);
    const uint8_t *ways = f->ways + id;
    const uint64_t lengths[2] = {f->steps[WEND__N], f->steps[WEND__NE]};
    const uint8_t without = c->without;
    uint64_t best = (uint64_t)WEND__FIELD_FAR << 3;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) {
        const bool out = !(steps >> d & 1) | ((ways[offsets[d]] & without) != 0);
        const uint64_t key = ((costs[offsets[d]] + lengths[d / 4]) << 3 | d) | (UINT64_C(0) - (uint64_t)out);
        best = key < best ? key : best;
    }
    c->best = (uint32_t)(best >> 3);
    c->way = (uint8_t)(best & 7);
}

static bool is_even(const wend_field *f, const wend__chunk *chunk, uint32_t id) {
    return is_flat(f) && !f->tolls && chunk->max_factor <= 1 && wend__field_inside(true, id);
}

/* Returns the cost of a cell where the way ends; FAR: it does not end there. */
static uint32_t cost_of_end(const wend_field *f, uint32_t id) {
    if (f->distances) return wend__field_stay(f, id);
    return is_goal(f, id) ? 0 : WEND__FIELD_FAR;
}

static bool is_out(const wend_field *f, uint32_t id) {
    const wend_field *d = f->distances;
    return d && d->costs[id] == WEND__FIELD_FAR && !(d->ways[id] & WEND__FIELD_LOST);
}

uint32_t wend__field_best(const wend_field *f, uint32_t id, uint8_t without, uint8_t *way) {
    WEND__DEBUG_ASSERT(without & WEND__FIELD_LOST);
    const wend__chunk *chunk = wend__field_chunk(f, id);
    choice c = {.field = f, .best = WEND__FIELD_FAR, .without = without};
    *way = WEND__FIELD_NOWHERE;
    if (!wend__field_factor(f, chunk, id) || is_out(f, id)) return WEND__FIELD_FAR;
    const uint32_t end = cost_of_end(f, id);
    *way = WEND__FIELD_SOURCE;
    if (end == 0) return 0;
    if (is_even(f, chunk, id))
        consider_even(f, chunk, id, &c);
    else if (f->view->kind != WEND_KIND_GRAPH)
        consider_steps(f, chunk, id, &c);
    if (f->view->kind == WEND_KIND_GRAPH || f->version->links || wend__is_walker(f->view))
        wend__field_leaps(f, id, consider_leap, &c);
    if (end <= c.best && end != WEND__FIELD_FAR) return end;
    const bool none = c.best == WEND__FIELD_FAR || c.best > f->largest;
    *way = none ? WEND__FIELD_NOWHERE : c.way;
    return none ? WEND__FIELD_FAR : c.best;
}

unsigned wend__field_way_by_costs(const wend_field *f, uint32_t id) {
    WEND__DEBUG_ASSERT(!f->distances && f->costs[id] != WEND__FIELD_FAR);
    enum { OPEN_QUESTIONS = WEND__FIELD_LOST | WEND__FIELD_DOUBT };
    const bool flat = is_flat(f), inside = wend__field_inside(flat, id);
    const wend__chunk *chunk = wend__field_chunk(f, id);
    unsigned way = f->ways[id] & WEND__FIELD_WAY;
    if (way == WEND__FIELD_SOURCE || f->view->kind == WEND_KIND_GRAPH) return way;
    for (uint32_t steps = wend__field_steps(f, flat, chunk, id); steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const uint32_t to = inside ? id + (uint32_t)f->offsets[d] : wend__field_beyond(f, flat, id, d);
        if (f->ways[to] & OPEN_QUESTIONS || f->costs[to] >= f->costs[id]) continue;
        const uint32_t factor = wend__field_factor(f, wend__field_chunk(f, to), to);
        if (f->costs[to] + wend__field_toll(f, to) + f->steps[d] * factor == f->costs[id]) way = d;
    }
    return way;
}

static void match_leap(void *context, uint32_t to, uint32_t cost) {
    choice *c = context;
    if (c->found != WEND__NONE || !is_usable(c, to)) return;
    if (c->field->costs[to] + wend__field_toll(c->field, to) + cost == c->wanted) c->found = to;
}

uint32_t wend__field_find_leap(const wend_field *f, uint32_t id) {
    choice c = {.field = f, .wanted = f->costs[id], .found = WEND__NONE, .without = WEND__FIELD_LOST};
    wend__field_leaps(f, id, match_leap, &c);
    WEND__DEBUG_ASSERT(c.found != WEND__NONE);
    return c.found;
}
