/* SPDX-License-Identifier: MIT */
/* The eight directions, and which steps the corner rules leave of a cell's open neighbours. */
#include "map/map_internal.h"

const int8_t wend__dx[WEND__DIRECTIONS] = {0, 1, 0, -1, 1, 1, -1, -1};
const int8_t wend__dy[WEND__DIRECTIONS] = {-1, 0, 1, 0, -1, 1, 1, -1};

/* The two straight steps that a diagonal one passes between. */
static const uint8_t sides[WEND__DIRECTIONS] = {
    [WEND__NE] = 1 << WEND__N | 1 << WEND__E,
    [WEND__SE] = 1 << WEND__S | 1 << WEND__E,
    [WEND__SW] = 1 << WEND__S | 1 << WEND__W,
    [WEND__NW] = 1 << WEND__N | 1 << WEND__W,
};

static bool corner_allows(int32_t corners, unsigned open_sides, unsigned both) {
    if (corners == WEND_CORNERS_NEVER) return open_sides == both;
    return corners == WEND_CORNERS_ALWAYS || open_sides != 0;
}

static uint8_t legal_steps(const wend_map_rules *rules, unsigned open) {
    unsigned steps = open & 15u;
    if (rules->neighbours == 4) return (uint8_t)steps;
    for (unsigned d = WEND__NE; d < WEND__DIRECTIONS; d++)
        if (open >> d & 1 && corner_allows(rules->corners, open & sides[d], sides[d])) steps |= 1u << d;
    return (uint8_t)steps;
}

void wend__legal_table(const wend_map_rules *rules, uint8_t legal[256]) {
    for (unsigned open = 0; open < 256; open++) legal[open] = legal_steps(rules, open);
}

int32_t wend__rules_check(const wend_map_rules *rules) {
    if (rules->struct_bytes != sizeof *rules) return WEND_BAD_ARGUMENT;
    if (rules->neighbours != 4 && rules->neighbours != 8) return WEND_BAD_ARGUMENT;
    if (rules->corners < WEND_CORNERS_NEVER || rules->corners > WEND_CORNERS_ALWAYS) return WEND_BAD_ARGUMENT;
    int64_t straight = rules->cost_straight, diagonal = rules->cost_diagonal;
    if (straight < 1 || straight > WEND_MAX_COST || diagonal > WEND_MAX_COST) return WEND_BAD_ARGUMENT;
    return diagonal < straight || diagonal > 2 * straight ? WEND_BAD_ARGUMENT : WEND_OK;
}
