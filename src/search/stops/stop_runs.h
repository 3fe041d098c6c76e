/* SPDX-License-Identifier: MIT */
/* Internal: straight runs of a jump search with stops: where a run ends, be it at a wall, a jump point or a stop. */
#ifndef WEND_SRC_SEARCH_STOPS_STOP_RUNS_H
#define WEND_SRC_SEARCH_STOPS_STOP_RUNS_H

#include "search/stops/stop_ground.h"

/// How a run ends.
typedef enum wend__leg_end {
    WEND__LEG_WALL,  ///< at a wall
    WEND__LEG_DEAD,  ///< at a jump point that leads nowhere
    WEND__LEG_POINT, ///< at a jump point
    WEND__LEG_STOP   ///< at a stop
} wend__leg_end;

typedef struct wend__leg {
    int32_t cells; ///< from its beginning
    wend__leg_end end;
} wend__leg;

WEND__INLINE uint32_t wend__stop_run(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d) {
    return at->table->runs[wend__stop_local(x, y)] >> (8 * d) & 0xff;
}

/// The reach of the lane on which a straight run from (x, y) leaves its chunk.
WEND__INLINE int32_t wend__stop_lane(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d) {
    return d & 1 ? at->beside->reach[d >> 1][y & 63] : at->above->reach[d >> 1][x & 63];
}

WEND__INLINE bool wend__stop_is_forward(unsigned d) {
    return d == WEND__E || d == WEND__S;
}

/// The marks on the line of cells through (x, y) along d, in its chunk.
WEND__INLINE uint64_t wend__stop_marks_on(const wend__stop_ground *at, int32_t x, int32_t y, unsigned d) {
    const bool h = d & 1;
    const unsigned line = (unsigned)(h ? y : x) & 63;
    uint64_t marks = 0;
    if (at->terrain) marks |= h ? at->terrain->across[line] : at->terrain->down[line];
    if (at->units) marks |= h ? at->units->marks.across[line] : at->units->marks.down[line];
    return marks;
}

/// The end of a run that stays in its chunk.
WEND__INLINE wend__leg_end wend__stop_end_in_chunk(const wend__stop_ground *at, uint32_t kind) {
    if (kind == WEND__RUN_WALL) return WEND__LEG_WALL;
    return kind == WEND__RUN_LIVE || at->close ? WEND__LEG_POINT : WEND__LEG_DEAD;
}

/// Where a run from (x, y) ends, in any direction d. Cost: O(chunks on the way, and marks that are no stops).
wend__leg wend__stop_look_far(wend__search *search, const wend__stop_ground *from, int32_t x, int32_t y, unsigned d);

/// The same, inline for a run that ends in its chunk and meets no mark.
WEND__INLINE wend__leg wend__stop_look_along(wend__search *s, const wend__stop_ground *at, int32_t x, int32_t y,
                                             unsigned d) {
    const uint32_t run = wend__stop_run(at, x, y, d), kind = run >> 6;
    const unsigned cells = (run & 63) + (kind & 1), from = (unsigned)(d & 1 ? x : y) & 63;
    const uint64_t steps = wend__low_bits(cells);
    if (kind == WEND__RUN_RIM) return wend__stop_look_far(s, at, x, y, d);
    const uint64_t over = wend__stop_is_forward(d) ? steps << from << 1 : steps << (from - cells);
    if (wend__stop_marks_on(at, x, y, d) & over) return wend__stop_look_far(s, at, x, y, d);
    return (wend__leg){(int32_t)cells, wend__stop_end_in_chunk(at, kind)};
}

#endif
