/* SPDX-License-Identifier: MIT */
/* The path of an A* search on a grid: its records lead back from the goal. */
#include "search/grid/grid_astar.h"

#include "map/ground/ground.h"
#include "search/store/candidate.h"
#include "search/store/pages.h"

#include <string.h>

/* The position of a walk back from the goal: a cell of a page. */
typedef struct grid_walk {
    const wend__search *search;
    const void *records;
    int32_t left, top;   ///< first cell of the page
    int32_t column, row; ///< place in the page
} grid_walk;

static bool wraps(const wend__search *s) {
    return wend__grid_of(s)->around_x || wend__grid_of(s)->around_y;
}

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

WEND__INLINE uint64_t grid_walk_record(const grid_walk *t) {
    const size_t local = (size_t)t->row << WEND__CHUNK_SHIFT | (size_t)t->column;
    return t->search->wide ? ((const uint64_t *)t->records)[local] : ((const uint32_t *)t->records)[local];
}

WEND__INLINE unsigned grid_walk_direction(const grid_walk *t) {
    return (unsigned)grid_walk_record(t) & 15;
}

uint64_t wend__grid_record(const wend__search *s, int32_t x, int32_t y) {
    grid_walk t = {.search = s};
    grid_walk_enter(&t, x, y);
    return grid_walk_record(&t);
}

/* The same if a step may lead over the rim. */
static WEND__NOINLINE void grid_walk_back_wrapped(grid_walk *t, unsigned direction) {
    const wend__grid_astar_search *grid = wend__grid_of(t->search);
    grid_walk_enter(t, wend__wrapped(t->left + t->column - wend__dx[direction], grid->around_x),
                    wend__wrapped(t->top + t->row - wend__dy[direction], grid->around_y));
}

WEND__INLINE void grid_walk_back(grid_walk *t, unsigned direction, int32_t rows) {
    if (WEND__UNLIKELY(wraps(t->search))) {
        grid_walk_back_wrapped(t, direction);
        return;
    }
    t->column -= wend__dx[direction];
    t->row -= wend__dy[direction];
    if (WEND__UNLIKELY((uint32_t)t->column >= WEND__CHUNK_SIDE || (uint32_t)t->row >= (uint32_t)rows))
        grid_walk_enter(t, t->left + t->column, t->top + t->row);
}

/* A search that has ended does not need its first open page. That page keeps the directions of
 * the path, at its end, if they fit, so the records are walked only once. */
enum { TRAIL = WEND__OPEN_PAGE_WORDS * sizeof(uint32_t) };

static uint8_t *trail_end(const wend__search *s) {
    return (uint8_t *)s->pool->open_entries + ((size_t)s->open_pages.first + 1) * TRAIL;
}

/* A path of one cell has none. */
static const uint8_t *trail(const wend__search *s) {
    return s->steps == 0 ? NULL : trail_end(s) - s->steps;
}

static uint64_t cost_by_steps(const wend__search *s) {
    grid_walk t = grid_walk_from_goal(s);
    uint64_t cost = 0;
    for (unsigned d; (d = grid_walk_direction(&t)) < WEND__DIRECTIONS;) {
        const wend_cell to = {t.left + t.column, t.top + t.row, 0};
        cost += wend__search_price(s, (wend_cell){to.x - wend__dx[d], to.y - wend__dy[d], 0}, to);
        grid_walk_back(&t, d, 1 << wend__row_shift(s));
    }
    return cost;
}

void wend__grid_measure_path(wend__search *s) {
    const int32_t rows = 1 << wend__row_shift(s);
    grid_walk t = grid_walk_from_goal(s);
    uint8_t *const end = trail_end(s);
    uint64_t steps = 0;
    for (unsigned d; (d = grid_walk_direction(&t)) < WEND__DIRECTIONS; steps++) {
        if (steps < TRAIL) end[-1 - (ptrdiff_t)steps] = (uint8_t)d;
        const uint64_t record = grid_walk_record(&t);
        grid_walk_back(&t, d, rows);
        /* A parent is cheaper, and closed: with a consistent heuristic its g is final. */
        WEND__DEBUG_ASSERT(grid_walk_record(&t) >> 5 < record >> 5 || wend__search_stirred(s));
        WEND__DEBUG_ASSERT(!(grid_walk_record(&t) & 16) || s->exhaust || wend__search_stirred(s));
        (void)record;
    }
    s->steps = steps;
    s->cost = wend__search_stirred(s) ? cost_by_steps(s) : s->best * s->unit;
}

/* Writes cells from the kept directions, from the start on. */
static void trail_cells(const wend__search *s, wend_cell *out, uint64_t count) {
    const uint8_t *const directions = trail(s);
    wend_cell at = s->start;
    if (count > 0) out[0] = at;
    for (uint64_t i = 1; i < count; i++) {
        at.x = wend__wrapped(at.x + wend__dx[directions[i - 1]], wend__grid_of(s)->around_x);
        at.y = wend__wrapped(at.y + wend__dy[directions[i - 1]], wend__grid_of(s)->around_y);
        out[i] = at;
    }
}

void wend__grid_read_cells(const wend__search *s, wend_cell *out, uint64_t count) {
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

/* Returns whether a path may lead over the rim: then its steps are not only to neighbours in the map. */
static bool leads_over_rim(const wend__search *s) {
    if (s->steps == 0) return false; /* answered before it began: no grid data is set */
    if (!wraps(s) || s->steps > TRAIL) return wraps(s);
    wend_cell at = s->start;
    for (uint64_t i = 0; i < s->steps; i++) {
        at.x += wend__dx[trail(s)[i]], at.y += wend__dy[trail(s)[i]];
        if (at.x != wend__wrapped(at.x, wend__grid_of(s)->around_x)) return true;
        if (at.y != wend__wrapped(at.y, wend__grid_of(s)->around_y)) return true;
    }
    return false;
}

bool wend__grid_read_directions(const wend__search *s, uint8_t *out) {
    if (leads_over_rim(s)) return false;
    if (s->steps <= TRAIL) {
        if (s->steps > 0) memcpy(out, trail(s), (size_t)s->steps);
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

int wend__grid_back(const wend__search *s, wend__candidate *at) {
    const void *records = wend__page_records(s->pool, at->node >> 12);
    const uint32_t local = at->node & 4095;
    const unsigned d =
        s->wide ? (unsigned)(((const uint64_t *)records)[local] & 15) : ((const uint32_t *)records)[local] & 15;
    if (d >= WEND__DIRECTIONS) return WEND__HOP_NONE;
    at->cell.x = wend__wrapped(at->cell.x - wend__dx[d], wend__grid_of(s)->around_x);
    at->cell.y = wend__wrapped(at->cell.y - wend__dy[d], wend__grid_of(s)->around_y);
    uint32_t page = at->node >> 12;
    const wend__page *header = &s->pool->pages[page];
    const uint32_t rows = 1u << wend__row_shift(s);
    if ((uint32_t)(at->cell.x - header->x) >= WEND__CHUNK_SIDE || (uint32_t)(at->cell.y - header->y) >= rows) {
        page = wend__pages_find(s, at->cell.x, at->cell.y);
        header = &s->pool->pages[page];
    }
    at->node =
        page << 12 | (uint32_t)(at->cell.y - header->y) << WEND__CHUNK_SHIFT | (uint32_t)(at->cell.x - header->x);
    return WEND__HOP_STEP;
}
