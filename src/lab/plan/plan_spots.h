/* SPDX-License-Identifier: MIT */
/* The hard spots of a map: the areas between which requests take most expansions, and the narrow cells that most paths
   go through. */
#ifndef WEND_SRC_LAB_PLAN_PLAN_SPOTS_H
#define WEND_SRC_LAB_PLAN_PLAN_SPOTS_H

#include <stdbool.h>

#include <wend/search.h>

/// Most spots of each kind that are named, the areas along a side of the map, and the widest chokepoint, in cells.
enum { PLAN_SPOTS_MAX = 5, PLAN_AREAS_SIDE = 4, PLAN_CHOKE_WIDTH = 8 };

/// Two areas, and the requests from one to the other.
typedef struct plan_pair {
    wend_box from, to;
    uint64_t requests, expansions;
    wend_cell worst_from, worst_to; ///< its most expensive request
    uint64_t worst_expansions;
} plan_pair;

/// A narrow cell, and the paths through it.
typedef struct plan_choke {
    wend_cell cell;
    uint64_t paths;
    int32_t width; ///< cells from wall to wall; 0 on a graph
} plan_choke;

typedef struct plan_spots plan_spots;

/// @return NULL where memory ran out
plan_spots *plan_spots_create(wend_map *map, int32_t mover);
void plan_spots_free(plan_spots *spots);
/// Count an answered request.
void plan_spots_add(plan_spots *spots, wend_cell start, wend_cell goal, const wend_completion *completion);
/// The number of requests, and of paths, counted so far.
uint64_t plan_spots_paths(const plan_spots *spots);
uint64_t plan_spots_expansions(const plan_spots *spots);
/// The pairs of areas with most expansions, the greatest first. @return how many
size_t plan_spots_pairs(const plan_spots *spots, plan_pair out[PLAN_SPOTS_MAX]);
/// The chokepoints with most paths, the greatest first, none within PLAN_CHOKE_WIDTH cells of another.
/// @return how many; 0 on maps of more than 2^24 cells
size_t plan_spots_chokes(const plan_spots *spots, plan_choke out[PLAN_SPOTS_MAX]);

#endif
