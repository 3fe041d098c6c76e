/* SPDX-License-Identifier: MIT */
/* Internal: canonical successors on grids (Sturtevant and Rabin 2016): of several cheapest paths
 * round a cell a search follows only one. */
#ifndef WEND_SRC_SEARCH_RULES_GRID_CANONICAL_H
#define WEND_SRC_SEARCH_RULES_GRID_CANONICAL_H

#include "map/store/directions.h"
#include "map/store/map_layout.h"

/// Steps worth taking: [direction of arrival, WEND__DIRECTIONS for the start][which neighbours are open].
typedef uint8_t wend__grid_canonical[WEND__DIRECTIONS + 1][256];

/// One table for each of the three corner rules with 8 neighbours, and one for 4 neighbours.
enum { WEND__GRID_CANONICAL_TABLES = 4 };

/// Fill the tables. Cost: about 50 µs.
void wend__grid_canonical_fill(wend__grid_canonical tables[WEND__GRID_CANONICAL_TABLES]);

/// The table for these rules; -1: there is none, and a search must take all steps.
int wend__grid_canonical_choose(const wend_map_rules *rules);

/// Are they valid for all cells of a chunk?
bool wend__grid_canonical_holds(const wend__version *version, int32_t column, int32_t row);

#endif
