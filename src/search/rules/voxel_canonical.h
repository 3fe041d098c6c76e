/* SPDX-License-Identifier: MIT */
/* Internal: canonical successors in space: of the cheapest ways round a voxel only one is followed. */
#ifndef WEND_SRC_SPACE_WAYS_H
#define WEND_SRC_SPACE_WAYS_H

#include "map/store/directions.h"

/// The cells around a voxel, three in a row, say which steps out of it are legal, and which of those are worth taking
/// after each direction of arrival (WEND__SPACE_DIRECTIONS: the start): rows of three cells, by z, then y.
typedef struct wend__voxel_canonical {
    uint32_t illegal[9][8];
    uint32_t kept[WEND__SPACE_DIRECTIONS + 1][9][8];
} wend__voxel_canonical;

/// With 26 neighbours and corners `never` (or `one`, whose legal steps it does not know); with 26 and `always`; with 6.
enum {
    WEND__VOXEL_CANONICAL_STRICT,
    WEND__VOXEL_CANONICAL_ALWAYS,
    WEND__VOXEL_CANONICAL_SIX,
    WEND__VOXEL_CANONICAL_TABLES
};

/// Cost: about 250 µs.
void wend__voxel_canonical_fill(wend__voxel_canonical tables[WEND__VOXEL_CANONICAL_TABLES]);

/// Which table serves these rules; -1: there is none.
int wend__voxel_canonical_choose(const wend_map_rules *rules);

/// May steps be left out with these costs?
bool wend__voxel_canonical_holds(const wend_map_rules *rules);

/// What the rows say of 27 cells, where bit (dz + 1) * 9 + (dy + 1) * 3 + dx + 1 is set where one is open.
WEND__INLINE uint32_t wend__voxel_canonical_rows(const uint32_t rows[9][8], uint32_t near) {
    return rows[0][near & 7] | rows[1][near >> 3 & 7] | rows[2][near >> 6 & 7] | rows[3][near >> 9 & 7] |
           rows[4][near >> 12 & 7] | rows[5][near >> 15 & 7] | rows[6][near >> 18 & 7] | rows[7][near >> 21 & 7] |
           rows[8][near >> 24 & 7];
}

#endif
