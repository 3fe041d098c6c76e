/* SPDX-License-Identifier: MIT */
/* Expands a node of the general engine: steps, edges and links, the cost of each, and the count of the work.
 *
 * An expansion that lacks pages is interrupted between two successors, and resumed there. */
#include "search/general/general_astar.h"

#include "map/ground/ground.h"
#include "map/kinds/graph.h"
#include "map/version/layers.h"
#include "map/kinds/voxels.h"
#include "map/kinds/walkers.h"
#include "map/links/links.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "search/general/general_nodes.h"
#include "search/request/request.h"

/* Measured by bench_expansions, in points. */
enum {
    NODE = 28, ///< on top of WEND__EXPANSION_POINTS, counted when a node leaves the open list
    NODE_IN_SPACE = 128,
    NEAREST = 8,
    GOALS_A_POINT = 2, ///< goals that a node is compared with
    STEP = 4,
    STEP_IN_SPACE = 8,
    LEAP = 48,
    PUSH = 8,
    PUSH_STRICT = 38, ///< in strict order, with stale entries
    UNIT = 8,         ///< a cell that may have a unit
    FOLD = 512,       ///< adding up a chunk's costs by place
    FOLD_A_LAYER = 1024
};

void wend__general_set_prices(wend__search *s) {
    wend__general_astar_search *general = wend__general_of(s);
    const wend__heuristic *heuristic = &general->heuristic;
    const bool space = general->kind == WEND_KIND_VOXEL;
    const uint32_t size = (uint32_t)general->mover_size, covered = space ? size * size * size : size * size;
    const uint32_t units = general->occupied == WEND_OCCUPIED_IGNORE ? 0 : UNIT * covered;
    const uint32_t wanted = s->request.more_goal_count + 1;
    wend__general_prices *prices = &general->prices;
    prices->node = (uint32_t)(space ? NODE_IN_SPACE : NODE) + (heuristic->goal_count - 1) / GOALS_A_POINT;
    if (general->nearest) prices->node += NEAREST + wanted * 4;
    prices->leap = LEAP + units;
    prices->push = (uint32_t)(general->strict ? PUSH_STRICT : PUSH) + units + wend__heuristic_points(heuristic);
    uint64_t begin = wend__heuristic_begin_points(heuristic, s->version);
    if (s->view->landmarks && !heuristic->blind) begin += wend__heuristic_bounds_points(heuristic, general->kind);
    s->owed += begin / WEND__EXPANSION_POINTS;
}

/* A node under expansion. */
typedef struct stand {
    uint64_t g;
    wend_cell cell;
    uint32_t id, local; ///< in its chunk
} stand;

/* Relaxes a node: a path of cost `g` leads to it. Returns false if pages are lacking. */
WEND__INLINE bool relax_node(wend__search *s, wend__stock *stock, const stand *from, uint64_t g, wend_cell cell,
                             uint32_t id) {
    wend__general_node *node = wend__general_node_of(s->pool, id);
    const bool strict = wend__general_of(s)->strict;
    if (g >= node->g || (strict && node->open == 0)) return true;
    if (!wend__general_spare(s, stock)) return false;
    *node = (wend__general_node){g, from->id, 1};
    wend__general_of(s)->points += wend__general_of(s)->prices.push;
    if (strict)
        wend__general_push_strict(s, g, cell, id);
    else
        wend__general_push(s, wend__general_key(s, g, cell), id);
    return true;
}

/* Adds to *g the costs of units and places; UINT64_MAX: units block the cell. Returns false if pages are lacking. */
static WEND__NOINLINE bool add_extra(wend__search *s, wend__stock *stock, wend_cell cell, uint32_t id, uint32_t local,
                                     uint64_t *g) {
    if (s->layers && !wend__general_add_toll(s, stock, id, local, g)) return false;
    const uint64_t extra = wend__general_occupants_cost(s, cell);
    *g = extra == UINT64_MAX ? UINT64_MAX : *g + extra;
    return true;
}

/* Relaxes the end of a legal step on the map. `offset`: from the node's place to the other's if both are in one chunk;
 * else 0. */
WEND__INLINE bool relax_step(wend__search *s, wend__stock *stock, const stand *from, wend_cell cell, uint32_t edge,
                             int32_t offset) {
    uint32_t id, local = from->local + (uint32_t)offset;
    if (WEND__LIKELY(offset != 0 && (local ^ from->local) >> 10 == 0)) {
        id = from->id + (uint32_t)offset;
    } else {
        const wend__place place = wend__place_of(s->view, cell);
        id = wend__general_node_at(s, stock, from->id >> 12, place);
        if (id == WEND__NONE) return false;
        local = place.local;
    }
    const wend__chunk *chunk = s->pool->pages[id >> 12].chunk;
    uint64_t g = from->g + edge;
    if (WEND__UNLIKELY(chunk->max_factor > 1))
        g += (uint64_t)edge * (s->view->rules.factors[wend__chunk_class(chunk, local)] - 1u);
    if (g >= wend__general_node_of(s->pool, id)->g) return true; /* most steps end here, without a check of occupants */
    if (WEND__UNLIKELY(wend__general_of(s)->pays) && !add_extra(s, stock, cell, id, local, &g)) return false;
    return relax_node(s, stock, from, g, cell, id);
}

/* Relax the end of an edge or a link, unless it is blocked. A link has its own cost on any
 * terrain. */
static bool relax_leap(wend__search *s, wend__stock *stock, const stand *from, wend_cell cell, uint32_t cost,
                       bool link) {
    const uint64_t extra = wend__general_occupants_cost(s, cell);
    if (extra < UINT64_MAX) {
        const wend__place place = wend__place_of(s->view, cell);
        const uint32_t id = wend__general_node_at(s, stock, from->id >> 12, place);
        if (id == WEND__NONE) return false;
        const uint8_t factor = s->view->rules.factors[wend__chunk_class(s->pool->pages[id >> 12].chunk, place.local)];
        uint64_t g = from->g + extra + (link ? cost : (uint64_t)cost * factor);
        if (s->layers && !wend__general_add_toll(s, stock, id, place.local, &g)) return false;
        if (factor > 0 && !relax_node(s, stock, from, g, cell, id)) return false;
    }
    wend__general_of(s)->points += wend__general_of(s)->prices.leap;
    return true;
}

bool wend__general_find_toll(wend__search *s, wend__stock *stock, uint32_t page) {
    wend__page *header = &s->pool->pages[page];
    const wend__place place = {header->column, header->row, (uint32_t)WEND__TOLL_PART << s->part_shift};
    header->toll = WEND__TOLL_NONE;
    if (!wend__layers_touch(s->layers, s->profile, s->version, place)) return true;
    uint32_t found = wend__pages_find_part(s, place);
    if (found == WEND__NONE) {
        const uint32_t id = wend__general_node_at(s, stock, WEND__NONE, place);
        if (id == WEND__NONE) {
            header->toll = WEND__TOLL_UNKNOWN;
            return false;
        }
        found = id >> 12;
        wend__layers_fold(s->layers, s->profile, s->version, place, (uint32_t *)wend__page_records(s->pool, found));
        wend__general_of(s)->points += FOLD + FOLD_A_LAYER * s->profile->count;
    }
    header->toll = found;
    return true;
}

/* Returns whether a chunk of a grid or one next to it has costs by place. */
static bool is_near_tolls(const wend__search *s, int32_t column, int32_t row) {
    for (int32_t y = row - 1; s->layers && y <= row + 1; y++)
        for (int32_t x = column - 1; x <= column + 1; x++)
            if (wend__on_table(s->view, x, y) &&
                wend__layers_touch(s->layers, s->profile, s->version, (wend__place){x, y, 0}))
                return true;
    return false;
}

void wend__general_describe_page(wend__search *s, uint32_t page) {
    wend__page *header = &s->pool->pages[page];
    header->steps = NULL;
    header->toll = WEND__TOLL_UNKNOWN;
    if (s->view->kind != WEND_KIND_GRID) return; /* a graph has no rules, whatever its definition says */
    const int table = wend__grid_canonical_choose(&s->version->rules);
    if (table < 0 || wend__general_of(s)->occupied != WEND_OCCUPIED_IGNORE) return;
    if (is_near_tolls(s, header->column, header->row)) return;
    if (wend__grid_canonical_holds(s->view, header->column, header->row))
        header->steps = &(*wend__grid_canonical_of(table))[0][0];
}

/* Returns the direction in which a node was entered; WEND__DIRECTIONS: the start, or the end of a link whose cost
 * differs from the step's. All cells near cost 1. */
static uint32_t arrival_of(const wend__search *s, const stand *from) {
    const uint32_t parent = wend__general_node_of(s->pool, from->id)->parent;
    const wend_cell before = wend__general_cell(s, parent);
    const int32_t dx = from->cell.x - before.x, dy = from->cell.y - before.y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || parent == from->id) return WEND__DIRECTIONS;
    const wend__heuristic *heuristic = &wend__general_of(s)->heuristic;
    const uint32_t edge = dx == 0 || dy == 0 ? heuristic->straight : heuristic->diagonal;
    const bool step = from->g - wend__general_node_of(s->pool, parent)->g == edge;
    return step ? (uint32_t)wend__flat_direction(dx, dy) : WEND__DIRECTIONS;
}

/* Returns the steps of a node that are worth taking. */
WEND__INLINE uint32_t grid_steps(const wend__search *s, const stand *from) {
    const wend__page *header = &s->pool->pages[from->id >> 12];
    if (!header->steps) return wend__chunk_steps(s->view, header->chunk, from->local);
    return header->steps[arrival_of(s, from) << 8 | header->chunk->masks->bytes[from->local]];
}

static bool expand_grid(wend__search *s, wend__stock *stock, const stand *from) {
    const uint32_t column = from->local & 63, row = from->local >> 6;
    const bool inside = column - 1 < 62 && row - 1 < 62;
    uint32_t steps = grid_steps(s, from), points = 0;
    for (steps &= ~UINT32_C(0) << wend__general_of(s)->successor; steps; steps &= steps - 1) {
        const uint32_t d = wend__general_of(s)->successor = wend__ctz32(steps);
        const wend_cell to = {from->cell.x + wend__dx[d], from->cell.y + wend__dy[d], 0};
        const uint32_t edge =
            d < WEND__NE ? wend__general_of(s)->heuristic.straight : wend__general_of(s)->heuristic.diagonal;
        if (!relax_step(s, stock, from, to, edge, inside ? wend__dy[d] * 64 + wend__dx[d] : 0)) break;
        points += STEP;
    }
    wend__general_of(s)->points += points;
    if (WEND__UNLIKELY(steps != 0)) return false;
    wend__general_of(s)->successor = WEND__DIRECTIONS;
    return true;
}

static bool expand_voxel(wend__search *s, wend__stock *stock, const stand *from) {
    const wend__heuristic *heuristic = &wend__general_of(s)->heuristic;
    const bool inside = wend__voxel_inside(from->local);
    uint32_t steps = wend__voxel_steps_at(s->view, s->pool->pages[from->id >> 12].chunk, from->local, from->cell);
    uint32_t points = 0;
    for (steps &= ~UINT32_C(0) << wend__general_of(s)->successor; steps; steps &= steps - 1) {
        const uint32_t d = wend__general_of(s)->successor = wend__ctz32(steps);
        const wend_cell to = {from->cell.x + wend__sx[d], from->cell.y + wend__sy[d], from->cell.z + wend__sz[d]};
        const uint32_t edge = d < WEND__SPACE_FLAT    ? heuristic->straight
                              : d < WEND__SPACE_SPACE ? heuristic->diagonal
                                                      : heuristic->space;
        if (!relax_step(s, stock, from, to, edge, inside ? wend__sz[d] * 256 + wend__sy[d] * 16 + wend__sx[d] : 0))
            break;
        points += STEP_IN_SPACE;
    }
    wend__general_of(s)->points += points;
    if (WEND__UNLIKELY(steps != 0)) return false;
    wend__general_of(s)->successor = WEND__SPACE_DIRECTIONS;
    return true;
}

static bool expand_graph(wend__search *s, wend__stock *stock, const stand *from) {
    const wend__arcs arcs = wend__graph_arcs(s->version->graph, (uint32_t)from->cell.x);
    const uint32_t count = (uint32_t)(arcs.end - arcs.first);
    for (; wend__general_of(s)->successor < count; wend__general_of(s)->successor++) {
        const wend__arc arc = arcs.first[wend__general_of(s)->successor];
        if (!relax_leap(s, stock, from, (wend_cell){(int32_t)arc.to, 0, 0}, arc.cost, false)) return false;
    }
    return true;
}

/* A walker's steps to other levels; 26 successors come before them. *count: how many there are. */
static bool expand_levels(wend__search *s, wend__stock *stock, const stand *from, uint32_t *count) {
    wend__level_step levels[WEND__LEVEL_STEPS];
    *count = wend__level_steps(s->view, from->cell, false, levels);
    for (uint32_t i; (i = wend__general_of(s)->successor - WEND__SPACE_DIRECTIONS) < *count;
         wend__general_of(s)->successor++)
        if (!relax_leap(s, stock, from, levels[i].cell, levels[i].cost, false)) return false;
    return true;
}

/* Points that add up to expansions are owed; the rest stays. */
static void count_points(wend__search *s) {
    wend__general_astar_search *general = wend__general_of(s);
    s->owed += general->points / WEND__EXPANSION_POINTS;
    general->points %= WEND__EXPANSION_POINTS;
}

/* Relaxes the links of a node; `steps` successors come before them. After WEND__LINKS_AT_ONCE it pauses, so that these
 * count before others are processed. */
static bool expand_links(wend__search *s, wend__stock *stock, const stand *from, uint32_t steps) {
    const wend__links *links = s->version->links;
    uint32_t number = wend__cell_number(s->version, from->cell), count;
    if (!wend__links_maybe(links, number)) return true;
    const wend__link *ways = wend__links_from(links, number, &count);
    for (uint32_t done = 0; wend__general_of(s)->successor - steps < count; wend__general_of(s)->successor++) {
        const wend__link *way = &ways[wend__general_of(s)->successor - steps];
        if (done++ == WEND__LINKS_AT_ONCE) {
            count_points(s);
            return false;
        }
        const uint32_t cost = wend__link_cost(s->view, way);
        if (cost && !relax_leap(s, stock, from, wend__cell_of_number(s->version, way->to), cost, true)) return false;
    }
    return true;
}

/* Returns the number of successors that come before the links. */
static uint32_t step_count(const wend__search *s, wend_cell cell) {
    const wend__graph *graph = s->version->graph;
    if (graph) {
        const wend__arcs arcs = wend__graph_arcs(graph, (uint32_t)cell.x);
        return (uint32_t)(arcs.end - arcs.first);
    }
    return s->view->kind == WEND_KIND_GRID ? (uint32_t)WEND__DIRECTIONS : (uint32_t)WEND__SPACE_DIRECTIONS;
}

bool wend__general_expand(wend__search *s, wend__stock *stock) {
    wend__general_astar_search *general = wend__general_of(s);
    const uint32_t id = general->expanding;
    const stand from = {wend__general_node_of(s->pool, id)->g, wend__general_cell(s, id), id,
                        wend__general_local(s, id)};
    uint32_t steps = step_count(s, from.cell), levels = 0;
    if (wend__general_of(s)->successor < steps) {
        const int32_t kind = s->view->kind;
        bool whole = kind == WEND_KIND_GRID    ? expand_grid(s, stock, &from)
                     : kind == WEND_KIND_VOXEL ? expand_voxel(s, stock, &from)
                                               : expand_graph(s, stock, &from);
        if (!whole) return false;
    }
    if (WEND__UNLIKELY(wend__is_walker(s->view)) && !expand_levels(s, stock, &from, &levels)) return false;
    steps += levels;
    if (s->version->links && !expand_links(s, stock, &from, steps)) return false;
    general->expanding = WEND__NONE;
    general->points += general->prices.node;
    count_points(s);
    return true;
}
