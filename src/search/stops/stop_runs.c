/* SPDX-License-Identifier: MIT */
/* Follows straight runs, chunk by chunk, to where they end. */
#include "search/stops/stop_runs.h"
#include "search/jump/jump_lines.h"

/* Where marked cells end a run from (x, y), `limit` steps away at most: steps to a stop, or minus steps to a barrier;
 * 0: nowhere. (One number, as a pair would go through memory.) */
static int32_t end_at_mark(const wend__search *s, const wend__stop_ground *at, uint64_t marks, int32_t x, int32_t y,
                           unsigned d, int32_t limit) {
    const bool h = d & 1, forward = wend__stop_is_forward(d);
    while (marks) {
        const int32_t bit = (int32_t)(forward ? wend__ctz64(marks) : wend__top64(marks));
        const int32_t to = (h ? at->column : at->row) * WEND__CHUNK_SIDE + bit;
        const int32_t steps = forward ? to - (h ? x : y) : (h ? x : y) - to;
        if (steps > limit) return 0;
        const wend__stop_kind kind = wend__stop_here(s, at, h ? to : x, h ? y : to, d);
        if (kind != WEND__STOP_NONE) return kind == WEND__STOP_CELL ? steps : -steps;
        marks &= ~(UINT64_C(1) << bit);
    }
    return 0;
}

/* The run that ends there, after so many cells before. */
static wend__leg leg_to_mark(int32_t cells, int32_t end) {
    return (wend__leg){end > 0 ? cells + end : cells - end - 1, end > 0 ? WEND__LEG_STOP : WEND__LEG_WALL};
}

/* The same in the chunk in which the run begins. */
static int32_t end_in_chunk(const wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y, unsigned d,
                            int32_t limit) {
    const unsigned from = (unsigned)(d & 1 ? x : y) & 63;
    const uint64_t beyond = wend__stop_is_forward(d) ? ~UINT64_C(0) << from << 1 : (UINT64_C(1) << from) - 1;
    return end_at_mark(s, at, wend__stop_marks_on(at, x, y, d) & beyond, x, y, d, limit);
}

/* The chunks of the block with marks on the lane, in its line of chunks. */
static uint32_t chunks_on_lane(const wend__stop_jump_search *j, const wend__stop_ground *at, unsigned d,
                               unsigned lane) {
    const unsigned across = at->index & (WEND__BLOCK_SIDE - 1), down = at->index >> WEND__BLOCK_SHIFT;
    const bool h = d & 1;
    uint32_t chunks = 0;
    if (j->stop_block) chunks |= h ? j->stop_block->marks.across[down][lane] : j->stop_block->marks.down[across][lane];
    if (j->unit_block && h && j->unit_rows >> down & 1) chunks |= j->unit_block->across[down][lane] & j->unit_columns;
    if (j->unit_block && !h && j->unit_columns >> across & 1)
        chunks |= j->unit_block->down[across][lane] & j->unit_rows;
    return chunks;
}

/* The same in the chunks of the block behind this one. */
static int32_t end_on_lane(wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y, unsigned d,
                           int32_t limit) {
    const bool h = d & 1, forward = wend__stop_is_forward(d);
    const unsigned here = h ? at->index & (WEND__BLOCK_SIDE - 1) : at->index >> WEND__BLOCK_SHIFT;
    uint32_t chunks = chunks_on_lane(wend__stop_of(s), at, d, (unsigned)(h ? y : x) & 63);
    chunks &= forward ? ~UINT32_C(1) << here : (UINT32_C(1) << here) - 1;
    while (chunks) {
        const int32_t chunk = (int32_t)(forward ? wend__ctz32(chunks) : wend__top64(chunks));
        const int32_t on = chunk - (int32_t)here, away = forward ? on : -on;
        if ((away - 1) * WEND__CHUNK_SIDE >= limit) return 0;
        wend__stop_ground next;
        wend__stop_ground_at(s, &next, at->column + (h ? on : 0), at->row + (h ? 0 : on));
        const int32_t end = end_at_mark(s, &next, wend__stop_marks_on(&next, x, y, d), x, y, d, limit);
        if (end) return end;
        chunks &= ~(UINT32_C(1) << chunk);
    }
    return 0;
}

/* The end of a run whose lane ends in its block. */
static wend__leg_end end_of_lane(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d, int32_t reach) {
    if (reach <= 0) return WEND__LEG_WALL;
    const wend__jump_lanes *lanes = d & 1 ? at->beside : at->above;
    const bool any = d & 1 ? at->any_h : at->any_v;
    return lanes->ends[any][quadrant_of(d)] >> ((d & 1 ? y : x) & 63) & 1 ? WEND__LEG_POINT : WEND__LEG_DEAD;
}

/* The step over the border of a block from (x, y): how a run ends there; WEND__LEG_DEAD: it goes on. */
static wend__leg_end cross_border(wend__search *s, int32_t x, int32_t y, unsigned d, wend__stop_ground *next) {
    wend__stop_ground at;
    wend__stop_ground_of(s, &at, x, y);
    const unsigned kind = wend__jump_class[d][wend__open_mask(at.chunk, at.stops, wend__stop_local(x, y))];
    if (kind == 0) return WEND__LEG_WALL;
    const int32_t to_x = x + wend__dx[d], to_y = y + wend__dy[d];
    wend__stop_ground_of(s, next, to_x, to_y);
    const uint64_t here = UINT64_C(1) << ((unsigned)(d & 1 ? to_x : to_y) & 63);
    const int32_t end = end_at_mark(s, next, wend__stop_marks_on(next, to_x, to_y, d) & here, x, y, d, 1);
    if (end) return end > 0 ? WEND__LEG_STOP : WEND__LEG_WALL;
    return kind == 1 ? WEND__LEG_POINT : WEND__LEG_DEAD;
}

WEND__NOINLINE wend__leg wend__stop_look_far(wend__search *s, const wend__stop_ground *from, int32_t x, int32_t y,
                                             unsigned d) {
    const wend__stop_ground *at = from;
    wend__stop_ground next;
    int32_t gone = 0;
    wend__stop_turn(s, at->column, at->row);
    for (;;) {
        const uint32_t run = wend__stop_run(at, x, y, d), kind = run >> 6;
        int32_t cells = (int32_t)(run & 63) + (int32_t)(kind & 1);
        int32_t end = end_in_chunk(s, at, x, y, d, cells);
        if (end) return leg_to_mark(gone, end);
        if (kind != WEND__RUN_RIM) return (wend__leg){gone + cells, wend__stop_end_in_chunk(at, kind)};
        const int32_t reach = wend__stop_lane(at, x, y, d);
        const bool on = reach >= WEND__JUMP_LANE_RIM;
        cells += on ? reach - WEND__JUMP_LANE_RIM : reach < 0 ? -reach : reach;
        end = end_on_lane(s, at, x, y, d, cells);
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
