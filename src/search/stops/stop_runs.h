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

/// Where a run from (x, y) ends, in any direction d. Cost: O(chunks on the way, and marks that are no stops).
wend__leg wend__stop_look_along(wend__search *search, const wend__stop_ground *from, int32_t x, int32_t y, unsigned d);

#endif
