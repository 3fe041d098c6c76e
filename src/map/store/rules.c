/* SPDX-License-Identifier: MIT */
/* A map's rules: checks them, and finds the legal steps for a cell's open neighbours. */
#include "map/store/directions.h"
#include "map/store/rules.h"

#include <string.h>

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
    if (rules->neighbours == 6) return (uint8_t)(open & WEND__HEX_STEPS);
    for (unsigned d = WEND__NE; d < WEND__DIRECTIONS; d++)
        if (open >> d & 1 && corner_allows(rules->corners, open & sides[d], sides[d])) steps |= 1u << d;
    return (uint8_t)steps;
}

void wend__legal_table(const wend_map_rules *rules, uint8_t legal[256]) {
    for (unsigned open = 0; open < 256; open++) legal[open] = legal_steps(rules, open);
}

wend_map_rules wend__rules_complete(const wend_map_rules *rules, int32_t kind) {
    wend_map_rules complete = *rules;
    if (complete.neighbours == 0) complete.neighbours = kind == WEND_KIND_VOXEL ? 26 : 8;
    if (kind == WEND_KIND_GRID && complete.neighbours == 6) { /* six steps, each across a side of the hexagon */
        complete.corners = WEND_CORNERS_ALWAYS;
        complete.cost_diagonal = complete.cost_straight;
    }
    return complete;
}

static bool neighbours_fit(int32_t neighbours, int32_t kind) {
    if (kind == WEND_KIND_VOXEL) return neighbours == 0 || neighbours == 6 || neighbours == 18 || neighbours == 26;
    return neighbours == 0 || neighbours == 4 || neighbours == 6 || neighbours == 8;
}

wend_map_rules wend__rules_default(void) {
    wend_map_rules rules = {.struct_bytes = sizeof rules,
                            .neighbours = 0,
                            .corners = WEND_CORNERS_NEVER,
                            .cost_straight = 10,
                            .cost_diagonal = 14,
                            .cost_space = 17};
    for (unsigned class = 0; class < 256; class++) rules.factors[class] = (uint8_t)class;
    rules.factors[WEND_CLASS_SWAMP] = 1;
    rules.factors[WEND_CLASS_WATER] = 0;
    return rules;
}

void wend_map_rules_init(wend_map_rules *rules, size_t bytes) {
    const wend_map_rules own = wend__rules_default();
    wend__sized_init(rules, bytes, &own, sizeof own);
}

wend_error wend__rules_read(const wend_map_rules *theirs, wend_map_rules *out) {
    *out = wend__rules_default();
    return !theirs || WEND__READ_STRUCT(wend_map_rules, factors, out, theirs) ? WEND_OK : WEND_BAD_ARGUMENT;
}

static wend_error refuse_neighbours(int32_t neighbours, int32_t kind) {
    return wend__refuse(WEND_BAD_ARGUMENT, "rules.neighbours is %d, but must be %s", neighbours,
                        kind == WEND_KIND_VOXEL ? "6, 18 or 26 in space (0: 26)" : "4, 6 or 8 on a grid (0: 8)");
}

wend_error wend__rules_check(const wend_map_rules *rules, int32_t kind) {
    if (kind == WEND_KIND_GRAPH) return WEND_OK;
    if (!neighbours_fit(rules->neighbours, kind)) return refuse_neighbours(rules->neighbours, kind);
    const int64_t straight = rules->cost_straight, diagonal = rules->cost_diagonal;
    wend_error error = wend__check_range("rules.corners", rules->corners, WEND_CORNERS_NEVER, WEND_CORNERS_ALWAYS);
    if (!error) error = wend__check_range("rules.cost_straight", straight, 1, WEND_MAX_COST);
    if (!error)
        error = wend__check_range("rules.cost_diagonal", diagonal, straight,
                                  2 * straight < WEND_MAX_COST ? 2 * straight : WEND_MAX_COST);
    if (error || wend__rules_complete(rules, kind).neighbours != 26) return error;
    const int64_t most = 2 * diagonal - straight;
    return wend__check_range("rules.cost_space", rules->cost_space, diagonal,
                             most < WEND_MAX_COST ? most : WEND_MAX_COST);
}

unsigned wend__contact_directions(const wend_map_rules *rules, int32_t kind) {
    const bool diagonal = rules->corners == WEND_CORNERS_ALWAYS;
    if (kind == WEND_KIND_GRID) return diagonal ? (unsigned)rules->neighbours : 4;
    if (kind == WEND_KIND_VOXEL) return diagonal ? (unsigned)rules->neighbours : WEND__SPACE_FLAT;
    return 0;
}

bool wend__rules_cost_alike(const wend_map_rules *a, const wend_map_rules *b) {
    return a->cost_straight == b->cost_straight && a->cost_diagonal == b->cost_diagonal;
}
