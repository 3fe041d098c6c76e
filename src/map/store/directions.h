/* SPDX-License-Identifier: MIT */
/* Internal: the directions of grids and of voxels, and which steps the rules allow. */
#ifndef WEND_SRC_MAP_STORE_DIRECTIONS_H
#define WEND_SRC_MAP_STORE_DIRECTIONS_H

#include "base/base.h"
#include <wend/map.h>

/* Directions, as bits of a mask and in node records: straight ones first, clockwise from north. */
enum { WEND__N, WEND__E, WEND__S, WEND__W, WEND__NE, WEND__SE, WEND__SW, WEND__NW, WEND__DIRECTIONS };
extern const int8_t wend__dx[WEND__DIRECTIONS], wend__dy[WEND__DIRECTIONS];

/* The 26 directions of voxels: straight ones first (north, east, south, west, up, down), then the flat diagonals, then
 * those in space; within each group by z, then y, then x. */
enum { WEND__SPACE_DIRECTIONS = 26, WEND__SPACE_FLAT = 6, WEND__SPACE_SPACE = 18 };
extern const int8_t wend__sx[WEND__SPACE_DIRECTIONS], wend__sy[WEND__SPACE_DIRECTIONS],
    wend__sz[WEND__SPACE_DIRECTIONS];

/// The direction of each offset: by z, y, x from -1 to 1 each; -1: that is no step.
extern const int8_t wend__flat_directions[9], wend__space_directions[27];

static inline bool wend__is_unit(int32_t offset) {
    return (uint32_t)offset + 1 < 3;
}

/// The direction of an offset, among the 8 and among the 26; -1: it is none.
static inline int32_t wend__flat_direction(int32_t dx, int32_t dy) {
    return wend__is_unit(dx) && wend__is_unit(dy) ? wend__flat_directions[dy * 3 + dx + 4] : -1;
}

static inline int32_t wend__space_direction(int32_t dx, int32_t dy, int32_t dz) {
    bool near = wend__is_unit(dx) && wend__is_unit(dy) && wend__is_unit(dz);
    return near ? wend__space_directions[dz * 9 + dy * 3 + dx + 13] : -1;
}

/// The direction that leads back, of the 8.
static inline unsigned wend__opposite(unsigned direction) {
    return direction ^ 2;
}

/// Fill `legal` for a set of rules (S7's truth table).
void wend__legal_table(const wend_map_rules *rules, uint8_t legal[256]);

/// WEND_OK or WEND_BAD_ARGUMENT. And the rules with what 0 neighbours mean.
/// What wend_map_rules_init() writes.
wend_map_rules wend__rules_default(void);
/// A caller's rules, of any size; NULL: the defaults.
/// @return WEND_OK, WEND_BAD_ARGUMENT (struct_bytes)
wend_error wend__rules_take(const wend_map_rules *theirs, wend_map_rules *out);
wend_error wend__rules_check(const wend_map_rules *rules, int32_t kind);
wend_map_rules wend__rules_settled(const wend_map_rules *rules, int32_t kind);

/// The greatest, of two costs.
static inline uint32_t wend__common_divisor(uint32_t a, uint32_t b) {
    while (b != 0) {
        uint32_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

#endif
