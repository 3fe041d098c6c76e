/* SPDX-License-Identifier: MIT */
/* Internal: the successors of a jump search's node, chunk by chunk. Included by jump.c alone.
 *
 * Straight exits are one look-up. A diagonal exit is scanned a chunk at a time: words of map/jumps.h tell at which of its
 * cells the diagonal can be left for a jump point to the side. In the goal's column and row of chunks, where its cell and
 * dead jump points count, slower forms are used. */
#ifndef WEND_SRC_JUMP_SCAN_H
#define WEND_SRC_JUMP_SCAN_H

#include "map/jumps.h"
#include "search/estimate.h"
#include "search/jump_nodes.h"
#include "search/jump_open.h"

WEND__INLINE uint32_t wend__jump_estimate(const wend__search *s, int32_t x, int32_t y) {
    const int32_t across = x - s->goal.x, down = y - s->goal.y;
    const uint32_t dx = (uint32_t)(across < 0 ? -across : across), dy = (uint32_t)(down < 0 ? -down : down);
    return s->edge[WEND__N] * (dx > dy ? dx : dy) + s->jump.bend * (dx > dy ? dy : dx);
}

WEND__INLINE uint32_t wend__jump_bucket(const wend__search *s, uint32_t g, int32_t x, int32_t y) {
    return (g + wend__jump_estimate(s, x, y)) >> s->open.shift & (WEND__BUCKETS - 1);
}

/* Is there too little room for a scan? */
WEND__INLINE bool wend__jump_crowded(const wend__search *s) {
    return s->open.spare < WEND__JUMP_SCAN || s->jump.full != WEND__NONE;
}

/* An entry that falls into the bucket being emptied is held back, to be expanded next without a push. */
WEND__INLINE void enter(wend__search *s, uint32_t bucket, uint32_t word, uint32_t cell) {
    if (bucket == s->open.current) {
        const bool held = s->jump.held;
        const uint32_t other_word = s->jump.held_word, other_cell = s->jump.held_cell;
        s->jump.held = true;
        s->jump.held_word = word;
        s->jump.held_cell = cell;
        if (!held) return;
        word = other_word;
        cell = other_cell;
    }
    wend__jump_push(&s->open, bucket, word, cell);
}

/* A way to (x, y), entered in straight direction d. */
static inline void generate(wend__search *s, int32_t x, int32_t y, uint32_t g, unsigned d) {
    const uint32_t cell = wend__jump_cell(x, y);
    wend__jump_node *const node = wend__jump_node_at(s, cell);
    const uint32_t record = node->record;
    if (record != 0 && g >= record >> 5) {
        const uint32_t further = (uint32_t)(g == record >> 5) << d & ~record;
        node->record = record | further;
        if (further && (record & WEND__JUMP_CLOSED)) /* it was expanded without this direction */
            enter(s, wend__jump_bucket(s, g, x, y), g | further << WEND__JUMP_G_BITS, cell);
        return;
    }
    node->cell = cell;
    node->record = g << 5 | 1u << d;
    node->parent = s->jump.cell;
    enter(s, wend__jump_bucket(s, g, x, y), g, cell);
    if (record == 0) {
        const uint32_t page = wend__jump_page_of(s, wend__jump_hash(cell));
        if (++s->pool->pages[page].nodes == s->jump.crowded_at + 1) wend__jump_nodes_crowded(s, page);
    }
}

/* ---- where we are ---- */

/* What a scan looks at in one chunk. */
typedef struct view {
    const wend__jump_table *table;
    const wend__jump_lanes *beside, *above; ///< lanes to east and west, to north and south
} view;

WEND__INLINE view view_at(const wend__version *v, int32_t column, int32_t row) {
    const wend__jump_block *block = wend__jumps_of(v, column, row);
    const unsigned across = (unsigned)column & (WEND__BLOCK_SIDE - 1), down = (unsigned)row & (WEND__BLOCK_SIDE - 1);
    const wend__jump_row *chunks = block->rows[down];
    return (view){chunks->tables[across], &chunks->lanes[across], &block->columns[across]->lanes[down]};
}

static inline uint32_t local_of(int32_t x, int32_t y) {
    return (uint32_t)(y & 63) << WEND__CHUNK_SHIFT | (uint32_t)(x & 63);
}

static inline uint32_t run_at(const view *at, int32_t x, int32_t y, unsigned d) {
    return at->table->runs[local_of(x, y)] >> (8 * d) & 0xff;
}

/* The reach of the lane on which a straight run from (x, y) leaves its chunk. */
static inline int32_t lane_at(const view *at, int32_t x, int32_t y, unsigned d) {
    return d & 1 ? at->beside->reach[d >> 1][y & 63] : at->above->reach[d >> 1][x & 63];
}

/* It has reached the rim of a block at (x, y), `gone` cells on, and the step out of the block is open. Returns as
 * run_from() does. */
static int32_t run_on(const wend__version *v, int32_t x, int32_t y, unsigned d, int32_t gone) {
    for (;;) {
        const wend__chunk *chunk = wend__version_chunk(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        const unsigned kind = wend__jump_class[d][chunk->masks->bytes[local_of(x, y)]];
        if (kind == 0) return -gone;
        if (kind == 1) return gone + 1;
        x += wend__dx[d], y += wend__dy[d], gone++;
        const view at = view_at(v, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        const uint32_t run = run_at(&at, x, y, d);
        int32_t cells = (int32_t)(run & 63);
        if (run >> 6 == WEND__RUN_WALL) return -(gone + cells);
        if (run >> 6 != WEND__RUN_RIM) return gone + cells + 1;
        const int32_t lane = lane_at(&at, x, y, d);
        if (lane < WEND__LANE_RIM) return lane > 0 ? gone + cells + lane : lane - gone - cells;
        cells += lane - WEND__LANE_RIM;
        x += cells * wend__dx[d], y += cells * wend__dy[d], gone += cells;
    }
}

/* How the straight run from (x, y) ends: n > 0: at a jump point, live or dead, n cells on; else at a wall after -n. */
static int32_t run_from(const wend__version *v, const view *at, int32_t x, int32_t y, unsigned d) {
    const uint32_t run = run_at(at, x, y, d);
    const int32_t cells = (int32_t)(run & 63);
    if (run >> 6 == WEND__RUN_WALL) return -cells;
    if (run >> 6 != WEND__RUN_RIM) return cells + 1;
    const int32_t lane = lane_at(at, x, y, d);
    if (lane < WEND__LANE_RIM) return lane > 0 ? lane + cells : lane - cells;
    const int32_t gone = cells + lane - WEND__LANE_RIM;
    return run_on(v, x + gone * wend__dx[d], y + gone * wend__dy[d], d, gone);
}

/* ---- straight runs ---- */

/* In the goal's own row (or column) the run may pass over it: then the goal is the successor. */
static WEND__NOINLINE void straight_past_goal(wend__search *s, const view *at, int32_t x, int32_t y, uint32_t g,
                                              unsigned d) {
    const int32_t cells = run_from(s->version, at, x, y, d), reached = cells < 0 ? -cells : cells;
    const int32_t to_goal = d & 1 ? (s->goal.x - x) * wend__dx[d] : (s->goal.y - y) * wend__dy[d];
    if (to_goal > 0 && to_goal <= reached)
        generate(s, s->goal.x, s->goal.y, g + s->edge[WEND__N] * (uint32_t)to_goal, d);
    else if (cells > 0)
        generate(s, x + cells * wend__dx[d], y + cells * wend__dy[d], g + s->edge[WEND__N] * (uint32_t)cells, d);
}

/* A run that leaves the block. */
static WEND__NOINLINE void straight_far(wend__search *s, const view *at, int32_t x, int32_t y, uint32_t g, unsigned d) {
    const int32_t cells = run_from(s->version, at, x, y, d);
    if (cells > 0)
        generate(s, x + cells * wend__dx[d], y + cells * wend__dy[d], g + s->edge[WEND__N] * (uint32_t)cells, d);
}

/* Frames of which d is the horizontal (vertical) direction: one whose bits are by y, or x, themselves. */
static const uint8_t frame_of[4] = {WEND__NE_FRAME, WEND__SE_FRAME, WEND__SE_FRAME, WEND__SW_FRAME};

WEND__INLINE void straight(wend__search *s, const view *at, int32_t x, int32_t y, uint32_t g, const unsigned d,
                           const uint32_t runs, bool in_column, bool in_row) {
    if (WEND__UNLIKELY(d & 1 ? y == s->goal.y : x == s->goal.x)) {
        straight_past_goal(s, at, x, y, g, d);
        return;
    }
    const uint32_t run = runs >> (8 * d) & 0xff, kind = run >> 6;
    int32_t cells = (int32_t)(run & 63);
    if (kind == WEND__RUN_LIVE || (kind == WEND__RUN_DEAD && in_column && in_row)) {
        cells++;
    } else if (kind == WEND__RUN_RIM) {
        const wend__jump_lanes *lanes = d & 1 ? at->beside : at->above;
        const unsigned lane = (unsigned)(d & 1 ? y : x) & 63;
        const bool any = d & 1 ? in_row : in_column;
        if (!((any ? lanes->any : lanes->live)[frame_of[d]] >> lane & 1)) return;
        const int32_t reach = lanes->reach[d >> 1][lane];
        if (WEND__UNLIKELY(reach >= WEND__LANE_RIM)) {
            straight_far(s, at, x, y, g, d);
            return;
        }
        cells += reach;
    } else {
        return;
    }
    generate(s, x + cells * wend__dx[d], y + cells * wend__dy[d], g + s->edge[WEND__N] * (uint32_t)cells, d);
}

/* ---- diagonals ---- */

/* The k-th cell on from (x, y) is bit k of these. */
typedef struct slice {
    const wend__jump_line *line;
    unsigned p, q;
    uint64_t cells;  ///< that the diagonal passes in this chunk; without the one it starts from
    uint32_t length; ///< steps to the next chunk; 0: it ends here
} slice;

WEND__INLINE slice cut(const wend__jump_table *table, const unsigned k, int32_t x, int32_t y, uint64_t first) {
    slice c;
    c.p = (unsigned)(x & 63) ^ wend__flip_x[k];
    c.q = (unsigned)(y & 63) ^ wend__flip_y[k];
    c.line = &table->lines[k][(c.p - c.q) & 63];
    const unsigned last = 63 - (c.p > c.q ? c.p : c.q);
    const uint64_t within = (UINT64_C(2) << last) - 1, stop = ~(c.line->legal >> c.p) & within;
    c.cells = (((stop & -stop) << 1) - 1) & within & ~first;
    c.length = stop ? 0 : last + 1;
    return c;
}

/* A chunk in the goal's column or row of chunks. Returns false where the goal itself lies on the diagonal. */
static WEND__NOINLINE bool scan_near_goal(wend__search *s, const view *at, const unsigned k, const slice *c, int32_t x,
                                          int32_t y, uint32_t g) {
    const bool in_column = x >> WEND__CHUNK_SHIFT == s->jump.goal_column,
               in_row = y >> WEND__CHUNK_SHIFT == s->jump.goal_row;
    const unsigned h = wend__frame_h[k], v = wend__frame_v[k];
    const uint64_t lanes_h = (in_row ? at->beside->any : at->beside->live)[k] >> c->q;
    const uint64_t lanes_v = (in_column ? at->above->any : at->above->live)[k] >> c->p;
    const bool here = in_column && in_row;
    uint64_t ends_h = (here ? c->line->any_h : c->line->live_h) >> c->p | (c->line->rim_h >> c->p & lanes_h);
    uint64_t ends_v = (here ? c->line->any_v : c->line->live_v) >> c->p | (c->line->rim_v >> c->p & lanes_v);
    const int32_t goal_p = (s->goal.x - x) * wend__frame_x[k], goal_q = (s->goal.y - y) * wend__frame_y[k];
    const uint64_t column_bit =
        goal_p >= 0 && goal_p < 64 ? UINT64_C(1) << goal_p : 0; /* where it crosses the goal's column */
    const uint64_t row_bit = goal_q >= 0 && goal_q < 64 ? UINT64_C(1) << goal_q : 0;
    for (uint64_t left = (ends_h | ends_v | column_bit | row_bit) & c->cells; left; left &= left - 1) {
        const uint64_t bit = left & -left;
        const int32_t n = (int32_t)wend__ctz64(left);
        const int32_t to_x = x + n * wend__frame_x[k], to_y = y + n * wend__frame_y[k];
        const uint32_t to_g = g + s->edge[WEND__NE] * (uint32_t)n;
        if (to_x == s->goal.x && to_y == s->goal.y) {
            generate(s, to_x, to_y, to_g, h);
            return false;
        }
        if (row_bit & bit)
            straight_past_goal(s, at, to_x, to_y, to_g, h);
        else if (ends_h & bit)
            straight_far(s, at, to_x, to_y, to_g, h);
        if (column_bit & bit)
            straight_past_goal(s, at, to_x, to_y, to_g, v);
        else if (ends_v & bit)
            straight_far(s, at, to_x, to_y, to_g, v);
    }
    return true;
}

WEND__INLINE void scan(wend__search *s, const view *at, const unsigned k, const slice *c, const int32_t x,
                       const int32_t y, const uint32_t g) {
    const unsigned h = wend__frame_h[k], v = wend__frame_v[k];
    const uint64_t rims_h = c->line->rim_h >> c->p & at->beside->live[k] >> c->q;
    const uint64_t rims_v = (c->line->rim_v & at->above->live[k]) >> c->p;
    for (uint64_t left = (c->line->live_h >> c->p | rims_h) & c->cells; left; left &= left - 1) {
        const int32_t n = (int32_t)wend__ctz64(left), to_x = x + n * wend__frame_x[k], to_y = y + n * wend__frame_y[k];
        const uint32_t to_g = g + s->edge[WEND__NE] * (uint32_t)n, run = run_at(at, to_x, to_y, h);
        int32_t cells = (int32_t)(run & 63) + 1;
        if (run & 0x80) {
            const int32_t reach = at->beside->reach[h >> 1][to_y & 63];
            if (WEND__UNLIKELY(reach >= WEND__LANE_RIM)) {
                straight_far(s, at, to_x, to_y, to_g, h);
                continue;
            }
            cells += reach - 1;
        }
        generate(s, to_x + cells * wend__frame_x[k], to_y, to_g + s->edge[WEND__N] * (uint32_t)cells, h);
    }
    for (uint64_t left = (c->line->live_v >> c->p | rims_v) & c->cells; left; left &= left - 1) {
        const int32_t n = (int32_t)wend__ctz64(left), to_x = x + n * wend__frame_x[k], to_y = y + n * wend__frame_y[k];
        const uint32_t to_g = g + s->edge[WEND__NE] * (uint32_t)n, run = run_at(at, to_x, to_y, v);
        int32_t cells = (int32_t)(run & 63) + 1;
        if (run & 0x80) {
            const int32_t reach = at->above->reach[v >> 1][to_x & 63];
            if (WEND__UNLIKELY(reach >= WEND__LANE_RIM)) {
                straight_far(s, at, to_x, to_y, to_g, v);
                continue;
            }
            cells += reach - 1;
        }
        generate(s, to_x, to_y + cells * wend__frame_y[k], to_g + s->edge[WEND__N] * (uint32_t)cells, v);
    }
}

/* Goes on from s->jump.x, y, g, which it may leave there: then `on_way`. Returns the chunks scanned. */
WEND__INLINE uint64_t diagonal(wend__search *s, view at, const unsigned k, uint64_t budget) {
    const int32_t goal_column = s->jump.goal_column, goal_row = s->jump.goal_row;
    int32_t x = s->jump.x, y = s->jump.y;
    uint32_t g = s->jump.g;
    uint64_t first = !s->jump.on_way, used = 0;
    for (;;) {
        const slice c = cut(at.table, k, x, y, first);
        used++;
        if (WEND__LIKELY(x >> WEND__CHUNK_SHIFT != goal_column && y >> WEND__CHUNK_SHIFT != goal_row))
            scan(s, &at, k, &c, x, y, g);
        else if (!scan_near_goal(s, &at, k, &c, x, y, g))
            break;
        if (c.length == 0) break;
        x += (int32_t)c.length * wend__frame_x[k], y += (int32_t)c.length * wend__frame_y[k];
        g += s->edge[WEND__NE] * c.length;
        first = 0;
        if (WEND__UNLIKELY(used >= budget || wend__jump_crowded(s))) {
            s->jump.on_way = true;
            s->jump.x = x, s->jump.y = y, s->jump.g = g;
            return used;
        }
        at = view_at(s->version, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    }
    s->jump.on_way = false;
    s->jump.exits &= ~(UINT32_C(16) << k);
    return used;
}

/* Follow the exits left of the node being expanded, as far as budget and room allow. Returns what was spent. */
static uint64_t wend__jump_expand(wend__search *s, uint64_t budget) {
    uint64_t used = 0;
    const int32_t x = wend__jump_x(s->jump.cell), y = wend__jump_y(s->jump.cell);
    const int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    const uint32_t exits = s->jump.exits, g = s->jump.cell_g;
    view at = view_at(s->version, column, row);
    if (exits & 15) {
        const uint32_t runs = at.table->runs[local_of(x, y)];
        const bool in_column = column == s->jump.goal_column, in_row = row == s->jump.goal_row;
        if (exits & 1) straight(s, &at, x, y, g, 0, runs, in_column, in_row);
        if (exits & 2) straight(s, &at, x, y, g, 1, runs, in_column, in_row);
        if (exits & 4) straight(s, &at, x, y, g, 2, runs, in_column, in_row);
        if (exits & 8) straight(s, &at, x, y, g, 3, runs, in_column, in_row);
        s->jump.exits &= ~UINT32_C(15);
    }
    while (s->jump.exits != 0) {
        if (used >= budget || wend__jump_crowded(s)) return used;
        if (!s->jump.on_way) {
            s->jump.x = x, s->jump.y = y, s->jump.g = g;
        } else {
            at = view_at(s->version, s->jump.x >> WEND__CHUNK_SHIFT, s->jump.y >> WEND__CHUNK_SHIFT);
        }
        switch (s->jump.exits & -s->jump.exits) {
        case 16: used += diagonal(s, at, 0, budget - used); break;
        case 32: used += diagonal(s, at, 1, budget - used); break;
        case 64: used += diagonal(s, at, 2, budget - used); break;
        default: used += diagonal(s, at, 3, budget - used); break;
        }
        if (s->jump.on_way) return used;
        at = view_at(s->version, column, row);
    }
    return used;
}

#endif
