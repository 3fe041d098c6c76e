/* SPDX-License-Identifier: MIT */
/* Internal: whether `auto` takes jump search or A* if both serve. Reasons: docs/design/search.md,
 * bench/choice.sh. */

/* Tried: jump points per open cell as the measure. It does not part noise of 20 % (0.41) from noise of 40 % (0.43). */
#ifndef WEND_SRC_FAST_JUMP_GRID_JUMP_CHOICE_H
#define WEND_SRC_FAST_JUMP_GRID_JUMP_CHOICE_H

#include "fast/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include "search/store/request_fields.h"
#include <wend/search.h>

/* A* is taken if many straight runs end at a corner: of a hundred runs that end inside their
 * chunk, more than WEND__CHOICE_CORNERS. Isolated obstacles of a width k make 2 in k + 2: the
 * narrower they are, the more jump points there are and the less paths bend.
 *
 * Jump search is taken all the same if cells have few diagonal steps: in mazes of corridors
 * one cell wide, and with two cells in five blocked. Landmarks know the detours to a far
 * goal: with them jump search is also taken if one cell in five is blocked, and for the
 * farthest goals if one in ten is. What counts as far depends on the map, as tables and
 * landmarks of a large one are in no cache. */
enum {
    WEND__CHOICE_CORNERS = 47,
    WEND__CHOICE_CORNERS_LARGE = 44, ///< on maps of WEND__CHOICE_LARGE cells and more, whose tables are in no cache
    WEND__CHOICE_LARGE = 1 << 21,
    WEND__CHOICE_CORNERS_NEAR =
        37, ///< to a goal less than WEND__CHOICE_NEAR cells away, on maps of WEND__CHOICE_NEAR_ON cells and more
    WEND__CHOICE_NEAR = 64,
    WEND__CHOICE_NEAR_ON = 1 << 17,
    WEND__CHOICE_FAR_ON = 1 << 19,   ///< on maps of this many cells half the side is far; on smaller ones all but near
    WEND__CHOICE_SPECIAL = 16,       ///< with many corners, the least cells per special cell for jumps
    WEND__CHOICE_DIAGONALS = 25,     ///< least diagonal steps to a hundred of these runs
    WEND__CHOICE_DIAGONALS_FAR = 60, ///< least diagonal steps with landmarks, for a far goal
    WEND__CHOICE_DIAGONALS_FARTHEST = 80, ///< with landmarks, for a goal three quarters of the side away
    WEND__CHOICE_CORNERS_WRAPPED = 25,    ///< most corners on a map that wraps, as runs stop at its rim
    WEND__CHOICE_CORNERS_FOUR = 30,       ///< the most corners with 4 neighbours
    WEND__CHOICE_DIAGONALS_FOUR = 5       ///< least diagonal steps with 4 neighbours: corridors one cell wide have none
};

/// Returns the least number of diagonal steps for A*, with landmarks, on a map of `cells` cells, to a goal
/// `away` cells away along the longer axis.
static inline uint64_t wend__choice_diagonals_led(uint64_t cells, uint64_t away) {
    if (away < WEND__CHOICE_NEAR) return WEND__CHOICE_DIAGONALS;
    if (16 * away * away >= 9 * cells) return WEND__CHOICE_DIAGONALS_FARTHEST;
    const bool far = cells < WEND__CHOICE_FAR_ON || 4 * away * away >= cells;
    return far ? WEND__CHOICE_DIAGONALS_FAR : WEND__CHOICE_DIAGONALS;
}

/// Returns true if jump search pays, with tables. It depends on the map, not its history, and on valid landmarks.
static inline bool wend__jump_pays(const wend__version *v, const wend__request *request) {
    const uint64_t *counts = v->jump_counts, ends = counts[WEND__JUMP_WALLS] + counts[WEND__JUMP_CORNERS];
    const uint64_t cells = (uint64_t)v->width * (uint64_t)v->height;
    const uint32_t across = wend__distance(request->start.x, request->goal.x);
    const uint32_t down = wend__distance(request->start.y, request->goal.y);
    const uint64_t away = across > down ? across : down;
    const bool near = away < WEND__CHOICE_NEAR;
    uint64_t most = cells < WEND__CHOICE_LARGE ? WEND__CHOICE_CORNERS : WEND__CHOICE_CORNERS_LARGE;
    if (near && cells >= WEND__CHOICE_NEAR_ON) most = WEND__CHOICE_CORNERS_NEAR;
    const uint64_t fewest =
        wend__landmarks_usable(v) ? wend__choice_diagonals_led(cells, away) : WEND__CHOICE_DIAGONALS;
    return 100 * counts[WEND__JUMP_CORNERS] <= most * ends || 100 * counts[WEND__JUMP_DIAGONALS] < fewest * ends;
}

/// The same with 4 neighbours. There A* is quick on open ground, as most ways to a goal cost the same.
static inline bool wend__jump_pays_four(const wend__version *v) {
    const uint64_t *counts = v->jump_counts, ends = counts[WEND__JUMP_WALLS] + counts[WEND__JUMP_CORNERS];
    return 100 * counts[WEND__JUMP_CORNERS] <= WEND__CHOICE_CORNERS_FOUR * ends ||
           100 * counts[WEND__JUMP_DIAGONALS] < WEND__CHOICE_DIAGONALS_FOUR * ends;
}

#endif
