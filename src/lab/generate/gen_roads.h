/* SPDX-License-Identifier: MIT */
/* A generator of graphs that resemble the roads of a country. */
#ifndef WEND_SRC_LAB_GENERATE_GEN_ROADS_H
#define WEND_SRC_LAB_GENERATE_GEN_ROADS_H

#include <wend/map.h>

#include "lab/generate/gen.h"

/// Nodes are 1 to `nodes`; at[0] is not used.
typedef struct gen_roads {
    uint32_t nodes;
    wend_cell *at;
    wend_edge *edges;
    uint64_t edge_count;
} gen_roads;

/// Crossings on a bent grid, connected by lanes, main roads and a few fast roads; every node can be reached from
/// every other.
/// @param density_milli   streets left out beyond those needed to reach every node
/// @return false where memory ran out; free `at` and `edges` with free() in any case
bool gen_roads_make(gen_roads *roads, gen_random *random, int32_t density_milli);

#endif
