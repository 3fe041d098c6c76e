/* SPDX-License-Identifier: MIT */
/* Internal to this room: whether `auto` takes jump search where it serves, or A* all the same. docs/jump.md says why so,
 * bench/choice.sh measures it. */
#ifndef WEND_SRC_SEARCH_JUMP_CHOICE_H
#define WEND_SRC_SEARCH_JUMP_CHOICE_H

#include "map/landmarks.h"
#include <wend/search.h>

/* A* is taken where, of a hundred straight runs that end inside their chunk, more than so many end beside a corner and not
 * at a wall. That is 2 in width + 2 where obstacles stand alone: the narrower, the less ways bend and the more jump points
 * there are. But not where cells have few diagonal steps: in mazes of corridors one cell wide, and where two cells in five
 * are blocked; with landmarks, which tell a far goal's detours, also where one in four is. */
enum {
    WEND__CHOICE_CORNERS = 47,
    WEND__CHOICE_CORNERS_LARGE = 44, ///< on maps of so many cells, and more: their tables are in no cache
    WEND__CHOICE_LARGE = 1 << 21,
    WEND__CHOICE_CORNERS_NEAR = 37, ///< to a goal fewer cells away along each axis, on maps of so many and more
    WEND__CHOICE_NEAR = 64,
    WEND__CHOICE_NEAR_ON = 1 << 17,
    WEND__CHOICE_DIAGONALS = 25,          ///< to a hundred of these runs, at least so many diagonal steps
    WEND__CHOICE_DIAGONALS_LANDMARKS = 45 ///< with landmarks, to a goal that is not near
};

/// The version has tables. It follows from what the map is, not from how it came to be so, and whether any landmark stands.
static inline bool wend__jump_pays(const wend__version *v, const wend_request *request) {
    const uint64_t *counts = v->jump_counts, ends = counts[WEND__JUMP_WALLS] + counts[WEND__JUMP_CORNERS];
    const uint64_t cells = (uint64_t)v->width * (uint64_t)v->height;
    const uint32_t across = wend__distance(request->start.x, request->goal.x);
    const uint32_t down = wend__distance(request->start.y, request->goal.y);
    const bool near = across < WEND__CHOICE_NEAR && down < WEND__CHOICE_NEAR;
    uint64_t most = cells < WEND__CHOICE_LARGE ? WEND__CHOICE_CORNERS : WEND__CHOICE_CORNERS_LARGE;
    if (near && cells >= WEND__CHOICE_NEAR_ON) most = WEND__CHOICE_CORNERS_NEAR;
    const bool led = wend__landmarks_stand(v) && !near;
    const uint64_t fewest = led ? WEND__CHOICE_DIAGONALS_LANDMARKS : WEND__CHOICE_DIAGONALS;
    return 100 * counts[WEND__JUMP_CORNERS] <= most * ends || 100 * counts[WEND__JUMP_DIAGONALS] < fewest * ends;
}

#endif
