/* SPDX-License-Identifier: MIT */
/* Internal: canonical successors (Sturtevant and Rabin 2016): of the cheapest ways round a cell only one is followed. */
#ifndef WEND_SRC_CANONICAL_H
#define WEND_SRC_CANONICAL_H

#include "map/store/directions.h"

/// Steps worth taking: [direction of arrival, WEND__DIRECTIONS for the start][which neighbours are open].
typedef uint8_t wend__canonical[WEND__DIRECTIONS + 1][256];

/// For three corner rules with 8 neighbours, and for 4.
enum { WEND__CANONICAL_TABLES = 4 };

/// Cost: about 50 µs.
void wend__canonical_fill(wend__canonical tables[WEND__CANONICAL_TABLES]);

/// Which table serves these rules; -1: none, all steps have to be taken.
int wend__canonical_choose(const wend_map_rules *rules);

#endif
