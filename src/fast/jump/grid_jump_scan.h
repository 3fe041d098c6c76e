/* SPDX-License-Identifier: MIT */
/* Internal: the successors of a jump search's node, chunk by chunk. Only grid_jump.c includes
 * this file.
 *
 * A straight exit is one look-up. A diagonal exit is scanned a chunk at a time: words of the
 * tables say at which cells the diagonal can be left for a jump point to the side. In the goal's
 * column and row of chunks the goal's cell and dead jump points count, so slower forms are used
 * there.
 *
 * A scan that finds no room for a node is interrupted, and repeated from its beginning when
 * there is room: nodes that it has made are found unchanged. So results do not depend on
 * when a search gets pages.
 *
 * On a large map each access to tables, nodes or landmarks waits for memory. So successors wait in a
 * short queue while their memory is fetched, and are relaxed in the order in which they came, before
 * the next node is popped. The constant `large` chooses: plain maps have code without the queue. */

/* Tried: quadrants as a variable instead of four copies of the scan: 0.94 of the time on new queries, 1.11 on repeated
 * ones. One loop for both sides of a diagonal: 0.96, 1.06. Diagonals cut by f at a chunk's border: 6 % slower. */
#ifndef WEND_SRC_FAST_JUMP_GRID_JUMP_SCAN_H
#define WEND_SRC_FAST_JUMP_GRID_JUMP_SCAN_H

#include "fast/jump/grid_jump_nodes.h"
#include "fast/jump/jump_lines.h"

/* ---- relaxing ---- */

typedef wend__jump_view chunk_view;

/* Relax the edge to (x, y), entered in straight direction d. */
WEND__INLINE void relax_edge(wend__search *s, wend__jump_entry entry, int32_t x, int32_t y, uint32_t g, unsigned d) {
    wend__jump_node *const node = wend__jump_node_of(s, entry.more);
    const uint32_t record = node->record;
    const uint32_t old = record >> 5;
    if (WEND__LIKELY(g < old)) {
        node->record = g << 5 | 1u << d;
        node->parent = wend__jump_of(s)->cell;
        wend__jump_enter(s, wend__jump_bucket(s, g, x, y), entry);
        return;
    }
    if (g == old) {
        const uint32_t further = 1u << d & ~record;
        node->record = record | further;
        if (WEND__UNLIKELY(further && record & WEND__JUMP_CLOSED)) { /* the node was expanded without this direction */
            entry.key |= further << WEND__JUMP_G_BITS;
            wend__jump_enter(s, wend__jump_bucket(s, g, x, y), entry);
        }
    }
}

/* ---- large maps */

/* Relax waiting successors, in the order in which they came. */
static WEND__NOINLINE void relax_waiting(wend__search *s) {
    wend__grid_jump_search *const j = wend__grid_jump_of(s);
    for (uint32_t i = 0; i < j->waiting_count; i++) {
        const wend__jump_entry entry = j->waiting[i].entry;
        const uint32_t cell = wend__jump_cell_of(entry);
        relax_edge(s, entry, wend__jump_x(cell), wend__jump_y(cell), wend__jump_key(entry), j->waiting[i].d);
    }
    j->waiting_count = 0;
}

/* Fetch the first data that an expansion of (x, y), entered in direction d, reads: its runs, its mask, and its
 * diagonals to both sides of d. Inlined, as a compiler may omit a call of a function that only fetches. */
WEND__INLINE void fetch_cell(wend__search *s, const chunk_view *at, int32_t x, int32_t y, unsigned d) {
    static const uint8_t ahead[4][2] = {{WEND__QUADRANT_NW, WEND__QUADRANT_NE},
                                        {WEND__QUADRANT_NE, WEND__QUADRANT_SE},
                                        {WEND__QUADRANT_SW, WEND__QUADRANT_SE},
                                        {WEND__QUADRANT_NW, WEND__QUADRANT_SW}};
    const int32_t column = x >> WEND__CHUNK_SHIFT, row = y >> WEND__CHUNK_SHIFT;
    const unsigned local = (unsigned)(y & 63) << WEND__CHUNK_SHIFT | (unsigned)(x & 63);
    WEND__PREFETCH(&at->table->ends[d][(d & 1 ? y : x) & 63]);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned k = ahead[d][i], p = (unsigned)(x & 63) ^ wend__flip_x[k],
                       q = (unsigned)(y & 63) ^ wend__flip_y[k];
        WEND__PREFETCH(&at->table->lines[k][(p - q) & 63]);
    }
    if (column >> WEND__BLOCK_SHIFT == wend__jump_of(s)->block_column &&
        row >> WEND__BLOCK_SHIFT == wend__jump_of(s)->block_row)
        WEND__PREFETCH(&wend__grid_jump_of(s)->chunks[wend__chunk_index(column, row)].masks->bytes[local]);
}

/* A successor waits while its memory is fetched: node, landmark numbers, and what its expansion reads. */
WEND__INLINE void wait_for_memory(wend__search *s, const chunk_view *at, wend__jump_entry entry, unsigned d) {
    wend__grid_jump_search *const j = wend__grid_jump_of(s);
    const int32_t x = wend__jump_x(wend__jump_cell_of(entry)), y = wend__jump_y(wend__jump_cell_of(entry));
    WEND__PREFETCH(wend__jump_node_of(s, entry.more));
    if (j->jump.landmark_bounds.landmarks) {
        const wend__place place = wend__place_in(WEND_KIND_GRID, 0, (wend_cell){x, y, 0});
        WEND__PREFETCH(wend__landmark_at(j->jump.landmark_bounds.landmarks, place).codes);
    }
    fetch_cell(s, at, x, y, d);
    j->waiting[j->waiting_count++] = (wend__jump_waiting){entry, d};
    if (j->waiting_count == WEND__JUMP_WAITING) relax_waiting(s);
}

/* Relaxes (x, y), in the chunk `at`, entered in straight direction d. False if there is no room for its node. */
WEND__INLINE bool generate_in(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at, int32_t x,
                              int32_t y, uint32_t g, unsigned d) {
    wend__jump_entry entry = wend__jump_entry_of(g, wend__jump_cell(x, y), 0);
    if (WEND__UNLIKELY(!wend__jump_place(s, stock, at, x, y, wend__jump_cell_of(entry), &entry.more))) return false;
    if (large)
        wait_for_memory(s, at, entry, d);
    else
        relax_edge(s, entry, x, y, g, d);
    return true;
}

/* The same in any chunk. Two functions, so that neither branches on it. */
static bool generate_plain(wend__search *s, wend__stock *stock, int32_t x, int32_t y, uint32_t g, unsigned d) {
    const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return generate_in(s, stock, false, &at, x, y, g, d);
}

static bool generate_large(wend__search *s, wend__stock *stock, int32_t x, int32_t y, uint32_t g, unsigned d) {
    const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return generate_in(s, stock, true, &at, x, y, g, d);
}

WEND__INLINE bool generate_successor(wend__search *s, wend__stock *stock, const bool large, int32_t x, int32_t y,
                                     uint32_t g, unsigned d) {
    return large ? generate_large(s, stock, x, y, g, d) : generate_plain(s, stock, x, y, g, d);
}

/* ---- runs ---- */

WEND__INLINE uint32_t local_of(int32_t x, int32_t y) {
    return (uint32_t)(y & 63) << WEND__CHUNK_SHIFT | (uint32_t)(x & 63);
}

/* The reach of the lane on which a straight run from (x, y) leaves its chunk. */
WEND__INLINE int32_t lane_at(const chunk_view *at, int32_t x, int32_t y, unsigned d) {
    return d & 1 ? at->beside->reach[d >> 1][y & 63] : at->above->reach[d >> 1][x & 63];
}

/* Follows a run beyond the border of its block at (x, y), `gone` cells on, where the step out of
 * the block is open. Returns as run_from() does. */
static int32_t run_on(wend__search *s, int32_t x, int32_t y, unsigned d, int32_t gone) {
    for (;;) {
        const wend__chunk *chunk = wend__version_chunk(s->version, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        const unsigned kind = wend__jump_class[d][chunk->masks->bytes[local_of(x, y)]];
        if (kind == 0) return -gone;
        if (kind == 1) return gone + 1;
        x += wend__dx[d], y += wend__dy[d], gone++;
        const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
        int32_t cells = cells_of_run(at.table, x, y, d);
        const unsigned end = kind_of_run(at.table, x, y, d, cells);
        if (end == WEND__RUN_WALL) return -(gone + cells);
        if (end != WEND__RUN_RIM) return gone + cells + 1;
        const int32_t lane = lane_at(&at, x, y, d);
        if (lane < WEND__JUMP_LANE_RIM) return lane > 0 ? gone + cells + lane : lane - gone - cells;
        cells += lane - WEND__JUMP_LANE_RIM;
        x += cells * wend__dx[d], y += cells * wend__dy[d], gone += cells;
    }
}

/* Follows the straight run from (x, y). n > 0: it ends at a jump point, live or dead, after n cells; else at a wall
 * after -n. */
static int32_t run_from(wend__search *s, const chunk_view *at, int32_t x, int32_t y, unsigned d) {
    const int32_t cells = cells_of_run(at->table, x, y, d);
    const unsigned kind = kind_of_run(at->table, x, y, d, cells);
    if (kind == WEND__RUN_WALL) return -cells;
    if (kind != WEND__RUN_RIM) return cells + 1;
    const int32_t lane = lane_at(at, x, y, d);
    if (lane < WEND__JUMP_LANE_RIM) return lane > 0 ? lane + cells : lane - cells;
    const int32_t gone = cells + lane - WEND__JUMP_LANE_RIM;
    return run_on(s, x + gone * wend__dx[d], y + gone * wend__dy[d], d, gone);
}

/* A run in the goal's row (or column) may pass the goal: then the goal is the successor. */
static WEND__NOINLINE bool straight_past_goal(wend__search *s, wend__stock *stock, const bool large,
                                              const chunk_view *at, int32_t x, int32_t y, uint32_t g, unsigned d) {
    const int32_t cells = run_from(s, at, x, y, d), reached = cells < 0 ? -cells : cells;
    const int32_t to_goal = d & 1 ? (s->goal.x - x) * wend__dx[d] : (s->goal.y - y) * wend__dy[d];
    const bool is_goal = to_goal > 0 && to_goal <= reached;
    if (!is_goal && cells <= 0) return true;
    const int32_t n = is_goal ? to_goal : cells;
    return generate_successor(s, stock, large, x + n * wend__dx[d], y + n * wend__dy[d],
                              g + s->edge[WEND__N] * (uint32_t)n, d);
}

/* A run that leaves its block, or may end at a dead jump point. */
static WEND__NOINLINE bool straight_far(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at,
                                        int32_t x, int32_t y, uint32_t g, unsigned d) {
    const int32_t n = run_from(s, at, x, y, d);
    if (n <= 0) return true;
    return generate_successor(s, stock, large, x + n * wend__dx[d], y + n * wend__dy[d],
                              g + s->edge[WEND__N] * (uint32_t)n, d);
}

/* ---- straight exits ---- */

/* Follows the run in direction d, which cannot pass the goal. In the goal's chunk dead jump points count, too. */
WEND__INLINE bool follow_straight(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at,
                                  int32_t x, int32_t y, uint32_t g, const unsigned d, bool in_column, bool in_row) {
    const unsigned lane = (unsigned)(d & 1 ? y : x) & 63, from = wend__jump_along((unsigned)x, (unsigned)y, d);
    int32_t cells = (int32_t)wend__ctz64(at->table->ends[d][lane] >> from);
    const unsigned end = from + (unsigned)cells;
    if (end != 63) {
        if (!(at->table->lines[d][lane].live >> end & 1) &&
            !(WEND__UNLIKELY(in_column & in_row) && kind_of_run(at->table, x, y, d, cells) == WEND__RUN_DEAD))
            return true;
        cells++;
        return generate_in(s, stock, large, at, x + cells * wend__dx[d], y + cells * wend__dy[d],
                           g + s->edge[WEND__N] * (uint32_t)cells, d);
    }
    const wend__jump_lanes *lanes = d & 1 ? at->beside : at->above;
    const bool any = d & 1 ? in_row : in_column;
    if (!(lanes->ends[any][quadrant_of(d)] >> lane & 1)) return true;
    const int32_t reach = lanes->reach[d >> 1][lane];
    if (WEND__UNLIKELY(reach >= WEND__JUMP_LANE_RIM)) return straight_far(s, stock, large, at, x, y, g, d);
    cells += reach;
    return generate_successor(s, stock, large, x + cells * wend__dx[d], y + cells * wend__dy[d],
                              g + s->edge[WEND__N] * (uint32_t)cells, d);
}

/* Follows a straight exit, if it is one. */
WEND__INLINE bool exit_straight(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at, int32_t x,
                                int32_t y, uint32_t g, const unsigned d, uint32_t exits, bool in_column, bool in_row) {
    if (!(exits >> d & 1)) return true;
    if (WEND__UNLIKELY(d & 1 ? y == s->goal.y : x == s->goal.x))
        return straight_past_goal(s, stock, large, at, x, y, g, d);
    return follow_straight(s, stock, large, at, x, y, g, d, in_column, in_row);
}

/* Four calls instead of a loop: d is a constant in each. */
WEND__INLINE bool all_straight(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at, int32_t x,
                               int32_t y, uint32_t g, uint32_t exits) {
    const bool in_column = x >> WEND__CHUNK_SHIFT == wend__grid_jump_of(s)->goal_column;
    const bool in_row = y >> WEND__CHUNK_SHIFT == wend__grid_jump_of(s)->goal_row;
    return exit_straight(s, stock, large, at, x, y, g, WEND__N, exits, in_column, in_row) &&
           exit_straight(s, stock, large, at, x, y, g, WEND__E, exits, in_column, in_row) &&
           exit_straight(s, stock, large, at, x, y, g, WEND__S, exits, in_column, in_row) &&
           exit_straight(s, stock, large, at, x, y, g, WEND__W, exits, in_column, in_row);
}

/* ---- diagonal exits ---- */

/* Generates the successors to both sides that are jump points of this chunk, from the cells of two sets. */
WEND__INLINE bool scan_inside(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at,
                              const unsigned k, uint64_t from_h, uint64_t from_v, const int32_t x, const int32_t y,
                              const uint32_t g) {
    while (from_h | from_v) {
        const bool h = from_h != 0;
        const uint64_t from = h ? from_h : from_v, rest = from & (from - 1);
        from_v = h ? from_v : rest;
        from_h = h ? rest : 0;
        const int32_t n = (int32_t)wend__ctz64(from);
        const int32_t from_x = x + n * step_x(k), from_y = y + n * step_y(k);
        const unsigned d = h ? side_h(k) : side_v(k);
        const int32_t cells = cells_of_run(at->table, from_x, from_y, d) + 1;
        const int32_t across = h ? cells : 0, down = h ? 0 : cells;
        if (!generate_in(s, stock, large, at, from_x + across * step_x(k), from_y + down * step_y(k),
                         g + s->edge[WEND__NE] * (uint32_t)n + s->edge[WEND__N] * (uint32_t)cells, d))
            return false;
    }
    return true;
}

/* Generate the successors to one side at which lanes end, straight in direction d. */
WEND__INLINE bool scan_beyond(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at,
                              const unsigned k, const unsigned d, uint64_t from, const int32_t x, const int32_t y,
                              const uint32_t g) {
    const int32_t dx = d & 1 ? step_x(k) : 0, dy = d & 1 ? 0 : step_y(k);
    for (; from; from &= from - 1) {
        const int32_t n = (int32_t)wend__ctz64(from);
        const int32_t from_x = x + n * step_x(k), from_y = y + n * step_y(k);
        const uint32_t from_g = g + s->edge[WEND__NE] * (uint32_t)n;
        const int32_t reach = lane_at(at, from_x, from_y, d);
        const int32_t cells = cells_of_run(at->table, from_x, from_y, d) + reach;
        const bool room = WEND__UNLIKELY(reach >= WEND__JUMP_LANE_RIM)
                              ? straight_far(s, stock, large, at, from_x, from_y, from_g, d)
                              : generate_successor(s, stock, large, from_x + cells * dx, from_y + cells * dy,
                                                   from_g + s->edge[WEND__N] * (uint32_t)cells, d);
        if (!room) return false;
    }
    return true;
}

/* The cells at which a diagonal crosses the goal's row and column; both: the goal itself. */
typedef struct crossing {
    uint64_t row, column;
} crossing;

WEND__INLINE crossing crossing_of(const wend__search *s, const piece *c, const unsigned k, int32_t x, int32_t y) {
    const int32_t p = (s->goal.x - x) * step_x(k), q = (s->goal.y - y) * step_y(k);
    return (crossing){(uint64_t)((uint32_t)q < 64) << (q & 63) & c->cells,
                      (uint64_t)((uint32_t)p < 64) << (p & 63) & c->cells};
}

/* The runs to the side from these cells may pass the goal. */
static WEND__NOINLINE bool cross_goal(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at,
                                      const unsigned k, crossing over, int32_t x, int32_t y, uint32_t g) {
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t bit = i ? over.column : over.row;
        if (bit == 0) continue;
        const int32_t n = (int32_t)wend__ctz64(bit);
        const int32_t to_x = x + n * step_x(k), to_y = y + n * step_y(k);
        const uint32_t to_g = g + s->edge[WEND__NE] * (uint32_t)n;
        const unsigned d = i ? side_v(k) : side_h(k);
        if (over.row == over.column) return generate_successor(s, stock, large, to_x, to_y, to_g, d);
        if (!straight_past_goal(s, stock, large, at, to_x, to_y, to_g, d)) return false;
    }
    return true;
}

/* Scans a piece of a diagonal. Near the goal, runs may lead into its chunk, where dead jump points count. */
WEND__INLINE bool scan_piece(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at,
                             const unsigned k, const piece *c, const int32_t x, const int32_t y, const uint32_t g,
                             bool in_column, bool in_row, bool *ended) {
    const uint64_t lanes_h = at->beside->ends[in_row][k] >> c->q, lanes_v = at->above->ends[in_column][k];
    const uint64_t *const sides = c->line->sides[(in_column & in_row) ? 2 : 0];
    uint64_t inside_h = sides[0] >> c->p & c->cells;
    uint64_t inside_v = sides[1] >> c->p & c->cells;
    uint64_t beyond_h = c->line->rim_h >> c->p & lanes_h & c->cells;
    uint64_t beyond_v = (c->line->rim_v & lanes_v) >> c->p & c->cells;
    *ended = c->length == 0;
    const crossing over = crossing_of(s, c, k, x, y);
    if (WEND__UNLIKELY(over.row | over.column)) {
        const uint64_t met = over.row & over.column, before = met ? met - 1 : UINT64_MAX; /* ends at the goal */
        if (!cross_goal(s, stock, large, at, k, over, x, y, g)) return false;
        inside_h &= ~over.row & before, beyond_h &= ~over.row & before;
        inside_v &= ~over.column & before, beyond_v &= ~over.column & before;
        *ended |= met != 0;
    }
    if (!scan_inside(s, stock, large, at, k, inside_h, inside_v, x, y, g)) return false;
    if (WEND__LIKELY(!(beyond_h | beyond_v))) return true;
    return scan_beyond(s, stock, large, at, k, side_h(k), beyond_h, x, y, g) &&
           scan_beyond(s, stock, large, at, k, side_v(k), beyond_v, x, y, g);
}

/* Returns true if too few entries are free for a scan and for the waiting successors. */
WEND__INLINE bool is_crowded(const wend__search *s, const bool large) {
    return wend__jump_crowded(s, large ? wend__grid_jump_of(s)->waiting_count : 0);
}

/* Returns whether the expansions are spent, with the successors pushed so far. So work begins only while one is left,
 * whatever the slices. Waiting successors are relaxed if the answer depends on them. */
WEND__INLINE bool is_spent(wend__search *s, const bool large, uint64_t used, uint64_t budget) {
    if (large && used + wend__jump_of(s)->owed + wend__grid_jump_of(s)->waiting_count >= budget) relax_waiting(s);
    return used + wend__jump_of(s)->owed >= budget;
}

/* Scan a diagonal. Returns the number of chunks scanned. If budget or room ended first, the exit stays. */
WEND__INLINE uint64_t scan_diagonal(wend__search *s, wend__stock *stock, const bool large, chunk_view at,
                                    const unsigned k, int32_t x, int32_t y, uint32_t g, uint64_t first,
                                    uint64_t budget) {
    for (uint64_t used = 0;;) {
        const piece c = piece_of(at.table, k, x, y, first);
        const bool in_column = x >> WEND__CHUNK_SHIFT == wend__grid_jump_of(s)->goal_column;
        const bool in_row = y >> WEND__CHUNK_SHIFT == wend__grid_jump_of(s)->goal_row;
        bool ended;
        if (WEND__UNLIKELY(!scan_piece(s, stock, large, &at, k, &c, x, y, g, in_column, in_row, &ended))) {
            if (!first) wend__jump_save_place(s, x, y, g);
            return used;
        }
        used++;
        if (ended) {
            wend__jump_of(s)->on_way = false;
            wend__jump_of(s)->exits &= ~(UINT32_C(16) << k);
            return used;
        }
        x += (int32_t)c.length * step_x(k), y += (int32_t)c.length * step_y(k);
        g += s->edge[WEND__NE] * c.length;
        first = 0;
        if (WEND__UNLIKELY(is_spent(s, large, used, budget) || is_crowded(s, large))) {
            wend__jump_save_place(s, x, y, g);
            return used;
        }
        at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    }
}

static WEND__NOINLINE uint64_t resume_diagonal(wend__search *s, wend__stock *stock, const bool large, uint64_t budget) {
    const int32_t x = wend__jump_of(s)->x, y = wend__jump_of(s)->y;
    const chunk_view at = wend__jump_view_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    return scan_diagonal(s, stock, large, at, wend__ctz32(wend__jump_of(s)->exits) - 4, x, y, wend__jump_of(s)->g, 0,
                         budget);
}

/* Follows a diagonal exit of the node being expanded, if it is left. Returns false if budget or room ended first. */
WEND__INLINE bool follow_diagonal(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at,
                                  const unsigned k, int32_t x, int32_t y, uint32_t g, uint64_t budget, uint64_t *used) {
    const uint32_t exit = UINT32_C(16) << k;
    if (!(wend__jump_of(s)->exits & exit)) return true;
    if (is_spent(s, large, *used, budget) || is_crowded(s, large)) return false;
    *used += scan_diagonal(s, stock, large, *at, k, x, y, g, 1, budget - *used);
    return WEND__LIKELY(!(wend__jump_of(s)->exits & exit)); /* else the exit was interrupted */
}

/* Follows the remaining exits of the node being expanded, within budget and room. Returns the expansions spent. */
WEND__INLINE uint64_t expand_node(wend__search *s, wend__stock *stock, const bool large, const chunk_view *at,
                                  uint64_t budget) {
    const int32_t x = wend__jump_x(wend__jump_of(s)->cell), y = wend__jump_y(wend__jump_of(s)->cell);
    const uint32_t g = wend__jump_of(s)->cell_g;
    uint64_t used = 0;
    if (wend__jump_of(s)->exits & 15) {
        if (!all_straight(s, stock, large, at, x, y, g, wend__jump_of(s)->exits)) return used;
        wend__jump_of(s)->exits &= ~UINT32_C(15);
    }
    if (WEND__UNLIKELY(wend__jump_of(s)->on_way)) {
        used += resume_diagonal(s, stock, large, budget);
        if (wend__jump_of(s)->on_way) return used;
    }
    if (!follow_diagonal(s, stock, large, at, 0, x, y, g, budget, &used)) return used;
    if (!follow_diagonal(s, stock, large, at, 1, x, y, g, budget, &used)) return used;
    if (!follow_diagonal(s, stock, large, at, 2, x, y, g, budget, &used)) return used;
    (void)follow_diagonal(s, stock, large, at, 3, x, y, g, budget, &used);
    return used;
}

#endif
