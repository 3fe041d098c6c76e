/* SPDX-License-Identifier: MIT */
/* Parts of a ground that no way joins, and the least climb that would join some of them. */
#ifndef WEND_GROUND_PROGRAM_PARTS_H
#define WEND_GROUND_PROGRAM_PARTS_H

#include <stdint.h>

#include <wend/ground.h>

typedef struct ground_parts {
    uint32_t count;     ///< parts that have a hundredth of the places or more, at most 64
    uint32_t joined;    ///< the most of them that one part becomes with that climb; 0: none
    int32_t join_climb; ///< the least climb that joins any of them, in thousandths; 0: none up to the agent's height
} ground_parts;

/// Finds the parts. Where there are several, makes the ground again with greater climbs, by bisection.
/// @param level   height of a level, in thousandths
void ground_find_parts(const wend_ground_def *def, int32_t level, const wend_ground *ground, const wend_map *map,
                       ground_parts *out);

#endif
