/* SPDX-License-Identifier: MIT */
/* Resumable A* on grids; grid_astar_loop.h has the expansion loop. */
#include "search/grid/grid_astar.h"

#include "search/open/bucket_ring.h"
#include "search/open/open_compaction.h"
#include "search/request/request.h"
#include "search/rules/distance.h"
#include "search/store/pages.h"

#include <string.h>

enum { NEAR = 64 };                                           /* straight steps */
static const uint64_t narrow_limit = (UINT64_C(1) << 27) - 2; /* largest g of a 4-byte record */

static bool serves_request(const wend__version *version, const wend_request *request) {
    return version->kind == WEND_KIND_GRID && !version->links && request->more_goal_count == 0 && request->reach == 0 &&
           request->mode == WEND_MODE_EXACT && request->occupied == WEND_OCCUPIED_IGNORE &&
           !(request->flags & WEND__REQUEST_GOAL_MOVED);
}

/* The estimate, times the weight. */
static inline uint64_t estimate_at(const wend__search *s, int32_t x, int32_t y) {
    const wend__grid_astar_search *const grid = wend__grid_of(s);
    uint32_t dx = wend__distance(x, s->goal.x), dy = wend__distance(y, s->goal.y);
    uint64_t plain = s->heuristic == WEND_HEURISTIC_EUCLID
                         ? wend__euclid(dx, dy, grid->estimate_straight, grid->estimate_diagonal)
                         : wend__octile(dx, dy, grid->estimate_straight, grid->estimate_diagonal);
    if (grid->bearings.landmarks) {
        const uint64_t known = wend__bearings_bound(&grid->bearings, x, y);
        if (known > plain) plain = known;
    }
    return plain * (uint64_t)s->weight_milli / 1000;
}

/* Do all cells of a chunk and of the chunks around it cost 1, without closed steps? Then
 * canonical successors are valid for all cells of the chunk. */
static bool is_even(const wend__version *v, int32_t column, int32_t row) {
    for (int32_t y = row - 1; y <= row + 1; y++)
        for (int32_t x = column - 1; x <= column + 1; x++) {
            if (x < 0 || y < 0 || x >= v->chunk_columns || y >= v->chunk_rows) continue;
            const wend__chunk *chunk = wend__version_chunk(v, x, y);
            if (chunk->max_factor > 1 || chunk->closed_near) return false;
        }
    return true;
}

/* Set the header of a page: its masks and, where cells differ in cost, its classes. */
static void describe_page(wend__search *s, uint32_t page) {
    wend__page *header = &s->pool->pages[page];
    const int32_t column = header->x >> WEND__CHUNK_SHIFT, row = header->y >> WEND__CHUNK_SHIFT;
    const wend__grid_canonical *canonical = wend__grid_of(s)->canonical;
    const wend__chunk *chunk = wend__version_chunk(s->view, column, row);
    size_t first = (size_t)(header->y & (WEND__CHUNK_SIDE - 1)) << WEND__CHUNK_SHIFT;
    header->masks = chunk->masks->bytes + first;
    header->slow = chunk->max_factor > 1;
    header->classes = header->slow && chunk->terrain ? chunk->terrain->bytes + first : NULL;
    header->factor = header->slow ? chunk->max_factor : 1;
    const bool even = canonical && is_even(s->view, column, row);
    header->steps = even ? &(*canonical)[0][0] : s->view->legal;
    header->arrivals = even ? 15 : 0;
    const int32_t goal_row = s->goal.y & -(1 << wend__row_shift(s));
    if (header->x == (s->goal.x & -WEND__CHUNK_SIDE) && header->y == goal_row)
        s->goal_id =
            page << 12 | (uint32_t)(s->goal.y - header->y) << WEND__CHUNK_SHIFT | (uint32_t)(s->goal.x - header->x);
}

/* ---- beginning, and beginning again ---- */

/* Set the costs, in units, and the factors of the estimate. A search with an inconsistent
 * estimate counts in whole units, so that a weight such as 1.1 is not rounded away. */
static void set_costs(wend__search *s, const wend_map_rules *rules) {
    uint32_t straight = (uint32_t)rules->cost_straight, diagonal = (uint32_t)rules->cost_diagonal;
    bool flat4 = rules->neighbours == 4;
    s->unit = wend__grid_of(s)->inconsistent ? 1 : flat4 ? straight : wend__common_divisor(straight, diagonal);
    straight /= s->unit, diagonal /= s->unit;
    if (flat4) diagonal = 2 * straight;
    for (unsigned d = 0; d < WEND__DIRECTIONS; d++) s->edge[d] = d < WEND__NE ? straight : diagonal;
    wend__grid_of(s)->estimate_straight = s->heuristic == WEND_HEURISTIC_ZERO ? 0 : straight;
    wend__grid_of(s)->estimate_diagonal = s->heuristic == WEND_HEURISTIC_ZERO        ? 0
                                          : s->heuristic == WEND_HEURISTIC_MANHATTAN ? 2 * straight
                                                                                     : diagonal;
    s->largest_edge = (uint64_t)(flat4 ? straight : diagonal) * (s->view->max_factor ? s->view->max_factor : 1);
}

/* The narrowest buckets with which the ring covers the largest rise of f in one step: the
 * dearest edge, and the growth of the estimate (S or D; 2 S for manhattan; 2 for rounding; by
 * landmarks as much as the dearest edge),
 * times the weight. Two buckets are spare: one as f may lie anywhere in its bucket, one for the
 * bits that euclid loses. */
static uint32_t bucket_shift(const wend__search *s) {
    uint64_t growth = s->heuristic == WEND_HEURISTIC_ZERO ? 0 : (uint64_t)wend__grid_of(s)->estimate_diagonal + 2;
    if (wend__grid_of(s)->bearings.landmarks && growth < s->largest_edge + 2) growth = s->largest_edge + 2;
    uint64_t rise = s->largest_edge + (growth * (uint64_t)s->weight_milli + 999) / 1000;
    uint32_t shift = 0;
    while ((rise >> shift) + 2 >= WEND__BUCKETS) shift++;
    return shift;
}

static void reset_search(wend__search *s) {
    wend__pages_reset(s);
    wend__open_reset(&s->open, s->pool->open_entries, bucket_shift(s));
    s->begun = false;
    s->best = UINT64_MAX;
    s->exhaust = wend__grid_of(s)->inconsistent || s->open.shift > 0;
}

/* Landmarks are not asked where the goal is near and they say no more than the plain estimate: looking
 * them up takes longer than it saves. */
static void take_bearings(wend__search *s) {
    wend__grid_astar_search *const grid = wend__grid_of(s);
    const wend__bearings_goals goal = {&s->goal, 1, 0};
    grid->bearings.landmarks = NULL;
    if (s->heuristic == WEND_HEURISTIC_ZERO) return;
    const uint32_t dx = wend__distance(s->start.x, s->goal.x), dy = wend__distance(s->start.y, s->goal.y);
    const uint64_t plain = wend__octile(dx, dy, s->edge[WEND__N], s->edge[WEND__NE]);
    const uint64_t known = wend__bearings_take(&grid->bearings, s->view, s->start, &goal, s->unit);
    if (known <= plain && plain < (uint64_t)NEAR * s->edge[WEND__N]) grid->bearings.landmarks = NULL;
}

static void begin_search(wend__search *s, const wend_request *request) {
    const wend_map_rules *rules = &s->version->rules;
    s->describe_page = describe_page;
    s->heuristic = request->heuristic;
    if (s->heuristic == WEND_HEURISTIC_MANHATTAN && rules->neighbours == 4) s->heuristic = WEND_HEURISTIC_EXACT;
    s->weight_milli = s->heuristic == WEND_HEURISTIC_ZERO ? 1000 : request->weight_milli;
    wend__grid_of(s)->inconsistent =
        s->weight_milli != 1000 || s->heuristic == WEND_HEURISTIC_EUCLID || s->heuristic == WEND_HEURISTIC_MANHATTAN;
    set_costs(s, rules);
    int table = wend__grid_of(s)->inconsistent ? -1 : wend__grid_canonical_choose(rules);
    wend__grid_of(s)->canonical = table < 0 ? NULL : &s->pool->canonical[table];
    take_bearings(s);
    uint64_t least = wend__octile(wend__distance(s->start.x, s->goal.x), wend__distance(s->start.y, s->goal.y),
                                  s->edge[WEND__N], s->edge[WEND__NE]);
    s->wide = wend__grid_of(s)->inconsistent || least + s->largest_edge > narrow_limit;
    reset_search(s);
}

/* Costs exceed 27 bits: begin again with 8-byte records, in the pages that the search holds. The
 * expansions spent still count. */
static void widen_records(wend__search *s) {
    WEND__ASSERT(!s->wide); /* 59 bits hold the dearest path through each cell of the largest pool, 2^31 */
    s->wide = true;
    reset_search(s);
}

static void measure_path(wend__search *s);

static void finish_search(wend__search *s) {
    s->status = s->best == UINT64_MAX ? WEND_STATUS_NO_PATH : WEND_STATUS_FOUND;
    if (s->status == WEND_STATUS_FOUND) measure_path(s);
}

/* Direction of the neighbouring page on which a place just outside this page lies; -1: it is
 * inside. */
static inline int32_t page_way(int32_t column, int32_t row, int32_t rows) {
    int32_t down = (row >= 0) + (row >= rows), right = (column >= 0) + (column >= WEND__CHUNK_SIDE);
    return wend__flat_directions[down * 3 + right];
}

/* Take the pages that the steps of a cell on a page's border lead to, before it is expanded.
 * Results do not depend on when a page is taken, so it takes all that it can get. */
static WEND__NOINLINE bool reach_pages(wend__search *s, wend__stock *stock, uint32_t page, int32_t column, int32_t row,
                                       int32_t rows, uint32_t steps) {
    uint32_t asked = 0, missing = 0;
    for (; steps; steps &= steps - 1) {
        unsigned d = wend__ctz32(steps);
        int32_t way = page_way(column + wend__dx[d], row + wend__dy[d], rows);
        if (way < 0 || (asked >> way & 1)) continue;
        asked |= 1u << way;
        if (s->pool->pages[page].links[way] == WEND__NONE)
            missing += wend__pages_neighbour(s, stock, page, (unsigned)way) == WEND__NONE;
    }
    if (missing > 0) wend__pages_starve(s, missing, 0);
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

#define STEP step_narrow
#define RECORD uint32_t
#define ROW_SHIFT WEND__NARROW_ROW_SHIFT
#define ESTIMATE(x, y) loop_octile(x, y, straight, bend)
#define GENERAL 0
#include "search/grid/grid_astar_loop.h"

/* The same with landmarks. */
WEND__INLINE uint64_t led_octile(const wend__bearings *bearings, uint64_t plain, int32_t x, int32_t y) {
    const uint64_t known = wend__bearings_bound(bearings, x, y);
    return known > plain ? known : plain;
}

#define STEP step_led_narrow
#define RECORD uint32_t
#define ROW_SHIFT WEND__NARROW_ROW_SHIFT
#define ESTIMATE(x, y) led_octile(&bearings, loop_octile(x, y, straight, bend), (x) + goal_x, (y) + goal_y)
#define GENERAL 0
#include "search/grid/grid_astar_loop.h"

#define STEP step_led_wide
#define RECORD uint64_t
#define ROW_SHIFT WEND__WIDE_ROW_SHIFT
#define ESTIMATE(x, y) led_octile(&bearings, loop_octile(x, y, straight, bend), (x) + goal_x, (y) + goal_y)
#define GENERAL 0
#include "search/grid/grid_astar_loop.h"

#define STEP step_wide
#define RECORD uint64_t
#define ROW_SHIFT WEND__WIDE_ROW_SHIFT
#define ESTIMATE(x, y) loop_octile(x, y, straight, bend)
#define GENERAL 0
#include "search/grid/grid_astar_loop.h"

#define STEP step_general
#define RECORD uint64_t
#define ROW_SHIFT WEND__WIDE_ROW_SHIFT
#define ESTIMATE(x, y) estimate_at(s, (x) + goal_x, (y) + goal_y)
#define GENERAL 1
#include "search/grid/grid_astar_loop.h"

/* Push the start. False where the stock is empty. */
static bool push_start(wend__search *s, wend__stock *stock) {
    uint32_t page = wend__pages_get(s, stock, s->start.x, s->start.y);
    if (page == WEND__NONE) {
        wend__pages_starve(s, 1, 0);
        return false;
    }
    if (!wend__pages_spare(s, stock)) {
        wend__pages_starve(s, 0, 1);
        return false;
    }
    const wend__page *header = &s->pool->pages[page];
    uint32_t local = (uint32_t)(s->start.y - header->y) << WEND__CHUNK_SHIFT | (uint32_t)(s->start.x - header->x);
    if (s->wide)
        ((uint64_t *)wend__page_records(s->pool, page))[local] = 16 | WEND__DIRECTIONS;
    else
        ((uint32_t *)wend__page_records(s->pool, page))[local] = 16 | WEND__DIRECTIONS;
    uint64_t f = estimate_at(s, s->start.x, s->start.y);
    s->open.current = (uint32_t)(f >> s->open.shift) & (WEND__BUCKETS - 1);
    s->floor_f = f >> s->open.shift << s->open.shift;
    wend__open_push(&s->open, f, page << 12 | local);
    s->begun = true;
    return true;
}

static uint64_t step_slice(wend__search *s, wend__stock *stock, uint64_t budget) {
    if (!s->begun && !push_start(s, stock)) return 0;
    if (wend__grid_of(s)->bearings.landmarks && !wend__grid_of(s)->inconsistent)
        return s->wide ? step_led_wide(s, stock, budget) : step_led_narrow(s, stock, budget);
    return wend__grid_of(s)->inconsistent ? step_general(s, stock, budget)
           : s->wide                      ? step_wide(s, stock, budget)
                                          : step_narrow(s, stock, budget);
}

/* Would popping a node count as an expansion, or begin the search again? */
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

/* After the goal is found the search only empties the goal's bucket. */
static void conclude_search(wend__search *s, wend__stock *stock) {
    (void)stock;
    if (!s->begun) return;
    const bool more = s->best == UINT64_MAX ? wend__open_any(&s->open, s, is_live)
                                            : wend__open_any_in(&s->open, s->open.current, s, is_live);
    if (!more) finish_search(s);
}

static void list_expanded(const wend__search *s, wend__cell_list *list) {
    const uint32_t cells = 64u << wend__row_shift(s);
    uint32_t page = s->pages.first;
    for (uint32_t i = 0; i < s->active_pages; i++, page = s->pool->pages[page].next) {
        const wend__page *header = &s->pool->pages[page];
        const void *records = wend__page_records(s->pool, page);
        for (uint32_t local = 0; local < cells; local++) {
            const uint64_t record = s->wide ? ((const uint64_t *)records)[local] : ((const uint32_t *)records)[local];
            if (record & 16) continue; /* open, or not reached: then all bits are set */
            const int32_t x = header->x + (int32_t)(local & (WEND__CHUNK_SIDE - 1));
            wend__cell_list_add(list, (wend_cell){x, header->y + (int32_t)(local >> WEND__CHUNK_SHIFT), 0});
        }
    }
}

/* ---- the way back ---- */

/* The position of a walk back from the goal: a cell of a page. */
typedef struct grid_walk {
    const wend__search *search;
    const void *records;
    int32_t left, top;   ///< first cell of the page
    int32_t column, row; ///< in the page
} grid_walk;

static void grid_walk_enter(grid_walk *t, int32_t x, int32_t y) {
    const wend__search *s = t->search;
    const uint32_t page = wend__pages_find(s, x, y);
    t->left = s->pool->pages[page].x, t->top = s->pool->pages[page].y;
    t->column = x - t->left, t->row = y - t->top;
    t->records = wend__page_records(s->pool, page);
}

static grid_walk grid_walk_from_goal(const wend__search *s) {
    grid_walk t = {.search = s};
    grid_walk_enter(&t, s->goal.x, s->goal.y);
    return t;
}

WEND__INLINE unsigned grid_walk_direction(const grid_walk *t) {
    const size_t local = (size_t)t->row << WEND__CHUNK_SHIFT | (size_t)t->column;
    return t->search->wide ? (unsigned)(((const uint64_t *)t->records)[local] & 15)
                           : ((const uint32_t *)t->records)[local] & 15;
}

WEND__INLINE void grid_walk_back(grid_walk *t, unsigned direction, int32_t rows) {
    t->column -= step_x[direction];
    t->row -= step_y[direction];
    if (WEND__UNLIKELY((uint32_t)t->column >= WEND__CHUNK_SIDE || (uint32_t)t->row >= (uint32_t)rows))
        grid_walk_enter(t, t->left + t->column, t->top + t->row);
}

/* A search that has ended does not need its first open page: that page keeps the directions of
 * the path, at its end, if they fit. So the records are walked only once. */
enum { TRAIL = WEND__OPEN_PAGE_WORDS * sizeof(uint32_t) };

static uint8_t *trail_end(const wend__search *s) {
    return (uint8_t *)s->pool->open_entries + ((size_t)s->open_pages.first + 1) * TRAIL;
}

/* A path of one cell has none. */
static const uint8_t *trail(const wend__search *s) {
    return s->steps == 0 ? NULL : trail_end(s) - s->steps;
}

/* With an inconsistent estimate the path may be cheaper than the goal's g: a node on it became
 * cheaper, and the search ended before the nodes after it were relaxed. So such searches add up
 * the path's cost. */
static void measure_path(wend__search *s) {
    const int32_t rows = 1 << wend__row_shift(s);
    grid_walk t = grid_walk_from_goal(s);
    uint8_t *const end = trail_end(s);
    uint64_t walked = 0, steps = 0;
    for (unsigned d; (d = grid_walk_direction(&t)) < WEND__DIRECTIONS; steps++) {
        if (steps < TRAIL) end[-1 - (ptrdiff_t)steps] = (uint8_t)d;
        if (wend__grid_of(s)->inconsistent)
            walked += (uint64_t)s->edge[d] * wend__version_factor(s->view, t.left + t.column, t.top + t.row);
        grid_walk_back(&t, d, rows);
    }
    s->steps = steps;
    s->cost = (wend__grid_of(s)->inconsistent ? walked : s->best) * s->unit;
}

/* Write cells from the kept directions, from the start on. */
static void trail_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    const uint8_t *const directions = trail(s);
    wend_cell at = s->start;
    if (count > 0) out[0] = at;
    for (uint64_t i = 1; i < count; i++) {
        at.x += step_x[directions[i - 1]], at.y += step_y[directions[i - 1]];
        out[i] = at;
    }
}

static void read_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    if (s->steps <= TRAIL) {
        trail_cells(s, out, count);
        return;
    }
    const int32_t rows = 1 << wend__row_shift(s);
    grid_walk t = grid_walk_from_goal(s);
    for (uint64_t i = s->steps;; i--) {
        if (i < count) out[i] = (wend_cell){t.left + t.column, t.top + t.row, 0};
        if (i == 0) break;
        grid_walk_back(&t, grid_walk_direction(&t), rows);
    }
}

static bool read_directions(const wend__search *s, uint8_t *out) {
    if (s->steps <= TRAIL) {
        if (s->steps > 0) memcpy(out, trail(s), s->steps);
        return true;
    }
    const int32_t rows = 1 << wend__row_shift(s);
    grid_walk t = grid_walk_from_goal(s);
    for (uint64_t i = s->steps; i-- > 0;) {
        out[i] = (uint8_t)grid_walk_direction(&t);
        grid_walk_back(&t, out[i], rows);
    }
    return true;
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
    const wend__open_nodes nodes = {s, is_open, flip_open};
    return wend__open_compact(&s->open, &nodes, s->open_pages.count, NULL) >= WEND__DIRECTIONS;
}

const wend__engine wend__grid_astar = {
    .name = WEND_ENGINE_ASTAR,
    .serves = serves_request,
    .begin = begin_search,
    .step = step_slice,
    .conclude = conclude_search,
    .compact = compact_open,
    .cells = read_cells,
    .directions = read_directions,
    .expanded = list_expanded,
};
