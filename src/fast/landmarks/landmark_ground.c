/* SPDX-License-Identifier: MIT */
/* The ground of landmarks: steps and factors chunk by chunk, and links or edges, which both ends know.
 *
 * Steps that are closed one way count as open both ways, and a step costs the lesser factor of its ends: bounds that
 * hold for more and cheaper steps hold for the actual ones. On graphs all movers share landmarks: so the classes of
 * nodes do not count there, and each link counts for every mover. */
#include "map/ground/ground.h"
#include "map/kinds/graph.h"
#include "map/kinds/voxels.h"
#include "fast/landmarks/landmark_make.h"
#include "map/store/memory.h"
#include "map/store/sort.h"

/* ---- scales: weights of steps that lose nothing of their costs, or as little as possible ---- */

/* A number is not a rounded distance: rounding would make two ends of a step differ by more than the step costs. It
 * is a distance under lesser weights: integers of which each stands for no more than the step's cost. For costs of
 * 1,000 and 1,414 these are 500 and 707, which lose nothing. A coarser scale is for maps, such as mazes, where a strip
 * has numbers too far apart for its codes. */

enum { MOST_PARTS = 512 }; /* most parts of a step's cost */

/* Costs of the kinds of steps that the rules allow. */
static uint32_t costs_of(const wend__version *v, uint32_t costs[WEND__LANDMARK_WEIGHTS]) {
    const wend_map_rules *rules = &v->rules;
    costs[0] = (uint32_t)rules->cost_straight, costs[1] = (uint32_t)rules->cost_diagonal,
    costs[2] = (uint32_t)rules->cost_space;
    if (rules->neighbours == 4 || (rules->neighbours == 6 && v->kind == WEND_KIND_VOXEL)) return 1;
    return v->kind == WEND_KIND_VOXEL && rules->neighbours == 26 ? 3 : 2;
}

/* Returns the greatest share of a step's cost that is lost, in 2^32nds, if a straight step has `parts` parts. */
static uint64_t loss_of(const uint32_t *costs, uint32_t kinds, uint32_t parts) {
    uint64_t most = 0;
    for (uint32_t i = 1; i < kinds; i++) {
        const uint64_t whole = (uint64_t)costs[i] * parts, lost = (whole % costs[0] << 32) / whole;
        if (lost > most) most = lost;
    }
    return most;
}

static wend__landmark_scale scale_of_graph(uint64_t range) {
    const uint64_t most = WEND__LANDMARK_SPAN - 2, rate = (range + most - 1) / most;
    return (wend__landmark_scale){.rate = rate << WEND__LANDMARK_FRACTION, .slack = rate > 1};
}

bool wend__landmark_scale_of_parts(const wend__version *v, uint32_t parts, wend__landmark_scale *out) {
    uint32_t costs[WEND__LANDMARK_WEIGHTS];
    if (parts < 1 || parts > MOST_PARTS) return false;
    const uint32_t kinds = costs_of(v, costs);
    *out = (wend__landmark_scale){.rate = ((uint64_t)costs[0] << WEND__LANDMARK_FRACTION) / parts};
    for (uint32_t kind = 0; kind < kinds; kind++)
        out->weights[kind] = (uint32_t)((uint64_t)costs[kind] * parts / costs[0]);
    return true;
}

/* Straight steps lose nothing, as in mazes nearly all steps are straight. */
wend__landmark_scale wend__landmark_scale_for(const wend__version *v, uint64_t range) {
    uint32_t costs[WEND__LANDMARK_WEIGHTS], best = 1;
    if (v->kind == WEND_KIND_GRAPH) return scale_of_graph(range);
    const uint32_t kinds = costs_of(v, costs);
    uint64_t least = UINT64_MAX, most = (uint64_t)(WEND__LANDMARK_SPAN - 2) * costs[0] / range;
    if (most > MOST_PARTS) most = MOST_PARTS;
    for (uint32_t parts = 1; parts <= most; parts++) {
        const uint64_t loss = loss_of(costs, kinds, parts);
        if (loss < least) least = loss, best = parts;
    }
    wend__landmark_scale scale;
    wend__landmark_scale_of_parts(v, best, &scale);
    return scale;
}

enum { LINK_EFFORT = 4, WORDS_AN_EFFORT = 16 };
/* Stages of linking. */
enum { MARKING, LISTING, ZEROING, COUNTING, SUMMING, ADDING, LINKED };

static size_t linked_bytes(const wend__ground *g) {
    return (g->cells / 64 + 1) * sizeof *g->linked;
}

static size_t keys_bytes(const wend__ground *g) {
    return ((size_t)g->key_count + 1) * sizeof *g->keys;
}

static size_t first_bytes(const wend__ground *g) {
    return ((g->directions ? g->key_count : g->cells) + 2) * sizeof *g->first;
}

wend_error wend__ground_open(wend__ground *g, wend_map *map, const wend__version *view) {
    *g = (wend__ground){.map = map, .view = view, .levels = wend__is_walker(view)};
    g->chunks = (uint32_t)view->chunk_columns * (uint32_t)view->chunk_rows;
    g->cells = view->kind == WEND_KIND_GRAPH ? (size_t)view->width : (size_t)g->chunks * WEND__CHUNK_CELLS;
    if (view->kind == WEND_KIND_GRAPH) return WEND_OK;
    const bool space = view->kind == WEND_KIND_VOXEL;
    g->directions = space ? WEND__SPACE_DIRECTIONS : WEND__DIRECTIONS;
    if (space)
        g->space = wend__map_alloc(map, g->cells * sizeof *g->space);
    else
        g->flat = wend__map_alloc(map, g->cells);
    if (view->max_factor > 1) g->factors = wend__map_alloc(map, g->cells);
    if (view->links) g->linked = wend__map_alloc(map, linked_bytes(g));
    const bool steps = space ? g->space != NULL : g->flat != NULL;
    const bool others = (g->factors || view->max_factor <= 1) && (g->linked || !view->links);
    return steps && others ? WEND_OK : WEND_OUT_OF_MEMORY;
}

void wend__ground_free(wend__ground *g) {
    wend__map_free(g->map, g->flat, g->cells);
    wend__map_free(g->map, g->space, g->cells * sizeof *g->space);
    wend__map_free(g->map, g->factors, g->cells);
    wend__map_free(g->map, g->linked, linked_bytes(g));
    wend__map_free(g->map, g->first, first_bytes(g));
    wend__map_free(g->map, g->keys, keys_bytes(g));
    wend__map_free(g->map, g->ways, g->way_count * sizeof *g->ways);
}

/* ---- steps ---- */

enum { MOST_LINKS = 4096 }; /* links considered at one cell */

/* A grid's steps out of an open cell, and into it where steps are closed one way. */
static unsigned flat_steps(const wend__version *v, int32_t x, int32_t y) {
    unsigned steps = wend__version_steps(v, x, y);
    for (unsigned d = 0; d < WEND__DIRECTIONS && v->closed_steps > 0; d++) {
        const int32_t to_x = x + wend__dx[d], to_y = y + wend__dy[d];
        if (!wend__on_map(v, to_x, to_y) || wend__version_factor(v, to_x, to_y) == 0) continue;
        steps |= (unsigned)(wend__version_steps(v, to_x, to_y) >> wend__opposite(d) & 1) << d;
    }
    return steps;
}

static void read_flat(wend__ground *g, uint32_t chunk) {
    const wend__version *v = g->view;
    const int32_t column = (int32_t)(chunk % (uint32_t)v->chunk_columns);
    const int32_t row = (int32_t)(chunk / (uint32_t)v->chunk_columns);
    const wend__chunk *at = wend__version_chunk(v, column, row);
    const size_t base = (size_t)chunk * WEND__CHUNK_CELLS;
    for (uint32_t local = 0; local < WEND__CHUNK_CELLS; local++) {
        const int32_t x = column << 6 | (int32_t)(local & 63), y = row << 6 | (int32_t)(local >> 6);
        const uint8_t factor = wend__on_map(v, x, y) ? v->rules.factors[wend__chunk_class(at, local)] : 0;
        unsigned steps = 0;
        if (factor > 0) steps = v->closed_steps > 0 ? flat_steps(v, x, y) : v->legal[at->masks->bytes[local]];
        g->flat[base + local] = (uint8_t)steps;
        if (g->factors) g->factors[base + local] = factor;
    }
}

static uint32_t space_steps(const wend__version *v, const wend__chunk *at, uint32_t local, wend_cell cell) {
    uint32_t steps = wend__voxel_steps_at(v, at, local, cell);
    for (unsigned d = 0; d < WEND__SPACE_DIRECTIONS && v->closed_steps > 0; d++) {
        const wend_cell to = {cell.x + wend__sx[d], cell.y + wend__sy[d], cell.z + wend__sz[d]};
        const bool on = (uint32_t)to.x < (uint32_t)v->width && (uint32_t)to.y < (uint32_t)v->height &&
                        (uint32_t)to.z < (uint32_t)v->depth;
        if (!on || wend__cell_factor(v, to) == 0) continue;
        const int32_t back = wend__space_direction(-wend__sx[d], -wend__sy[d], -wend__sz[d]);
        steps |= (wend__voxel_steps(v, to) >> back & 1) << d;
    }
    return steps;
}

/* Indices of weights: 0 straight, 1 diagonal, 2 in space. */
static unsigned kind_in_space(unsigned d) {
    return d < WEND__SPACE_FLAT ? 0 : d < WEND__SPACE_SPACE ? 1 : 2;
}

/* The cell of an index; it may lie off the map. */
static wend_cell space_cell(const wend__version *v, uint32_t index) {
    const int32_t chunk = (int32_t)(index >> 12), local = (int32_t)(index & 4095);
    const int32_t column = chunk % v->chunk_columns, row = chunk / v->chunk_columns, layer = row / v->chunk_y;
    return (wend_cell){column << 4 | (local & 15), (row - layer * v->chunk_y) << 4 | (local >> 4 & 15),
                       layer << 4 | local >> 8};
}

static void read_space(wend__ground *g, uint32_t chunk) {
    const wend__version *v = g->view;
    const wend_cell first = space_cell(v, chunk << 12);
    const wend__place place = wend__place_of(v, first);
    const wend__chunk *at = wend__version_chunk(v, place.column, place.row);
    const size_t base = (size_t)chunk * WEND__CHUNK_CELLS;
    for (uint32_t local = 0; local < WEND__CHUNK_CELLS; local++) {
        const wend_cell cell = {first.x | (int32_t)(local & 15), first.y | (int32_t)(local >> 4 & 15),
                                first.z | (int32_t)(local >> 8)};
        const bool on = cell.x < v->width && cell.y < v->height && cell.z < v->depth;
        const uint8_t factor = on ? v->rules.factors[wend__chunk_class(at, local)] : 0;
        g->space[base + local] = factor > 0 ? space_steps(v, at, local, cell) : 0;
        if (g->factors) g->factors[base + local] = factor;
    }
}

void wend__ground_read(wend__ground *g, uint32_t chunk) {
    if (g->flat) read_flat(g, chunk);
    if (g->space) read_space(g, chunk);
    if (g->linked) memset(g->linked + (size_t)chunk * (WEND__CHUNK_CELLS / 64), 0, WEND__CHUNK_CELLS / 8);
    if (g->linked && chunk == 0) g->linked[g->cells / 64] = 0;
}

/* A walker's steps to other levels, out of a cell and into it, at the lesser factor of their ends. */
static uint32_t level_steps(const wend__version *v, wend_cell cell, wend__level_step out[WEND__LANDMARK_LEVELS]) {
    const uint32_t from = wend__level_steps(v, cell, false, out);
    const uint32_t count = from + wend__level_steps(v, cell, true, out + from);
    const uint8_t factor = wend__cell_factor(v, cell);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t other = wend__cell_factor(v, out[i].cell);
        out[i].cost *= factor < other ? factor : other;
    }
    return count;
}

static uint32_t level_edges(const wend__version *v, const wend__landmark_scale *scale, wend_cell cell, uint32_t count,
                            wend__landmark_edge *out) {
    wend__level_step steps[WEND__LANDMARK_LEVELS];
    const uint32_t levels = level_steps(v, cell, steps);
    for (uint32_t i = 0; i < levels; i++)
        out[count++] = (wend__landmark_edge){steps[i].cell, wend__landmark_weight(scale, steps[i].cost)};
    return count;
}

/* Links that lead out of a cell and into it, after `count` edges. */
static uint32_t linked_edges(const wend__version *v, const wend__landmark_scale *scale, wend_cell cell, uint32_t count,
                             wend__landmark_edge *out) {
    const wend__place p = wend__place_of(v, cell);
    const uint32_t number = wend__cell_number(v, cell);
    const uint64_t chunk = (uint64_t)p.row * (uint64_t)v->chunk_columns + (uint64_t)p.column;
    const wend__link_list into = wend__links_of_chunks(v, v->links, true, chunk, 1);
    uint32_t leaving;
    const wend__link *from = wend__links_from(v->links, number, &leaving);
    if (into.count > MOST_LINKS || leaving > MOST_LINKS) return WEND__LANDMARK_EDGES + 1;
    for (uint32_t i = 0; i < leaving + into.count; i++) {
        const wend__link *link = i < leaving ? &from[i] : &v->links->sorted[into.links[i - leaving]];
        if (i >= leaving && link->to != number) continue;
        const wend_cell to = wend__cell_of_number(v, i < leaving ? link->to : link->from);
        const uint32_t cost = wend__cell_factor(v, to) ? wend__link_cost(v, link) : 0;
        if (cost == 0) continue;
        if (count >= WEND__LANDMARK_EDGES) return WEND__LANDMARK_EDGES + 1;
        out[count++] = (wend__landmark_edge){to, wend__landmark_weight(scale, cost)};
    }
    return count;
}

uint32_t wend__landmark_edges(const wend__version *v, const wend__landmark_scale *scale, wend_cell cell,
                              wend__landmark_edge *out) {
    const bool space = v->kind == WEND_KIND_VOXEL;
    const wend__place place = wend__place_of(v, cell);
    const wend__chunk *at = wend__version_chunk(v, place.column, place.row);
    const uint8_t factor = v->rules.factors[wend__chunk_class(at, place.local)];
    uint32_t count = 0, steps = 0;
    if (factor == 0) return 0;
    if (v->kind != WEND_KIND_GRAPH)
        steps = space ? space_steps(v, at, place.local, cell) : flat_steps(v, cell.x, cell.y);
    for (; steps; steps &= steps - 1) {
        const unsigned d = wend__ctz32(steps);
        const wend_cell to = space ? (wend_cell){cell.x + wend__sx[d], cell.y + wend__sy[d], cell.z + wend__sz[d]}
                                   : (wend_cell){cell.x + wend__dx[d], cell.y + wend__dy[d], 0};
        const uint8_t other = wend__cell_factor(v, to);
        const unsigned kind = space ? kind_in_space(d) : d >= WEND__NE;
        out[count++] = (wend__landmark_edge){to, scale->weights[kind] * (factor < other ? factor : other)};
    }
    if (wend__is_walker(v)) count = level_edges(v, scale, cell, count, out);
    return v->links ? linked_edges(v, scale, cell, count, out) : count;
}

/* ---- links and edges ---- */

static bool is_open(const wend__ground *g, wend_cell cell) {
    return !g->directions || wend__cell_factor(g->view, cell) > 0;
}

static uint32_t index_of(const wend__ground *g, wend_cell cell) {
    if (!g->directions) return (uint32_t)cell.x;
    const wend__place p = wend__place_of(g->view, cell);
    return ((uint32_t)p.row * (uint32_t)g->view->chunk_columns + (uint32_t)p.column) << 12 | p.local;
}

static wend__way way_of(uint32_t to, bool entering, uint32_t cost) {
    return (wend__way){to & INT32_MAX, entering, cost};
}

static void spend(uint64_t *effort, uint64_t by) {
    *effort -= by < *effort ? by : *effort;
}

/* A way, seen from one of its ends. */
typedef void each_way(wend__ground *g, uint32_t at, wend__way way);

static void pass_node(wend__ground *g, each_way *fn, uint32_t node, uint64_t *effort) {
    const wend__arcs arcs = wend__graph_arcs(g->view->graph, node);
    for (const wend__arc *at = arcs.first; at != arcs.end; at++) {
        const wend__arc arc = *at;
        fn(g, node, way_of(arc.to, false, arc.cost));
        fn(g, arc.to, way_of(node, true, arc.cost));
    }
    spend(effort, 1 + (uint64_t)(arcs.end - arcs.first));
}

static void pass_link(wend__ground *g, each_way *fn, const wend__link *link, uint64_t *effort) {
    const wend_cell from = wend__cell_of_number(g->view, link->from), to = wend__cell_of_number(g->view, link->to);
    spend(effort, LINK_EFFORT);
    if (!is_open(g, from) || !is_open(g, to)) return;
    const uint32_t cost = g->directions ? wend__link_cost(g->view, link) : link->cost;
    if (cost == 0) return;
    fn(g, index_of(g, from), way_of(index_of(g, to), false, cost));
    fn(g, index_of(g, to), way_of(index_of(g, from), true, cost));
}

/* Calls `fn` for both ends of each way, from g->at on: the graph's nodes first, then the links. True: all are done. */
static bool pass_ways(wend__ground *g, each_way *fn, uint64_t *effort) {
    const wend__links *links = g->view->links;
    const size_t nodes = g->view->graph ? g->view->graph->nodes : 0, count = links ? links->count : 0;
    for (; g->at<nodes && * effort> 0; g->at++) pass_node(g, fn, (uint32_t)g->at, effort);
    for (; g->at >= nodes && g->at<nodes + count && * effort> 0; g->at++)
        pass_link(g, fn, &links->sorted[g->at - nodes], effort);
    return g->at == nodes + count;
}

static uint32_t key_place(const wend__ground *g, uint32_t cell) {
    if (!g->directions) return cell;
    uint32_t low = 0, high = g->key_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (g->keys[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void mark_cell(wend__ground *g, uint32_t at, wend__way way) {
    const uint64_t bit = UINT64_C(1) << at % 64;
    (void)way;
    g->key_count += !(g->linked[at / 64] & bit);
    g->linked[at / 64] |= bit;
}

/* first[k + 2] counts the ways of key k. Summed up, first[k + 1] is where they begin; once they are added, it is where
   they end, and those of the next key begin. */
static void count_way(wend__ground *g, uint32_t at, wend__way way) {
    (void)way;
    g->first[key_place(g, at) + 2]++;
}

static void add_way(wend__ground *g, uint32_t at, wend__way way) {
    g->ways[g->first[key_place(g, at) + 1]++] = way;
}

/* The cells with ways, in order. */
static bool list_keys(wend__ground *g, uint64_t *effort) {
    const size_t words = linked_bytes(g) / sizeof *g->linked;
    for (; g->at<words && * effort> 0; g->at++) {
        if (g->at % WORDS_AN_EFFORT == 0) spend(effort, 1);
        for (uint64_t left = g->linked[g->at]; left; left &= left - 1)
            g->keys[g->listed++] = (uint32_t)(g->at * 64) + wend__ctz64(left);
    }
    return g->at == words;
}

static wend_error allocate_keys(wend__ground *g) {
    if (g->directions) g->keys = wend__map_alloc(g->map, keys_bytes(g));
    return g->directions && !g->keys ? WEND_OUT_OF_MEMORY : WEND_OK;
}

static wend_error allocate_ways(wend__ground *g) {
    const wend__links *links = g->view->links;
    const size_t count = 2 * ((g->view->graph ? (size_t)g->view->graph->edges : 0) + (links ? links->count : 0));
    g->first = wend__map_alloc(g->map, first_bytes(g));
    wend__way *ways = g->first && count > 0 ? wend__map_alloc(g->map, count * sizeof *ways) : NULL;
    if (!g->first || (count > 0 && !ways) || count > UINT32_MAX) return WEND_OUT_OF_MEMORY;
    g->ways = ways, g->way_count = count;
    return WEND_OK;
}

/* Sets each number of `first` to 0, or with `sums` to the sum so far. True: all are done. */
static bool pass_firsts(wend__ground *g, bool sums, uint64_t *effort) {
    const size_t count = first_bytes(g) / sizeof *g->first;
    for (; g->at<count && * effort> 0; g->at++) {
        if (g->at % WORDS_AN_EFFORT == 0) spend(effort, 1);
        g->first[g->at] = sums && g->at > 0 ? g->first[g->at] + g->first[g->at - 1] : 0;
    }
    return g->at == count;
}

static wend_error end_stage(wend__ground *g) {
    g->stage++;
    g->at = 0;
    if (g->stage == LISTING) return allocate_keys(g);
    return g->stage == ZEROING ? allocate_ways(g) : WEND_OK;
}

wend_error wend__ground_link(wend__ground *g, uint64_t *effort) {
    wend_error error = WEND_OK;
    if (g->directions && !g->view->links) return WEND_OK;
    while (*effort > 0 && g->stage != LINKED && !error) {
        bool done = !g->directions; /* nodes need no keys */
        if (g->stage == MARKING && !done) done = pass_ways(g, mark_cell, effort);
        if (g->stage == LISTING && !done) done = list_keys(g, effort);
        if (g->stage == ZEROING || g->stage == SUMMING) done = pass_firsts(g, g->stage == SUMMING, effort);
        if (g->stage == COUNTING || g->stage == ADDING)
            done = pass_ways(g, g->stage == ADDING ? add_way : count_way, effort);
        if (done) error = end_stage(g);
    }
    return error;
}

const wend__way *wend__ground_ways(const wend__ground *g, uint32_t cell, uint32_t *count) {
    const uint32_t key = key_place(g, cell);
    *count = g->first[key + 1] - g->first[key];
    return g->ways + g->first[key];
}

uint32_t wend__ground_levels(const wend__ground *g, uint32_t cell, wend__way out[WEND__LANDMARK_LEVELS]) {
    wend__level_step steps[WEND__LANDMARK_LEVELS];
    const uint32_t count = level_steps(g->view, space_cell(g->view, cell), steps);
    for (uint32_t i = 0; i < count; i++) out[i] = way_of(index_of(g, steps[i].cell), false, steps[i].cost);
    return count;
}

bool wend__ground_has(const wend__ground *g, uint32_t cell) {
    if (!g->directions) return wend__graph_has(g->view->graph, cell);
    const uint32_t steps = g->flat ? g->flat[cell] : g->space[cell];
    return steps || (g->linked && (g->linked[cell / 64] >> cell % 64 & 1));
}
