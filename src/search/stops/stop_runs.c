/* SPDX-License-Identifier: MIT */
/* Follows straight runs, chunk by chunk, to where they end. */
#include "search/stops/stop_runs.h"

/* A diagonal of which d is the horizontal (vertical) direction, and whose bits are by y, or x, unflipped. */
static const uint8_t plain_quadrant[4] = {WEND__QUADRANT_NE, WEND__QUADRANT_SE, WEND__QUADRANT_SE, WEND__QUADRANT_SW};

static bool is_forward(unsigned d) {
    return d == WEND__E || d == WEND__S;
}

/* The marks on a line of cells along d. */
static uint64_t marks_on(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d) {
    const bool h = d & 1;
    const unsigned line = (unsigned)(h ? y : x) & 63;
    uint64_t marks = 0;
    if (at->terrain) marks |= h ? at->terrain->across[line] : at->terrain->down[line];
    if (at->units) marks |= h ? at->units->marks.across[line] : at->units->marks.down[line];
    return marks;
}

/* Steps from (x, y) to the first stop among marked cells of a chunk, `limit` at most; 0: there is none. */
static int32_t first_stop(const wend__search *s, const wend__stop_ground *at, uint64_t marks, int32_t x, int32_t y,
                          unsigned d, int32_t limit) {
    const bool h = d & 1, forward = is_forward(d);
    while (marks) {
        const int32_t bit = (int32_t)(forward ? wend__ctz64(marks) : wend__top64(marks));
        const int32_t to = (h ? at->column : at->row) * WEND__CHUNK_SIDE + bit;
        const int32_t steps = forward ? to - (h ? x : y) : (h ? x : y) - to;
        if (steps > limit) return 0;
        if (wend__stop_here(s, at, h ? to : x, h ? y : to, d)) return steps;
        marks &= ~(UINT64_C(1) << bit);
    }
    return 0;
}

/* The same in the chunk in which the run begins. */
static int32_t stop_in_chunk(const wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y, unsigned d,
                             int32_t limit) {
    const unsigned from = (unsigned)(d & 1 ? x : y) & 63;
    const uint64_t beyond = is_forward(d) ? ~UINT64_C(0) << from << 1 : (UINT64_C(1) << from) - 1;
    return first_stop(s, at, marks_on(at, x, y, d) & beyond, x, y, d, limit);
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

/* Steps to the first stop in the chunks of the block behind this one, `limit` at most; 0: there is none. */
static int32_t stop_on_lane(wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y, unsigned d,
                            int32_t limit) {
    const bool h = d & 1, forward = is_forward(d);
    const unsigned here = h ? at->index & (WEND__BLOCK_SIDE - 1) : at->index >> WEND__BLOCK_SHIFT;
    uint32_t chunks = chunks_on_lane(wend__stop_of(s), at, d, (unsigned)(h ? y : x) & 63);
    chunks &= forward ? ~UINT32_C(1) << here : (UINT32_C(1) << here) - 1;
    while (chunks) {
        const int32_t chunk = (int32_t)(forward ? wend__ctz32(chunks) : wend__top64(chunks));
        const int32_t away = (chunk - (int32_t)here) * (forward ? 1 : -1);
        if ((away - 1) * WEND__CHUNK_SIDE >= limit) return 0;
        const int32_t on = chunk - (int32_t)here;
        const wend__stop_ground next = wend__stop_ground_at(s, at->column + (h ? on : 0), at->row + (h ? 0 : on));
        const int32_t steps = first_stop(s, &next, marks_on(&next, x, y, d), x, y, d, limit);
        if (steps) return steps;
        chunks &= ~(UINT32_C(1) << chunk);
    }
    return 0;
}

/* The end of a run that stays in its chunk. */
static wend__leg_end end_in_chunk(const wend__stop_ground *at, uint32_t kind) {
    if (kind == WEND__RUN_WALL) return WEND__LEG_WALL;
    return kind == WEND__RUN_LIVE || at->close ? WEND__LEG_POINT : WEND__LEG_DEAD;
}

/* The end of a run whose lane ends in its block. */
static wend__leg_end end_of_lane(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d, int32_t reach) {
    if (reach <= 0) return WEND__LEG_WALL;
    const wend__jump_lanes *lanes = d & 1 ? at->beside : at->above;
    const bool any = d & 1 ? at->any_h : at->any_v;
    return lanes->ends[any][plain_quadrant[d]] >> ((d & 1 ? y : x) & 63) & 1 ? WEND__LEG_POINT : WEND__LEG_DEAD;
}

/* Step over the border of a block from (x, y). Is that the run's end? */
static bool cross_border(wend__search *s, int32_t x, int32_t y, unsigned d, wend__leg *leg, wend__stop_ground *next) {
    const wend__stop_ground at = wend__stop_ground_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    const unsigned kind = wend__jump_class[d][wend__stop_open(&at, wend__stop_local(x, y))];
    leg->end = WEND__LEG_WALL;
    if (kind == 0) return true;
    leg->cells++;
    x += wend__dx[d], y += wend__dy[d];
    *next = wend__stop_ground_at(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT);
    leg->end = WEND__LEG_STOP;
    const unsigned bit = (unsigned)(d & 1 ? x : y) & 63;
    if (marks_on(next, x, y, d) >> bit & 1 && wend__stop_here(s, next, x, y, d)) return true;
    leg->end = WEND__LEG_POINT;
    return kind == 1;
}

WEND__NOINLINE wend__leg wend__stop_look_along(wend__search *s, const wend__stop_ground *from, int32_t x, int32_t y,
                                               unsigned d) {
    wend__stop_ground at = *from;
    wend__leg leg = {0, WEND__LEG_STOP};
    wend__stop_turn(s, at.column, at.row);
    for (;;) {
        const uint32_t run = wend__stop_run(&at, x, y, d), kind = run >> 6;
        int32_t cells = (int32_t)(run & 63);
        if (kind == WEND__RUN_LIVE || kind == WEND__RUN_DEAD) cells++;
        int32_t stop = stop_in_chunk(s, &at, x, y, d, cells);
        if (stop) return (wend__leg){leg.cells + stop, WEND__LEG_STOP};
        if (kind != WEND__RUN_RIM) return (wend__leg){leg.cells + cells, end_in_chunk(&at, kind)};
        const int32_t reach = wend__stop_lane(&at, x, y, d);
        const bool on = reach >= WEND__JUMP_LANE_RIM;
        cells += on ? reach - WEND__JUMP_LANE_RIM : reach < 0 ? -reach : reach;
        stop = stop_on_lane(s, &at, x, y, d, cells);
        if (stop) return (wend__leg){leg.cells + stop, WEND__LEG_STOP};
        leg.cells += cells;
        if (!on) return (wend__leg){leg.cells, end_of_lane(&at, x, y, d, reach)};
        x += cells * wend__dx[d], y += cells * wend__dy[d];
        if (cross_border(s, x, y, d, &leg, &at)) return leg;
        x += wend__dx[d], y += wend__dy[d];
    }
}
