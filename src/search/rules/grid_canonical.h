/* SPDX-License-Identifier: MIT */
/* Internal: canonical successors (Sturtevant and Rabin 2016): of the cheapest ways round a cell only one is followed. */
#ifndef WEND_SRC_CANONICAL_H
#define WEND_SRC_CANONICAL_H

#include "map/store/directions.h"

/// Steps worth taking: [direction of arrival, WEND__DIRECTIONS for the start][which neighbours are open].
typedef uint8_t wend__grid_canonical[WEND__DIRECTIONS + 1][256];

/// For three corner rules with 8 neighbours, and for 4.
enum { WEND__GRID_CANONICAL_TABLES = 4 };

/// Cost: about 50 µs.
void wend__grid_canonical_fill(wend__grid_canonical tables[WEND__GRID_CANONICAL_TABLES]);

/// Which table serves these rules; -1: none, all steps have to be taken.
int wend__grid_canonical_choose(const wend_map_rules *rules);

#endif
