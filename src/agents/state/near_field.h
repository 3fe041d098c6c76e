/* SPDX-License-Identifier: MIT */
/* Internal: near fields: the rest of an agent's way from each cell around it, also off its path. */
#ifndef WEND_SRC_AGENTS_STATE_NEAR_FIELD_H
#define WEND_SRC_AGENTS_STATE_NEAR_FIELD_H

#include "map/store/map_layout.h"

enum {
    WEND__NEAR_RADIUS = 12, ///< the cells on the rim are not known
    WEND__NEAR_SIDE = 2 * WEND__NEAR_RADIUS + 1,
    WEND__NEAR_AHEAD = 48,   ///< steps of the path that a near field sees
    WEND__NEAR_UNKNOWN = 255 ///< no way inside the near, or a long one, or far behind the agent
};

/// For each cell of a square: the least cost from there to the end of the path ahead, inside the square, in units in
/// which a straight step costs 1 with 4 neighbours and 5 with 8.
typedef struct wend__near_field {
    uint64_t revision; ///< revision of the map
    uint32_t changes;  ///< wend__agent_path.changes
    uint32_t beyond;   ///< steps of the path behind the last one that the field sees
    uint32_t owner;    ///< agent, plus 1; 0: none
    uint32_t used;     ///< low bits of the last update in which it was used
    int32_t x, y;      ///< first cell of the square
    uint8_t left[WEND__NEAR_SIDE * WEND__NEAR_SIDE];
} wend__near_field;

/// The near fields of a crowd. Most agents never leave their paths, so large crowds have fewer fields than agents. An
/// agent without a field takes one that has not been used for longest, or nearly so.
typedef struct wend__near_pool {
    wend__near_field *of;
    uint32_t *slots; ///< by agent: its field, plus 1; 0: none
    uint32_t count, hand;
} wend__near_pool;

/// Returns the rest of the way from a cell, or WEND__NEAR_UNKNOWN.
static inline uint8_t wend__near_left(const wend__near_field *near, wend_cell cell) {
    const uint32_t x = (uint32_t)(cell.x - near->x), y = (uint32_t)(cell.y - near->y);
    if (x >= WEND__NEAR_SIDE || y >= WEND__NEAR_SIDE) return WEND__NEAR_UNKNOWN;
    return near->left[y * WEND__NEAR_SIDE + x];
}

#endif
