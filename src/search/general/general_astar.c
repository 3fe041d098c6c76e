/* SPDX-License-Identifier: MIT */
/* The general engine: resumable A* (Hart, Nilsson and Raphael 1968) on grids, voxels and graphs,
 * for all that a request may ask.
 *
 * A closed node that becomes cheaper is opened again, as units move. With a weight or `manhattan`
 * nodes are expanded in strict order, once each: docs/design/weights.md. A node knows its parent
 * by id, so a path may lead anywhere. Successors are generated in the order of directions (or of
 * a node's edges), then links. An expansion that lacks pages is interrupted between two
 * successors, and resumed there. */
#include "search/general/general_astar.h"

#include "map/kinds/graph.h"
#include "map/kinds/voxels.h"
#include "map/links/links.h"
#include "map/movers/views.h"
#include "map/query/nearest.h"
#include "map/query/step_cost.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "search/open/open_compaction.h"
#include "search/request/request.h"
#include "search/store/pages.h"
#include "search/open/multilevel_buckets.h"

#include <string.h>

static bool serves_request(const wend__version *version, const wend_request *request) {
    (void)version, (void)request;
    return true;
}

/* ---- nodes ---- */

static inline wend__general_node *node_of(const wend__pool *pool, uint32_t id) {
    return (wend__general_node *)(void *)(pool->records + (size_t)(id >> 12) * WEND__PAGE_RECORD_BYTES) + (id & 4095);
}

/* The index of a node's place in its chunk. */
WEND__INLINE uint32_t local_of(const wend__search *s, uint32_t id) {
    return (uint32_t)s->pool->pages[id >> 12].part << 10 | (id & 4095);
}

static wend_cell cell_at(const wend__search *s, uint32_t id) {
    const wend__page *header = &s->pool->pages[id >> 12];
    const int32_t local = (int32_t)local_of(s, id), column = header->column, layer = header->layer;
    if (wend__general_of(s)->kind == WEND_KIND_GRID)
        return (wend_cell){column << 6 | (local & 63), header->row << 6 | local >> 6, 0};
    if (wend__general_of(s)->kind == WEND_KIND_GRAPH) return (wend_cell){column << 12 | local, 0, 0};
    const int32_t row = header->row - layer * wend__general_of(s)->layer_rows;
    return (wend_cell){column << 4 | (local & 15), row << 4 | (local >> 4 & 15), layer << 4 | local >> 8};
}

/* The mover's factor at a node. */
static uint8_t factor_at(const wend__search *s, uint32_t id) {
    return s->view->rules.factors[wend__chunk_class(s->pool->pages[id >> 12].chunk, local_of(s, id))];
}

WEND__INLINE uint64_t key_of(const wend__search *s, uint64_t g, wend_cell cell) {
    return g + wend__heuristic_left(&wend__general_of(s)->heuristic, cell);
}

/* The same in strict order. */
static uint64_t weighted_key(const wend__search *s, uint64_t g, uint64_t estimate) {
    const wend__weights *weights = &wend__general_of(s)->weights;
    return weights->g * g + weights->h * estimate;
}

/* ---- the open list ---- */

WEND__INLINE void push_node(wend__search *s, uint64_t key, uint32_t id) {
    if (key < s->floor_f) key = s->floor_f;
    wend__open_push_bucket(&s->open, wend__level_bucket(s->floor_f, key), id);
}

static void push_strict(wend__search *s, uint64_t g, wend_cell cell, uint32_t id) {
    const uint64_t estimate = wend__heuristic_left(&wend__general_of(s)->heuristic, cell);
    wend__strict_push(&s->open, wend__strict_make(&s->open, weighted_key(s, g, estimate), estimate, id, 0));
}

/* The next entry, which must be there. */
WEND__INLINE uint32_t pop_node(wend__search *s) {
    if (WEND__LIKELY(!wend__general_of(s)->strict)) return wend__open_pop(&s->open);
    const uint32_t id = wend__strict_first(&s->open)->node;
    wend__strict_pop(&s->open);
    return id;
}

WEND__INLINE bool spare_blocks(wend__search *s, wend__stock *stock) {
    const bool strict = wend__general_of(s)->strict;
    if (WEND__LIKELY(s->open.spare >= WEND__DIRECTIONS)) return true;
    if (strict ? wend__pages_spare_strict(s, stock) : wend__pages_spare(s, stock)) return true;
    wend__pages_starve(s, 0, 1);
    return false;
}

/* Move the entries of a higher level's bucket down. False where pages are lacking; the next call
 * resumes it. */
static bool move_down(wend__search *s, wend__stock *stock) {
    while (s->open.top[s->open.current] != 0) {
        if (!spare_blocks(s, stock)) return false;
        uint32_t id = wend__open_pop(&s->open);
        const wend__general_node *node = node_of(s->pool, id);
        if (node->open == 1) push_node(s, key_of(s, node->g, cell_at(s, id)), id);
    }
    wend__general_of(s)->moving = false;
    return true;
}

/* Find the lowest key. False where there is none, or where pages are lacking. */
static bool advance_floor(wend__search *s, wend__stock *stock) {
    if (wend__general_of(s)->strict) return s->open.words != 0;
    for (;;) {
        if (wend__general_of(s)->moving && !move_down(s, stock)) return false;
        const int found = wend__levels_advance(&s->open, &s->floor_f);
        if (found != WEND__LEVELS_MOVE) return found == WEND__LEVELS_READY;
        wend__general_of(s)->moving = true;
    }
}

/* ---- expanding ---- */

/* The node of a cell, on a new page if need be. WEND__NONE where the stock is empty. */
static uint32_t node_at(wend__search *s, wend__stock *stock, uint32_t near_page, wend__place place) {
    uint32_t page = wend__pages_get_part(s, stock, near_page, place);
    if (page != WEND__NONE) return page << 12 | (place.local & 1023);
    wend__pages_starve(s, 1, 0);
    return WEND__NONE;
}

static bool is_occupied(const wend__search *s, wend_cell cell) {
    const wend__general_astar_search *general = wend__general_of(s);
    return wend__map_occupied(s->version->map, cell, general->mover_size, s->start, general->occupied_within);
}

/* A node under expansion. */
typedef struct stand {
    uint64_t g;
    wend_cell cell;
    uint32_t id, local; ///< in its chunk
} stand;

/* Relax a node: a path of cost `g` leads to it. False where pages are lacking. */
WEND__INLINE bool relax_node(wend__search *s, wend__stock *stock, const stand *from, uint64_t g, wend_cell cell,
                             uint32_t id) {
    wend__general_node *node = node_of(s->pool, id);
    const bool strict = wend__general_of(s)->strict;
    if (g >= node->g || (strict && node->open == 0)) return true;
    if (!spare_blocks(s, stock)) return false;
    *node = (wend__general_node){g, from->id, 1};
    if (strict)
        push_strict(s, g, cell, id);
    else
        push_node(s, key_of(s, g, cell), id);
    return true;
}

/* The cost that occupants add to a step into a cell; UINT64_MAX: it cannot be entered. */
WEND__INLINE uint64_t occupants_cost(const wend__search *s, wend_cell cell) {
    if (WEND__LIKELY(wend__general_of(s)->occupied == WEND_OCCUPIED_IGNORE) || !is_occupied(s, cell)) return 0;
    return wend__general_of(s)->occupied == WEND_OCCUPIED_BLOCK ? UINT64_MAX
                                                                : (uint64_t)(uint32_t)wend__general_of(s)->occupied;
}

/* Relax the end of a legal step on the map. `offset`: from the node's place to the other's where
 * both are in one chunk; else 0. */
WEND__INLINE bool relax_step(wend__search *s, wend__stock *stock, const stand *from, wend_cell cell, uint32_t edge,
                             int32_t offset) {
    uint32_t id, local = from->local + (uint32_t)offset;
    if (WEND__LIKELY(offset != 0 && (local ^ from->local) >> 10 == 0)) {
        id = from->id + (uint32_t)offset;
    } else {
        const wend__place place = wend__place_of(s->view, cell);
        id = node_at(s, stock, from->id >> 12, place);
        if (id == WEND__NONE) return false;
        local = place.local;
    }
    const wend__chunk *chunk = s->pool->pages[id >> 12].chunk;
    uint64_t g = from->g + edge;
    if (WEND__UNLIKELY(chunk->max_factor > 1))
        g += (uint64_t)edge * (s->view->rules.factors[wend__chunk_class(chunk, local)] - 1u);
    if (g >= node_of(s->pool, id)->g) return true; /* most steps end here, without a look at occupants */
    const uint64_t extra = occupants_cost(s, cell);
    return extra == UINT64_MAX || relax_node(s, stock, from, g + extra, cell, id);
}

/* Relax the end of an edge or a link, unless it is blocked. A link costs what it says on any
 * terrain. */
static bool relax_leap(wend__search *s, wend__stock *stock, const stand *from, wend_cell cell, uint32_t cost,
                       bool link) {
    const uint64_t extra = occupants_cost(s, cell);
    const wend__place place = wend__place_of(s->view, cell);
    if (extra == UINT64_MAX) return true;
    const uint32_t id = node_at(s, stock, from->id >> 12, place);
    if (id == WEND__NONE) return false;
    const uint8_t factor = s->view->rules.factors[wend__chunk_class(s->pool->pages[id >> 12].chunk, place.local)];
    if (factor == 0) return true;
    const uint64_t g = from->g + extra + (link ? cost : (uint64_t)cost * factor);
    return relax_node(s, stock, from, g, cell, id);
}

/* Grids: note whether canonical successors are valid in a page. Units may block the way round. */
static void describe_page(wend__search *s, uint32_t page) {
    wend__page *header = &s->pool->pages[page];
    const int table = wend__grid_canonical_choose(&s->version->rules);
    header->steps = NULL;
    if (table < 0 || wend__general_of(s)->occupied != WEND_OCCUPIED_IGNORE) return;
    if (wend__grid_canonical_holds(s->view, header->column, header->row))
        header->steps = &s->pool->canonical[table][0][0];
}

/* The direction in which a node was entered; WEND__DIRECTIONS: the start, or the end of a link that
 * does not cost what the step does. All cells near cost 1. */
static uint32_t arrival_of(const wend__search *s, const stand *from) {
    const uint32_t parent = node_of(s->pool, from->id)->parent;
    const wend_cell before = cell_at(s, parent);
    const int32_t dx = from->cell.x - before.x, dy = from->cell.y - before.y;
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || parent == from->id) return WEND__DIRECTIONS;
    const wend__heuristic *heuristic = &wend__general_of(s)->heuristic;
    const uint32_t edge = dx == 0 || dy == 0 ? heuristic->straight : heuristic->diagonal;
    const bool step = from->g - node_of(s->pool, parent)->g == edge;
    return step ? (uint32_t)wend__flat_direction(dx, dy) : WEND__DIRECTIONS;
}

/* The steps of a node that are worth taking. */
WEND__INLINE uint32_t grid_steps(const wend__search *s, const stand *from) {
    const wend__page *header = &s->pool->pages[from->id >> 12];
    if (!header->steps) return wend__chunk_steps(s->view, header->chunk, from->local);
    return header->steps[arrival_of(s, from) << 8 | header->chunk->masks->bytes[from->local]];
}

static bool expand_grid(wend__search *s, wend__stock *stock, const stand *from) {
    const uint32_t column = from->local & 63, row = from->local >> 6;
    const bool inside = column - 1 < 62 && row - 1 < 62;
    uint32_t steps = grid_steps(s, from);
    for (steps &= ~UINT32_C(0) << wend__general_of(s)->successor; steps; steps &= steps - 1) {
        const uint32_t d = wend__general_of(s)->successor = wend__ctz32(steps);
        const wend_cell to = {from->cell.x + wend__dx[d], from->cell.y + wend__dy[d], 0};
        const uint32_t edge =
            d < WEND__NE ? wend__general_of(s)->heuristic.straight : wend__general_of(s)->heuristic.diagonal;
        if (!relax_step(s, stock, from, to, edge, inside ? wend__dy[d] * 64 + wend__dx[d] : 0)) return false;
    }
    wend__general_of(s)->successor = WEND__DIRECTIONS;
    return true;
}

static bool expand_voxel(wend__search *s, wend__stock *stock, const stand *from) {
    const wend__heuristic *heuristic = &wend__general_of(s)->heuristic;
    const bool inside = wend__voxel_inside(from->local);
    uint32_t steps = wend__voxel_steps_at(s->view, s->pool->pages[from->id >> 12].chunk, from->local, from->cell);
    for (steps &= ~UINT32_C(0) << wend__general_of(s)->successor; steps; steps &= steps - 1) {
        const uint32_t d = wend__general_of(s)->successor = wend__ctz32(steps);
        const wend_cell to = {from->cell.x + wend__sx[d], from->cell.y + wend__sy[d], from->cell.z + wend__sz[d]};
        const uint32_t edge = d < WEND__SPACE_FLAT    ? heuristic->straight
                              : d < WEND__SPACE_SPACE ? heuristic->diagonal
                                                      : heuristic->space;
        if (!relax_step(s, stock, from, to, edge, inside ? wend__sz[d] * 256 + wend__sy[d] * 16 + wend__sx[d] : 0))
            return false;
    }
    wend__general_of(s)->successor = WEND__SPACE_DIRECTIONS;
    return true;
}

static bool expand_graph(wend__search *s, wend__stock *stock, const stand *from) {
    const wend__graph *graph = s->version->graph;
    const uint32_t first = graph->first[from->cell.x], count = graph->first[from->cell.x + 1] - first;
    for (; wend__general_of(s)->successor < count; wend__general_of(s)->successor++) {
        const wend__arc arc = graph->arcs[first + wend__general_of(s)->successor];
        if (!relax_leap(s, stock, from, (wend_cell){(int32_t)arc.to, 0, 0}, arc.cost, false)) return false;
    }
    return true;
}

/* The links of a node; `steps` successors come before them. */
static bool expand_links(wend__search *s, wend__stock *stock, const stand *from, uint32_t steps) {
    const wend__links *links = s->version->links;
    uint32_t number = wend__cell_number(s->version, from->cell), count;
    if (!wend__links_maybe(links, number)) return true;
    const wend__link *ways = wend__links_from(links, number, &count);
    for (; wend__general_of(s)->successor - steps < count; wend__general_of(s)->successor++) {
        const wend__link *way = &ways[wend__general_of(s)->successor - steps];
        if (!relax_leap(s, stock, from, wend__cell_of_number(s->version, way->to), way->cost, true)) return false;
    }
    return true;
}

/* The number of successors that come before the links. */
static uint32_t step_count(const wend__search *s, wend_cell cell) {
    const wend__graph *graph = s->version->graph;
    if (graph) return graph->first[cell.x + 1] - graph->first[cell.x];
    return s->view->kind == WEND_KIND_GRID ? (uint32_t)WEND__DIRECTIONS : (uint32_t)WEND__SPACE_DIRECTIONS;
}

/* Expand the node, or resume its expansion. False where pages are lacking. */
static bool expand_node(wend__search *s, wend__stock *stock) {
    const uint32_t id = wend__general_of(s)->expanding;
    const stand from = {node_of(s->pool, id)->g, cell_at(s, id), id, local_of(s, id)};
    const uint32_t steps = step_count(s, from.cell);
    if (wend__general_of(s)->successor < steps) {
        const int32_t kind = s->view->kind;
        bool whole = kind == WEND_KIND_GRID    ? expand_grid(s, stock, &from)
                     : kind == WEND_KIND_VOXEL ? expand_voxel(s, stock, &from)
                                               : expand_graph(s, stock, &from);
        if (!whole) return false;
    }
    if (s->version->links && !expand_links(s, stock, &from, steps)) return false;
    wend__general_of(s)->expanding = WEND__NONE;
    return true;
}

/* ---- the path ---- */

/* No step can lower the least key, so no closed node is opened again. */
static bool consistent(const wend__search *s) {
    return !wend__general_of(s)->strict && s->view->kind != WEND_KIND_GRAPH &&
           wend__general_of(s)->heuristic.kind == WEND_HEURISTIC_EXACT &&
           wend__general_of(s)->occupied == WEND_OCCUPIED_IGNORE;
}

/* The cost of the path to a node. With an inconsistent estimate a node on the path may have
 * become cheaper without the nodes after it being relaxed, so the steps are added up, with the
 * occupants of this moment. */
static uint64_t cost_to(const wend__search *s, uint32_t id) {
    const bool once = wend__general_of(s)->strict && wend__general_of(s)->occupied == WEND_OCCUPIED_IGNORE;
    if (once || consistent(s)) return node_of(s->pool, id)->g;
    uint64_t cost = 0;
    for (uint32_t parent; (parent = node_of(s->pool, id)->parent) != id; id = parent) {
        cost += wend__step_cost(s->version, s->mover, cell_at(s, parent), cell_at(s, id));
        if (wend__general_of(s)->occupied > 0) cost += occupants_cost(s, cell_at(s, id));
    }
    return cost;
}

static void measure_path(wend__search *s, uint32_t id) {
    wend__general_of(s)->end_id = id;
    s->cost = cost_to(s, id);
    s->steps = 0;
    for (uint32_t parent; (parent = node_of(s->pool, id)->parent) != id; id = parent) s->steps++;
}

static bool take_nearest(wend__search *s) {
    if (!wend__general_of(s)->nearest || wend__general_of(s)->near_id == WEND__NONE) return false;
    measure_path(s, s->best != UINT64_MAX ? wend__general_of(s)->goal_id : wend__general_of(s)->near_id);
    return true;
}

static void finish_search(wend__search *s) {
    const bool arrived = s->best != UINT64_MAX,
               near = wend__general_of(s)->nearest && wend__general_of(s)->near_id != WEND__NONE;
    s->status = arrived && !wend__general_of(s)->heuristic.substitute ? WEND_STATUS_FOUND
                : arrived || near                                     ? WEND_STATUS_PARTIAL
                                                                      : WEND_STATUS_NO_PATH;
    if (arrived || near) measure_path(s, arrived ? wend__general_of(s)->goal_id : wend__general_of(s)->near_id);
}

static void read_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    uint32_t id = wend__general_of(s)->end_id;
    if (s->steps == 0 && count > 0) *out = s->start; /* also where no search was needed */
    if (s->steps == 0) return;
    for (uint64_t i = s->steps;; i--) {
        if (i < count) out[i] = cell_at(s, id);
        if (i == 0) break;
        id = node_of(s->pool, id)->parent;
    }
}

/* ---- the loop ---- */

static void note_nearest(wend__search *s, uint32_t id, wend_cell cell) {
    wend__general_astar_search *general = wend__general_of(s);
    const wend__nearness now = wend__heuristic_nearness(&general->heuristic, cell), best = general->nearness;
    if (general->near_id != WEND__NONE) {
        if (wend__nearer(best, now)) return;
        if (!wend__nearer(now, best) && !wend__earlier(cell, cell_at(s, general->near_id))) return;
    }
    general->near_id = id;
    general->nearness = now;
}

/* A goal; but not a blocked start, which the mover may leave and not stand on. */
static bool is_goal(const wend__search *s, uint32_t id, wend_cell cell) {
    return wend__heuristic_is_goal(&wend__general_of(s)->heuristic, cell) && factor_at(s, id) > 0;
}

/* Note a goal. The search ends when the floor is above `floor`: at once where the estimate is
 * consistent, and in strict order. */
static void note_goal(wend__search *s, uint32_t id, uint64_t g, uint64_t floor) {
    if (g >= s->best) return;
    s->best = g;
    wend__general_of(s)->goal_id = id;
    wend__general_of(s)->goal_floor = floor;
}

/* Pop the node with the lowest key. True where it counts: it will be expanded, or is a goal. */
static bool take_next(wend__search *s) {
    const uint32_t id = pop_node(s);
    wend__general_node *node = node_of(s->pool, id);
    if (node->open != 1) return false; /* closed since it was pushed */
    const wend_cell cell = cell_at(s, id);
    node->open = 0;
    if (s->best != UINT64_MAX && key_of(s, node->g, cell) >= s->best) return false;
    if (wend__general_of(s)->nearest) note_nearest(s, id, cell);
    if (is_goal(s, id, cell)) {
        note_goal(s, id, node->g, wend__general_of(s)->strict || consistent(s) ? 0 : s->floor_f);
    } else {
        wend__general_of(s)->expanding = id;
        wend__general_of(s)->successor = 0;
    }
    return true;
}

static bool push_start(wend__search *s, wend__stock *stock) {
    if (!spare_blocks(s, stock)) return false;
    const uint32_t id = node_at(s, stock, WEND__NONE, wend__place_of(s->view, s->start));
    if (id == WEND__NONE) return false;
    *node_of(s->pool, id) = (wend__general_node){0, id, 1};
    s->floor_f = key_of(s, 0, s->start);
    if (wend__general_of(s)->strict) {
        s->floor_f = 1; /* above the floor of any goal */
        push_strict(s, 0, s->start, id);
    } else {
        push_node(s, s->floor_f, id);
    }
    s->begun = true;
    return true;
}

static bool is_over(const wend__search *s) {
    return s->best != UINT64_MAX && s->floor_f > wend__general_of(s)->goal_floor;
}

/* Have units taken all goals since the search began? No path enters them, so the search would
 * expand all that it can reach. With reach it may end beside a goal. */
static bool goals_taken(const wend__search *s) {
    const wend__heuristic *heuristic = &wend__general_of(s)->heuristic;
    if (wend__general_of(s)->occupied != WEND_OCCUPIED_BLOCK || wend__general_of(s)->nearest || heuristic->reach > 0)
        return false;
    for (uint32_t i = 0; i < heuristic->goal_count; i++)
        if (wend__cell_factor(s->view, heuristic->goals[i]) > 0 && !is_occupied(s, heuristic->goals[i])) return false;
    return true;
}

static uint64_t step_slice(wend__search *s, wend__stock *stock, uint64_t budget) {
    uint64_t used = 0;
    if (goals_taken(s)) {
        s->status = WEND_STATUS_GOAL_BLOCKED;
        return 0;
    }
    if (!s->begun && !push_start(s, stock)) return 0;
    for (;;) {
        if (wend__general_of(s)->expanding != WEND__NONE && !expand_node(s, stock)) break;
        if (WEND__UNLIKELY(is_over(s))) {
            finish_search(s);
            break;
        }
        if (used >= budget) break;
        if (!advance_floor(s, stock)) {
            if (!s->starved) finish_search(s);
            break;
        }
        if (!is_over(s)) used += take_next(s);
    }
    return used;
}

/* Would popping a node count as an expansion? */
static bool is_live(const void *owner, uint32_t id) {
    const wend__search *s = owner;
    const wend__general_node *node = node_of(s->pool, id);
    if (node->open != 1) return false;
    if (s->best == UINT64_MAX) return true;
    const uint64_t key = key_of(s, node->g, cell_at(s, id));
    return key < s->best && key <= wend__general_of(s)->goal_floor;
}

/* Does an entry in strict order have its node's present key? Else a newer one comes off before it. */
static bool is_due(const void *owner, const wend__strict_entry *entry) {
    const wend__search *s = owner;
    const wend__general_node *node = node_of(s->pool, entry->node);
    if (node->open != 1) return false;
    const uint64_t estimate = wend__heuristic_left(&wend__general_of(s)->heuristic, cell_at(s, entry->node));
    return entry->key == weighted_key(s, node->g, estimate);
}

/* Does the open list hold a node that would count? */
static bool any_live(wend__search *s) {
    if (wend__general_of(s)->strict) return wend__strict_any(&s->open, s, is_due);
    return wend__open_any(&s->open, s, is_live);
}

/* A step without a budget completes an interrupted expansion, and ends the search if that was
 * the last one. */
static void conclude_search(wend__search *s, wend__stock *stock) {
    if (!s->begun) return;
    (void)step_slice(s, stock, 0);
    if (s->status == WEND_STATUS_PENDING && !s->starved && !any_live(s)) finish_search(s);
}

static void list_expanded(const wend__search *s, wend__cell_list *list) {
    uint32_t page = s->pages.first;
    for (uint32_t i = 0; i < s->active_pages; i++, page = s->pool->pages[page].next)
        for (uint32_t id = page << 12; id < (page << 12) + 1024; id++)
            if (node_of(s->pool, id)->open == 0) wend__cell_list_add(list, cell_at(s, id));
}

/* ---- beginning, and beginning again ---- */

/* Set the weights, and the first bucket at about the least key. */
static void begin_strict(wend__search *s) {
    wend__general_astar_search *general = wend__general_of(s);
    const uint64_t dearest = (uint64_t)WEND_MAX_COST * (UINT8_MAX + 1); /* of a step, with its occupants */
    const uint64_t estimate = wend__heuristic_estimate(&general->heuristic, s->start);
    const uint64_t cells = (uint64_t)s->view->width * (uint64_t)s->view->height * (uint64_t)s->view->depth;
    general->weights = wend__weights_of(s->weight_milli, cells * dearest);
    wend__strict_begin(&s->open, estimate, weighted_key(s, 0, estimate));
}

static void begin_search(wend__search *s, const wend_request *request) {
    wend__general_astar_search *general = wend__general_of(s);
    s->part_shift = 10;
    general->kind = s->view->kind;
    general->layer_rows = s->view->chunk_y;
    general->mover_size = wend__version_mover_size(s->version, request->mover);
    general->occupied = request->occupied;
    general->occupied_within = request->occupied_within;
    general->nearest = request->mode == WEND_MODE_NEAREST;
    general->moving = general->strict = false;
    general->goal_id = general->near_id = general->expanding = general->end_id = WEND__NONE;
    s->weight_milli = request->heuristic == WEND_HEURISTIC_ZERO ? 1000 : request->weight_milli;
    s->begun = false;
    s->best = UINT64_MAX;
    s->describe_page = general->kind == WEND_KIND_GRID ? describe_page : NULL;
    wend__pages_reset(s);
    wend__open_reset(&s->open, s->pool->open_entries, 0);
    wend_cell substitute;
    if (s->status != WEND_STATUS_PENDING) return;
    if (s->enclosure.aimed)
        wend__heuristic_substitute(&general->heuristic, s->version, request, s->enclosure.target);
    else if (wend__request_substitute(s->version, request, &substitute))
        wend__heuristic_substitute(&general->heuristic, s->version, request, substitute);
    else
        wend__heuristic_set(&general->heuristic, s->version, request);
    general->strict = s->weight_milli != 1000 || general->heuristic.kind == WEND_HEURISTIC_MANHATTAN;
    if (general->strict) begin_strict(s);
}

/* Note a goal among closed nodes. With a consistent estimate the g of a closed node is final, so
 * if it is the only goal the search is over. Else an open node may still lead to it, or be
 * another goal within reach, for less. */
static void look_for_goal(wend__search *s, wend_cell cell) {
    uint32_t page = wend__pages_find_part(s, wend__place_of(s->view, cell));
    if (page == WEND__NONE) return;
    uint32_t id = page << 12 | (wend__place_of(s->view, cell).local & 1023);
    const wend__general_node *node = node_of(s->pool, id);
    if (node->open == 0 && is_goal(s, id, cell))
        note_goal(s, id, node->g, consistent(s) && wend__general_of(s)->heuristic.reach == 0 ? 0 : node->g);
}

/* Look for goals among closed nodes: they were closed before they were goals. False where there
 * are too many cells to look at. */
static bool look_for_goals(wend__search *s) {
    const wend_cell goal = wend__general_of(s)->heuristic.goals[0];
    const int32_t reach = wend__general_of(s)->heuristic.reach, rise = s->view->depth > 1 ? reach : 0;
    if (wend__general_of(s)->heuristic.goal_count > 1 || reach > 8) return false;
    for (int32_t z = goal.z - rise; z <= goal.z + rise; z++)
        for (int32_t y = goal.y - reach; y <= goal.y + reach; y++)
            for (int32_t x = goal.x - reach; x <= goal.x + reach; x++)
                if (wend__map_has(s->version->map, (wend_cell){x, y, z})) look_for_goal(s, (wend_cell){x, y, z});
    return true;
}

/* Push all open nodes again, by their new keys. False where blocks run out. */
static bool sort_anew(wend__search *s) {
    wend__open *open = &s->open;
    uint32_t top[WEND__BUCKETS];
    memcpy(top, open->top, sizeof top);
    memset(open->top, 0, sizeof open->top);
    memset(open->bits, 0, sizeof open->bits);
    open->words = 0;
    wend__general_of(s)->moving = false;
    s->floor_f = 0; /* keys too far above it go into the last bucket, and are sorted as they move down */
    for (uint32_t bucket = 0; bucket < WEND__BUCKETS; bucket++)
        for (uint32_t at = top[bucket]; at != 0;) {
            if (open->spare == 0) return false;
            uint32_t id = open->entries[at], below = at - 1;
            if ((at & 31) == 1) { /* the block's last entry: the block is free now */
                below = open->entries[at - 1];
                open->entries[at - 1] = open->free_block;
                open->free_block = at >> WEND__OPEN_BLOCK_SHIFT;
                open->spare++;
            }
            const wend__general_node *node = node_of(s->pool, id);
            if (node->open == 1) push_node(s, key_of(s, node->g, cell_at(s, id)), id);
            at = below;
        }
    return true;
}

/* A node's cost and parent do not depend on the goal; only the order of open nodes does. But a
 * nearest search must judge all nodes again, and a search that has reached a goal has skipped
 * nodes because of it. */
static bool move_goal(wend__search *s, const wend_request *request) {
    if (wend__general_of(s)->nearest || wend__general_of(s)->strict || s->best != UINT64_MAX) return false;
    s->goal = request->goal;
    wend__heuristic_set(&wend__general_of(s)->heuristic, s->version, request);
    if (!s->begun) return true;
    return sort_anew(s) && look_for_goals(s);
}

/* Its goals are enclosed. Costs and parents do not depend on goals, nor does how near the nodes so far are. */
static bool aim_at_target(wend__search *s, const wend_request *request) {
    if (wend__general_of(s)->strict || s->best != UINT64_MAX) return false;
    wend__heuristic_substitute(&wend__general_of(s)->heuristic, s->version, request, s->enclosure.target);
    if (!s->begun) return true;
    return sort_anew(s) && look_for_goals(s);
}

/* ---- its row ---- */

static bool is_open(const void *owner, uint32_t id) {
    return node_of(((const wend__search *)owner)->pool, id)->open == 1;
}

static void flip_open(const void *owner, uint32_t id) {
    node_of(((const wend__search *)owner)->pool, id)->open ^= 1;
}

static bool compact_open(wend__search *s) {
    if (wend__general_of(s)->strict) return wend__pages_compact_strict(s, is_due);
    const wend__open_nodes nodes = {s, is_open, flip_open};
    return wend__open_compact(&s->open, &nodes, s->open_pages.count, &s->floor_f) >= WEND__DIRECTIONS;
}

const wend__engine wend__general_astar = {
    .name = WEND_ENGINE_ASTAR,
    .serves = serves_request,
    .begin = begin_search,
    .step = step_slice,
    .conclude = conclude_search,
    .compact = compact_open,
    .cells = read_cells,
    .expanded = list_expanded,
    .take_nearest = take_nearest,
    .move_goal = move_goal,
    .aim = aim_at_target,
};
