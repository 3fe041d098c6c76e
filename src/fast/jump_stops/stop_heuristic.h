/* SPDX-License-Identifier: MIT */
/* Internal: the heuristic of a jump search with stops: distances to goals, by links too, and landmarks. */
#ifndef WEND_SRC_FAST_JUMP_STOPS_STOP_HEURISTIC_H
#define WEND_SRC_FAST_JUMP_STOPS_STOP_HEURISTIC_H

#include "fast/landmarks/landmarks.h"
#include "fast/jump_stops/stop_search.h"

/// Steps along an axis from a cell to a span of cells.
WEND__INLINE uint32_t wend__stop_steps_to(int32_t from, int32_t low, int32_t high) {
    const int32_t below = low - from, beyond = from - high, most = below > beyond ? below : beyond;
    return (uint32_t)(most > 0 ? most : 0);
}

WEND__INLINE uint32_t wend__stop_octile(const wend__search *s, uint32_t dx, uint32_t dy) {
    return s->edge[WEND__N] * (dx > dy ? dx : dy) + wend__jump_of(s)->bend * (dx > dy ? dy : dx);
}

/// The octile distance to a box.
WEND__INLINE uint32_t wend__stop_to_box(const wend__search *s, int32_t x, int32_t y, int32_t left, int32_t top,
                                        int32_t right, int32_t bottom) {
    return wend__stop_octile(s, wend__stop_steps_to(x, left, right), wend__stop_steps_to(y, top, bottom));
}

/// The estimate from distances to several goals and by links, but at least `bound`.
uint32_t wend__stop_estimate_all(const wend__search *search, int32_t x, int32_t y, uint32_t bound);
/// The same with a single goal, and without links of the host, on a map that wraps.
uint32_t wend__stop_estimate_round(const wend__search *search, int32_t x, int32_t y, uint32_t bound);
/// Begins a search with other goals or links.
void wend__stop_estimate_begin(wend__search *search);

/// The estimate from distances alone, but at least `bound`.
WEND__INLINE uint32_t wend__stop_estimate_above(const wend__search *s, int32_t x, int32_t y, uint32_t bound) {
    const wend__stop_jump_search *j = wend__stop_of(s);
    if (WEND__UNLIKELY(!j->heuristic.quick))
        return j->round ? wend__stop_estimate_round(s, x, y, bound) : wend__stop_estimate_all(s, x, y, bound);
    const uint32_t plain = wend__stop_to_box(s, x, y, j->goals.boxes[0].left, j->goals.boxes[0].top,
                                             j->goals.boxes[0].right, j->goals.boxes[0].bottom);
    return plain > bound ? plain : bound;
}

WEND__INLINE uint32_t wend__stop_plain_estimate(const wend__search *s, int32_t x, int32_t y) {
    return wend__stop_estimate_above(s, x, y, 0);
}

WEND__INLINE uint32_t wend__stop_estimate(const wend__search *s, int32_t x, int32_t y) {
    const wend__landmark_bounds *landmark_bounds = &wend__jump_of(s)->landmark_bounds;
    return wend__stop_estimate_above(
        s, x, y, landmark_bounds->landmarks ? (uint32_t)wend__landmark_bound(landmark_bounds, x, y) : 0);
}

/// The bucket of a node, before it is taken modulo the ring.
WEND__INLINE uint32_t wend__stop_bucket(const wend__search *s, uint32_t g, int32_t x, int32_t y) {
    return (g + wend__stop_estimate(s, x, y)) >> s->open.shift;
}

#endif
