/* SPDX-License-Identifier: MIT */
/* Follows straight runs, chunk by chunk, to where they end. */
#include "fast/jump_stops/stop_runs.h"
#include "fast/jump/jump_lines.h"

/* Finds where marked cells end a run, at most `limit` steps away. */
static int32_t end_within(const wend__search *s, const wend__stop_ground *at, uint64_t marks, int32_t x, int32_t y,
                          unsigned d, int32_t limit) {
    const int32_t end = marks ? wend__stop_end_at_mark(s, at, marks, x, y, d) : 0;
    return end > limit || -end > limit ? 0 : end;
}

/* Returns the run that ends there, after `cells` cells before. */
static wend__leg leg_to_mark(int32_t cells, int32_t end) {
    return (wend__leg){end > 0 ? cells + end : cells - end - 1, end > 0 ? WEND__LEG_STOP : WEND__LEG_WALL};
}

/* The same in the chunk in which the run begins. */
static int32_t end_in_chunk(const wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y, unsigned d,
                            int32_t limit) {
    const uint64_t cells = wend__stop_cells_ahead(x, y, d, (unsigned)limit);
    return end_within(s, at, wend__stop_marks_on(at, x, y, d) & cells, x, y, d, limit);
}

/* Finds where marks of a chunk of the block end the run, `on` chunks after its first. */
static int32_t end_in_chunk_on(wend__search *s, const wend__stop_ground *at, int32_t on, int32_t x, int32_t y,
                               unsigned d, int32_t limit) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    const bool h = d & 1, forward = wend__stop_is_forward(d);
    const unsigned index = at->index + (unsigned)(h ? on : on * WEND__BLOCK_SIDE);
    if (WEND__LIKELY(!j->unit_block || !j->unit_block->chunks[index])) {
        const uint64_t stops = j->stop_block->chunks[index]->tight.straight[d][(h ? y : x) & 63];
        if (stops == 0) return 0;
        const int32_t bit = (int32_t)(forward ? wend__ctz64(stops) : wend__top64(stops));
        const int32_t to = (h ? at->column : at->row) * WEND__CHUNK_SIDE + on * WEND__CHUNK_SIDE + bit;
        const int32_t steps = forward ? to - (h ? x : y) : (h ? x : y) - to;
        return steps > limit ? 0 : steps;
    }
    wend__stop_ground next;
    wend__stop_ground_at(s, &next, at->column + (h ? on : 0), at->row + (h ? 0 : on));
    return end_within(s, &next, wend__stop_marks_on(&next, x, y, d), x, y, d, limit);
}

WEND__NOINLINE int32_t wend__stop_end_on_lane(wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y,
                                              unsigned d, int32_t limit) {
    const bool h = d & 1, forward = wend__stop_is_forward(d);
    const unsigned here = h ? at->index & (WEND__BLOCK_SIDE - 1) : at->index >> WEND__BLOCK_SHIFT;
    wend__stop_ensure_block(s, at->column, at->row);
    uint32_t chunks = wend__stop_chunks_ahead(wend__stop_of(s), at, x, y, d);
    while (chunks) {
        const int32_t chunk = (int32_t)(forward ? wend__ctz32(chunks) : wend__top64(chunks));
        const int32_t on = chunk - (int32_t)here;
        const int32_t border = ((forward ? on : -on) - 1) * WEND__CHUNK_SIDE; /* the run goes beyond it */
        if (border >= limit) return 0;
        const int32_t end = end_in_chunk_on(s, at, on, x, y, d, limit);
        if (end) return end;
        chunks &= ~(UINT32_C(1) << chunk);
    }
    return 0;
}

/* Returns the end of a run on a lane that ends in its block. */
static wend__leg_end end_of_lane(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d, int32_t reach) {
    if (reach <= 0) return WEND__LEG_WALL;
    const wend__jump_lanes *lanes = d & 1 ? at->beside : at->above;
    const bool any = d & 1 ? at->any_h : at->any_v;
    return lanes->ends[any][quadrant_of(d)] >> ((d & 1 ? y : x) & 63) & 1 ? WEND__LEG_POINT : WEND__LEG_DEAD;
}

/* Returns how a run ends at the step over the border of a block from (x, y); WEND__LEG_DEAD: it goes on. */
static wend__leg_end cross_border(wend__search *s, int32_t x, int32_t y, unsigned d, wend__stop_ground *next) {
    wend__stop_ground at;
    wend__stop_ground_of(s, &at, x, y);
    const unsigned kind = wend__jump_class[d][wend__open_mask(at.chunk, at.stops, wend__stop_local(x, y))];
    if (kind == 0) return WEND__LEG_WALL;
    const int32_t to_x = x + wend__dx[d], to_y = y + wend__dy[d];
    wend__stop_ground_of(s, next, to_x, to_y);
    const uint64_t here = UINT64_C(1) << ((unsigned)(d & 1 ? to_x : to_y) & 63);
    const int32_t end = end_within(s, next, wend__stop_marks_on(next, to_x, to_y, d) & here, x, y, d, 1);
    if (end) return end > 0 ? WEND__LEG_STOP : WEND__LEG_WALL;
    return kind == 1 ? WEND__LEG_POINT : WEND__LEG_DEAD;
}

WEND__NOINLINE wend__leg wend__stop_leg_far(wend__search *s, const wend__stop_ground *from, int32_t x, int32_t y,
                                            unsigned d) {
    const wend__stop_ground *at = from;
    wend__stop_ground next;
    int32_t gone = 0;
    wend__stop_ensure_block(s, at->column, at->row);
    for (;;) {
        const wend__stop_run run = wend__stop_run_of(at, x, y, d);
        int32_t cells = (int32_t)run.cells;
        int32_t end = end_in_chunk(s, at, x, y, d, cells);
        if (end) return leg_to_mark(gone, end);
        if (run.kind != WEND__RUN_RIM) return (wend__leg){gone + cells, wend__stop_end_in_chunk(at, run.kind)};
        const int32_t reach = wend__stop_lane(at, x, y, d);
        const bool on = reach >= WEND__JUMP_LANE_RIM;
        cells += on ? reach - WEND__JUMP_LANE_RIM : reach < 0 ? -reach : reach;
        end = wend__stop_end_on_lane(s, at, x, y, d, cells);
        if (end) return leg_to_mark(gone, end);
        gone += cells;
        if (!on) return (wend__leg){gone, end_of_lane(at, x, y, d, reach)};
        x += cells * wend__dx[d], y += cells * wend__dy[d];
        const wend__leg_end border = cross_border(s, x, y, d, &next);
        if (border != WEND__LEG_DEAD) return (wend__leg){border == WEND__LEG_WALL ? gone : gone + 1, border};
        x += wend__dx[d], y += wend__dy[d], gone++;
        at = &next;
    }
}
