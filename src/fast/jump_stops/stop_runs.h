/* SPDX-License-Identifier: MIT */
/* Internal: straight runs of a jump search with stops, which end at a wall, a jump point or a stop. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_RUNS_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_RUNS_H

#include "fast/jump_stops/stop_ground.h"

/// Ends of a run.
typedef enum wend__leg_end {
    WEND__LEG_WALL,  ///< the run ends at a wall
    WEND__LEG_DEAD,  ///< the run ends at a jump point that leads nowhere
    WEND__LEG_POINT, ///< the run ends at a jump point
    WEND__LEG_STOP   ///< the run ends at a stop
} wend__leg_end;

typedef struct wend__leg {
    int32_t cells; ///< cells from its beginning
    wend__leg_end end;
} wend__leg;

/// A straight run in its chunk.
typedef struct wend__stop_run {
    uint32_t kind;  ///< WEND__RUN_…
    uint32_t cells; ///< cells to its end, with the jump point
} wend__stop_run;

WEND__INLINE wend__stop_run wend__stop_run_of(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d) {
    const uint32_t cells = wend__jump_cells(at->table, (unsigned)x, (unsigned)y, d);
    const uint32_t kind = wend__jump_end(at->table, (unsigned)x, (unsigned)y, d, cells);
    return (wend__stop_run){kind, cells + (kind & 1)};
}

/// The reach of the lane on which a straight run from (x, y) leaves its chunk.
WEND__INLINE int32_t wend__stop_lane(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d) {
    return d & 1 ? at->beside->reach[d >> 1][y & 63] : at->above->reach[d >> 1][x & 63];
}

WEND__INLINE bool wend__stop_is_forward(unsigned d) {
    return d == WEND__E || d == WEND__S;
}

/// Returns the marks on the line of cells through (x, y) along d, in its chunk. Without units each mark is a stop.
WEND__INLINE uint64_t wend__stop_marks_on(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d) {
    const bool h = d & 1;
    const unsigned line = (unsigned)(h ? y : x) & 63;
    if (WEND__LIKELY(!at->units)) return at->stops ? at->stops->tight.straight[d][line] : 0;
    const uint64_t terrain = !at->stops ? 0 : h ? at->stops->loose.across[line] : at->stops->loose.down[line];
    return terrain | (h ? at->units->marks.across[line] : at->units->marks.down[line]);
}

/// Returns the cells on that line that a run from (x, y) enters in its next `count` steps, which stay in the chunk.
WEND__INLINE uint64_t wend__stop_cells_ahead(int32_t x, int32_t y, unsigned d, unsigned count) {
    const unsigned from = (unsigned)(d & 1 ? x : y) & 63;
    const uint64_t steps = wend__low_bits(count);
    return wend__stop_is_forward(d) ? steps << from << 1 : steps << (from - count);
}

/// Finds where these marked cells end a run from (x, y): steps to a stop, or minus steps to a barrier; 0: nowhere. (One
/// number, as a pair would go through memory.)
WEND__INLINE int32_t wend__stop_end_at_mark(const wend__search *s, const wend__stop_ground *at, uint64_t marks,
                                            int32_t x, int32_t y, unsigned d) {
    const bool h = d & 1, forward = wend__stop_is_forward(d);
    while (marks) {
        const int32_t bit = (int32_t)(forward ? wend__ctz64(marks) : wend__top64(marks));
        const int32_t to = (h ? at->column : at->row) * WEND__CHUNK_SIDE + bit;
        const int32_t steps = forward ? to - (h ? x : y) : (h ? x : y) - to;
        if (WEND__LIKELY(!at->units)) return steps;
        const wend__stop_kind kind = wend__stop_here(s, at, h ? to : x, h ? y : to, d);
        if (kind != WEND__STOP_NONE) return kind == WEND__STOP_CELL ? steps : -steps;
        marks &= ~(UINT64_C(1) << bit);
    }
    return 0;
}

/// The end of a run that stays in its chunk.
WEND__INLINE wend__leg_end wend__stop_end_in_chunk(const wend__stop_ground *at, uint32_t kind) {
    if (kind == WEND__RUN_WALL) return WEND__LEG_WALL;
    return kind == WEND__RUN_LIVE || at->close ? WEND__LEG_POINT : WEND__LEG_DEAD;
}

/// The chunks of the block with marks on the lane of (x, y), in direction d from its chunk: a bit for each column
/// (row). The search has turned to the block.
WEND__INLINE uint32_t wend__stop_chunks_ahead(const wend__stop_jump_search *j, const wend__stop_ground *at, int32_t x,
                                              int32_t y, unsigned d) {
    const unsigned across = at->index & (WEND__BLOCK_SIDE - 1), down = at->index >> WEND__BLOCK_SHIFT;
    const unsigned lane = (unsigned)(d & 1 ? y : x) & 63, here = d & 1 ? across : down;
    uint32_t chunks = 0;
    if (j->stop_block)
        chunks |= d & 1 ? j->stop_block->marks.across[down][lane] : j->stop_block->marks.down[across][lane];
    if (j->unit_block && d & 1 && j->unit_rows >> down & 1)
        chunks |= j->unit_block->across[down][lane] & j->unit_columns;
    if (j->unit_block && !(d & 1) && j->unit_columns >> across & 1)
        chunks |= j->unit_block->down[across][lane] & j->unit_rows;
    return chunks & (wend__stop_is_forward(d) ? ~UINT32_C(1) << here : (UINT32_C(1) << here) - 1);
}

/// Finds where marks in other chunks of its block end a run from (x, y), up to `limit` steps away: steps to a stop,
/// or minus steps to a barrier; 0: nowhere.
int32_t wend__stop_end_on_lane(wend__search *search, const wend__stop_ground *at, int32_t x, int32_t y, unsigned d,
                               int32_t limit);

/// Finds where a run from (x, y) ends, in any direction d. Cost: O(chunks on the way, and marks that are no stops).
wend__leg wend__stop_leg_far(wend__search *search, const wend__stop_ground *from, int32_t x, int32_t y, unsigned d);

/// The same, inline for a run that ends in its chunk and meets no mark.
WEND__INLINE wend__leg wend__stop_leg_along(wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y,
                                            unsigned d) {
    const wend__stop_run run = wend__stop_run_of(at, x, y, d);
    if (run.kind == WEND__RUN_RIM) return wend__stop_leg_far(s, at, x, y, d);
    if (wend__stop_marks_on(at, x, y, d) & wend__stop_cells_ahead(x, y, d, run.cells))
        return wend__stop_leg_far(s, at, x, y, d);
    return (wend__leg){(int32_t)run.cells, wend__stop_end_in_chunk(at, run.kind)};
}

#endif
