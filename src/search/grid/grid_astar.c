/* SPDX-License-Identifier: MIT */
/* Resumable A* on grids; grid_astar_loop.h has the expansion loop. */
#include "search/grid/grid_astar.h"
#include "search/grid/grid_tolls.h"

#include "map/ground/ground.h"
#include "map/movers/views.h"
#include "map/version/layers.h"
#include "map/version/map.h"
#include "map/version/occupancy.h"
#include "search/open/bucket_ring.h"
#include "search/open/bucket_queue.h"
#include "search/request/request.h"
#include "search/rules/distance.h"
#include "search/store/candidate.h"
#include "search/store/pages.h"

#include <string.h>

enum { LEAST_GAIN = 32 };                                     /* landmarks are used if the estimate rises by a 32nd */
static const uint64_t narrow_limit = (UINT64_C(1) << 27) - 2; /* largest g of a 4-byte record */

/* With 8 neighbours jump search with stops sees units, but no costs by place; else this engine does. */
static bool serves_units(const wend__version *version, const wend__request *request) {
    return request->occupied == WEND_OCCUPIED_IGNORE ||
           ((version->rules.neighbours != 8 || request->profile != WEND_PROFILE_NONE) &&
            request->weight_milli == 1000 && wend__version_mover_size(version, request->mover) == 1);
}

/* Only the plainest searches cross the rim of a map that wraps. */
static bool serves_ground(const wend__version *version, const wend__request *request) {
    if (wend__links_of_host(version->links) > 0) return false;
    const bool plain = request->heuristic == WEND_HEURISTIC_EXACT || request->heuristic == WEND_HEURISTIC_ZERO;
    return !wend__wraps(version) ||
           (plain && request->weight_milli == 1000 && request->occupied == WEND_OCCUPIED_IGNORE);
}

/* Costs by place count in searches without a weight, where they do not need wide buckets. */
static bool serves_layers(const wend__version *version, const wend__request *request) {
    return request->profile == WEND_PROFILE_NONE ||
           (request->weight_milli == 1000 && request->heuristic != WEND_HEURISTIC_MANHATTAN &&
            wend__grid_tolls_serve(version, request->profile));
}

static bool serves_request(const wend__version *version, const wend__request *request) {
    return version->kind == WEND_KIND_GRID && serves_ground(version, request) && request->more_goal_count == 0 &&
           request->reach == 0 && serves_layers(version, request) && serves_units(version, request) &&
           !(request->flags & WEND__REQUEST_GOAL_MOVED);
}

/* The estimate from a cell, as seen from the goal. */
static inline uint64_t estimate_from(const wend__search *s, int32_t x, int32_t y) {
    const wend__grid_astar_search *const grid = wend__grid_of(s);
    const uint32_t dx = wend__way_round(wend__distance(x, 0), grid->around_x);
    const uint32_t dy = wend__way_round(wend__distance(y, 0), grid->around_y);
    const uint64_t plain = grid->hexagons ? (uint64_t)grid->estimate_straight * wend__hexagons(x, y)
                           : s->heuristic == WEND_HEURISTIC_EUCLID
                               ? wend__euclid(dx, dy, grid->estimate_straight, grid->estimate_diagonal)
                               : wend__octile(dx, dy, grid->estimate_straight, grid->estimate_diagonal);
    if (!grid->landmark_bounds.landmarks) return plain;
    const uint64_t known = wend__landmark_bound(&grid->landmark_bounds, x + s->goal.x, y + s->goal.y);
    return known > plain ? known : plain;
}

static inline uint64_t estimate_at(const wend__search *s, int32_t x, int32_t y) {
    return estimate_from(s, x - s->goal.x, y - s->goal.y);
}

/* Returns whether units count within `far` cells of a page: of all its chunk, even if the page is half of one. */
static bool is_near_units(const wend__search *s, const wend__page *header, int32_t far) {
    const wend__grid_astar_search *const grid = wend__grid_of(s);
    const int32_t left = header->x & -WEND__CHUNK_SIDE, top = header->y & -WEND__CHUNK_SIDE;
    return grid->sees_units && left - far <= grid->window.max.x && left + WEND__CHUNK_SIDE + far > grid->window.min.x &&
           top - far <= grid->window.max.y && top + WEND__CHUNK_SIDE + far > grid->window.min.y;
}

/* Returns whether cells of a chunk have steps over the rim. */
static bool has_last_line(const wend__version *v, int32_t column, int32_t row) {
    return (v->around_x && (column == 0 || column == v->chunk_columns - 1)) ||
           (v->around_y && (row == 0 || row == v->chunk_rows - 1));
}

/* Sets the header of a page: its masks and, if cells differ in cost, its classes. Pages with cells where units count
 * are slow ones. Units come and go during a search, so no step is omitted next to such cells. */
static void describe_page(wend__search *s, uint32_t page) {
    wend__page *header = &s->pool->pages[page];
    const int32_t column = header->x >> WEND__CHUNK_SHIFT, row = header->y >> WEND__CHUNK_SHIFT;
    const wend__grid_canonical *canonical = wend__grid_of(s)->canonical;
    header->tolls = NULL;
    header->untolled = s->layers != NULL;
    if (wend__grid_holds_tolls(header)) return;
    const wend__chunk *chunk = wend__version_chunk(s->view, column, row);
    size_t first = (size_t)(header->y & (WEND__CHUNK_SIDE - 1)) << WEND__CHUNK_SHIFT;
    header->masks = chunk->masks->bytes + first;
    header->slow = chunk->max_factor > 1;
    header->classes = header->slow && chunk->terrain ? chunk->terrain->bytes + first : NULL;
    header->factor = header->slow ? chunk->max_factor : 1;
    header->slow |= is_near_units(s, header, 0);
    header->seamed = wend__wraps(s->view) && has_last_line(s->view, column, row);
    const bool even = canonical && wend__grid_canonical_holds(s->view, column, row) && !is_near_units(s, header, 1) &&
                      !(header->seamed && s->view->closed_steps > 0);
    header->steps = even ? &(*canonical)[0][0] : s->view->legal;
    header->arrivals = even ? 15 : 0;
    const int32_t goal_row = s->goal.y & -(1 << wend__row_shift(s));
    if (header->x == (s->goal.x & -WEND__CHUNK_SIDE) && header->y == goal_row)
        s->goal_id =
            page << 12 | (uint32_t)(s->goal.y - header->y) << WEND__CHUNK_SHIFT | (uint32_t)(s->goal.x - header->x);
}

/* ---- beginning, and beginning again ---- */

/* Sets which units the search sees. */
static void set_window(wend__search *s, const wend__request *request) {
    wend__grid_astar_search *const grid = wend__grid_of(s);
    const int32_t within = request->occupied_within;
    grid->sees_units = request->occupied != WEND_OCCUPIED_IGNORE;
    grid->window = (wend_box){{0, 0, 0}, {s->view->width - 1, s->view->height - 1, 0}};
    if (within == WEND_EVERYWHERE) return;
    grid->window =
        (wend_box){{s->start.x - within, s->start.y - within, 0}, {s->start.x + within, s->start.y + within, 0}};
}

/* Sets the costs, in units, and the factors of the estimate. `euclid` counts in whole units, as it
 * is rounded down. */
static void set_costs(wend__search *s, const wend_map_rules *rules) {
    const int32_t occupied = wend__grid_of(s)->sees_units ? s->request.occupied : WEND_OCCUPIED_BLOCK;
    const uint32_t extra = occupied == WEND_OCCUPIED_BLOCK ? 0 : (uint32_t)occupied;
    uint32_t straight = (uint32_t)rules->cost_straight, diagonal = (uint32_t)rules->cost_diagonal;
    bool flat4 = rules->neighbours == 4;
    s->unit = s->heuristic == WEND_HEURISTIC_EUCLID ? 1 : flat4 ? straight : wend__common_divisor(straight, diagonal);
    if (extra > 0) s->unit = wend__common_divisor(s->unit, extra);
    if (s->layers) s->unit = 1;
    straight /= s->unit, diagonal /= s->unit;
    if (flat4) diagonal = 2 * straight;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) s->edge[d] = d < WEND__NE ? straight : diagonal;
    wend__grid_of(s)->estimate_straight = s->heuristic == WEND_HEURISTIC_ZERO ? 0 : straight;
    wend__grid_of(s)->estimate_diagonal = s->heuristic == WEND_HEURISTIC_ZERO        ? 0
                                          : s->heuristic == WEND_HEURISTIC_MANHATTAN ? 2 * straight
                                                                                     : diagonal;
    s->largest_edge = (uint64_t)(flat4 ? straight : diagonal) * (s->view->max_factor ? s->view->max_factor : 1);
    s->largest_edge += extra / s->unit + wend__grid_of(s)->most_toll;
    wend__grid_of(s)->unit_cost = occupied == WEND_OCCUPIED_BLOCK ? UINT32_MAX : extra / s->unit;
}

/* Returns the narrowest buckets with which the ring covers the largest rise of f in one step: the dearest edge, and the
 * growth of the estimate; by landmarks that is as much as the dearest edge. */
static uint32_t bucket_shift(const wend__search *s) {
    uint64_t growth = s->heuristic == WEND_HEURISTIC_ZERO ? 0 : wend__grid_of(s)->estimate_diagonal;
    if (wend__grid_of(s)->landmark_bounds.landmarks && growth < s->largest_edge) growth = s->largest_edge;
    uint32_t shift = 0;
    while (((s->largest_edge + growth) >> shift) + 2 >= WEND__BUCKETS) shift++;
    return shift;
}

static void reset_search(wend__search *s) {
    wend__pages_reset(s);
    wend__open_reset(&s->open, s->pool->open_entries, bucket_shift(s));
    s->begun = false;
    s->best = UINT64_MAX;
    s->exhaust = s->open.shift > 0;
}

/* Returns the heuristic that a search computes. If the squares of `euclid` would exceed 64 bits, the exact one takes
 * its place, as `euclid` would not be consistent. Hexagons have the exact one, or none. */
static int32_t choose_heuristic(const wend__version *v, const wend__request *request) {
    const wend_map_rules *rules = &v->rules;
    if (request->heuristic == WEND_HEURISTIC_MANHATTAN && rules->neighbours != 8) return WEND_HEURISTIC_EXACT;
    if (request->heuristic == WEND_HEURISTIC_EUCLID && rules->neighbours == 6) return WEND_HEURISTIC_EXACT;
    if (request->heuristic != WEND_HEURISTIC_EUCLID) return request->heuristic;
    const uint64_t side = (uint64_t)(v->width > v->height ? v->width : v->height), s = (uint64_t)rules->cost_straight;
    return side * s < UINT64_C(1) << 29 ? WEND_HEURISTIC_EUCLID : WEND_HEURISTIC_EXACT;
}

/* Landmarks are not used if they raise the start's bound hardly above the plain estimate: an expansion that looks them
 * up takes almost twice as long. */
static void init_landmark_bounds(wend__search *s) {
    wend__grid_astar_search *const grid = wend__grid_of(s);
    const wend__landmark_goals goal = {&s->goal, 1, 0};
    grid->landmark_bounds.landmarks = NULL;
    if (s->heuristic == WEND_HEURISTIC_ZERO) return;
    const uint32_t dx = wend__way_round(wend__distance(s->start.x, s->goal.x), grid->around_x);
    const uint32_t dy = wend__way_round(wend__distance(s->start.y, s->goal.y), grid->around_y);
    const uint64_t plain = wend__octile(dx, dy, s->edge[WEND__N], s->edge[WEND__NE]);
    const uint64_t known = wend__landmark_bounds_init(&grid->landmark_bounds, s->view, s->start, &goal, s->unit);
    if (known < plain + plain / LEAST_GAIN) grid->landmark_bounds.landmarks = NULL;
}

static void begin_search(wend__search *s, const wend__request *request) {
    const wend_map_rules *rules = &s->version->rules;
    wend__grid_astar_search *grid = wend__grid_of(s);
    s->describe_page = describe_page;
    grid->hexagons = wend__is_hex(s->version);
    s->heuristic = choose_heuristic(s->version, request);
    s->weight_milli = s->heuristic == WEND_HEURISTIC_ZERO ? 1000 : request->weight_milli;
    grid->around_x = s->version->around_x, grid->around_y = s->version->around_y;
    grid->strict = s->weight_milli != 1000 || s->heuristic == WEND_HEURISTIC_MANHATTAN;
    grid->most_toll = s->layers ? wend__layers_most(s->profile) : 0;
    set_window(s, request);
    set_costs(s, rules);
    const int table = wend__grid_canonical_choose(rules);
    grid->canonical = table < 0 ? NULL : wend__grid_canonical_of(table);
    grid->toll_steps = table < 0 || !s->layers ? NULL : wend__grid_toll_steps_of(table);
    init_landmark_bounds(s);
    const uint64_t least = wend__octile(wend__distance(s->start.x, s->goal.x), wend__distance(s->start.y, s->goal.y),
                                        s->edge[WEND__N], s->edge[WEND__NE]);
    s->price = s->heuristic == WEND_HEURISTIC_EUCLID ? 2 : 1;
    const bool led = grid->landmark_bounds.landmarks != NULL;
    s->wide = grid->strict || (led && grid->hexagons) || s->heuristic == WEND_HEURISTIC_EUCLID ||
              least + s->largest_edge > narrow_limit;
    if (s->layers) s->wide |= led || grid->hexagons || wend__grid_tolls_are_wide(s); /* one loop serves all of these */
    reset_search(s);
    if (!grid->strict) return;
    const uint64_t cells = (uint64_t)s->view->width * (uint64_t)s->view->height;
    grid->weights = wend__weights_of(s->weight_milli, cells * s->largest_edge);
    const uint64_t start = grid->weights.h * estimate_at(s, s->start.x, s->start.y);
    wend__strict_begin(&s->open, grid->weights.g * least, start);
}

/* Costs exceed 27 bits: begin again with 8-byte records, in the pages that the search holds. The
 * expansions spent still count. */
static void widen_records(wend__search *s) {
    WEND__ASSERT(!s->wide); /* 59 bits hold the dearest path through each cell of the largest pool, 2^31 */
    s->wide = true;
    reset_search(s);
}

/* Puts the closed cell nearest to the goals in the goal's place. */
static bool take_nearest(wend__search *s) {
    if (!s->begun) return false;
    if (s->best == UINT64_MAX) {
        s->goal = wend__nearest_closed(s);
        s->best = wend__grid_record(s, s->goal.x, s->goal.y) >> 5;
    }
    wend__grid_measure_path(s);
    return true;
}

static void finish_search(wend__search *s) {
    s->status = s->best == UINT64_MAX ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
    if (s->status == WEND_STATUS_FOUND) wend__grid_measure_path(s);
    if (s->status == WEND_STATUS_NO_PATH && s->request.mode == WEND_MODE_NEAREST && take_nearest(s))
        s->status = WEND_STATUS_PARTIAL;
}

/* Returns the direction of the neighbouring page on which a place just outside this page lies; -1: it is
 * inside. */
static inline int32_t page_way(int32_t column, int32_t row, int32_t rows) {
    int32_t down = (row >= 0) + (row >= rows), right = (column >= 0) + (column >= WEND__CHUNK_SIDE);
    return wend__flat_directions[down * 3 + right];
}

/* Takes the pages that the steps of a cell on a page's border lead to, before it is expanded.
 * Results do not depend on when a page is taken, so it takes all that it can get. */
static WEND__NOINLINE bool reach_pages(wend__search *s, wend__stock *stock, uint32_t page, int32_t column, int32_t row,
                                       int32_t rows, uint32_t steps) {
    uint32_t asked = 0, missing = 0;
    for (; steps; steps &= steps - 1) {
        unsigned d = wend__ctz32(steps);
        int32_t way = page_way(column + wend__dx[d], row + wend__dy[d], rows);
        if (way < 0 || (asked >> way & 1)) continue;
        asked |= 1u << way;
        uint32_t other = s->pool->pages[page].links[way];
        if (other == WEND__NONE) other = wend__pages_neighbour(s, stock, page, (unsigned)way);
        missing += other == WEND__NONE || (s->pool->pages[other].untolled && !wend__grid_find_tolls(s, stock, other));
    }
    if (missing > 0) wend__pages_starve(s, missing, 0);
    return missing == 0;
}

/* ---- over the rim ---- */

/* Returns whether a cell of a page is in the first or last line of an axis that wraps. */
WEND__INLINE bool is_on_last_line(const wend__search *s, const wend__page *header, uint32_t local) {
    if (!header->seamed) return false;
    const int32_t x = header->x + (int32_t)(local & (WEND__CHUNK_SIDE - 1));
    const int32_t y = header->y + (int32_t)(local >> WEND__CHUNK_SHIFT);
    const int32_t around_x = wend__grid_of(s)->around_x, around_y = wend__grid_of(s)->around_y;
    return (around_x && (x == 0 || x == around_x - 1)) || (around_y && (y == 0 || y == around_y - 1));
}

/* The estimate from a cell on the map, as seen from the goal. */
WEND__INLINE uint64_t estimate_on_ground(const wend__search *s, int32_t x, int32_t y) {
    const wend__grid_astar_search *const grid = wend__grid_of(s);
    const uint64_t plain = wend__octile(wend__way_round(wend__distance(x, 0), grid->around_x),
                                        wend__way_round(wend__distance(y, 0), grid->around_y), grid->estimate_straight,
                                        grid->estimate_diagonal);
    if (!grid->landmark_bounds.landmarks) return plain;
    const uint64_t known = wend__landmark_bound(&grid->landmark_bounds, x + s->goal.x, y + s->goal.y);
    return known > plain ? known : plain;
}

/* Offers a cell over the rim the way through the node of a record. `cost`: without costs by place. */
static void relax_beyond(wend__search *s, wend__ring *ring, uint64_t record, uint32_t d, wend_cell cell, uint32_t page,
                         uint32_t cost) {
    const wend__page *header = &s->pool->pages[page];
    const uint32_t local = (uint32_t)(cell.y - header->y) << WEND__CHUNK_SHIFT | (uint32_t)(cell.x - header->x);
    if (header->tolls) cost += wend__grid_toll(header, local, s->wide);
    const uint64_t g = (record >> 5) + cost, next = (g << 5 | 31) ^ (15 ^ d);
    void *records = wend__page_records(s->pool, page);
    uint64_t *wide = (uint64_t *)records + local;
    uint32_t *narrow = (uint32_t *)records + local;
    if (g >= (s->wide ? *wide : *narrow) >> 5) return;
    if (s->wide)
        *wide = next;
    else
        *narrow = (uint32_t)next;
    const uint64_t f = g + estimate_on_ground(s, cell.x - s->goal.x, cell.y - s->goal.y);
    wend__ring_push(ring, &s->open, (uint32_t)(f >> s->open.shift) & (WEND__BUCKETS - 1), page << 12 | local);
}

/* Takes the steps over the rim out of a node. Returns false if pages are lacking: then none is taken. */
static WEND__NOINLINE bool relax_seams(wend__search *s, wend__stock *stock, wend__ring *ring, uint32_t id,
                                       uint64_t record) {
    const wend__page *header = &s->pool->pages[id >> 12];
    const wend_cell from = {header->x + (int32_t)(id & 63), header->y + (int32_t)((id & 4095) >> 6), 0};
    uint32_t pages[WEND__DIRECTIONS], costs[WEND__DIRECTIONS] = {0}, missing = 0;
    wend_cell ends[WEND__DIRECTIONS];
    if (!is_on_last_line(s, header, id & 4095)) return true;
    for (uint32_t d = 0; d < WEND__DIRECTIONS; d++) {
        const wend_cell to = {from.x + wend__dx[d], from.y + wend__dy[d], 0};
        ends[d] = wend__wrapped_cell(s->view, to);
        if (wend__on_map(s->view, to.x, to.y) || !wend__on_map(s->view, ends[d].x, ends[d].y)) continue;
        costs[d] = wend__seam_cost(s->view, from, ends[d]);
        if (costs[d] == 0) continue;
        pages[d] = wend__pages_get(s, stock, ends[d].x, ends[d].y);
        missing += pages[d] == WEND__NONE || (s->layers && !wend__grid_find_tolls(s, stock, pages[d]));
    }
    if (missing > 0) wend__pages_starve(s, missing, 0);
    for (uint32_t d = 0; d < WEND__DIRECTIONS && missing == 0; d++)
        if (costs[d]) relax_beyond(s, ring, record, d, ends[d], pages[d], costs[d] / (uint32_t)s->unit);
    return missing == 0;
}

/* wend__octile() for the loop: in registers, without branches. */
WEND__INLINE uint64_t loop_octile(int32_t x, int32_t y, uint32_t straight, uint32_t bend) {
    const uint32_t dx = (uint32_t)(x < 0 ? -x : x), dy = (uint32_t)(y < 0 ? -y : y);
    return (uint64_t)straight * (dx > dy ? dx : dy) + (uint64_t)bend * (dx > dy ? dy : dx);
}

/* The steps as words that the loop can load at once; equal to wend__dx and wend__dy. */
static const int32_t step_x[WEND__DIRECTIONS] = {0, 1, 0, -1, 1, 1, -1, -1};
static const int32_t step_y[WEND__DIRECTIONS] = {-1, 0, 1, 0, -1, 1, 1, -1};
static const int32_t step_offset[WEND__DIRECTIONS] = {-64, 1, 64, -1, -63, 65, 63, -65};

/* Returns the counts of units of the chunk that contains a cell. */
WEND__INLINE const uint8_t *units_around(const wend__search *s, int32_t x, int32_t y) {
    return wend__occupancy_plane(s->version->map->occupancy, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
}

/* Returns the cost that a unit adds to a step into a cell; UINT32_MAX: it cannot be entered. */
WEND__INLINE uint32_t unit_cost_in(const uint8_t *plane, const wend__grid_astar_search *grid, int32_t x, int32_t y) {
    if (!plane || !plane[(y & 63) << WEND__CHUNK_SHIFT | (x & 63)]) return 0;
    const bool counts =
        x >= grid->window.min.x && x <= grid->window.max.x && y >= grid->window.min.y && y <= grid->window.max.y;
    return counts ? grid->unit_cost : 0;
}

WEND__INLINE uint32_t unit_cost_at(const wend__search *s, const wend__grid_astar_search *grid, int32_t x, int32_t y) {
    return unit_cost_in(units_around(s, x, y), grid, x, y);
}

#define STEP step_narrow
#define RECORD uint32_t
#define ROW_SHIFT WEND__NARROW_ROW_SHIFT
#define ESTIMATE(x, y) loop_octile(x, y, straight, bend)
#define SEES_UNITS false
#define HAS_TOLLS false
#define WRAPS false
#include "search/grid/grid_astar_loop.h"

/* Among hexagons. */
#define STEP step_hexagons
#define RECORD uint32_t
#define ROW_SHIFT WEND__NARROW_ROW_SHIFT
#define ESTIMATE(x, y) ((uint64_t)straight * wend__hexagons(x, y))
#define SEES_UNITS false
#define HAS_TOLLS false
#define WRAPS false
#include "search/grid/grid_astar_loop.h"

/* With costs by place. */
#define STEP step_tolls_narrow
#define RECORD uint32_t
#define ROW_SHIFT WEND__NARROW_ROW_SHIFT
#define ESTIMATE(x, y) loop_octile(x, y, straight, bend)
#define SEES_UNITS wend__grid_of(s)->sees_units
#define HAS_TOLLS true
#define WRAPS false
#include "search/grid/grid_astar_loop.h"

/* All other searches. */
#define STEP step_other_narrow
#define RECORD uint32_t
#define ROW_SHIFT WEND__NARROW_ROW_SHIFT
#define ESTIMATE(x, y) estimate_from(s, x, y)
#define SEES_UNITS wend__grid_of(s)->sees_units
#define HAS_TOLLS s->layers != NULL
#define WRAPS wend__wraps(s->version)
#include "search/grid/grid_astar_loop.h"

#define STEP step_other_wide
#define RECORD uint64_t
#define ROW_SHIFT WEND__WIDE_ROW_SHIFT
#define ESTIMATE(x, y) estimate_from(s, x, y)
#define SEES_UNITS wend__grid_of(s)->sees_units
#define HAS_TOLLS s->layers != NULL
#define WRAPS wend__wraps(s->version)
#include "search/grid/grid_astar_loop.h"

#include "search/grid/grid_weighted_loop.h"

/* Pushes the start. Returns false if the stock is empty. */
static bool push_start(wend__search *s, wend__stock *stock) {
    uint32_t page = wend__pages_get(s, stock, s->start.x, s->start.y);
    if (page == WEND__NONE) {
        wend__pages_starve(s, 1, 0);
        return false;
    }
    const bool strict = wend__grid_of(s)->strict;
    if (strict ? !wend__pages_spare_strict(s, stock) : !wend__pages_spare(s, stock)) {
        wend__pages_starve(s, 0, 1);
        return false;
    }
    if (s->layers && !wend__grid_find_tolls(s, stock, page)) {
        wend__pages_starve(s, 1, 0);
        return false;
    }
    const wend__page *header = &s->pool->pages[page];
    uint32_t local = (uint32_t)(s->start.y - header->y) << WEND__CHUNK_SHIFT | (uint32_t)(s->start.x - header->x);
    if (s->wide)
        ((uint64_t *)wend__page_records(s->pool, page))[local] = 16 | WEND__DIRECTIONS;
    else
        ((uint32_t *)wend__page_records(s->pool, page))[local] = 16 | WEND__DIRECTIONS;
    const uint64_t f = estimate_at(s, s->start.x, s->start.y);
    if (strict) {
        const uint64_t key = wend__grid_of(s)->weights.h * f;
        wend__strict_push(&s->open, wend__strict_make(&s->open, key, f, page << 12 | local, 0));
    } else {
        s->open.current = (uint32_t)(f >> s->open.shift) & (WEND__BUCKETS - 1);
        wend__open_push(&s->open, f, page << 12 | local);
    }
    s->begun = true;
    return true;
}

static uint64_t step_slice(wend__search *s, wend__stock *stock, uint64_t budget) {
    const wend__grid_astar_search *const grid = wend__grid_of(s);
    if (!s->begun && !push_start(s, stock)) return 0;
    const bool plain = s->heuristic != WEND_HEURISTIC_EUCLID && !grid->landmark_bounds.landmarks;
    if (grid->strict)
        return plain && !grid->hexagons ? step_weighted(s, stock, budget) : step_weighted_other(s, stock, budget);
    if (s->wide) return step_other_wide(s, stock, budget);
    if (!plain || wend__wraps(s->version)) return step_other_narrow(s, stock, budget);
    if (s->layers) return step_tolls_narrow(s, stock, budget);
    if (grid->sees_units) return step_other_narrow(s, stock, budget);
    return grid->hexagons ? step_hexagons(s, stock, budget) : step_narrow(s, stock, budget);
}

/* Returns whether popping a node would count as an expansion, or begin the search again. */
static bool is_live(const void *owner, uint32_t id) {
    const wend__search *s = owner;
    const wend__page *page = &s->pool->pages[id >> 12];
    const void *records = wend__page_records(s->pool, id >> 12);
    const uint32_t local = id & 4095;
    const uint64_t record = s->wide ? ((const uint64_t *)records)[local] : ((const uint32_t *)records)[local];
    if (!(record & 16)) return false;
    if (s->best == UINT64_MAX) return true;
    const int32_t x = page->x + (int32_t)(local & (WEND__CHUNK_SIDE - 1)), y = page->y + (int32_t)(local >> 6);
    return (record >> 5) + estimate_at(s, x, y) < s->best;
}

/* Returns whether an entry in strict order has its node's present key. Else a newer entry comes off before it. */
static bool is_due(const void *owner, const wend__strict_entry *entry) {
    const wend__search *s = owner;
    const wend__page *page = &s->pool->pages[entry->node >> 12];
    const uint32_t local = entry->node & 4095;
    const uint64_t record = ((const uint64_t *)wend__page_records(s->pool, entry->node >> 12))[local];
    const int32_t x = page->x + (int32_t)(local & (WEND__CHUNK_SIDE - 1)), y = page->y + (int32_t)(local >> 6);
    const wend__weights *weights = &wend__grid_of(s)->weights;
    return (record & 16) && entry->key == weights->g * (record >> 5) + weights->h * estimate_at(s, x, y);
}

/* After the goal is found the search only empties the goal's bucket. */
static void conclude_search(wend__search *s, wend__stock *stock) {
    (void)stock;
    if (!s->begun) return;
    const bool more = wend__grid_of(s)->strict ? wend__strict_any(&s->open, s, is_due)
                      : s->best == UINT64_MAX  ? wend__open_any(&s->open, s, is_live)
                                               : wend__open_any_in(&s->open, s->open.current, s, is_live);
    if (!more) finish_search(s);
}

static void list_expanded(const wend__search *s, wend__cell_list *list) {
    const uint32_t cells = 64u << wend__row_shift(s);
    uint32_t page = s->pages.first;
    for (uint32_t i = 0; i < s->active_pages; i++, page = s->pool->pages[page].next) {
        const wend__page *header = &s->pool->pages[page];
        const void *records = wend__page_records(s->pool, page);
        if (wend__grid_holds_tolls(header)) continue;
        const wend_cell low = {header->x, header->y, 0};
        const wend_box box = {low,
                              {low.x + WEND__CHUNK_SIDE - 1, low.y + (int32_t)(cells >> WEND__CHUNK_SHIFT) - 1, 0}};
        if (wend__cell_list_skips(list, box)) continue;
        for (uint32_t local = 0; local < cells; local++) {
            const uint64_t record = s->wide ? ((const uint64_t *)records)[local] : ((const uint32_t *)records)[local];
            if (record & 16) continue; /* open, or not reached: then all bits are set */
            const int32_t x = header->x + (int32_t)(local & (WEND__CHUNK_SIDE - 1));
            wend__cell_list_add(list, (wend_cell){x, header->y + (int32_t)(local >> WEND__CHUNK_SHIFT), 0});
        }
    }
}

/* The open bit of a record is above its direction. */
static bool is_open(const void *owner, uint32_t id) {
    const wend__search *s = owner;
    const void *records = wend__page_records(s->pool, id >> 12);
    return (s->wide ? ((const uint64_t *)records)[id & 4095] : ((const uint32_t *)records)[id & 4095]) & 16;
}

static void flip_open(const void *owner, uint32_t id) {
    const wend__search *s = owner;
    void *records = wend__page_records(s->pool, id >> 12);
    if (s->wide)
        ((uint64_t *)records)[id & 4095] ^= 16;
    else
        ((uint32_t *)records)[id & 4095] ^= 16;
}

static bool compact_open(wend__search *s) {
    if (wend__grid_of(s)->strict) return wend__pages_compact_strict(s, is_due);
    const wend__open_nodes nodes = {s, is_open, flip_open};
    return wend__open_compact(&s->open, &nodes, s->open_pages.count, NULL) >= WEND__DIRECTIONS;
}

/* ---- a prefix of a path ---- */

static wend__candidate describe_node(const wend__search *s, uint32_t id) {
    const wend__page *page = &s->pool->pages[id >> 12];
    const void *records = wend__page_records(s->pool, id >> 12);
    const uint32_t local = id & 4095;
    const uint64_t record = s->wide ? ((const uint64_t *)records)[local] : ((const uint32_t *)records)[local];
    const int32_t x = page->x + (int32_t)(local & (WEND__CHUNK_SIDE - 1)), y = page->y + (int32_t)(local >> 6);
    return (wend__candidate){{x, y, 0}, id, (record >> 5) * s->unit, estimate_at(s, x, y) * s->unit};
}

static bool read_candidate(const wend__search *s, uint32_t id, wend__candidate *out) {
    if (!is_open(s, id)) return false;
    *out = describe_node(s, id);
    return true;
}

static void offer_candidates(wend__search *s, wend__candidate_best *best) {
    best->read = read_candidate;
    if (wend__grid_of(s)->strict)
        wend__candidate_offer_strict(best);
    else
        wend__candidate_offer_list(best);
    if (s->best == UINT64_MAX || best->list) return; /* the best is closed */
    const wend__candidate goal = describe_node(s, s->goal_id);
    wend__candidate_offer(best, &goal);
}

const wend__engine wend__grid_astar = {
    .name = WEND_ENGINE_ASTAR,
    .work = WEND_WORK_GRID_ASTAR,
    .serves = serves_request,
    .begin = begin_search,
    .step = step_slice,
    .conclude = conclude_search,
    .compact = compact_open,
    .cells = wend__grid_read_cells,
    .directions = wend__grid_read_directions,
    .expanded = list_expanded,
    .take_nearest = take_nearest,
    .candidates = offer_candidates,
    .back = wend__grid_back,
};
