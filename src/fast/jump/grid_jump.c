/* SPDX-License-Identifier: MIT */
/* Jump search: the loop, its beginning and its end. grid_jump_scan.h generates successors. */

/* Tried: successors above an upper bound are not pushed. Even the exact cost as the bound, known for nothing, saves at
 * most 2 % in caves, noise and cities. */
#include "fast/jump/grid_jump.h"
#include "fast/tables/jumps.h"
#include "fast/landmarks/landmarks.h"
#include "map/store/directions.h"
#include "map/store/map_layout.h"
#include "search/grid/grid_astar.h"
#include "fast/jump/grid_jump_choice.h"
#include "fast/jump/grid_jump_nodes.h"
#include "fast/jump/grid_jump_scan.h"
#include "fast/jump/jump_lines.h"
#include "search/request/request.h"
#include "search/store/candidate.h"

#include <string.h>

enum { G_MAX = (1 << 27) - 1 };
_Static_assert((int)WEND__LANDMARK_BLOCKS == (int)WEND__JUMP_BLOCKS, "landmarks are made where jump search serves");

/* ---- costs ---- */

static uint32_t cost_unit(const wend_map_rules *rules) {
    return wend__common_divisor((uint32_t)rules->cost_straight, (uint32_t)rules->cost_diagonal);
}

/* Returns whether the most expensive jump fits into a record. Else jump search does not serve. */
static bool jumps_fit(const wend__version *v) {
    const uint64_t dearest = wend__jump_dearest(v);
    return dearest < G_MAX || dearest / cost_unit(&v->rules) < G_MAX; /* the unit is rarely needed */
}

/* ---- requests that jump search serves */

static bool serves_request(const wend__version *v, const wend__request *request) {
    const wend_map_rules *rules = &v->rules;
    if (v->kind != WEND_KIND_GRID || !v->jumps || request->engine == WEND_ENGINE_ASTAR) return false;
    if (rules->neighbours != 8 || rules->corners != WEND_CORNERS_NEVER || wend__grid_canonical_choose(rules) < 0)
        return false;
    if (v->max_factor > 1 || v->closed_steps > 0 || v->links) return false;
    if (request->mover != WEND_MOVER_DEFAULT || request->occupied != WEND_OCCUPIED_IGNORE) return false;
    if (request->more_goal_count > 0 || request->reach > 0 || request->mode == WEND_MODE_NEAREST) return false;
    if (request->heuristic != WEND_HEURISTIC_EXACT) return false; /* with a weight, a cheapest path is right, too */
    if (request->flags & WEND__REQUEST_GOAL_MOVED || request->profile != WEND_PROFILE_NONE) return false;
    if ((uint64_t)v->block_columns * (uint64_t)v->block_rows > WEND__JUMP_BLOCKS) return false;
    if (!jumps_fit(v)) return false;
    if (request->engine == WEND_ENGINE_AUTO && !wend__jump_pays(v, request)) return false;
    return wend__version_factor(v, request->start.x, request->start.y) > 0;
}

/* ---- ending ---- */

/* The index of a node, in the form of a record that is marked as expanded. */
static uint32_t record_of_place(uint32_t place) {
    return (place & 15) | WEND__JUMP_CLOSED | place >> 4 << 5;
}

static uint32_t place_of_record(uint32_t record) {
    return (record & 15) | record >> 5 << 4;
}

/* Keeps the path in its nodes, from the goal back, as it may be read after the version is gone. A node's parent is the
 * previous cell, and its record becomes the index of that cell's node. */
static void keep_way(wend__search *s) {
    const uint32_t start = wend__jump_cell(s->start.x, s->start.y);
    const wend__jump_node *nodes = (const wend__jump_node *)(void *)s->pool->records;
    uint32_t cell = wend__jump_of(s)->goal_cell;
    s->steps = 0;
    for (wend__jump_node *node = &wend__grid_jump_of(s)->goal; cell != start;) {
        const uint32_t before = node->parent;
        wend__jump_node *other = before == start ? NULL : wend__jump_node_find(s, before);
        WEND__DEBUG_ASSERT(other || before == start);
        const uint32_t dx = wend__distance(wend__jump_x(cell), wend__jump_x(before));
        const uint32_t dy = wend__distance(wend__jump_y(cell), wend__jump_y(before));
        s->steps += dx > dy ? dx : dy;
        node->record = record_of_place(other ? (uint32_t)(other - nodes) : 0); /* the start's node is never read */
        cell = before;
        node = other;
    }
}

static void finish_search(wend__search *s) {
    s->status = s->best == UINT64_MAX ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
    if (s->status != WEND_STATUS_FOUND) return;
    s->cost = s->best * s->unit;
    keep_way(s);
}

/* ---- beginning ---- */

/* Sets the costs, in units, and the width of buckets, about a straight step. */
static void set_costs(wend__search *s) {
    const wend_map_rules *rules = &s->version->rules;
    wend__unit_costs *costs = &s->unit_costs;
    if (costs->of_straight != rules->cost_straight || costs->of_diagonal != rules->cost_diagonal) {
        costs->of_straight = rules->cost_straight, costs->of_diagonal = rules->cost_diagonal;
        costs->unit = cost_unit(rules);
        costs->straight = (uint32_t)rules->cost_straight / costs->unit;
        costs->diagonal = (uint32_t)rules->cost_diagonal / costs->unit;
        for (costs->shift = 0; (UINT32_C(2) << costs->shift) <= costs->straight;) costs->shift++;
    }
    s->unit = costs->unit;
    s->edge[WEND__N] = costs->straight;
    s->edge[WEND__NE] = costs->diagonal;
    wend__jump_of(s)->bend = costs->diagonal - costs->straight;
}

/* Returns true if tables and landmarks exceed the caches. Below that, waiting for memory costs more than it saves. */
static bool is_large(const wend__version *v) {
    enum { CHUNKS = 256 };
    return (uint64_t)v->chunk_columns * (uint64_t)v->chunk_rows > CHUNKS;
}

/* Returns whether an entry will be expanded. */
static bool is_due(const wend__search *s, const uint32_t *entry) {
    const uint32_t record = wend__jump_node_of(s, entry[2])->record, only = entry[0] >> WEND__JUMP_G_BITS;
    return wend__jump_g(entry[0]) == record >> 5 && (only != 0 || !(record & WEND__JUMP_CLOSED));
}

static uint32_t bucket_of(const wend__search *s, const uint32_t *entry) {
    return wend__jump_bucket(s, wend__jump_g(entry[0]), wend__jump_x(entry[1]), wend__jump_y(entry[1]));
}

static const wend__jump_kind kind = {is_due, bucket_of};

static void begin_search(wend__search *s, const wend__request *request) {
    (void)request;
    set_costs(s);
    wend__jump_of(s)->kind = &kind;
    /* Half a page for each block, and one for the directory of these. */
    wend__jump_of(s)->directories = (size_t)s->version->block_columns * (size_t)s->version->block_rows / 2 + 2;
    wend__grid_jump_of(s)->goal_column = s->goal.x >> WEND__CHUNK_SHIFT;
    wend__grid_jump_of(s)->goal_row = s->goal.y >> WEND__CHUNK_SHIFT;
    wend__jump_of(s)->has_next = wend__jump_of(s)->on_way = false;
    wend__jump_of(s)->exits = 0;
    wend__grid_jump_of(s)->is_large = is_large(s->version);
    wend__grid_jump_of(s)->waiting_count = 0;
    wend__jump_of(s)->owed = WEND__JUMP_BEGIN_COSTS;
    wend__jump_of(s)->landmark_bounds.landmarks = NULL;
    s->begun = false;
    s->best = UINT64_MAX;
    wend__jump_of(s)->g_limit = (uint32_t)(G_MAX - wend__jump_dearest(s->version) / s->unit);
    wend__open_reset(&s->open, s->pool->open_entries, s->unit_costs.shift);
}

/* The most chunks and runs that are read. */
enum { DIRECT_PARTS = 8 };

/* Returns true if the path that goes diagonally, then straight, is clear. Its cost is the estimate: none is cheaper. */
static bool is_direct(wend__search *s) {
    int32_t x = s->start.x, y = s->start.y;
    const int32_t dx = s->goal.x - x, dy = s->goal.y - y;
    const unsigned k = (unsigned)(dx > 0) | (unsigned)(dy > 0) << 1;
    const uint32_t across = wend__distance(dx, 0), down = wend__distance(dy, 0);
    uint32_t left = across < down ? across : down, parts = 0;
    while (left > 0) {
        const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        const piece c = piece_of(at.table, k, x, y, 0);
        const uint32_t steps = c.length ? c.length : wend__popcount64(c.cells) - 1;
        if (++parts > DIRECT_PARTS || (steps < left && c.length == 0)) return false;
        const int32_t n = (int32_t)(steps < left ? steps : left);
        x += n * step_x(k), y += n * step_y(k), left -= (uint32_t)n;
    }
    const unsigned d = across > down ? side_h(k) : side_v(k);
    for (left = across > down ? across - down : down - across; left > 0;) {
        const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        const int32_t run = run_from(s, &at, x, y, d);
        if (left <= wend__distance(run, 0)) return true;
        if (++parts > DIRECT_PARTS || run <= 0) return false;
        x += run * wend__dx[d], y += run * wend__dy[d], left -= (uint32_t)run;
    }
    return true;
}

/* Landmarks that do not raise the start's estimate above the plain one cost more time than they save. */
static void init_landmark_bounds(wend__search *s) {
    wend__landmark_bounds *landmark_bounds = &wend__jump_of(s)->landmark_bounds;
    const uint32_t plain = wend__jump_estimate(s, s->start.x, s->start.y);
    const wend__landmark_goals goal = {&s->goal, 1, 0};
    const uint64_t known = wend__landmark_bounds_init(landmark_bounds, s->view, s->start, &goal, s->unit);
    if (known <= plain) landmark_bounds->landmarks = NULL;
}

/* Makes the start's node if the start is a jump point, so that the search does not return to it. */
static bool make_start(wend__search *s, wend__stock *stock) {
    const int32_t x = s->start.x, y = s->start.y;
    const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    uint32_t place;
    if (!wend__jump_is_point(&at.table->points, (uint32_t)x & 63, (uint32_t)y & 63)) return true;
    if (!wend__jump_place(s, stock, &at, x, y, wend__jump_of(s)->cell, &place)) return false;
    *wend__jump_node_of(s, place) = (wend__jump_node){WEND__JUMP_CLOSED | 15, wend__jump_of(s)->cell};
    return true;
}

/* Begins with the start's exits. (An open cell without exits was answered as no_path before.) */
static bool push_start(wend__search *s, wend__stock *stock) {
    const int32_t x = s->start.x, y = s->start.y;
    if (!wend__jump_nodes_begin(s, stock)) return false;
    wend__grid_jump_of(s)->spare_directory = WEND__NONE;
    wend__jump_of(s)->cell = wend__jump_cell(x, y);
    wend__jump_of(s)->goal_cell = wend__jump_cell(s->goal.x, s->goal.y);
    wend__grid_jump_of(s)->goal = (wend__jump_node){UINT32_MAX, wend__jump_of(s)->cell};
    if (is_direct(s)) {
        s->best = wend__jump_estimate(s, x, y);
        finish_search(s);
        return true;
    }
    if (!make_start(s, stock)) return false;
    init_landmark_bounds(s);
    wend__jump_open_begin(s, wend__jump_bucket(s, 0, x, y));
    wend__jump_of(s)->cell_g = 0;
    wend__jump_of(s)->exits = wend__jump_exits[15][wend__jump_mask_at(s, x, y)];
    s->begun = true;
    return true;
}

/* ---- the loop ---- */

/* Pops a node and the directions to expand: none if the entry is stale, or the goal. False if the search ended. */
WEND__INLINE bool pop_node(wend__search *s, uint32_t *entered, uint64_t *used) {
    wend__jump_entry entry;
    if (WEND__UNLIKELY(!wend__jump_next(s, &entry))) {
        finish_search(s);
        return false;
    }
    wend__jump_node *const node = wend__jump_node_of(s, entry.more);
    const uint32_t record = node->record, g = record >> 5, only = wend__jump_key(entry) >> WEND__JUMP_G_BITS;
    if (wend__jump_g(wend__jump_key(entry)) != g) return true;
    const uint32_t cell = wend__jump_cell_of(entry);
    const int32_t x = wend__jump_x(cell), y = wend__jump_y(cell);
    if (WEND__UNLIKELY(s->best != UINT64_MAX) && g + wend__jump_estimate(s, x, y) >= s->best) return true;
    if (WEND__UNLIKELY(g > wend__jump_of(s)->g_limit)) {
        s->outgrown = true;
        return false;
    }
    ++*used;
    wend__jump_of(s)->cell = cell;
    wend__jump_of(s)->cell_g = g;
    if (WEND__UNLIKELY(entry.more == WEND__NONE)) {
        s->best = g;
        wend__jump_of(s)->goal_bucket = wend__jump_of(s)->floor;
        return true;
    }
    node->record = record | WEND__JUMP_CLOSED;
    *entered = only ? only : record & 15;
    return true;
}

/* Spend a slice. These count as expansions, as each takes about as long: nodes expanded, pieces
 * of diagonals scanned, successors pushed. The beginning counts WEND__JUMP_BEGIN_COSTS. A scan may push
 * more successors than the budget allows; they are owed, and are counted before anything else. */
WEND__INLINE uint64_t spend_slice(wend__search *s, wend__stock *stock, const bool large, uint64_t budget) {
    uint64_t used = 0;
    while (used < budget && s->status == WEND_STATUS_PENDING && !s->starved) {
        uint32_t entered = 0;
        used += wend__jump_of(s)->owed; /* without a branch, which could not be predicted */
        wend__jump_of(s)->owed = 0;
        if (used >= budget) break;
        if (WEND__UNLIKELY(!s->begun)) {
            if (!push_start(s, stock)) break;
            continue;
        }
        if (WEND__UNLIKELY(is_crowded(s, large)) && !wend__jump_spare(s, stock)) break;
        if (WEND__LIKELY(wend__jump_of(s)->exits == 0)) {
            if (!pop_node(s, &entered, &used)) break;
            if (entered == 0) continue;
        }
        const int32_t x = wend__jump_x(wend__jump_of(s)->cell), y = wend__jump_y(wend__jump_of(s)->cell);
        const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        if (entered != 0) wend__jump_of(s)->exits = wend__jump_exits[entered][wend__jump_mask_at(s, x, y)];
        used += expand_node(s, stock, large, &at, budget - used);
        if (large) relax_waiting(s);
    }
    used += wend__jump_of(s)->owed;
    wend__jump_of(s)->owed = used > budget ? (uint32_t)(used - budget) : 0;
    return used - wend__jump_of(s)->owed;
}

/* A separate function, so that plain maps have the loop without waiting. */
static WEND__NOINLINE uint64_t spend_slice_of_large(wend__search *s, wend__stock *stock, uint64_t budget) {
    return spend_slice(s, stock, true, budget);
}

static uint64_t step_slice(wend__search *s, wend__stock *stock, uint64_t budget) {
    if (WEND__UNLIKELY(wend__grid_jump_of(s)->is_large)) return spend_slice_of_large(s, stock, budget);
    return spend_slice(s, stock, false, budget);
}

/* Successors that are owed count, and so does each diagonal exit. Otherwise a step shows whether another expansion is
 * needed. A counted one is discarded, as the search does not go on. (A step that ends the search counts none.) */
static void conclude_search(wend__search *s, wend__stock *stock) {
    const bool known = wend__jump_of(s)->owed > 0 || (s->begun && wend__jump_of(s)->exits > 15);
    if (!known && step_slice(s, stock, 1) > 0) s->starved = false;
}

static void list_expanded(const wend__search *s, wend__cell_list *list) {
    wend__jump_nodes_expanded(s, list);
    const wend__jump_table *table =
        wend__jump_table_at(s->version, s->start.x >> WEND__CHUNK_SHIFT, s->start.y >> WEND__CHUNK_SHIFT);
    const bool is_point = wend__jump_is_point(&table->points, (uint32_t)s->start.x & 63, (uint32_t)s->start.y & 63);
    if (!is_point) wend__cell_list_add(list, s->start); /* other starts are listed with their nodes */
    if (s->best != UINT64_MAX) wend__cell_list_add(list, s->goal);
}

/* ---- reading the result ---- */

static void walk_back(const wend__search *s, wend__jump_walk *walk) {
    const wend__jump_node *node = walk->node, *nodes = (const wend__jump_node *)(void *)s->pool->records;
    node = node ? nodes + place_of_record(node->record) : &wend__grid_jump_of(s)->goal;
    *walk = (wend__jump_walk){node, node->parent, false, 0, 0};
}

static void read_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    wend__jump_read_cells(s, false, walk_back, out, count);
}

static bool read_directions(const wend__search *s, uint8_t *out) {
    wend__jump_read_directions(s, false, walk_back, out);
    return true;
}

/* ---- a prefix of a path ---- */

static const wend__jump_node *node_of_cell(const wend__search *s, uint32_t cell) {
    return cell == wend__jump_of(s)->goal_cell ? &wend__grid_jump_of(s)->goal : wend__jump_node_find(s, cell);
}

static bool read_candidate(const wend__search *s, uint32_t cell, wend__candidate *out) {
    const uint32_t record = node_of_cell(s, cell)->record;
    if (record & WEND__JUMP_CLOSED) return false;
    const wend_cell at = {wend__jump_x(cell), wend__jump_y(cell), 0};
    const uint64_t unit = s->unit;
    *out = (wend__candidate){at, cell, (record >> 5) * unit, wend__jump_estimate(s, at.x, at.y) * unit};
    return true;
}

static void offer_candidates(wend__search *s, wend__candidate_best *best) {
    const wend__jump_search *j = wend__jump_of(s);
    wend__candidate candidate;
    best->read = read_candidate;
    wend__candidate_offer_chains(best, j->far);
    if (j->has_next && read_candidate(s, wend__jump_cell_of(j->next), &candidate))
        wend__candidate_offer(best, &candidate);
    if (s->best != UINT64_MAX && read_candidate(s, j->goal_cell, &candidate)) wend__candidate_offer(best, &candidate);
}

static int go_back(const wend__search *s, wend__candidate *at) {
    if (at->node == wend__jump_cell(s->start.x, s->start.y)) return WEND__HOP_NONE;
    at->node = node_of_cell(s, at->node)->parent;
    at->cell = (wend_cell){wend__jump_x(at->node), wend__jump_y(at->node), 0};
    return WEND__HOP_JUMP;
}

const wend__engine wend__grid_jump = {
    .name = WEND_ENGINE_JUMP,
    .work = WEND_WORK_GRID_JUMP,
    .wider = &wend__grid_astar,
    .serves = serves_request,
    .begin = begin_search,
    .step = step_slice,
    .conclude = conclude_search,
    .compact = wend__jump_compact,
    .cells = read_cells,
    .directions = read_directions,
    .expanded = list_expanded,
    .candidates = offer_candidates,
    .back = go_back,
};
