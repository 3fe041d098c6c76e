/* SPDX-License-Identifier: MIT */
/* Internal: the goals of a jump search with stops: at which cell a run or a diagonal first meets one. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_GOALS_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_GOALS_H

#include "map/store/directions.h"
#include "fast/jump_stops/stop_search.h"

/// Steps from (x, y), itself no goal, in straight direction d to the first cell of a goal's box; 0: there is none.
static inline int32_t wend__stop_goal_ahead(const wend__stop_goals *goals, int32_t x, int32_t y, unsigned d) {
    uint64_t left =
        d & 1 ? goals->in_row[wend__stop_goal_line(y >> 6)] : goals->in_column[wend__stop_goal_line(x >> 6)];
    int32_t nearest = 0;
    for (; left; left &= left - 1) {
        const unsigned i = wend__ctz64(left);
        const int32_t x0 = goals->boxes[i].left, x1 = goals->boxes[i].right;
        const int32_t y0 = goals->boxes[i].top, y1 = goals->boxes[i].bottom;
        if (d & 1 ? y < y0 || y > y1 : x < x0 || x > x1) continue;
        const int32_t n = d == WEND__E ? x0 - x : d == WEND__W ? x - x1 : d == WEND__S ? y0 - y : y - y1;
        if (n > 0 && (nearest == 0 || n < nearest)) nearest = n;
    }
    return nearest;
}

/// Steps from (x, y) along a diagonal (at least `first`) to the first cell of a box; −1: it passes none.
static inline int32_t wend__stop_goal_along(const wend__stop_goals *goals, int32_t x, int32_t y, int32_t dx, int32_t dy,
                                            int32_t first) {
    int32_t nearest = -1;
    for (uint64_t left = goals->in_row[wend__stop_goal_line(y >> 6)] & goals->in_column[wend__stop_goal_line(x >> 6)];
         left; left &= left - 1) {
        const unsigned i = wend__ctz64(left);
        const int32_t h0 = dx > 0 ? goals->boxes[i].left - x : x - goals->boxes[i].right;
        const int32_t h1 = dx > 0 ? goals->boxes[i].right - x : x - goals->boxes[i].left;
        const int32_t v0 = dy > 0 ? goals->boxes[i].top - y : y - goals->boxes[i].bottom;
        const int32_t v1 = dy > 0 ? goals->boxes[i].bottom - y : y - goals->boxes[i].top;
        int32_t low = h0 > v0 ? h0 : v0;
        const int32_t high = h1 < v1 ? h1 : v1;
        if (low < first) low = first;
        if (low <= high && (nearest < 0 || low < nearest)) nearest = low;
    }
    return nearest;
}

/// Returns whether a cell is a goal.
static inline bool wend__stop_is_goal(const wend__stop_goals *goals, int32_t x, int32_t y) {
    for (uint64_t left = goals->in_row[wend__stop_goal_line(y >> 6)] & goals->in_column[wend__stop_goal_line(x >> 6)];
         left; left &= left - 1) {
        const unsigned i = wend__ctz64(left);
        if (x >= goals->boxes[i].left && x <= goals->boxes[i].right && y >= goals->boxes[i].top &&
            y <= goals->boxes[i].bottom)
            return true;
    }
    return false;
}

#endif
