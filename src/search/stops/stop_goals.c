/* SPDX-License-Identifier: MIT */
/* Sets out the goals of a jump search with stops: as boxes, and as bits by rows and columns of chunks. */
#include "search/stops/stop_goals.h"

/* The bits of a chunk's rows (or columns) from `low` to `high`, in cells of the map. */
static uint64_t bits_between(int32_t low, int32_t high, int32_t chunk) {
    const int32_t first = wend__most(low - (chunk << 6), 0), last = wend__least(high - (chunk << 6), 63);
    return wend__low_bits((unsigned)last + 1) & ~wend__low_bits((unsigned)first);
}

static void add_span(uint64_t *boxes, uint64_t *plain, uint64_t *reversed, unsigned i, int32_t low, int32_t high) {
    for (int32_t chunk = wend__most(low, 0) >> 6; chunk <= high >> 6; chunk++) {
        const uint64_t bits = bits_between(low, high, chunk);
        boxes[wend__stop_goal_line(chunk)] |= UINT64_C(1) << i;
        plain[wend__stop_goal_line(chunk)] |= bits;
        reversed[wend__stop_goal_line(chunk)] |= wend__reversed(bits);
    }
}

static void add_goal(wend__stop_goals *goals, wend_cell goal, int32_t reach) {
    const unsigned i = goals->count++;
    goals->boxes[i].left = goal.x - reach, goals->boxes[i].right = goal.x + reach;
    goals->boxes[i].top = goal.y - reach, goals->boxes[i].bottom = goal.y + reach;
    add_span(goals->in_row, goals->rows[0], goals->rows[1], i, goal.y - reach, goal.y + reach);
    add_span(goals->in_column, goals->columns[0], goals->columns[1], i, goal.x - reach, goal.x + reach);
}

void wend__stop_goals_set(wend__stop_goals *goals, const wend_request *request) {
    goals->count = 0;
    memset(goals->in_row, 0, sizeof goals->in_row);
    memset(goals->in_column, 0, sizeof goals->in_column);
    memset(goals->rows, 0, sizeof goals->rows);
    memset(goals->columns, 0, sizeof goals->columns);
    add_goal(goals, request->goal, request->reach);
    for (uint32_t i = 0; i < request->more_goal_count; i++) add_goal(goals, request->more_goals[i], request->reach);
}
