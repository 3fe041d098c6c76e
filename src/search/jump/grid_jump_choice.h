/* SPDX-License-Identifier: MIT */
/* Internal to this room: whether `auto` takes jump search where it serves, or A* all the same. docs/jump.md says why so,
 * bench/choice.sh measures it. */
#ifndef WEND_SRC_SEARCH_JUMP_CHOICE_H
#define WEND_SRC_SEARCH_JUMP_CHOICE_H

#include "map/landmarks/landmarks.h"
#include "map/store/map_layout.h"
#include <wend/search.h>

/* A* is taken where, of a hundred straight runs that end inside their chunk, more than so many end beside a corner and not
 * at a wall. That is 2 in width + 2 where obstacles stand alone: the narrower, the less ways bend and the more jump points
 * there are. But not where cells have few diagonal steps: in mazes of corridors one cell wide, and where two cells in five
 * are blocked. Landmarks tell a far goal's detours: with them not where one cell in five is, and to the farthest goals not
 * where one in ten is. What is far goes by the map, as tables and landmarks of a large one are in no cache. */
enum {
    WEND__CHOICE_CORNERS = 47,
    WEND__CHOICE_CORNERS_LARGE = 44, ///< on maps of so many cells, and more: their tables are in no cache
    WEND__CHOICE_LARGE = 1 << 21,
    WEND__CHOICE_CORNERS_NEAR = 37, ///< to a goal fewer cells away along each axis, on maps of so many and more
    WEND__CHOICE_NEAR = 64,
    WEND__CHOICE_NEAR_ON = 1 << 17,
    WEND__CHOICE_FAR_ON = 1 << 19, ///< on maps of so many cells, and more, half the side is far, else what is not near
    WEND__CHOICE_DIAGONALS = 25,   ///< to a hundred of these runs, at least so many diagonal steps
    WEND__CHOICE_DIAGONALS_FAR = 60,     ///< with landmarks, to a goal that is far
    WEND__CHOICE_DIAGONALS_FARTHEST = 80 ///< and to one three quarters of the map's side away
};

/// How many diagonal steps A* asks for with landmarks, on a map of so many cells, to a goal so many cells away along the
/// longer axis.
static inline uint64_t wend__choice_diagonals_led(uint64_t cells, uint64_t away) {
    if (away < WEND__CHOICE_NEAR) return WEND__CHOICE_DIAGONALS;
    if (16 * away * away >= 9 * cells) return WEND__CHOICE_DIAGONALS_FARTHEST;
    const bool far = cells < WEND__CHOICE_FAR_ON || 4 * away * away >= cells;
    return far ? WEND__CHOICE_DIAGONALS_FAR : WEND__CHOICE_DIAGONALS;
}

/// The version has tables. It follows from what the map is, not from how it came to be so, and whether any landmark stands.
static inline bool wend__jump_pays(const wend__version *v, const wend_request *request) {
    const uint64_t *counts = v->jump_counts, ends = counts[WEND__JUMP_WALLS] + counts[WEND__JUMP_CORNERS];
    const uint64_t cells = (uint64_t)v->width * (uint64_t)v->height;
    const uint32_t across = wend__distance(request->start.x, request->goal.x);
    const uint32_t down = wend__distance(request->start.y, request->goal.y);
    const uint64_t away = across > down ? across : down;
    const bool near = away < WEND__CHOICE_NEAR;
    uint64_t most = cells < WEND__CHOICE_LARGE ? WEND__CHOICE_CORNERS : WEND__CHOICE_CORNERS_LARGE;
    if (near && cells >= WEND__CHOICE_NEAR_ON) most = WEND__CHOICE_CORNERS_NEAR;
    const uint64_t fewest = wend__landmarks_stand(v) ? wend__choice_diagonals_led(cells, away) : WEND__CHOICE_DIAGONALS;
    return 100 * counts[WEND__JUMP_CORNERS] <= most * ends || 100 * counts[WEND__JUMP_DIAGONALS] < fewest * ends;
}

#endif
