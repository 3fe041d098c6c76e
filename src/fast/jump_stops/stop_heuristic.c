/* SPDX-License-Identifier: MIT */
/* Estimates of a jump search with stops with several goals, or with links. */
#include "fast/jump_stops/stop_heuristic.h"
#include "map/ground/ground.h"

enum { MANY_GOALS = 8 };

/* Returns the most steps along an axis from a chunk's cells to a span of cells. */
static uint32_t most_steps_to(int32_t chunk, int32_t low, int32_t high) {
    const int32_t first = chunk << WEND__CHUNK_SHIFT, last = first | (WEND__CHUNK_SIDE - 1);
    const uint32_t a = wend__stop_steps_to(first, low, high), b = wend__stop_steps_to(last, low, high);
    return a > b ? a : b;
}

/* Returns the fewest such steps. */
static uint32_t least_steps_to(int32_t chunk, int32_t low, int32_t high) {
    const int32_t first = chunk << WEND__CHUNK_SHIFT, last = first | (WEND__CHUNK_SIDE - 1);
    return (uint32_t)(low > last ? low - last : first > high ? first - high : 0);
}

static WEND__NOINLINE void find_nearest(const wend__search *s, uint32_t chunk, wend__stop_nearest *out) {
    const wend__stop_goals *goals = &wend__stop_of(s)->goals;
    const int32_t column = (int32_t)(chunk >> 16), row = (int32_t)(chunk & 0xffff);
    uint32_t least[WEND_MAX_GOALS], within = UINT32_MAX;
    *out = (wend__stop_nearest){chunk, 0};
    for (uint32_t i = 0; i < goals->count; i++) {
        const int32_t left = goals->boxes[i].left, right = goals->boxes[i].right;
        const int32_t top = goals->boxes[i].top, bottom = goals->boxes[i].bottom;
        const uint32_t most = wend__stop_octile(s, most_steps_to(column, left, right), most_steps_to(row, top, bottom));
        if (most < within) within = most;
        least[i] = wend__stop_octile(s, least_steps_to(column, left, right), least_steps_to(row, top, bottom));
    }
    for (uint32_t i = 0; i < goals->count; i++) out->goals |= (uint64_t)(least[i] <= within) << i;
}

/* The goals that may be nearest to the cells of a chunk, a bit each. */
static uint64_t goals_near(const wend__search *s, int32_t column, int32_t row) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    const uint32_t chunk = (uint32_t)column << 16 | (uint32_t)row;
    wend__stop_nearest *nearest = &wend__stop_of(s)->nearest[(column & 3) | (row & 3) << 2];
    if (j->goals.count < MANY_GOALS || wend__wraps(s->version) || s->version->sheets)
        return wend__low_bits(j->goals.count);
    if (nearest->chunk != chunk) find_nearest(s, chunk, nearest);
    return nearest->goals;
}

/* The octile distance to a box on the ground. */
static uint32_t to_box(const wend__search *s, int32_t x, int32_t y, int32_t left, int32_t top, int32_t right,
                       int32_t bottom) {
    const wend__heuristic *h = &wend__stop_of(s)->heuristic;
    return wend__stop_octile(s, wend__ranges_apart(x, x, left, right, h->around_x),
                             wend__ranges_apart(y, y, top, bottom, h->around_y));
}

/* Ends as soon as one goal, or one group of links, is within the bound. */
WEND__NOINLINE uint32_t wend__stop_estimate_all(const wend__search *s, int32_t x, int32_t y, uint32_t bound) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    const wend__shortcut *shortcut = j->heuristic.shortcuts, *end = shortcut + j->heuristic.shortcut_count;
    uint32_t least = UINT32_MAX;
    if (j->heuristic.blind) return bound;
    const wend_cell at = wend__place_on_ground(s->version, (wend_cell){x, y, 0});
    for (uint64_t left = goals_near(s, x >> WEND__CHUNK_SHIFT, y >> WEND__CHUNK_SHIFT); left; left &= left - 1) {
        const unsigned i = wend__ctz64(left);
        const int32_t right = j->heuristic.points[i].x - j->heuristic.goals[i].x;
        const int32_t down = j->heuristic.points[i].y - j->heuristic.goals[i].y;
        const uint32_t way = to_box(s, at.x, at.y, j->goals.boxes[i].left + right, j->goals.boxes[i].top + down,
                                    j->goals.boxes[i].right + right, j->goals.boxes[i].bottom + down);
        if (way <= bound) return bound;
        if (way < least) least = way;
    }
    for (; shortcut < end && shortcut->bound < least; shortcut++) { /* their bounds ascend */
        const wend_box *box = &shortcut->entrances;
        const uint32_t way =
            (uint32_t)shortcut->bound + to_box(s, at.x, at.y, box->min.x, box->min.y, box->max.x, box->max.y);
        if (way <= bound) return bound;
        if (way < least) least = way;
    }
    return least;
}

/* Returns the steps along an axis from a cell to a span of cells, by the shorter way round. */
WEND__INLINE uint32_t steps_round(int32_t from, int32_t low, int32_t high, int32_t around) {
    const int32_t below = low - from, beyond = from - high, apart = wend__most(below, beyond);
    /* One of the two is negative: minus what the way round leaves of the axis. */
    const int32_t round = around + wend__least(below, beyond);
    return (uint32_t)wend__most(around ? wend__least(apart, round) : apart, 0);
}

WEND__NOINLINE uint32_t wend__stop_estimate_round(const wend__search *s, int32_t x, int32_t y, uint32_t bound) {
    const wend__stop_goals *goals = &wend__stop_of(s)->goals;
    const wend__heuristic *h = &wend__stop_of(s)->heuristic;
    const int32_t left = goals->boxes[0].left, right = goals->boxes[0].right;
    const int32_t top = goals->boxes[0].top, bottom = goals->boxes[0].bottom;
    const uint32_t way =
        wend__stop_octile(s, steps_round(x, left, right, h->around_x), steps_round(y, top, bottom, h->around_y));
    return way > bound ? way : bound;
}

void wend__stop_estimate_begin(wend__search *s) {
    for (unsigned i = 0; i < WEND__STOP_NEAREST; i++) wend__stop_of(s)->nearest[i].chunk = WEND__NONE;
}
