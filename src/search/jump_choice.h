/* SPDX-License-Identifier: MIT */
/* Internal to this room: whether `auto` takes jump search where it serves, or A* all the same. docs/jump.md says why so,
 * bench/choice.sh measures it. */
#ifndef WEND_SRC_SEARCH_JUMP_CHOICE_H
#define WEND_SRC_SEARCH_JUMP_CHOICE_H

#include "map/map_internal.h"

/* A* is taken where, of a hundred straight runs that end inside their chunk, at least so many end beside a corner and not
 * at a wall. That is 2 in width + 2 where obstacles stand alone: the narrower, the less ways bend and the more jump points
 * there are. Tables of larger maps are not in the processor's caches; that tells most where the way is short. */
enum {
    WEND__CHOICE_CORNERS = 49,
    WEND__CHOICE_CORNERS_LARGE = 44,       ///< on maps of so many cells, and more
    WEND__CHOICE_LARGE = 1 << 21,          //
    WEND__CHOICE_CORNERS_NEAR = 36,        ///< on maps of so many cells, to a goal so near along each axis
    WEND__CHOICE_LARGE_FOR_NEAR = 1 << 19, //
    WEND__CHOICE_NEAR = 64
};

/// The version has tables. It follows from what the map is, not from how it came to be so.
static inline bool wend__jump_pays(const wend__version *v, const wend_request *request) {
    const uint64_t walls = v->jump_ends[0], corners = v->jump_ends[1];
    const uint64_t cells = (uint64_t)v->width * (uint64_t)v->height;
    const uint32_t across = wend__distance(request->start.x, request->goal.x);
    const uint32_t down = wend__distance(request->start.y, request->goal.y);
    uint64_t most = cells < WEND__CHOICE_LARGE ? WEND__CHOICE_CORNERS : WEND__CHOICE_CORNERS_LARGE;
    if (cells >= WEND__CHOICE_LARGE_FOR_NEAR && across < WEND__CHOICE_NEAR && down < WEND__CHOICE_NEAR)
        most = WEND__CHOICE_CORNERS_NEAR;
    return 100 * corners <= most * (walls + corners); /* of nothing but open ground too */
}

#endif
